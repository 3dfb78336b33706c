//===- Prepare/IfConvert.cpp - Branches on data become selects ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The statements of a nest are straight-line code with selects, under affine
// conditions. A branch on data becomes selects:
//
//   if (x > 0) y = sqrt(x);      ->   y = x > 0 ? sqrt(x) : y
//
// as far as executing both sides does no harm:
//   - arithmetic, and calls of math functions without effects
//   - a load, if the address is known to be accessible: the same address is
//   accessed
//     whenever the branch is reached, or the object is known to be large enough
//   - a store under the same condition; it stores the new or the old value
//
// Once the loops have their final form (GuardAccessesPass), loads and stores of
// numbers for which that is not known are converted too: they get an address
// that says where they happen (@pardiff.where, Prepare.h). So does what a
// condition is computed from that is only looked at if another one does not
// hold
// (`a || b`): two branches to one block become one.
//
// Branches on affine conditions of counters and parameters stay: Polly puts
// them into the domains of statements. They are converted only inside a branch
// on data, or where nothing but a little integer arithmetic depends on them (so
// that `i < n ? i : n` in a loop bound becomes a minimum). What cannot be
// converted stays as it is.
//
// Sides that are single blocks are converted, from the inside to the outside.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "Support/LoopFunctions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

/// Integer arithmetic of one side that is worth a select where the condition is
/// affine.
static constexpr unsigned MaxCheapInstructions = 8;

namespace {

/// A branch with one or two sides that lead to one block.
struct Hammock {
  BasicBlock *Head = nullptr, *Merge = nullptr;
  BasicBlock *Sides[2] = {nullptr, nullptr}; ///< where true, false; may be null
  Value *Cond = nullptr;
};

class IfConverter {
public:
  IfConverter(Function &F, FunctionAnalysisManager &FAM, bool MayGuard)
      : F(F), MayGuard(MayGuard), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AC(FAM.getResult<AssumptionAnalysis>(F)),
        TLI(FAM.getResult<TargetLibraryAnalysis>(F)),
        DTU(DT, PDT, DomTreeUpdater::UpdateStrategy::Eager) {}

  bool run();

private:
  // Which branches.
  std::optional<Hammock> matchHammock(BasicBlock &Head) const;
  std::optional<Hammock> matchChain(BasicBlock &Head) const;
  bool isWanted(const Hammock &H) const;
  bool isAffine(const Value *Cond, unsigned Depth = 0) const;
  bool isAffineOperand(const Value *V, unsigned Depth = 0) const;
  bool isInsideBranchOnData(BasicBlock &Head) const;

  // Whether both sides may run.
  bool canConvert(const Hammock &H);
  bool canSpeculate(Instruction &I, const Hammock &H);
  bool isAccessible(Instruction &Access, const Hammock &H);
  bool canGuard(const Instruction &Access) const;
  bool runsWith(const Instruction &Other, const SCEV *Ptr,
                const Hammock &H) const;
  bool mayFree();

  // The rewriting.
  void convert(const Hammock &H);
  void convertChain(const Hammock &H);
  void moveSides(const Hammock &H);
  void moveSide(const Hammock &H, bool Side,
                const llvm::SmallPtrSetImpl<const Instruction *> &Guarded);
  void convertStore(StoreInst &Store, Value *Cond, bool Side, Instruction *At);
  void guard(Instruction &Access, const Hammock &H, bool Side);

  Function &F;
  bool MayGuard; ///< accesses may get a condition of their own
  LoopInfo &LI;
  DominatorTree &DT;
  PostDominatorTree &PDT;
  ScalarEvolution &SE;
  AssumptionCache &AC;
  TargetLibraryInfo &TLI;
  DomTreeUpdater DTU;
  std::optional<bool> MayFree;
};

} // namespace

//===----------------------------------------------------------------------===//
// Which branches
//===----------------------------------------------------------------------===//

