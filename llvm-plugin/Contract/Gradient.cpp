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
#include "Contract/SplitMode.h"
#include "Contract/TangentFunctions.h"
#include "Emit/Emit.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "llvm/IR/IRBuilder.h"
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

/// The gradient stops where memory that is to get a derivative has no shadow.
/// (Memory that does not exist needs none.)
static void checkShadows(Function &G, const Request &R) {
  BasicBlock &Old = G.getEntryBlock();
  BasicBlock *Entry = BasicBlock::Create(G.getContext(), "entry", &G, &Old);
  for (Instruction &I : make_early_inc_range(Old))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && isa<ConstantInt>(Alloca->getArraySize()))
      Alloca->moveBefore(*Entry, Entry->end());
  IRBuilder<> B(Entry);
  B.SetInsertPoint(B.CreateBr(&Old));
  Argument *Shadow = G.arg_begin() + R.Args.size();
  for (const auto &[I, Arg] : enumerate(R.Args))
    for (unsigned Lane = 0; Lane != Arg.Shadows.size(); ++Lane)
      emitStopUnless(
          B.CreateOr(B.CreateIsNotNull(Shadow++), B.CreateIsNull(G.getArg(I))),
          ("the shadow of argument " + Twine(I + 1) + " of '" +
           getReadableName(*R.Primal) + "' is a null pointer")
              .str(),
          B);
}

static Expected<Function *> buildUnchecked(const Request &R,
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

Expected<Function *> pardiff::buildGradient(const Request &R,
                                            ModuleAnalysisManager &MAM,
                                            RequestReport &Report) {
  if (R.Mode == RequestMode::Forward)
    return buildTangentFunction(R, MAM);
  auto Build = [&] {
    if (R.Mode == RequestMode::Reverse)
      return buildUnchecked(R, MAM, Report);
    return buildSplitSweep(R, MAM, ForceFallback ? nullptr : &Report.Nests);
  };
  auto Gradient = Build();
  // The reverse sweep of split mode compares its shadows with these.
  if (Gradient && R.Mode != RequestMode::Split)
    checkShadows(**Gradient, R);
  return Gradient;
}
