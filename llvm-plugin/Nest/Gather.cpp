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
static constexpr StringRef ScatterPrefix = "pardiff.scatter.";

/// Instructions of which a subscript may be computed.
static constexpr unsigned MaxSubscript = 32;

namespace {

class GatherHider {
public:
  GatherHider(Function &F, ScalarEvolution &SE) : F(F), SE(SE) {}
  bool hide(LoadInst &Load);
  bool hide(StoreInst &Store);
  bool moveArgument(Use &U, Instruction &Top,
                    DenseMap<Value *, Value *> &Moved);

private:
  bool isOutside(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || I->getParent() == &F.getEntryBlock();
  }
  Value *hideAddress(Instruction &At, Value *&Base);
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

static FunctionCallee getMarker(Module &M, StringRef Prefix, Type *Ty,
                                ArrayRef<Type *> Params) {
  std::string Name = Prefix.str();
  raw_string_ostream(Name) << *Ty;
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Ty, Params, false));
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    F->setDoesNotAccessMemory();
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
  }
  return Callee;
}

/// The distance of the element that At accesses from Base, computed in front of
/// At; null if At stays what it is.
Value *GatherHider::hideAddress(Instruction &At, Value *&Base) {
  Value *Ptr = getLoadStorePointerOperand(&At);
  Type *Ty = getLoadStoreType(&At);
  const DataLayout &DL = F.getDataLayout();
  // Of other types there is no atomic addition.
  if (hasGuard(At) || !(Ty->isFloatTy() || Ty->isDoubleTy()) ||
      getLoadStoreAlignment(&At) < DL.getABITypeAlign(Ty) ||
      !isIndirect(Ptr, Base) || Base->getType()->getPointerAddressSpace() != 0)
    return nullptr;
  IRBuilder<> B(&At);
  Value *Distance = emitDistance(Ptr, Base, B, DL);
  SmallSetVector<Instruction *, 8> Tree;
  if (!Distance || !collect(Distance, Tree) ||
      none_of(Tree, [](Instruction *I) { return isa<LoadInst>(I); })) {
    if (Distance)
      RecursivelyDeleteTriviallyDeadInstructions(Distance);
    return nullptr;
  }
  DenseMap<Value *, Value *> Moved;
  Value *Here = moveTo(At, Distance, Tree, Moved);
  if (Here != Distance)
    RecursivelyDeleteTriviallyDeadInstructions(Distance);
  return Here;
}

bool GatherHider::hide(LoadInst &Load) {
  Value *Ptr = Load.getPointerOperand(), *Base = nullptr;
  Type *Ty = Load.getType();
  Value *Here = Load.isSimple() ? hideAddress(Load, Base) : nullptr;
  if (!Here)
    return false;
  IRBuilder<> B(&Load);
  CallInst *Call = B.CreateCall(getMarker(*F.getParent(), GatherPrefix, Ty,
                                          {Base->getType(), B.getInt64Ty()}),
                                {Base, Here}, Load.getName());
  Load.replaceAllUsesWith(Call);
  SE.forgetValue(&Load);
  Load.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Ptr);
  return true;
}

/// The load of `*p = *p + v` or `*p = *p - v`, and which operand of the sum it
/// is; null if Store is something else, or if memory changes between the two.
static LoadInst *findSummand(StoreInst &Store, unsigned &Operand) {
  auto *Sum = dyn_cast<Instruction>(Store.getValueOperand());
  if (!Sum || !Sum->hasOneUse() || Sum->getParent() != Store.getParent())
    return nullptr;
  SmallVector<unsigned, 2> Operands;
  auto *II = dyn_cast<IntrinsicInst>(Sum);
  if (Sum->getOpcode() == Instruction::FAdd)
    Operands = {0, 1};
  else if (Sum->getOpcode() == Instruction::FSub)
    Operands = {0};
  else if (II && II->getIntrinsicID() == Intrinsic::fmuladd)
    Operands = {2};
  for (unsigned K : Operands) {
    auto *Load = dyn_cast<LoadInst>(Sum->getOperand(K));
    if (!Load || !Load->hasOneUse() || !Load->isSimple() || hasGuard(*Load) ||
        Load->getPointerOperand() != Store.getPointerOperand() ||
        Load->getParent() != Store.getParent())
      continue;
    bool IsQuiet =
        none_of(make_range(Load->getIterator(), Store.getIterator()),
                [](const Instruction &I) { return I.mayWriteToMemory(); });
    if (!IsQuiet)
      return nullptr;
    Operand = K;
    return Load;
  }
  return nullptr;
}