std::optional<Hammock> IfConverter::matchHammock(BasicBlock &Head) const {
  auto *Br = dyn_cast<BranchInst>(Head.getTerminator());
  if (!Br || !Br->isConditional() || isa<Constant>(Br->getCondition()))
    return std::nullopt;
  Hammock H;
  H.Head = &Head;
  H.Cond = Br->getCondition();
  BasicBlock *Succ[2] = {Br->getSuccessor(0), Br->getSuccessor(1)};
  if (Succ[0] == Succ[1])
    return std::nullopt;
  BasicBlock *Next[2];
  for (unsigned S : {0, 1})
    Next[S] = Succ[S]->getSinglePredecessor() ? Succ[S]->getSingleSuccessor()
                                              : nullptr;
  if (Next[0] && Next[0] == Next[1]) { // both sides have a block
    H.Merge = Next[0];
    H.Sides[0] = Succ[0];
    H.Sides[1] = Succ[1];
  } else if (Next[0] == Succ[1]) {
    H.Merge = Succ[1];
    H.Sides[0] = Succ[0];
  } else if (Next[1] == Succ[0]) {
    H.Merge = Succ[0];
    H.Sides[1] = Succ[1];
  } else {
    return std::nullopt;
  }
  if (H.Merge == &Head || H.Merge == H.Sides[0] || H.Merge == H.Sides[1])
    return std::nullopt; // a loop
  return H;
}

/// Matches a branch of which one side is a block that only this branch leads
/// to, and that ends in a branch to the other side or to a third block. Merge
/// is the other side.
std::optional<Hammock> IfConverter::matchChain(BasicBlock &Head) const {
  auto *Br = dyn_cast<BranchInst>(Head.getTerminator());
  if (!Br || !Br->isConditional() || isa<Constant>(Br->getCondition()))
    return std::nullopt;
  const Loop *L = LI.getLoopFor(&Head);
  auto IsInside = [&](const BasicBlock *BB) {
    return LI.getLoopFor(BB) == L && (!L || BB != L->getHeader());
  };
  for (unsigned S : {0, 1}) {
    BasicBlock *Second = Br->getSuccessor(S), *Merge = Br->getSuccessor(1 - S);
    auto *Next = dyn_cast<BranchInst>(Second->getTerminator());
    if (Second == Merge || Second->getSinglePredecessor() != &Head || !Next ||
        !Next->isConditional() || !is_contained(Next->successors(), Merge) ||
        Next->getSuccessor(0) == Next->getSuccessor(1))
      continue;
    if (!IsInside(Second) || !all_of(Next->successors(), IsInside))
      continue;
    if (isAffine(Br->getCondition()) && isAffine(Next->getCondition()) &&
        !isInsideBranchOnData(Head))
      continue;
    Hammock H;
    H.Head = &Head;
    H.Merge = Merge;
    H.Sides[S] = Second;
    H.Cond = Br->getCondition();
    return H;
  }
  return std::nullopt;
}

/// True if V is made of counters and of values that do not change in the body.
bool IfConverter::isAffineOperand(const Value *V, unsigned Depth) const {
  if (Depth > 8 || !V->getType()->isIntegerTy())
    return false;
  return !SCEVExprContains(
      SE.getSCEV(const_cast<Value *>(V)), [&](const SCEV *S) {
        const auto *U = dyn_cast<SCEVUnknown>(S);
        if (!U)
          return false;
        const auto *I = dyn_cast<Instruction>(U->getValue());
        if (!I || I->getParent()->isEntryBlock())
          return false;
        // Division by a constant is affine; Polly looks through it.
        const Value *Dividend;
        if (match(I, m_SDiv(m_Value(Dividend), m_ConstantInt())) ||
            match(I, m_SRem(m_Value(Dividend), m_ConstantInt())))
          return !isAffineOperand(Dividend, Depth + 1);
        return LI.getLoopFor(I->getParent()) != nullptr ||
               I->mayReadFromMemory() || isa<PHINode>(I) ||
               isa<FPToSIInst>(I) || isa<FPToUIInst>(I);
      });
}

