//===- Nest/Passes.cpp - Make the passes of this component available to opt
//---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   opt -passes='print<pardiff-nest>'   reads every function that is defined,
//   prepared
//                                       or not, as a nest and prints program
//                                       and conditions, or why there is none
//
// Conditions, behind the program:
//
//   valid [n] -> {  : n >= 0 }
//   requirements 2            number of i1 values in the entry block
//   mayalias A B              one line for each pair
//
//===----------------------------------------------------------------------===//

#include "Nest/Print.h"
#include "Nest/Recover.h"
#include "Nest/Verify.h"
#include "Prepare/Prepare.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace pardiff;

static void printRefusal(StringRef Name, Error E, raw_ostream &OS) {
  handleAllErrors(
      std::move(E),
      [&](const Refusal &R) {
        OS << "refused " << Name << ": " << getReasonName(R.Why);
        if (R.Loc) {
          OS << " at ";
          R.Loc.print(OS);
        }
        OS << ": ";
        R.log(OS);
        OS << "\n";
      },
      [&](const ErrorInfoBase &Other) {
        OS << "refused " << Name << ": " << Other.message() << "\n";
      });
}

static void printConditions(const Conditions &C, raw_ostream &OS) {
  OS << "valid " << toString(C.Valid) << "\n";
  OS << "requirements " << C.Requirements.size() << "\n";
  for (auto &[A, B] : C.MayAlias)
    OS << "mayalias " << A->Name << " " << B->Name << "\n";
}

namespace {
struct PrintNestPass : PassInfoMixin<PrintNestPass> {
  static bool isRequired() { return true; }
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    raw_ostream &OS = outs();
    Expected<RecoveredNest> R = recoverNest(F, FAM);
    if (!R) {
      printRefusal(F.getName(), R.takeError(), OS);
      return PreservedAnalyses::none();
    }
    printProgram(R->Primal, "primal", OS);
    printConditions(R->Cond, OS);
    if (verifyProgram(R->Primal, &OS))
      OS << "broken program\n";
    return PreservedAnalyses::none();
  }
};
} // namespace

void pardiff::registerNestPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "print<pardiff-nest>")
          return false;
        FPM.addPass(PrintNestPass());
        return true;
      });
}
