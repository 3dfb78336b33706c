//===- Driver/Generated.cpp - Check and optimise generated code -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Generated.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

using namespace llvm;
using namespace pardiff;

GeneratedFunctions::GeneratedFunctions(Module &M) : M(M) {
  for (const Function &F : M)
    Before.insert(&F);
}

SmallVector<Function *, 8> GeneratedFunctions::get() const {
  SmallVector<Function *, 8> New;
  for (Function &F : M)
    if (!F.isDeclaration() && !Before.contains(&F))
      New.push_back(&F);
  return New;
}

void GeneratedFunctions::addLocations() {
  for (Function *F : get())
    if (DISubprogram *Program = F->getSubprogram())
      for (Instruction &I : instructions(F))
        if (isa<CallBase>(I) && !I.getDebugLoc())
          I.setDebugLoc(DILocation::get(F->getContext(), 0, 0, Program));
}

std::string GeneratedFunctions::verify() const {
  std::string Message;
  raw_string_ostream OS(Message);
  for (const Function *F : get())
    if (verifyFunction(*F, &OS))
      return (F->getName() + ": " + StringRef(Message).split('\n').first).str();
  return "";
}

void GeneratedFunctions::discard() {
  // Nothing may find them again by name.
  SmallVector<Function *, 8> New = get();
  for (Function *F : New)
    F->deleteBody();
  for (Function *F : New) {
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    F->eraseFromParent();
  }
}

/// What LLVM's module pipeline does behind the simplification, for one
/// function.
static void addVectorization(FunctionPassManager &FPM) {
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.addPass(LoopVectorizePass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                  .forwardSwitchCondToPhi(true)
                                  .needCanonicalLoops(false)
                                  .hoistCommonInsts(true)
                                  .sinkCommonInsts(true)));
  FPM.addPass(SLPVectorizerPass());
  FPM.addPass(VectorCombinePass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(LoopUnrollPass());
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(InstCombinePass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                              /*UseMemorySSA=*/true));
}

void GeneratedFunctions::optimize(ModuleAnalysisManager &MAM) {
  PassBuilder PB;
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(PB.buildFunctionSimplificationPipeline(OptimizationLevel::O2,
                                                     ThinOrFullLTOPhase::None));
  addVectorization(FPM);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function *F : get()) {
    FAM.invalidate(*F, PreservedAnalyses::none());
    FAM.invalidate(*F, FPM.run(*F, FAM));
  }
}