bool IfConverter::isAffine(const Value *Cond, unsigned Depth) const {
  if (Depth > 8)
    return false;
  if (isa<ConstantInt>(Cond))
    return true;
  const Value *L, *R;
  if (match(Cond, m_LogicalAnd(m_Value(L), m_Value(R))) ||
      match(Cond, m_LogicalOr(m_Value(L), m_Value(R))))
    return isAffine(L, Depth + 1) && isAffine(R, Depth + 1);
  if (match(Cond, m_Not(m_Value(L))))
    return isAffine(L, Depth + 1);
  const auto *Cmp = dyn_cast<ICmpInst>(Cond);
  return Cmp && isAffineOperand(Cmp->getOperand(0)) &&
         isAffineOperand(Cmp->getOperand(1));
}

/// True if Head runs only under a condition on data.
bool IfConverter::isInsideBranchOnData(BasicBlock &Head) const {
  BasicBlock *Inner = &Head;
  for (auto *Node = DT.getNode(&Head)->getIDom(); Node;
       Node = Node->getIDom()) {
    BasicBlock *Outer = Node->getBlock();
    auto *Br = dyn_cast<BranchInst>(Outer->getTerminator());
    if (Br && Br->isConditional() && !PDT.dominates(Inner, Outer) &&
        !isAffine(Br->getCondition()))
      return true;
    if (!PDT.dominates(Inner, Outer))
      Inner = Outer;
  }
  return false;
}

bool IfConverter::isWanted(const Hammock &H) const {
  if (!isAffine(H.Cond) || isInsideBranchOnData(*H.Head))
    return true;
  bool HasPhi = false;
  for (PHINode &Phi : H.Merge->phis())
    HasPhi |= Phi.getType()->isIntegerTy();
  return HasPhi && all_of(H.Sides, [](BasicBlock *Side) {
           return !Side || (Side->size() <= MaxCheapInstructions + 1 &&
                            all_of(*Side, [](Instruction &I) {
                              return I.isTerminator() ||
                                     (I.getType()->isIntegerTy() &&
                                      !I.mayReadOrWriteMemory());
                            }));
         });
}

//===----------------------------------------------------------------------===//
// Whether both sides may run
//===----------------------------------------------------------------------===//

/// Memory that was accessible may not be any more if something was freed.
bool IfConverter::mayFree() {
  if (!MayFree)
    MayFree = any_of(instructions(F), [](Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      return Call && !isa<IntrinsicInst>(Call) &&
             !Call->doesNotAccessMemory() &&
             !Call->hasFnAttr(Attribute::NoFree) &&
             !isa<ReturnInst>(I.getParent()->getTerminator());
    });
  return *MayFree;
}

/// True if Other, which accesses Ptr, is executed whenever the head of H is, in
/// the same iteration of every loop in which Ptr changes.
bool IfConverter::runsWith(const Instruction &Other, const SCEV *Ptr,
                           const Hammock &H) const {
  BasicBlock *BB = const_cast<BasicBlock *>(Other.getParent());
  if (BB == H.Head || DT.dominates(BB, H.Head))
    return !SCEVExprContains(Ptr, [&](const SCEV *S) {
      const auto *AR = dyn_cast<SCEVAddRecExpr>(S);
      return AR && !AR->getLoop()->contains(BB);
    });
  if (!PDT.dominates(BB, H.Head))
    return false;
  return !SCEVExprContains(Ptr, [&](const SCEV *S) {
    const auto *AR = dyn_cast<SCEVAddRecExpr>(S);
    if (!AR)
      return false;
    const Loop *L = AR->getLoop();
    BasicBlock *Latch = L->getLoopLatch();
    return !L->contains(BB) || !Latch || !DT.dominates(BB, Latch);
  });
}

