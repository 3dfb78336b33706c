//===- Nest/Gather.cpp - Loads whose subscript is read from memory --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/Gather.h"
#include "Nest/Guard.h"
#include "Prepare/Prepare.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

static constexpr StringRef GatherPrefix = "pardiff.gather.";

/// Instructions of which a subscript may be computed.
static constexpr unsigned MaxSubscript = 32;

namespace {

class GatherHider {
public:
  GatherHider(Function &F, ScalarEvolution &SE) : F(F), SE(SE) {}
  bool hide(LoadInst &Load);
  bool moveArgument(Use &U, Instruction &Top,
                    DenseMap<Value *, Value *> &Moved);

private:
  bool isOutside(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || I->getParent() == &F.getEntryBlock();
  }
  bool isFixed(Value *V) const;
  bool isIndirect(Value *Ptr, Value *&Base) const;
  bool collect(Value *V, SmallSetVector<Instruction *, 8> &Tree) const;
  bool isAllowed(const Instruction &I) const;
  Value *moveTo(Instruction &At, Value *V,
                const SmallSetVector<Instruction *, 8> &Tree,
                DenseMap<Value *, Value *> &Moved) const;

  Function &F;
  ScalarEvolution &SE;
};

} // namespace

/// True if V is a function of counters and of what is known in front of the
/// nest.
bool GatherHider::isFixed(Value *V) const {
  if (isOutside(V))
    return true;
  if (!SE.isSCEVable(V->getType()))
    return false;
  return !SCEVExprContains(SE.getSCEV(V), [&](const SCEV *Part) {
    auto *U = dyn_cast<SCEVUnknown>(Part);
    return U && !isOutside(U->getValue());
  });
}

/// True if the distance of Ptr from an object that is known in front of the
/// nest is not a function of counters and sizes.
bool GatherHider::isIndirect(Value *Ptr, Value *&Base) const {
  if (!SE.isSCEVable(Ptr->getType()))
    return false;
  auto *U = dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(Ptr)));
  if (!U || !isOutside(U->getValue()) || isFixed(Ptr))
    return false;
  Base = U->getValue();
  return isa<Argument, GlobalVariable, Instruction>(Base);
}

bool GatherHider::isAllowed(const Instruction &I) const {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && Load->getType()->isIntegerTy() && !hasGuard(I) &&
           isFixed(const_cast<Value *>(Load->getPointerOperand()));
  if (auto *II = dyn_cast<IntrinsicInst>(&I))
    return is_contained(
        {Intrinsic::smin, Intrinsic::smax, Intrinsic::umin, Intrinsic::umax},
        II->getIntrinsicID());
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(I) &&
         (I.getType()->isIntegerTy()) && !isa<PtrToIntInst>(I);
}

/// Collects the instructions in the nest that V is computed from, operands
/// first. False if there is one that is no arithmetic and no load of an index.
bool GatherHider::collect(Value *V,
                          SmallSetVector<Instruction *, 8> &Tree) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Tree.contains(I) || isFixed(V))
    return true;
  if (!isAllowed(*I) || Tree.size() >= MaxSubscript)
    return false;
  if (!isa<LoadInst>(I))
    for (Value *Op : I->operands())
      if (!isa<Function>(Op) && !collect(Op, Tree))
        return false;
  Tree.insert(I);
  return true;
}

Value *pardiff::emitDistance(Value *Ptr, const Value *Base, IRBuilder<> &B,
                             const DataLayout &DL) {
  Value *Sum = nullptr;
  while (Ptr != Base) {
    auto *GEP = dyn_cast<GEPOperator>(Ptr);
    if (!GEP || GEP->getType()->isVectorTy())
      return nullptr;
    Value *Offset = emitGEPOffset(&B, DL, cast<User>(GEP), /*NoAssume=*/true);
    if (!Offset->getType()->isIntegerTy(64))
      return nullptr;
    Sum = Sum ? B.CreateAdd(Sum, Offset) : Offset;
    Ptr = GEP->getPointerOperand();
  }
  return Sum ? Sum : B.getInt64(0);
}

/// V computed in front of At.
Value *GatherHider::moveTo(Instruction &At, Value *V,
                           const SmallSetVector<Instruction *, 8> &Tree,
                           DenseMap<Value *, Value *> &Moved) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Tree.contains(I) ||
      (isa<LoadInst>(I) && I->getParent() == At.getParent()))
    return V;
  if (Value *Old = Moved.lookup(V))
    return Old;
  Instruction *Clone = I->clone();
  if (!isa<LoadInst>(I))
    for (Use &Op : Clone->operands())
      Op.set(moveTo(At, Op.get(), Tree, Moved));
  Clone->insertBefore(At.getIterator());
  return Moved[V] = Clone;
}

static FunctionCallee getGather(Module &M, Type *Ty, Type *PtrTy) {
  std::string Name = GatherPrefix.str();
  raw_string_ostream(Name) << *Ty;
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, Ty, PtrTy, Type::getInt64Ty(M.getContext()));
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    F->setDoesNotAccessMemory();
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
  }
  return Callee;
}

