//===- Nest/Passes.cpp - Passes of this component for opt -----------------===//
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

#include "Nest/Gather.h"
#include "Nest/Print.h"
#include "Nest/Recover.h"
#include "Nest/Verify.h"
#include "Prepare/Prepare.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "llvm/IR/Module.h"
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

/// F itself if it is prepared, else a prepared clone.
static Expected<Function *> getPrepared(Function &F,
                                        ModuleAnalysisManager &MAM) {
  if (getPreparedShape(F))
    return &F;
  return prepareClone(F, MAM);
}

static void printNest(Function &F, ModuleAnalysisManager &MAM,
                      raw_ostream &OS) {
  std::string Name = F.getName().str();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent())
                  .getManager();
  Expected<Function *> Prepared = getPrepared(F, MAM);
  if (!Prepared)
    return printRefusal(Name, Prepared.takeError(), OS);
  Expected<RecoveredNest> R = recoverNest(**Prepared, FAM);
  if (R) {
    R->N->Name = Name;
    printProgram(R->Primal, "primal", OS);
    printConditions(R->Cond, OS);
    verifyProgram(R->Primal, &OS);
  } else {
    printRefusal(Name, R.takeError(), OS);
  }
  if (*Prepared == &F)
    return;
  FAM.clear(**Prepared, (*Prepared)->getName());
  (*Prepared)->eraseFromParent();
  dropGatherDeclarations(*F.getParent());
}

namespace {
struct PrintNestPass : PassInfoMixin<PrintNestPass> {
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    SmallVector<Function *, 16> Functions;
    for (Function &F : M)
      if (!F.isDeclaration())
        Functions.push_back(&F);
    for (Function *F : Functions)
      printNest(*F, MAM, outs());
    return PreservedAnalyses::none();
  }
};
} // namespace

void pardiff::registerNestPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "print<pardiff-nest>")
          return false;
        MPM.addPass(PrintNestPass());
        return true;
      });
}