/// True if the access in one side of H cannot fault where that side is not
/// taken.
bool IfConverter::isAccessible(Instruction &Access, const Hammock &H) {
  Value *Ptr = getLoadStorePointerOperand(&Access);
  Type *Ty = getLoadStoreType(&Access);
  const DataLayout &DL = F.getDataLayout();
  bool IsLocal = isa<AllocaInst>(getUnderlyingObject(Ptr));
  // What is near in the block may have got a condition: it is no proof.
  Instruction *Near = MayGuard ? nullptr : H.Head->getTerminator();
  if ((isa<LoadInst>(Access) || IsLocal) &&
      isSafeToLoadUnconditionally(Ptr, Ty, getLoadStoreAlignment(&Access), DL,
                                  Near, &AC, &DT, &TLI))
    return true;
  const SCEV *PtrSCEV = SE.getSCEV(Ptr);
  TypeSize Size = DL.getTypeStoreSize(Ty);
  auto IsSame = [&](Instruction &I) {
    Value *P = getLoadStorePointerOperand(&I);
    return P && !isWhere(*P) && !I.isVolatile() && !I.isAtomic() &&
           SE.getSCEV(P) == PtrSCEV &&
           getLoadStoreAlignment(&I) >= getLoadStoreAlignment(&Access) &&
           TypeSize::isKnownGE(DL.getTypeStoreSize(getLoadStoreType(&I)), Size);
  };
  BasicBlock *Own = Access.getParent();
  for (BasicBlock *Side : H.Sides)
    if (Side && Side != Own && H.Sides[0] && H.Sides[1] &&
        any_of(*Side, IsSame))
      return true; // both sides access it
  if (mayFree())
    return false;
  return any_of(instructions(F), [&](Instruction &I) {
    return I.getParent() != H.Sides[0] && I.getParent() != H.Sides[1] &&
           IsSame(I) && runsWith(I, PtrSCEV, H);
  });
}

/// True if the access may be one of its own condition.
bool IfConverter::canGuard(const Instruction &Access) const {
  const Type *Ty = getLoadStoreType(&Access);
  const Value *P = getLoadStorePointerOperand(&Access);
  return MayGuard && (Ty->isFloatingPointTy() || Ty->isIntegerTy()) &&
         P->getType()->getPointerAddressSpace() == 0;
}

bool IfConverter::canSpeculate(Instruction &I, const Hammock &H) {
  if (isa<PHINode>(I) || I.isTerminator())
    return true; // a phi of one value, the branch to the merge
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && (canGuard(I) || isAccessible(I, H));
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() && (canGuard(I) || isAccessible(I, H));
  if (auto *Call = dyn_cast<CallInst>(&I))
    return !Call->isConvergent() && Call->doesNotAccessMemory() &&
           Call->doesNotThrow() && Call->willReturn() &&
           !getLoopFunction(Call); // it need not end for other arguments
  return isSafeToSpeculativelyExecute(&I);
}

bool IfConverter::canConvert(const Hammock &H) {
  return all_of(H.Sides, [&](BasicBlock *Side) {
    return !Side ||
           all_of(*Side, [&](Instruction &I) { return canSpeculate(I, H); });
  });
}

//===----------------------------------------------------------------------===//
// The rewriting
//===----------------------------------------------------------------------===//

/// Stores the new value where Cond says that this side runs, else the old one.
void IfConverter::convertStore(StoreInst &Store, Value *Cond, bool Side,
                               Instruction *At) {
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(Store.getDebugLoc());
  Value *New = Store.getValueOperand();
  LoadInst *Old = B.CreateAlignedLoad(New->getType(), Store.getPointerOperand(),
                                      Store.getAlign());
  Old->setAAMetadata(Store.getAAMetadata());
  Value *V =
      Side ? B.CreateSelect(Cond, Old, New) : B.CreateSelect(Cond, New, Old);
  Store.setOperand(0, V);
  Store.moveBefore(At->getIterator());
}

