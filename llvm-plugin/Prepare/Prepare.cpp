//===- Prepare/Prepare.cpp - Clone, inline, canonicalise ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline. LICM, GVN, jump threading, unswitching, idiom recognition,
// unrolling and vectorisation are absent on purpose: each of them hides an
// affine nest from Polly.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Prepare.h"
#include "Prepare/Check.h"
#include "Prepare/Inline.h"
#include "Prepare/Passes.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;
using namespace pardiff;

static FunctionAnalysisManager &getFAM(Module &M, ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

static InstCombinePass combine() {
  return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false));
}

/// Makes calls through variables direct.
static FunctionPassManager buildPromotion() {
  FunctionPassManager FPM;
  FPM.addPass(DropMarkersPass());
  FPM.addPass(NoteIntegersPass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  return FPM;
}

static void addInductionVariables(FunctionPassManager &FPM) {
  LoopPassManager LPM;
  LPM.addPass(IndVarSimplifyPass(/*WidenIndVars=*/true));
  LPM.addPass(LoopDeletionPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(std::move(LPM)));
}

static void addRotation(FunctionPassManager &FPM) {
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass(
      /*EnableHeaderDuplication=*/true, /*PrepareForLTO=*/false)));
}

/// Scalars in registers, index arithmetic in 64 bits, buffers at the entry,
/// branches on data as selects; everything that depends on the form of the
/// source.
static FunctionPassManager buildSimplification() {
  FunctionPassManager FPM;
  FPM.addPass(DropMarkersPass());
  FPM.addPass(LowerMathPass());
  FPM.addPass(MathNoErrnoPass());
  FPM.addPass(MarkAllocationsPass());
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(AssumeNuwPass());
  FPM.addPass(WidenComparesPass());
  FPM.addPass(DropNoReturnPass());
  FPM.addPass(HoistAllocationsPass());
  FPM.addPass(FloatBitsPass());
  FPM.addPass(RetypeCopiesPass());
  FPM.addPass(ExpandMemIntrinsicsPass());
  FPM.addPass(combine());
  FPM.addPass(RetypeCopiesPass());
  FPM.addPass(WidenIndicesPass());
  FPM.addPass(DropMaxZeroPass());
  FPM.addPass(EarlyCSEPass(true));
  FPM.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  FPM.addPass(LowerSwitchPass());
  FPM.addPass(IfConvertPass());
  FPM.addPass(EarlyCSEPass(true));
  return FPM;
}

/// Loops in rotated form with one counter, descriptors at the entry.
static FunctionPassManager buildCanonicalisation() {
  FunctionPassManager FPM;
  addRotation(FPM);
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(EarlyCSEPass(true));
  FPM.addPass(HoistDescriptorsPass());
  FPM.addPass(UnrollSwapPass());
  FPM.addPass(SimplifyCFGPass());

  FPM.addPass(EarlyCSEPass(true));
  FPM.addPass(combine());
  // Their values are frozen; no combining of instructions may look through.
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(PointerWalksPass());
  FPM.addPass(ContiguousArraysPass());
  FPM.addPass(UnlagPhisPass());
  addInductionVariables(FPM);
  FPM.addPass(UnlagPhisPass());
  FPM.addPass(OutlineLoopsPass());
  FPM.addPass(OpaqueTripPass());

  FPM.addPass(EarlyCSEPass(true));
  FPM.addPass(ADCEPass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(LoopSimplifyPass());
  return FPM;
}

/// The form of Prepare.h.
static FunctionPassManager buildShaping() {
  FunctionPassManager FPM;
  FPM.addPass(GuardAccessesPass());
  FPM.addPass(EarlyCSEPass(true));
  FPM.addPass(ADCEPass());
  FPM.addPass(PreferSextPass());
  FPM.addPass(WidenComparesPass());
  FPM.addPass(HoistInvariantsPass());
  FPM.addPass(OpaqueParamsPass());
  FPM.addPass(ShapePass());
  FPM.addPass(DemotePass());
  FPM.addPass(LoopSimplifyPass());
  return FPM;
}

static void dropAttributes(Function &F) {
  for (Attribute::AttrKind Kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline,
        Attribute::MinSize, Attribute::OptimizeForSize})
    F.removeFnAttr(Kind);
}

Error pardiff::prepareInPlace(Function &F, ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM = getFAM(*F.getParent(), MAM);
  if (Error E = checkSource(F))
    return E;
  dropAttributes(F);
  buildPromotion().run(F, FAM);
  if (Error E = inlineCalls(F, FAM))
    return E;
  buildSimplification().run(F, FAM);
  buildCanonicalisation().run(F, FAM);
  if (Error E = checkPrepared(F, FAM.getResult<TargetLibraryAnalysis>(F)))
    return E;
  buildShaping().run(F, FAM);
  return Error::success();
}

/// Clones F as an internal function and changes the clone by Change.
static Expected<Function *> makeClone(Function &F, ModuleAnalysisManager &MAM,
                                      function_ref<Error(Function &)> Change) {
  if (F.isDeclaration())
    return refuse(Reason::NotADefinition, getReadableName(F), getPlace(F));
  if (Error E = checkSource(F))
    return E;
  ValueToValueMapTy VMap;
  Function *Clone = CloneFunction(&F, VMap);
  Clone->setName("pardiff.primal." + F.getName());
  Clone->setLinkage(GlobalValue::InternalLinkage);
  Clone->setVisibility(GlobalValue::DefaultVisibility);
  Clone->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Clone->setComdat(nullptr);
  if (Error E = Change(*Clone)) {
    getFAM(*F.getParent(), MAM).clear(*Clone, Clone->getName());
    Clone->eraseFromParent();
    return E;
  }
  return Clone;
}

Expected<Function *> pardiff::prepareClone(Function &F,
                                           ModuleAnalysisManager &MAM) {
  return makeClone(F, MAM,
                   [&](Function &Clone) { return prepareInPlace(Clone, MAM); });
}

Expected<Function *> pardiff::promoteClone(Function &F,
                                           ModuleAnalysisManager &MAM) {
  return makeClone(F, MAM, [&](Function &Clone) -> Error {
    FunctionAnalysisManager &FAM = getFAM(*F.getParent(), MAM);
    dropAttributes(Clone);
    buildPromotion().run(Clone, FAM);
    if (Error E = inlineCalls(Clone, FAM, /*KeepRecursive=*/true))
      return E;
    // No instruction combining: it turns small copies of memory into integer
    // accesses, which hide the type of what is copied.
    FunctionPassManager FPM;
    FPM.addPass(DropMarkersPass());
    FPM.addPass(LowerMathPass());
    FPM.addPass(MathNoErrnoPass());
    FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
    FPM.addPass(FloatBitsPass());
    FPM.addPass(RetypeCopiesPass());
    FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    FPM.addPass(SimplifyCFGPass());
    FPM.run(Clone, FAM);
    return Error::success();
  });
}
