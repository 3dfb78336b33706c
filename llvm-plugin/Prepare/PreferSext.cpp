//===- Prepare/PreferSext.cpp - One extension for each parameter --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `zext i32 %n to i64` becomes `sext` where %n is known not to be negative: by
// the flag nneg or by the branches that lead there. Scalar evolution cannot see
// that both are the same value, so `n` would be two parameters, an array that
// is accessed by A[i*n+j] in two loops would have two shapes, and sext alone
// distributes over additions that do not overflow.
//
// Runs last: instcombine and indvars prefer zext.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

static bool isNonNegative(ZExtInst &Z, ScalarEvolution &SE) {
  if (Z.hasNonNeg())
    return true;
  const SCEV *S = SE.getSCEV(Z.getOperand(0));
  return SE.isKnownPredicateAt(ICmpInst::ICMP_SGE, S, SE.getZero(S->getType()),
                               &Z);
}

PreservedAnalyses PreferSextPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<ZExtInst *, 16> Work;
  for (Instruction &I : instructions(F)) {
    auto *Z = dyn_cast<ZExtInst>(&I);
    if (Z && Z->getSrcTy()->isIntegerTy() && !Z->getSrcTy()->isIntegerTy(1) &&
        isNonNegative(*Z, SE))
      Work.push_back(Z);
  }
  for (ZExtInst *Z : Work) {
    auto *S =
        new SExtInst(Z->getOperand(0), Z->getType(), "", Z->getIterator());
    S->takeName(Z);
    S->setDebugLoc(Z->getDebugLoc());
    Z->replaceAllUsesWith(S);
    Z->eraseFromParent();
  }
  return Work.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
