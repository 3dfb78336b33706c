//===- Prepare/UnlagPhis.cpp - Counters that lag behind another one -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %j   = phi [ n-2, %preheader ], [ %j-1, %latch ]
//   %lag = phi [ n-1, %preheader ], [ %j, %latch ]       ->   %lag = %j + 1
//
// instcombine makes the first form of the second in loops that count down.
// Scalar evolution knows %j but not %lag.
//
// Condition: %lag takes the value of a counter of the same loop with a constant
// step, and its first value is one step in front of the counter's first.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace pardiff;

/// The step of the counter behind which Lag is, or null.
static const SCEVConstant *getLag(PHINode &Lag, const Loop &L,
                                  ScalarEvolution &SE) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  if (!Preheader || !Latch || !Lag.getType()->isIntegerTy())
    return nullptr;
  auto *Counter = dyn_cast<PHINode>(Lag.getIncomingValueForBlock(Latch));
  if (!Counter || Counter == &Lag || Counter->getParent() != L.getHeader())
    return nullptr;
  const auto *AR = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Counter));
  if (!AR || AR->getLoop() != &L || !AR->isAffine())
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE));
  const SCEV *First = SE.getSCEV(Lag.getIncomingValueForBlock(Preheader));
  return Step && First == SE.getMinusSCEV(AR->getStart(), Step) ? Step
                                                                : nullptr;
}

PreservedAnalyses UnlagPhisPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder())
    for (PHINode &Lag : make_early_inc_range(L->getHeader()->phis())) {
      const SCEVConstant *Step = getLag(Lag, *L, SE);
      if (!Step)
        continue;
      Value *Counter = Lag.getIncomingValueForBlock(L->getLoopLatch());
      IRBuilder<> B(L->getHeader(), L->getHeader()->getFirstInsertionPt());
      Value *V = B.CreateSub(Counter, Step->getValue());
      SE.forgetValue(&Lag);
      Lag.replaceAllUsesWith(V);
      Lag.eraseFromParent();
      Changed = true;
    }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