bool GatherHider::hide(StoreInst &Store) {
  unsigned Operand = 0;
  LoadInst *Load = Store.isSimple() ? findSummand(Store, Operand) : nullptr;
  Value *Ptr = Store.getPointerOperand(), *Base = nullptr;
  Value *Here = Load ? hideAddress(Store, Base) : nullptr;
  if (!Here)
    return false;
  auto *Sum = cast<Instruction>(Store.getValueOperand());
  Type *Ty = Sum->getType();
  IRBuilder<> B(&Store);
  B.setFastMathFlags(Sum->getFastMathFlags());
  Value *Added = nullptr;
  if (isa<IntrinsicInst>(Sum))
    Added = B.CreateFMul(Sum->getOperand(0), Sum->getOperand(1));
  else if (Sum->getOpcode() == Instruction::FSub)
    Added = B.CreateFNeg(Sum->getOperand(1));
  else
    Added = Sum->getOperand(1 - Operand);
  CallInst *Call =
      B.CreateCall(getMarker(*F.getParent(), ScatterPrefix, Ty,
                             {Base->getType(), B.getInt64Ty(), Ty}),
                   {Base, Here, Added});
  IRBuilder<> Top(&F.getEntryBlock(), F.getEntryBlock().begin());
  B.CreateStore(Call, Top.CreateAlloca(Ty, nullptr, "scattered"));
  for (Instruction *I : {static_cast<Instruction *>(&Store), Sum,
                         static_cast<Instruction *>(Load)}) {
    SE.forgetValue(I);
    I->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructions(Ptr);
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

bool pardiff::isScatter(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(ScatterPrefix);
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
  GatherHider Hider(F, FAM.getResult<ScalarEvolutionAnalysis>(F));
  bool Any = false;
  // Sums first: what they read is no gather.
  for (bool IsSum : {true, false}) {
    SmallVector<Instruction *, 8> Accesses;
    for (BasicBlock &BB : F)
      if (&BB != &F.getEntryBlock() && &BB != &Exit)
        for (Instruction &I : BB)
          if (IsSum ? isa<StoreInst>(I) : isa<LoadInst>(I))
            Accesses.push_back(&I);
    for (Instruction *I : Accesses)
      if (auto *Store = dyn_cast<StoreInst>(I))
        Any |= Hider.hide(*Store);
      else if (I->getType()->isFloatingPointTy())
        Any |= Hider.hide(*cast<LoadInst>(I));
  }
  if (Any) {
    PreservedAnalyses PA;
    PA.preserveSet<CFGAnalyses>();
    FAM.invalidate(F, PA);
  }
  return Any;
}

static void restoreSum(CallInst &Scatter) {
  auto &Store = *cast<StoreInst>(Scatter.user_back());
  auto *Place = cast<AllocaInst>(Store.getPointerOperand());
  IRBuilder<> B(&Store);
  B.setFastMathFlags(Scatter.getFastMathFlags());
  Value *Ptr =
      B.CreatePtrAdd(getGatherBase(Scatter), getGatherDistance(Scatter));
  Value *Old = B.CreateLoad(Scatter.getType(), Ptr);
  B.CreateStore(B.CreateFAdd(Old, getScatteredValue(Scatter)), Ptr);
  Store.eraseFromParent();
  Scatter.eraseFromParent();
  Place->eraseFromParent();
}

void pardiff::restoreGathers(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (isGather(I) || isScatter(I))
      Calls.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Calls) {
    if (isScatter(*Call)) {
      restoreSum(*Call);
      continue;
    }
    IRBuilder<> B(Call);
    Value *Ptr = B.CreatePtrAdd(getGatherBase(*Call), getGatherDistance(*Call));
    Call->replaceAllUsesWith(
        B.CreateLoad(Call->getType(), Ptr, Call->getName()));
    Call->eraseFromParent();
  }
}

void pardiff::dropGatherDeclarations(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if ((F.getName().starts_with(GatherPrefix) ||
         F.getName().starts_with(ScatterPrefix) || F.getName() == WhereName) &&
        F.use_empty())
      F.eraseFromParent();
}