bool GatherHider::hide(LoadInst &Load) {
  Value *Ptr = Load.getPointerOperand(), *Base = nullptr;
  Type *Ty = Load.getType();
  const DataLayout &DL = F.getDataLayout();
  // Of other types there is no atomic addition.
  if (!Load.isSimple() || hasGuard(Load) ||
      !(Ty->isFloatTy() || Ty->isDoubleTy()) ||
      Load.getAlign() < DL.getABITypeAlign(Ty) || !isIndirect(Ptr, Base) ||
      Base->getType()->getPointerAddressSpace() != 0)
    return false;
  IRBuilder<> B(&Load);
  Value *Distance = emitDistance(Ptr, Base, B, DL);
  SmallSetVector<Instruction *, 8> Tree;
  if (!Distance || !collect(Distance, Tree) ||
      none_of(Tree, [](Instruction *I) { return isa<LoadInst>(I); })) {
    if (Distance)
      RecursivelyDeleteTriviallyDeadInstructions(Distance);
    return false;
  }
  DenseMap<Value *, Value *> Moved;
  Value *Here = moveTo(Load, Distance, Tree, Moved);
  CallInst *Call = B.CreateCall(getGather(*F.getParent(), Ty, Base->getType()),
                                {Base, Here}, Load.getName());
  Load.replaceAllUsesWith(Call);
  SE.forgetValue(&Load);
  Load.eraseFromParent();
  // The distance may be part of what the address was computed from.
  WeakTrackingVH Rest(Distance);
  RecursivelyDeleteTriviallyDeadInstructions(Ptr);
  if (Rest)
    RecursivelyDeleteTriviallyDeadInstructions(Rest);
  return true;
}

bool GatherHider::moveArgument(Use &U, Instruction &Top,
                               DenseMap<Value *, Value *> &Moved) {
  auto &Call = *cast<Instruction>(U.getUser());
  BasicBlock &BB = *Call.getParent();
  SmallSetVector<Instruction *, 8> Tree;
  if (!collect(U.get(), Tree) || Tree.empty())
    return false;
  auto IsHere = [&](Instruction *I) { return I->getParent() == &BB; };
  if (all_of(Tree, IsHere))
    return false;
  if (none_of(Tree, IsHere)) {
    U.set(moveTo(Top, U.get(), Tree, Moved));
    return true;
  }
  // Clones at the top may be used here, but not the other way round.
  DenseMap<Value *, Value *> AlsoHere = Moved;
  U.set(moveTo(Call, U.get(), Tree, AlsoHere));
  return true;
}

void pardiff::moveIndices(
    Function &F, ArrayRef<Use *> Arguments, FunctionAnalysisManager &FAM,
    function_ref<void(BasicBlock &, Value *, Value *)> Moved) {
  GatherHider Hider(F, FAM.getResult<ScalarEvolutionAnalysis>(F));
  DenseMap<BasicBlock *, DenseMap<Value *, Value *>> Known;
  DenseMap<BasicBlock *, Instruction *> Tops;
  for (Use *U : Arguments) {
    BasicBlock &BB = *cast<Instruction>(U->getUser())->getParent();
    Value *Old = U->get();
    // At the top, where guards of the block find it.
    Instruction *Top =
        Tops.try_emplace(&BB, &*BB.getFirstNonPHIIt()).first->second;
    if (Hider.moveArgument(*U, *Top, Known[&BB]))
      Moved(BB, Old, U->get());
  }
}

bool pardiff::isGather(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(GatherPrefix);
}

SmallVector<LoadInst *, 2> pardiff::getIndexLoads(CallInst &Gather) {
  SmallSetVector<Value *, 8> Seen;
  SmallVector<LoadInst *, 2> Loads;
  Seen.insert(getGatherDistance(Gather));
  for (unsigned K = 0; K < Seen.size(); ++K) {
    auto *I = dyn_cast<Instruction>(Seen[K]);
    if (!I || I->getParent() != Gather.getParent() || isa<PHINode>(I))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      Loads.push_back(Load);
      continue;
    }
    for (Value *Op : I->operands())
      Seen.insert(Op);
  }
  return Loads;
}

bool pardiff::hideGathers(Function &F, const BasicBlock &Exit,
                          FunctionAnalysisManager &FAM) {
  SmallVector<LoadInst *, 8> Loads;
  for (BasicBlock &BB : F)
    if (&BB != &F.getEntryBlock() && &BB != &Exit)
      for (Instruction &I : BB)
        if (auto *Load = dyn_cast<LoadInst>(&I))
          Loads.push_back(Load);
  GatherHider Hider(F, FAM.getResult<ScalarEvolutionAnalysis>(F));
  bool Any = false;
  for (LoadInst *Load : Loads)
    if (Load->getType()->isFloatingPointTy())
      Any |= Hider.hide(*Load);
  if (Any) {
    PreservedAnalyses PA;
    PA.preserveSet<CFGAnalyses>();
    FAM.invalidate(F, PA);
  }
  return Any;
}

void pardiff::restoreGathers(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isGather(I))
      continue;
    auto &Call = cast<CallInst>(I);
    IRBuilder<> B(&I);
    Value *Ptr = B.CreatePtrAdd(getGatherBase(Call), getGatherDistance(Call));
    I.replaceAllUsesWith(B.CreateLoad(I.getType(), Ptr, I.getName()));
    I.eraseFromParent();
  }
}

void pardiff::dropGatherDeclarations(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if ((F.getName().starts_with(GatherPrefix) || F.getName() == WhereName) &&
        F.use_empty())
      F.eraseFromParent();
}
