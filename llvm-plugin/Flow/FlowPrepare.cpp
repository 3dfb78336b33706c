//===- Flow/FlowPrepare.cpp - The form that the flow engine reads
//-----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow/Flow.h"
#include "Flow/Heap.h"
#include "Flow/Vectors.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BreakCriticalEdges.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;
using namespace pardiff;

void pardiff::prepareFlow(Function &F, FunctionAnalysisManager &FAM,
                          bool IsSplit) {
  lowerAllocations(F);
  lowerReductions(F);
  if (IsSplit)
    moveStackToHeap(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(ScalarizeMaskedMemIntrinPass());
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(EarlyCSEPass());
  // A loop of few iterations costs less without a record for each of them, and
  // one that tests its condition at the end has no record for the last test.
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass()));
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(InstSimplifyPass());
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(LowerSwitchPass());
  FPM.addPass(UnifyFunctionExitNodesPass());
  // LLVM's pass loses the values of an edge whose block also jumps to another
  // entry of the loop: give each edge a block of its own.
  FPM.addPass(BreakCriticalEdgesPass());
  FPM.addPass(FixIrreduciblePass());
  FPM.addPass(ADCEPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(BreakCriticalEdgesPass());
  // A value belongs to an iteration of one loop: behind it, it is another.
  FPM.addPass(LCSSAPass());
  FPM.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}