/// Lets a load or store of a side happen only where the side is taken, and
/// moves it to the head. What a store would store elsewhere does not matter; it
/// is made to depend on the condition so that the condition is at hand.
void IfConverter::guard(Instruction &Access, const Hammock &H, bool Side) {
  Instruction *At = H.Head->getTerminator();
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(Access.getDebugLoc());
  Value *Cond = Side ? B.CreateNot(H.Cond) : H.Cond;
  Value *P = getLoadStorePointerOperand(&Access);
  Value *Where = Cond;
  if (isWhere(*P)) {
    // The inner condition may be computed from what was not loaded.
    Where = B.CreateLogicalAnd(Cond, cast<CallInst>(P)->getArgOperand(1));
    P = cast<CallInst>(P)->getArgOperand(0);
  }
  Value *Address = createWhere(B, P, Where);
  if (auto *Store = dyn_cast<StoreInst>(&Access)) {
    Value *V = Store->getValueOperand();
    Store->setOperand(
        0, B.CreateSelect(Cond, V, Constant::getNullValue(V->getType())));
    Store->setOperand(1, Address);
  } else {
    Access.setOperand(0, Address);
    AAMDNodes AA = Access.getAAMetadata();
    Access.dropUBImplyingAttrsAndMetadata();
    Access.setAAMetadata(AA);
  }
  Access.moveBefore(At->getIterator());
}

/// Side 0 is the one where the condition is true.
void IfConverter::moveSide(
    const Hammock &H, bool Side,
    const SmallPtrSetImpl<const Instruction *> &Guarded) {
  BasicBlock *BB = H.Sides[Side];
  if (!BB)
    return;
  FoldSingleEntryPHINodes(BB);
  Instruction *At = H.Head->getTerminator();
  for (Instruction &I : make_early_inc_range(*BB)) {
    if (I.isTerminator())
      break;
    if (Guarded.contains(&I)) {
      guard(I, H, Side);
      continue;
    }
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      convertStore(*Store, H.Cond, Side, At);
      continue;
    }
    // The address may be poison where the side does not run; it is used all the
    // same.
    AAMDNodes AA = I.getAAMetadata();
    I.dropUBImplyingAttrsAndMetadata();
    if (isa<GetElementPtrInst>(I))
      I.dropPoisonGeneratingFlags();
    if (isa<LoadInst>(I))
      I.setAAMetadata(AA);
    I.moveBefore(At->getIterator());
  }
}

void IfConverter::moveSides(const Hammock &H) {
  // Moving changes what is known to be accessible.
  SmallPtrSet<const Instruction *, 8> Guarded;
  if (MayGuard)
    for (BasicBlock *Side : H.Sides)
      if (Side)
        for (Instruction &I : *Side)
          if (isa<LoadInst, StoreInst>(I) && !isAccessible(I, H))
            Guarded.insert(&I);
  moveSide(H, 0, Guarded);
  moveSide(H, 1, Guarded);
}

