//===- Tape/Passes.cpp - Passes of this component for opt -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Printers for tests and for the curious. Activity is what a request with all
// floating-point data active would ask for: memory is input and output,
// arguments by value are inputs, the result is an output. Memory behind a
// parameter with the attribute "pardiff_const" is inactive.
//
//===----------------------------------------------------------------------===//

#include "Tape/Passes.h"
#include "Nest/Print.h"
#include "Nest/Recover.h"
#include "Support/IslUtils.h"
#include "Tape/Check.h"
#include "Tape/Forward.h"
#include "Tape/Plan.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace pardiff;

namespace {

enum class Show { Flow, Plan, Forward, Pruned, Check };

class TapePrinterPass : public PassInfoMixin<TapePrinterPass> {
public:
  explicit TapePrinterPass(Show What) : What(What) {}
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }

private:
  Error print(RecoveredNest &R, raw_ostream &OS);
  Show What;
};

} // namespace

static Activity getActivity(const Nest &N) {
  Activity A;
  for (const auto &Arr : N.Arrays) {
    if (!Arr->isFloat())
      continue;
    auto *Arg = dyn_cast_or_null<Argument>(Arr->Base);
    if (Arg && Arg->getParent()->getAttributes().hasParamAttr(Arg->getArgNo(),
                                                              "pardiff_const"))
      continue;
    if (Arr->Kind == ArrayKind::Memory || Arr->LiveIn)
      A.Inputs.insert(Arr.get());
    if (Arr->Kind == ArrayKind::Memory || Arr->LiveOut)
      A.Outputs.insert(Arr.get());
  }
  return A;
}

static void printFlow(const Program &P, const Dataflow &D, const Activity &A,
                      raw_ostream &OS) {
  OS << "dataflow of " << P.N->Name << ":\n  active:";
  for (const auto &Arr : P.N->Arrays)
    if (A.isActive(Arr.get()))
      OS << ' ' << Arr->Name;
  OS << '\n';
  for (const auto &S : P.Statements) {
    for (const auto &[R, Read] : enumerate(S->Reads)) {
      const Dataflow::ReadFlow &F = D.Reads.at({S.get(), unsigned(R)});
      OS << "  read " << S->Name << '[' << R << "] " << Read.Arr->Name << '\n';
      for (const Dataflow::Source &Src : F.Sources)
        OS << "    from write " << Src.Write << ' ' << toString(Src.Map)
           << '\n';
      if (!F.LiveIn.is_empty().is_true())
        OS << "    live in " << toString(F.LiveIn) << '\n';
      OS << "    overwritten "
         << toString(D.ReadOverwritten.at({S.get(), unsigned(R)})) << '\n';
    }
    for (unsigned W = 0; W < S->Writes.size(); ++W)
      OS << "  write " << S->Name << '[' << W << "] " << S->Writes[W].Arr->Name
         << "\n    overwritten "
         << toString(D.WriteOverwritten.at({S.get(), W})) << '\n';
  }
}

Error TapePrinterPass::print(RecoveredNest &R, raw_ostream &OS) {
  Activity A = getActivity(*R.N);
  if (Error E = analyseActivity(R.Primal, A))
    return E;
  Expected<Dataflow> D = computeDataflow(R.Primal);
  if (!D)
    return D.takeError();
  if (What == Show::Flow) {
    printFlow(R.Primal, *D, A, OS);
    return Error::success();
  }
  Expected<TapePlan> Plan = planTape(R.Primal, A, *D);
  if (!Plan)
    return Plan.takeError();
  if (What == Show::Plan) {
    printPlan(*Plan, R.Primal, OS);
    return Error::success();
  }
  Expected<Program> F = buildForward(R.Primal, *Plan, *D);
  if (!F)
    return F.takeError();
  if (What == Show::Check) {
    OS << "check " << R.N->Name << '\n';
    for (int Size : {1, 2, 3, 5})
      checkPlan(R.Primal, *Plan, *F, Size, OS);
    return Error::success();
  }
  if (What == Show::Pruned)
    if (Error E = pruneForward(*F, [&](const Array &Arr) {
          return isReadInPlace(*Plan, Arr) || Arr.LiveOut;
        }))
      return E;
  printProgram(*F, "forward", OS);
  return Error::success();
}

PreservedAnalyses TapePrinterPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  Expected<RecoveredNest> R = recoverNest(F, FAM);
  Error E = R ? print(*R, outs()) : R.takeError();
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    outs() << "refused " << F.getName() << ": " << Info.message() << '\n';
  });
  return PreservedAnalyses::none();
}

void pardiff::registerTapePasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        std::optional<Show> What;
        if (Name == "print<pardiff-flow>")
          What = Show::Flow;
        else if (Name == "print<pardiff-tape>")
          What = Show::Plan;
        else if (Name == "print<pardiff-forward>")
          What = Show::Forward;
        else if (Name == "print<pardiff-forward-noneed>")
          What = Show::Pruned;
        else if (Name == "check<pardiff-tape>")
          What = Show::Check;
        if (!What)
          return false;
        FPM.addPass(TapePrinterPass(*What));
        return true;
      });
}
