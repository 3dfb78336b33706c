//===- Driver/Plugin.cpp - Entry point of the plugin ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the passes with opt (-passes=pardiff) and puts ParDiff at the start
// of clang's and flang's pipelines, and of full link-time optimisation.
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Contract/Derive.h"
#include "Driver/PardiffPass.h"
#include "Emit/Emit.h"
#include "Nest/Recover.h"
#include "Prepare/Prepare.h"
#include "Request/Passes.h"
#include "Schedule/Schedule.h"
#include "Tape/Passes.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;
using namespace pardiff;

/// What the second run of a compile may leave for later. The link step of thin
/// link-time optimisation runs no passes at O0.
static ServeStage getStage(OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
  if (Phase == ThinOrFullLTOPhase::FullLTOPreLink)
    return ServeStage::PreLink;
  if (Phase == ThinOrFullLTOPhase::ThinLTOPreLink &&
      Level != OptimizationLevel::O0)
    return ServeStage::PreLink;
  return ServeStage::Last;
}

static void registerCallbacks(PassBuilder &PB) {
  registerRequestPasses(PB);
  registerPreparePasses(PB);
  registerBodyPasses(PB);
  registerNestPasses(PB);
  registerTapePasses(PB);
  registerEmitPasses(PB);
  registerContractPasses(PB);
  registerSchedulePasses(PB);
  // One compile runs the pass twice; its report is one.
  auto Report = std::make_shared<ModuleReport>();
  PB.registerPipelineParsingCallback(
      [Report](StringRef Name, ModulePassManager &MPM,
               ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "pardiff")
          return false;
        // opt ends at the first error.
        MPM.addPass(PardiffPass(OptimizationLevel::O2, ServeStage::Last, Report,
                                /*NotesInText=*/true));
        return true;
      });
  PB.registerPipelineStartEPCallback(
      [Report](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(PardiffPass(Level, ServeStage::Start, Report));
      });
  PB.registerPipelineEarlySimplificationEPCallback(
      [Report](ModulePassManager &MPM, OptimizationLevel Level,
               ThinOrFullLTOPhase Phase) {
        MPM.addPass(PardiffPass(Level, getStage(Level, Phase), Report));
      });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [Report](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(PardiffPass(Level, ServeStage::Last, Report));
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "pardiff", "0.1.0", registerCallbacks};
}