void IfConverter::convert(const Hammock &H) {
  moveSides(H);
  auto *Br = cast<BranchInst>(H.Head->getTerminator());
  IRBuilder<> B(Br);
  BasicBlock *From[2] = {H.Sides[0] ? H.Sides[0] : H.Head,
                         H.Sides[1] ? H.Sides[1] : H.Head};
  for (PHINode &Phi : make_early_inc_range(H.Merge->phis())) {
    Value *V = B.CreateSelect(H.Cond, Phi.getIncomingValueForBlock(From[0]),
                              Phi.getIncomingValueForBlock(From[1]));
    if (auto *Sel = dyn_cast<SelectInst>(V); Sel && isa<FPMathOperator>(Sel))
      Sel->copyFastMathFlags(&Phi);
    for (BasicBlock *Pred : From)
      if (int Index = Phi.getBasicBlockIndex(Pred); Index >= 0)
        Phi.removeIncomingValue(Index, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(V, H.Head);
  }
  B.CreateBr(H.Merge);
  Br->eraseFromParent();

  SmallVector<DominatorTree::UpdateType, 6> Updates;
  bool HasEdge = !H.Sides[0] || !H.Sides[1]; // head -> merge was there before
  if (!HasEdge)
    Updates.push_back({DominatorTree::Insert, H.Head, H.Merge});
  for (BasicBlock *Side : H.Sides) {
    if (!Side)
      continue;
    Updates.push_back({DominatorTree::Delete, H.Head, Side});
    Updates.push_back({DominatorTree::Delete, Side, H.Merge});
    Side->getTerminator()->eraseFromParent();
    new UnreachableInst(F.getContext(), Side);
  }
  DTU.applyUpdates(Updates);
  for (BasicBlock *Side : H.Sides)
    if (Side) {
      LI.removeBlock(Side);
      DTU.deleteBB(Side);
    }
  if (H.Merge->getSinglePredecessor())
    MergeBlockIntoPredecessor(H.Merge, &DTU, &LI);
  SE.forgetBlockAndLoopDispositions();
}

void IfConverter::convertChain(const Hammock &H) {
  bool Side = H.Sides[1] != nullptr;
  BasicBlock *Second = H.Sides[Side];
  auto *Next = cast<BranchInst>(Second->getTerminator());
  bool OnTrue = Next->getSuccessor(0) == H.Merge; // how it leads to Merge
  BasicBlock *Third = Next->getSuccessor(OnTrue ? 1 : 0);
  Value *SecondCond = Next->getCondition();
  moveSides(H);
  auto *Br = cast<BranchInst>(H.Head->getTerminator());
  IRBuilder<> B(Br);
  // Merge is reached where the first branch leads there, or else the second.
  Value *First = Side ? H.Cond : B.CreateNot(H.Cond);
  Value *Any =
      B.CreateLogicalOr(First, OnTrue ? SecondCond : B.CreateNot(SecondCond));
  for (PHINode &Phi : H.Merge->phis()) {
    Value *V = B.CreateSelect(First, Phi.getIncomingValueForBlock(H.Head),
                              Phi.getIncomingValueForBlock(Second));
    Phi.removeIncomingValue(Second, /*DeletePHIIfEmpty=*/false);
    Phi.setIncomingValueForBlock(H.Head, V);
  }
  Third->replacePhiUsesWith(Second, H.Head);
  B.CreateCondBr(Any, H.Merge, Third);
  Br->eraseFromParent();
  Next->eraseFromParent();
  new UnreachableInst(F.getContext(), Second);
  DTU.applyUpdates({{DominatorTree::Delete, H.Head, Second},
                    {DominatorTree::Delete, Second, H.Merge},
                    {DominatorTree::Delete, Second, Third},
                    {DominatorTree::Insert, H.Head, Third}});
  LI.removeBlock(Second);
  DTU.deleteBB(Second);
  SE.forgetBlockAndLoopDispositions();
}

bool IfConverter::run() {
  bool Changed = false;
  bool Again = true;
  while (Again) {
    Again = false;
    for (BasicBlock *BB : post_order(&F)) {
      std::optional<Hammock> H = matchHammock(*BB);
      if (!H || !isWanted(*H) || !canConvert(*H))
        continue;
      convert(*H);
      Changed = Again = true;
      break; // the order is stale
    }
    if (Again || !MayGuard)
      continue;
    for (BasicBlock *BB : post_order(&F)) {
      std::optional<Hammock> H = matchChain(*BB);
      if (!H || !canConvert(*H))
        continue;
      convertChain(*H);
      Changed = Again = true;
      break;
    }
  }
  return Changed;
}

PreservedAnalyses IfConvertPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  return IfConverter(F, FAM, /*MayGuard=*/false).run()
             ? PreservedAnalyses::none()
             : PreservedAnalyses::all();
}

PreservedAnalyses GuardAccessesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  return IfConverter(F, FAM, /*MayGuard=*/true).run()
             ? PreservedAnalyses::none()
             : PreservedAnalyses::all();
}
