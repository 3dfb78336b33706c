//===- Nest/PollyScop.cpp - Polly's view of a function's body -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly's options are globals of the process, and a user who passes -mllvm
// -polly shares them. They are set once, before the first nest:
//
//   process-unprofitable          every loop nest counts, not only those that
//   Polly
//                                 thinks worth its while
//   allow-error-blocks = false    a guarded call that "never happens" may
//   happen on-isl-error-abort = false    an error of isl is a refusal, not a
//   crash analyze-read-only-scalars     no: values from outside the nest are
//   found by the
//                                 body extraction, they are no arrays
//   invariant-load-hoisting = no  Prepare loads what is invariant in the entry
//   block stmt-granularity = bb         one statement for each basic block
//
// None of them changes what Polly's own optimiser may do to a program, only how
// much it looks at.
//
//===----------------------------------------------------------------------===//

#include "Nest/PollyScop.h"
#include "Nest/Rejection.h"
#include "Prepare/Passes.h"
#include "Support/Reason.h"
#include "polly/ScopBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/CommandLine.h"
#include <mutex>

using namespace llvm;
using namespace pardiff;

static cl::opt<unsigned>
    MaxBlocks("pardiff-max-nest-blocks", cl::init(600), cl::Hidden,
              cl::desc("Largest number of basic blocks of a nest"));
static cl::opt<unsigned>
    MaxAccesses("pardiff-max-nest-accesses", cl::init(2000), cl::Hidden,
                cl::desc("Largest number of loads and stores of a nest"));
static cl::opt<unsigned>
    MaxParams("pardiff-max-nest-params", cl::init(24), cl::Hidden,
              cl::desc("Largest number of integer parameters of a nest"));

/// Sets an option that is a static variable of Polly's.
static void setOption(StringRef Name, StringRef Value) {
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find(Name);
  if (It != Options.end())
    It->second->addOccurrence(0, Name, Value);
}

static void setPollyOptions() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    polly::PollyProcessUnprofitable = true;
    polly::PollyInvariantLoadHoisting = false;
    polly::PollyTrackFailures = true;
    polly::ModelReadOnlyScalars = false;
    setOption("polly-allow-error-blocks", "false");
    setOption("polly-on-isl-error-abort", "false");
    setOption("polly-stmt-granularity", "bb");
  });
}

PollyScop::PollyScop(Function &F, FunctionAnalysisManager &FAM)
    : AA(FAM.getResult<TargetLibraryAnalysis>(F)),
      RI(RegionInfoAnalysis().run(F, FAM)) {
  AA.addAAResult(Disjoint);
}

/// Makes the region from Body to Exit a child of the function's region:
/// RegionInfo itself only knows regions that are not sequences of others.
Region *PollyScop::addRegion(BasicBlock &Body, BasicBlock &Exit,
                             DominatorTree &DT) {
  Region *Top = RI.getTopLevelRegion();
  for (const std::unique_ptr<Region> &R : *Top)
    if (R->getEntry() == &Body && R->getExit() == &Exit)
      return R.get();

  auto *New = new Region(&Body, &Exit, &RI, &DT);
  Top->addSubRegion(New, /*moveChildren=*/true);
  return New;
}

/// Polly's and our own work grows steeply with what a nest is made of, and
/// nothing in Polly bounds it.
static Error checkSize(const Region &R) {
  unsigned Blocks = 0, Accesses = 0;
  SmallPtrSet<const Value *, 32> Params; // integers that the nest depends on
  for (const BasicBlock *BB : R.blocks()) {
    ++Blocks;
    for (const Instruction &I : *BB) {
      Accesses += isa<LoadInst, StoreInst>(I);
      for (const Value *Op : I.operands())
        if (Op->getType()->isIntegerTy() && !Op->getType()->isIntegerTy(1) &&
            !isa<Constant>(Op) && isInEntryBlock(Op))
          Params.insert(Op);
    }
  }
  if (Blocks > MaxBlocks)
    return refuse(Reason::TooComplex,
                  Twine(Blocks) + " blocks, the limit is " + Twine(MaxBlocks));
  if (Accesses > MaxAccesses)
    return refuse(Reason::TooComplex, Twine(Accesses) +
                                          " accesses to memory, the limit is " +
                                          Twine(MaxAccesses));
  if (Params.size() > MaxParams)
    return refuse(Reason::TooComplex, Twine(Params.size()) +
                                          " sizes, the limit is " +
                                          Twine(MaxParams));
  return Error::success();
}

Expected<std::unique_ptr<PollyScop>>
PollyScop::build(Function &F, FunctionAnalysisManager &FAM, BasicBlock &Body,
                 BasicBlock &Exit) {
  setPollyOptions();
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);

  std::unique_ptr<PollyScop> P(new PollyScop(F, FAM));
  Region *R = P->addRegion(Body, Exit, DT);
  if (Error E = checkSize(*R))
    return std::move(E);
  P->SD = std::make_unique<polly::ScopDetection>(DT, SE, LI, P->RI, P->AA, ORE);
  // Generated functions carry this attribute, so that Polly itself leaves them
  // alone.
  Attribute Skip = F.getFnAttribute(polly::PollySkipFnAttr);
  F.removeFnAttr(polly::PollySkipFnAttr);
  P->SD->detect(F);
  if (Skip.isValid())
    F.addFnAttr(Skip);
  if (!P->SD->ValidRegions.count(R))
    return refuseRejected(P->SD->lookupRejectionLog(R), *R, LI);

  P->Info = std::make_unique<polly::ScopInfo>(F.getDataLayout(), *P->SD, SE, LI,
                                              P->AA, DT, AC, ORE);
  RemarkListener Listener(F.getContext());
  P->S = P->Info->getScop(R);
  if (!P->S && !hasNoEffect(*R))
    return Listener.refuse(F);
  P->OnlyBounds = Listener.sawOnlyBounds();
  return std::move(P);
}
