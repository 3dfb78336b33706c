//===- Contract/FlowGradient.cpp - A gradient by the flow engine ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract/FlowGradient.h"
#include "Contract/Dispatch.h"
#include "Contract/Pairs.h"
#include "Contract/Shell.h"
#include "Flow/Flow.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

Expected<Function *>
pardiff::buildFlowGradient(const Request &R, ModuleAnalysisManager &MAM,
                           std::vector<NestReport> *Nests) {
  auto &FAM =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(*R.Primal->getParent())
          .getManager();
  auto Clone = promoteChecked(
      *R.Primal,
      [&](unsigned Param) {
        return Param >= R.Args.size() ||
               R.Args[Param].Activity != ArgActivity::Const;
      },
      MAM);
  if (!Clone)
    return Clone.takeError();
  PairBuilder Pairs(*R.Primal->getParent(), R.Width, MAM,
                    R.IsNested ? nullptr : Nests);
  Pairs.findNests(**Clone, /*IsSplit=*/false);
  prepareFlow(**Clone, FAM, /*IsSplit=*/false);
  auto Calls = pairCalls(**Clone, R.Width, Pairs);
  if (!Calls) {
    FAM.clear(**Clone, (*Clone)->getName());
    (*Clone)->eraseFromParent();
    return Calls.takeError();
  }
  GradientShell Shell =
      makeShell(**Clone, R, "pardiff.flow." + R.Primal->getName(), FAM);
  FlowRequest Flow;
  Flow.F = Shell.G;
  Flow.Returned = Shell.Returned;
  Flow.Width = R.Width;
  Flow.Shadows = Shell.ShadowsOf;
  Flow.Calls = *Calls;
  Flow.NeedPrimal = R.PrimalReturn;
  for (const RequestArg &A : R.Args)
    Flow.Out.push_back(A.Activity == ArgActivity::Out);

  auto Fail = [&](Error E) {
    FAM.clear(*Shell.G, Shell.G->getName());
    Shell.G->eraseFromParent();
    return E;
  };
  auto Done = appendReverseSweep(Flow, FAM);
  if (!Done)
    return Fail(Done.takeError());
  SmallVector<Value *, 4> Results;
  if (R.PrimalReturn) {
    if (!Done->Primal)
      return Fail(refuse(Reason::NoResult, getReadableName(*R.Primal),
                         getPlace(*R.Primal)));
    Results.push_back(Done->Primal);
  }
  append_range(Results, Done->Adjoints);
  if (!setResults(*Shell.G, Results))
    return Fail(refuse(Reason::NoResult, getReadableName(*R.Primal),
                       getPlace(*R.Primal)));
  if (Error E = Pairs.finish())
    return Fail(std::move(E));
  finishFlow(*Shell.G, *Done);
  FAM.clear(*Shell.G, Shell.G->getName());
  removeUnreachableBlocks(*Shell.G);
  return Shell.G;
}
