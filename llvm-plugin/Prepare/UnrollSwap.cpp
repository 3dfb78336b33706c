//===- Prepare/UnrollSwap.cpp - Unroll loops that exchange pointers -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (t...) { step(b, a); double *c = a; a = b; b = c; }
//
// The base of an array must not change in a nest. A loop whose pointers are
// permuted from one iteration to the next is unrolled by the length of the
// permutation, so each pointer is the same in every iteration again.
//
// Condition: the phis of pointer type that another phi of the loop comes into
// form cycles of at most four; the trip count can be computed.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <numeric>

using namespace llvm;
using namespace pardiff;

static constexpr unsigned MaxPeriod = 4;

/// The number of iterations after which all pointers of L are where they were,
/// or 1.
static unsigned getPeriod(const Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch)
    return 1;
  MapVector<const PHINode *, const PHINode *> Next;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    if (!Phi.getType()->isPointerTy())
      continue;
    auto *From = dyn_cast<PHINode>(Phi.getIncomingValueForBlock(Latch));
    if (From && From != &Phi && From->getParent() == L.getHeader())
      Next[&Phi] = From;
  }
  unsigned Period = 1;
  for (auto [Phi, From] : Next) {
    unsigned Length = 1;
    for (; From != Phi; ++Length) {
      From = Next.lookup(From);
      if (!From || Length > MaxPeriod)
        return 1;
    }
    Period = std::lcm(Period, Length);
  }
  return Period <= MaxPeriod ? Period : 1;
}

PreservedAnalyses UnrollSwapPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  bool Changed = false;
  SmallPtrSet<BasicBlock *, 8>
      Tried; // headers: unrolling makes and deletes loops
  bool Again = true;
  while (Again) {
    Again = false;
    for (Loop *L : LI.getLoopsInPreorder()) {
      unsigned Period = getPeriod(*L);
      if (Period == 1 || !Tried.insert(L->getHeader()).second)
        continue;
      UnrollLoopOptions Options{};
      Options.Count = Period;
      Options.Force = true;
      Options.Runtime = true;
      Options.AllowExpensiveTripCount = true;
      Options.ForgetAllSCEV = true;
      Options.SCEVExpansionBudget = 100;
      if (UnrollLoop(L, Options, &LI, &SE, &DT, &AC, &TTI, &ORE,
                     /*PreserveLCSSA=*/true, /*RemainderLoop=*/nullptr,
                     &AA) == LoopUnrollResult::Unmodified)
        continue;
      Changed = Again = true;
      break;
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
