//===- Contract/Gradient.cpp - The combined gradient of a function --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is one affine nest is differentiated by the nest engine, with
// the flow engine behind it for arguments that break the nest's condition. Any
// other function is the flow engine's, which calls the nest engine for the
// nests in it.
//
//===----------------------------------------------------------------------===//

#include "Contract/Gradient.h"
#include "Contract/FlowGradient.h"
#include "Contract/NestGradient.h"
#include "Support/Reason.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace pardiff;

static cl::opt<bool> ForceFallback(
    "pardiff-force-fallback", cl::Hidden,
    cl::desc("Use the flow engine for every request, also for affine nests"));

static cl::opt<bool> NestOnly(
    "pardiff-nest-only", cl::Hidden,
    cl::desc("Do without the flow engine: what is not an affine nest is "
             "refused, and arguments that break a nest's condition stop the "
             "program"));

Expected<Function *> pardiff::buildGradient(const Request &R,
                                            ModuleAnalysisManager &MAM,
                                            RequestReport &Report) {
  if (ForceFallback)
    return buildFlowGradient(R, MAM, nullptr);
  NestReport &NR = Report.Nests.emplace_back();
  NR.Function = R.Primal->getName().str();
  auto Otherwise = [&]() -> Function * {
    if (NestOnly)
      return nullptr;
    auto Flow = buildFlowGradient(R, MAM, nullptr);
    if (Flow)
      return *Flow;
    consumeError(Flow.takeError());
    return nullptr;
  };
  auto Nest = buildNestGradient(R, MAM, NR, Otherwise);
  if (Nest)
    return Nest;
  if (NestOnly)
    return Nest.takeError();
  // What was noted before the refusal does not describe the gradient.
  NestReport Missed;
  Missed.Function = NR.Function;
  Missed.Loc = NR.Loc;
  handleAllErrors(Nest.takeError(),
                  [&](const Refusal &Why) { Missed.setMissed(Why); });
  NR = std::move(Missed);
  return buildFlowGradient(R, MAM, &Report.Nests);
}
