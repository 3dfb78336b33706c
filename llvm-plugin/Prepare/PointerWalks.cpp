//===- Prepare/PointerWalks.cpp - Loops that walk from pointer to pointer ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (p = first; p != last; ++p)            runs  (last - first)  times
//
// (iterators, std::vector). The loop gets a counter, and the number of elements
// between the two pointers, frozen, becomes a parameter of the nest; pointers
// would be parameters whose difference has to be divided in every constraint.
//
// Required where the pointers are not parts of one object by their form: that
// their distance is a whole number of elements, and not negative. In
// comparisons for order of pointers that are, the distance is taken with sign:
// pointers into different objects must not be compared for order.
//
// A difference of two pointers that the program computes itself (size()) is the
// same parameter.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

namespace {

/// The number of steps from one pointer to another.
struct Distance {
  const SCEV *First, *Last;
  int64_t Step;
  Value *Count; ///< i64, in the entry block
};

class WalkCounter {
public:
  WalkCounter(Function &F, FunctionAnalysisManager &FAM)
      : F(F), LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), Expander(SE, "walk") {}
  bool run();

private:
  bool nameDifference(Instruction &I);
  bool countLoop(Loop &L);
  Value *getCount(const SCEV *First, const SCEV *Last, int64_t Step);
  Value *getOpaque(Value *From, Value *To, int64_t Step, Instruction *At);
  Value *expand(const SCEV *S);
  const SCEV *divide(const SCEV *S, int64_t Step);
  bool replaceCompare(ICmpInst &Cmp);

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  SmallVector<Distance, 4> Distances;
};

} // namespace

/// True if V, a value of the entry block, exists where I is.
static bool existsAt(Value *V, const Instruction &I) {
  auto *Def = dyn_cast<Instruction>(V);
  return !Def || Def->getParent() != I.getParent() || Def->comesBefore(&I);
}

static bool hasPointer(const SCEV *S) {
  return SCEVExprContains(
      S, [](const SCEV *X) { return X->getType()->isPointerTy(); });
}

/// S / Step, if it is clear from S's form that nothing remains.
const SCEV *WalkCounter::divide(const SCEV *S, int64_t Step) {
  if (auto *C = dyn_cast<SCEVConstant>(S)) {
    int64_t V = C->getAPInt().getSExtValue();
    return V % Step ? nullptr : SE.getConstant(S->getType(), V / Step, true);
  }
  if (auto *Mul = dyn_cast<SCEVMulExpr>(S)) {
    SmallVector<const SCEV *, 4> Ops(Mul->operands());
    const SCEV *First = divide(Ops[0], Step);
    if (!First)
      return nullptr;
    Ops[0] = First;
    return SE.getMulExpr(Ops);
  }
  if (auto *Add = dyn_cast<SCEVAddExpr>(S)) {
    SmallVector<const SCEV *, 4> Ops;
    for (const SCEV *Op : Add->operands()) {
      Ops.push_back(divide(Op, Step));
      if (!Ops.back())
        return nullptr;
    }
    return SE.getAddExpr(Ops);
  }
  return nullptr;
}

/// The distance of pointers into what may be different objects, computed in
/// front of At in the entry block.
Value *WalkCounter::getOpaque(Value *From, Value *To, int64_t Step,
                              Instruction *At) {
  IRBuilder<> B(At);
  Type *I64 = B.getInt64Ty();
  Value *Bytes =
      B.CreateSub(B.CreatePtrToInt(To, I64), B.CreatePtrToInt(From, I64));
  Value *Count =
      createParam(B, B.CreateSDiv(Bytes, B.getInt64(Step)), "elements.param");
  createRequire(B, B.CreateICmpEQ(B.CreateMul(Count, B.getInt64(Step)), Bytes));
  createRequire(B, B.CreateICmpSGE(Count, B.getInt64(0)));
  Distances.push_back({SE.getSCEV(From), SE.getSCEV(To), Step, Count});
  return Count;
}

/// S in the entry block, or null.
Value *WalkCounter::expand(const SCEV *S) {
  Instruction *At = F.getEntryBlock().getTerminator();
  if (!SE.dominates(S, &F.getEntryBlock()) || !Expander.isSafeToExpandAt(S, At))
    return nullptr;
  return Expander.expandCodeFor(S, S->getType(), At);
}

/// The number of steps from First to Last; null if it is not known in the entry
/// block.
Value *WalkCounter::getCount(const SCEV *First, const SCEV *Last,
                             int64_t Step) {
  for (const Distance &D : Distances)
    if (D.First == First && D.Last == Last && D.Step == Step)
      return D.Count;
  const SCEV *Bytes = SE.getMinusSCEV(Last, First);
  if (!isa<SCEVCouldNotCompute>(Bytes) && !hasPointer(Bytes)) {
    const SCEV *Count = divide(Bytes, Step);
    return Count ? expand(Count) : nullptr;
  }
  Value *From = expand(First);
  Value *To = From ? expand(Last) : nullptr;
  return To ? getOpaque(From, To, Step, F.getEntryBlock().getTerminator())
            : nullptr;
}

