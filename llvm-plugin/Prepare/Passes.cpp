//===- Prepare/Passes.cpp - Make the passes of this component available to opt
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pardiff-prepare prepares every definition of a module in place; a refusal
// becomes a remark (-pass-remarks-missed=pardiff). The others are the steps,
// one by one.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "Support/Reason.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace pardiff;

namespace {

class PreparePass : public PassInfoMixin<PreparePass> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace

/// F gets the body and the attributes of Clone, which goes away.
static void takeBody(Function &F, Function &Clone) {
  GlobalValue::LinkageTypes Linkage = F.getLinkage();
  F.deleteBody();
  F.setLinkage(Linkage);
  F.splice(F.end(), &Clone);
  for (auto [To, From] : zip(F.args(), Clone.args())) {
    To.takeName(&From);
    From.replaceAllUsesWith(&To);
  }
  F.setAttributes(Clone.getAttributes());
  DISubprogram *SP = Clone.getSubprogram();
  Clone.setSubprogram(nullptr);
  F.setSubprogram(SP);
  Clone.eraseFromParent();
}

PreservedAnalyses PreparePass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
  SmallVector<std::pair<Function *, Function *>, 16> Prepared;
  for (Function *F : Functions) {
    Expected<Function *> Clone = prepareClone(*F, MAM);
    if (Clone) {
      Prepared.push_back({F, *Clone});
      continue;
    }
    handleAllErrors(Clone.takeError(), [&](const Refusal &R) {
      OptimizationRemarkMissed Remark("pardiff", getReasonName(R.Why), R.Loc,
                                      &F->getEntryBlock());
      Remark << F->getName().str() << ": " << R.message();
      F->getContext().diagnose(Remark);
    });
  }
  for (auto &[F, Clone] : Prepared) {
    FAM.clear(*F, F->getName());
    FAM.clear(*Clone, Clone->getName());
    takeBody(*F, *Clone);
  }
  return PreservedAnalyses::none();
}

void pardiff::registerPreparePasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "pardiff-prepare")
          return false;
        MPM.addPass(PreparePass());
        return true;
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
#define PARDIFF_ADD_PASS(PassName, Class)                                      \
  if (Name == PassName) {                                                      \
    FPM.addPass(Class());                                                      \
    return true;                                                               \
  }
        PARDIFF_PREPARE_PASSES(PARDIFF_ADD_PASS)
#undef PARDIFF_ADD_PASS
        return false;
      });
}
