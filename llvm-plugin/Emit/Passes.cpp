//===- Emit/Passes.cpp - Emit functions again from their models -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pardiff-roundtrip recovers the nest of every prepared function
// (pardiff-prepare) and emits the primal program in place of its body. The
// result must behave as the function did, to the last bit; that tests the model
// and the emitter at once. What is not a nest stays as it is, with a remark
// (-pass-remarks-missed=pardiff).
//
//   pardiff-roundtrip<schedule>   in the order that Schedule chooses
//   pardiff-roundtrip<parallel>   and with OpenMP
//   pardiff-roundtrip<keep>       the body stays for arguments for which the
//   condition
//                                 of the nest is false; without it they stop
//                                 the program
//
//===----------------------------------------------------------------------===//

#include "Emit/Emit.h"
#include "Nest/Recover.h"
#include "Schedule/Schedule.h"
#include "Support/Reason.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

namespace {

struct RoundTripOptions {
  bool Schedule = false, Parallel = false, Keep = false;
};

class RoundTripPass : public PassInfoMixin<RoundTripPass> {
public:
  explicit RoundTripPass(RoundTripOptions O) : O(O) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  RoundTripOptions O;
  Error emitAgain(Function &F, FunctionAnalysisManager &FAM);
};

} // namespace

Error RoundTripPass::emitAgain(Function &F, FunctionAnalysisManager &FAM) {
  Expected<RecoveredNest> R = recoverNest(F, FAM);
  if (!R)
    return R.takeError();
  if (O.Schedule) {
    Expected<ScheduleResult> S = scheduleProgram(R->Primal);
    if (!S)
      return S.takeError();
  }
  // The new code goes into blocks of its own, which are dropped if it is
  // refused.
  LLVMContext &C = F.getContext();
  BasicBlock *Check = BasicBlock::Create(C, "roundtrip.check", &F, R->Body);
  BasicBlock *Run = BasicBlock::Create(C, "roundtrip.run", &F, R->Body);
  IRBuilder<> B(Check);
  if (DISubprogram *SP = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(C, SP->getLine(), 0, SP));
  EmitOptions EO;
  EO.Parallel = O.Parallel;
  NestEmitter Emitter(*R->N, F, EO);
  auto Drop = [&](Error E) {
    BranchInst::Create(Run, Check);
    BranchInst::Create(R->Exit, Run);
    EliminateUnreachableBlocks(F);
    return E;
  };
  Expected<Value *> Ok = Emitter.emitCondition(R->Cond, R->Primal, B);
  if (!Ok)
    return Drop(Ok.takeError());
  IRBuilder<> RunB(Run);
  RunB.SetCurrentDebugLocation(B.getCurrentDebugLocation());
  if (Error E = Emitter.emitProgram(R->Primal, RunB))
    return Drop(std::move(E));
  RunB.CreateBr(R->Exit);
  if (O.Keep) {
    B.CreateCondBr(*Ok, Run, R->Body);
  } else {
    emitStopUnless(
        *Ok, "the condition of '" + F.getName().str() + "' does not hold", B);
    B.CreateBr(Run);
  }
  R->Entry->getTerminator()->setSuccessor(0, Check);
  Emitter.finalize();
  return Error::success();
}

/// Prepare's preconditions, where no condition of a nest took them.
static void checkRequirements(Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == "pardiff.require")
        Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    IRBuilder<> B(Call);
    emitStopUnless(
        Call->getArgOperand(0),
        "a precondition of '" + F.getName().str() + "' does not hold", B);
    Call->eraseFromParent();
  }
}

PreservedAnalyses RoundTripPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
  for (Function *F : Functions) {
    Error E = emitAgain(*F, FAM);
    FAM.invalidate(*F, PreservedAnalyses::none());
    handleAllErrors(std::move(E), [&](const Refusal &R) {
      OptimizationRemarkMissed Remark("pardiff", getReasonName(R.Why), R.Loc,
                                      &F->getEntryBlock());
      Remark << F->getName().str() << ": " << R.message();
      F->getContext().diagnose(Remark);
    });
    checkRequirements(*F);
    EliminateUnreachableBlocks(*F);
  }
  return PreservedAnalyses::none();
}

static bool parseOptions(StringRef Name, RoundTripOptions &O) {
  if (!Name.consume_front("pardiff-roundtrip"))
    return false;
  if (Name.empty())
    return true;
  if (!Name.consume_front("<") || !Name.consume_back(">"))
    return false;
  while (!Name.empty()) {
    StringRef Word;
    std::tie(Word, Name) = Name.split(';');
    if (Word == "schedule")
      O.Schedule = true;
    else if (Word == "parallel")
      O.Schedule = O.Parallel = true;
    else if (Word == "keep")
      O.Keep = true;
    else
      return false;
  }
  return true;
}

void pardiff::registerEmitPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        RoundTripOptions O;
        if (!parseOptions(Name, O))
          return false;
        MPM.addPass(RoundTripPass(O));
        return true;
      });
}
