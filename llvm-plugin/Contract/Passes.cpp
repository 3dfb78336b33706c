//===- Contract/Passes.cpp - Print the programs of a gradient
//---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `print<pardiff-gradient>` runs the nest engine up to, but without, code
// generation on a clone of every function of the module and prints the
// programs. It is what tests and the executor read. `print<pardiff-loops>`
// prints the loops of both sweeps, as isl would write them in C. All
// floating-point parameters and pointers are active.
//
//===----------------------------------------------------------------------===//

#include "Contract/Derive.h"
#include "Nest/Print.h"
#include "Prepare/Prepare.h"
#include "Schedule/Schedule.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace pardiff;

namespace {

class PrintGradientPass : public PassInfoMixin<PrintGradientPass> {
public:
  /// Loops: prints the loops of the two sweeps only.
  explicit PrintGradientPass(bool Loops) : Loops(Loops) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    SmallVector<Function *, 8> Functions;
    for (Function &F : M)
      if (!F.isDeclaration())
        Functions.push_back(&F);
    for (Function *F : Functions) {
      outs() << "; function " << F->getName() << "\n";
      if (Error E = print(*F, MAM))
        outs() << "; refused: " << toString(std::move(E)) << "\n";
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  bool Loops;

  void printSweep(const Program &P, const ScheduleResult &R, StringRef Title) {
    outs() << Title << "\n";
    if (!R.Fallback.empty())
      outs() << "; original order: " << R.Fallback << "\n";
    printLoops(P, outs());
  }

  Error print(Function &F, ModuleAnalysisManager &MAM) {
    auto Clone = prepareClone(F, MAM);
    if (!Clone)
      return Clone.takeError();
    auto &FAM =
        MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent())
            .getManager();
    SmallVector<ParamActivity, 8> Params;
    for (Argument &A : F.args())
      Params.push_back(
          {A.getType()->isFloatingPointTy() || A.getType()->isPointerTy(),
           /*NotNeeded=*/false});
    Error Result = Error::success();
    {
      // The programs themselves are gone when the clone is.
      auto Programs = deriveGradient(**Clone, Params, /*SeedResult=*/true,
                                     /*NeedResult=*/true,
                                     /*OneThread=*/false, FAM,
                                     [&](const Program &P, StringRef Title) {
                                       if (!Loops)
                                         printProgram(P, Title, outs());
                                     });
      if (!Programs) {
        Result = Programs.takeError();
      } else if (Loops) {
        printSweep(*Programs->Forward, Programs->ForwardLoops, "; forward");
        printSweep(Programs->Adjoint->P, Programs->AdjointLoops, "; adjoint");
      }
    }
    FAM.clear(**Clone, (*Clone)->getName());
    (*Clone)->eraseFromParent();
    return Result;
  }
};

} // namespace

void pardiff::registerContractPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        bool Loops = Name == "print<pardiff-loops>";
        if (Name != "print<pardiff-gradient>" && !Loops)
          return false;
        MPM.addPass(PrintGradientPass(Loops));
        return true;
      });
}