/// size = (last - first) / sizeof(element), exactly
bool WalkCounter::nameDifference(Instruction &I) {
  Value *First, *Last;
  const APInt *C;
  uint64_t Step;
  if (match(&I, m_Exact(m_SDiv(m_Sub(m_PtrToInt(m_Value(Last)),
                                     m_PtrToInt(m_Value(First))),
                               m_APInt(C)))))
    Step = C->getZExtValue();
  else if (match(&I, m_Exact(m_Shr(m_Sub(m_PtrToInt(m_Value(Last)),
                                         m_PtrToInt(m_Value(First))),
                                   m_APInt(C)))) &&
           C->ult(32))
    Step = uint64_t(1) << C->getZExtValue();
  else
    return false;
  const SCEV *From = SE.getSCEV(First), *To = SE.getSCEV(Last);
  if (!I.getType()->isIntegerTy(64) || Step == 0 || Step > (1u << 20))
    return false;
  for (const Distance &D : Distances)
    if (D.First == From && D.Last == To && D.Step == int64_t(Step) &&
        existsAt(D.Count, I)) {
      I.replaceAllUsesWith(D.Count);
      return true;
    }
  const SCEV *Bytes = SE.getMinusSCEV(To, From);
  if (!isa<SCEVCouldNotCompute>(Bytes) && !hasPointer(Bytes))
    return false;
  Instruction *At =
      I.getParent()->isEntryBlock() ? &I : F.getEntryBlock().getTerminator();
  if (!isInEntryBlock(First) || !isInEntryBlock(Last))
    return false;
  Value *Count = getOpaque(First, Last, Step, At);
  I.replaceAllUsesWith(Count);
  return true;
}

bool WalkCounter::countLoop(Loop &L) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  if (!Preheader || !Latch || L.getExitingBlock() != Latch)
    return false;
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
  if (!Cmp || !Cmp->getOperand(0)->getType()->isPointerTy())
    return false;
  CmpInst::Predicate Pred = Cmp->getPredicate();
  const SCEV *X = SE.getSCEV(Cmp->getOperand(0));
  const SCEV *Last = SE.getSCEV(Cmp->getOperand(1));
  if (!SE.isLoopInvariant(Last, &L)) {
    std::swap(X, Last);
    Pred = CmpInst::getSwappedPredicate(Pred);
  }
  auto *Walk = dyn_cast<SCEVAddRecExpr>(X);
  if (!Walk || Walk->getLoop() != &L || !SE.isLoopInvariant(Last, &L))
    return false;
  auto *StepC = dyn_cast<SCEVConstant>(Walk->getStepRecurrence(SE));
  if (!StepC || StepC->isZero())
    return false;
  int64_t Step = StepC->getAPInt().getSExtValue();
  // The pointer behind the step, or in front of it?
  const SCEV *First = Walk->getStart();
  unsigned Ahead = 1;
  for (PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isPointerTy() && SE.getSCEV(&Phi) == X)
      Ahead = 0;
  if (Ahead)
    First = SE.getAddExpr(First, SE.getNegativeSCEV(StepC));
  Value *Count = getCount(First, Last, Step);
  if (!Count)
    return false;

  IRBuilder<> B(Br);
  Type *I64 = B.getInt64Ty();
  PHINode *K = PHINode::Create(I64, 2, "steps", L.getHeader()->begin());
  Value *Next = B.CreateAdd(K, B.getInt64(1), "steps.next", true, true);
  K->addIncoming(B.getInt64(0), Preheader);
  K->addIncoming(Next, Latch);
  if (CmpInst::isRelational(Pred)) {
    Pred = ICmpInst::getSignedPredicate(Pred);
    if (Step < 0)
      Pred = CmpInst::getSwappedPredicate(Pred);
  }
  Br->setCondition(B.CreateICmp(Pred, Ahead ? Next : K, Count));
  SE.forgetLoop(&L);
  return true;
}

/// A comparison of two pointers with a distance that is known.
bool WalkCounter::replaceCompare(ICmpInst &Cmp) {
  if (!Cmp.getOperand(0)->getType()->isPointerTy() || Cmp.use_empty())
    return false;
  const SCEV *X = SE.getSCEV(Cmp.getOperand(0));
  const SCEV *Y = SE.getSCEV(Cmp.getOperand(1));
  for (const Distance &D : Distances) {
    bool Forward = D.First == X && D.Last == Y;
    if (!Forward && !(D.First == Y && D.Last == X))
      continue;
    CmpInst::Predicate Pred = Cmp.getPredicate();
    if (CmpInst::isRelational(Pred))
      Pred = ICmpInst::getSignedPredicate(Pred);
    // X < Y  where  Y = X + Count * Step
    if (Forward == (D.Step > 0))
      Pred = CmpInst::getSwappedPredicate(Pred);
    BasicBlock &Entry = F.getEntryBlock();
    bool InEntry = Cmp.getParent() == &Entry;
    IRBuilder<> B(InEntry ? Entry.getTerminator() : &Cmp);
    Value *New = B.CreateICmp(Pred, D.Count, B.getInt64(0));
    // What else is computed from it in the entry block may stand in front.
    Cmp.replaceUsesWithIf(New, [&](const Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      return !InEntry || User->getParent() != &Entry || User->isTerminator();
    });
    return true;
  }
  return false;
}

bool WalkCounter::run() {
  bool Changed = false;
  for (Instruction &I : instructions(F))
    if (isa<PossiblyExactOperator>(I) && I.isExact() && !I.use_empty())
      Changed |= nameDifference(I);
  for (Loop *L : LI.getLoopsInPreorder())
    Changed |= countLoop(*L);
  if (!Distances.empty())
    for (Instruction &I : instructions(F))
      if (auto *Cmp = dyn_cast<ICmpInst>(&I))
        Changed |= replaceCompare(*Cmp);
  return Changed;
}

PreservedAnalyses PointerWalksPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  if (!WalkCounter(F, FAM).run())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
