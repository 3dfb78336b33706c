//===- Prepare/OpaqueTrip.cpp - Trip counts that are not affine become
// parameters ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (i = 0; i < n; i += s)        runs  (n + s - 1) / s  times
//
// which is not affine in n and s. The number of iterations is computed in front
// of the loop, frozen, and counted by a counter of its own. If it can be
// computed in the entry block it is a parameter of the nest.
//
// A step of zero would be an infinite loop, which a program that makes progress
// does not contain; the division takes max(s, 1).
//
// Condition: the loop has one exit, at its latch, and scalar evolution knows
// how often it runs, with a division by what is not constant.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// x /u d  ->  x /u umax(d, 1)
class SafeDivision : public SCEVRewriteVisitor<SafeDivision> {
public:
  explicit SafeDivision(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}
  const SCEV *visitUDivExpr(const SCEVUDivExpr *E) {
    const SCEV *Divisor = visit(E->getRHS());
    if (!isa<SCEVConstant>(Divisor))
      Divisor = SE.getUMaxExpr(Divisor, SE.getOne(E->getType()));
    return SE.getUDivExpr(visit(E->getLHS()), Divisor);
  }
};

} // namespace

static bool dividesByVariable(const SCEV *S) {
  return SCEVExprContains(S, [](const SCEV *X) {
    const auto *Div = dyn_cast<SCEVUDivExpr>(X);
    return Div && !isa<SCEVConstant>(Div->getRHS());
  });
}

/// Where the count can be computed: the entry block, or else the preheader.
static Instruction *getPlace(const SCEV *Count, const SCEVExpander &Expander,
                             BasicBlock *Preheader, ScalarEvolution &SE) {
  BasicBlock &Entry = Preheader->getParent()->getEntryBlock();
  for (BasicBlock *BB : {&Entry, Preheader})
    if (SE.properlyDominates(Count, BB) || SE.dominates(Count, BB))
      if (Expander.isSafeToExpandAt(Count, BB->getTerminator()))
        return BB->getTerminator();
  return nullptr;
}

static bool makeOpaque(Loop &L, ScalarEvolution &SE) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  if (!Preheader || !Latch || L.getExitingBlock() != Latch)
    return false;
  auto *Br = dyn_cast<BranchInst>(Latch->getTerminator());
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (!Br || !Br->isConditional() || isa<SCEVCouldNotCompute>(Count) ||
      !dividesByVariable(Count) || SE.getTypeSizeInBits(Count->getType()) > 64)
    return false;
  Count = SafeDivision(SE).visit(Count);
  SCEVExpander Expander(SE, "trip");
  Instruction *At = getPlace(Count, Expander, Preheader, SE);
  if (!At)
    return false;
  Value *V = Expander.expandCodeFor(Count, Count->getType(), At->getIterator());
  IRBuilder<> B(At);
  Type *I64 = B.getInt64Ty();
  Value *Trips = B.CreateFreeze(B.CreateZExt(V, I64), "trips.param");

  BasicBlock *Header = L.getHeader();
  PHINode *Counter = PHINode::Create(I64, 2, "counter", Header->begin());
  B.SetInsertPoint(Br);
  Value *Next = B.CreateAdd(Counter, B.getInt64(1), "counter.next",
                            /*HasNUW=*/true, /*HasNSW=*/true);
  Counter->addIncoming(B.getInt64(0), Preheader);
  Counter->addIncoming(Next, Latch);
  bool ContinuesIfTrue = L.contains(Br->getSuccessor(0));
  Br->setCondition(ContinuesIfTrue ? B.CreateICmpSLT(Counter, Trips)
                                   : B.CreateICmpSGE(Counter, Trips));
  SE.forgetLoop(&L);
  return true;
}

PreservedAnalyses OpaqueTripPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    Changed |= makeOpaque(*L, SE);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
