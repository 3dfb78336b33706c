//===- Schedule/Passes.cpp - The passes of this component -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// opt -passes='test<pardiff-schedule>' -disable-output FILE reads a program
// from the comments of FILE (TextProgram.cpp), schedules it and prints the
// loops that its tree stands for, then the scheme of each loop.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Schedule.h"
#include "Schedule/TextProgram.h"
#include "Support/IslUtils.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "isl/ast_build.h"
#include "isl/options.h"

using namespace llvm;
using namespace pardiff;

void pardiff::printLoops(const Program &P, raw_ostream &OS) {
  IslQuota Quota(P.N->Ctx.get());
  isl_ctx *C = P.N->Ctx.get();
  isl_options_set_ast_build_atomic_upper_bound(C, 1);
  isl_options_set_ast_build_group_coscheduled(C, 1);
  isl_ast_build *Build = isl_ast_build_from_context(P.N->Context.copy());
  isl_ast_node *Node = isl_ast_build_node_from_schedule(Build, P.Tree.copy());
  isl_ast_build_free(Build);
  char *Text = isl_ast_node_to_C_str(Node);
  isl_ast_node_free(Node);
  OS << (Text ? Text : "isl failed\n");
  free(Text);
}

static Error printScheduled(Module &M, raw_ostream &OS) {
  auto Buffer = MemoryBuffer::getFile(M.getModuleIdentifier());
  if (!Buffer)
    return errorCodeToError(Buffer.getError());
  Expected<TextProgram> T =
      parseTextProgram((*Buffer)->getBuffer(), M.getContext());
  if (!T)
    return T.takeError();
  Expected<ScheduleResult> R = scheduleProgram(*T->P);
  if (!R)
    return R.takeError();
  if (!R->Fallback.empty())
    OS << "original order: " << R->Fallback << "\n";
  contractShadows(*T->P);
  printLoops(*T->P, OS);
  for (const auto &A : T->N->Arrays)
    if (!A->Scope.empty())
      OS << A->Name << ": " << A->getNumDims() << " dimensions\n";
  for (const LoopChoice &L : R->Loops) {
    OS.indent(2 * L.Depth) << L.Scheme << ":";
    for (const std::string &S : L.Statements)
      OS << " " << S;
    OS << "\n";
  }
  return Error::success();
}

namespace {

struct TestSchedulePass : PassInfoMixin<TestSchedulePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Error E = printScheduled(M, outs()))
      M.getContext().emitError(toString(std::move(E)));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

void pardiff::registerSchedulePasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "test<pardiff-schedule>")
          return false;
        MPM.addPass(TestSchedulePass());
        return true;
      });
}
