//===- Prepare/Inline.cpp - Inline every callee into one function -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inlines into F alone. What is inlined is a promoted copy of the callee: at
// -O0 the callee keeps its arguments in allocas, and the noalias scopes of its
// `restrict` arguments reach only accesses through promoted pointers. The
// copies go away again; no other function of the module changes.
//
// A call is inlined also if the callee is noinline or optnone, and without any
// cost model: a nest can only be recovered whole. Not inlined are
//   - functions that may be replaced at link time (isInterposable; inline
//     functions and templates of C++ may not: they are the same everywhere)
//   - functions of C++'s strings (Support/Library.h)
//   - recursive calls, which only the flow engine can treat
//   - functions for which users gave a rule
//   - callees built for other processors
// Past a limit on the size of F (-pardiff-inline-limit, in instructions) F is
// refused, or, for the flow engine, calls stay.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Inline.h"
#include "Prepare/Check.h"
#include "Prepare/Passes.h"
#include "Support/Library.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "Support/TapeMemory.h"
#include "Support/UserRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace pardiff;

static cl::opt<unsigned> InlineLimit(
    "pardiff-inline-limit", cl::init(20000), cl::Hidden,
    cl::desc("Largest number of instructions of a function to differentiate, "
             "with everything inlined"));

namespace {

class Inliner {
public:
  Inliner(Function &F, FunctionAnalysisManager &FAM, bool KeepRecursive)
      : F(F), FAM(FAM), KeepRecursive(KeepRecursive) {}
  ~Inliner();
  Error run();

private:
  Function *getCallee(const CallBase &Call) const;
  bool isRecursive(int History, const Function *Callee) const;
  Expected<Function *> getCopy(Function &Callee, const CallBase &Call);
  void noteCall(CallBase &New, unsigned Entry);

  Function &F;
  FunctionAnalysisManager &FAM;
  bool KeepRecursive;
  MapVector<Function *, Function *> Copies;
  /// (function, index of its caller's entry or -1): how a call came to be in F.
  SmallVector<std::pair<const Function *, int>, 16> Chain;
  /// The entries of Chain that messages may need.
  DenseMap<int, MDNode *> Notes;
};

} // namespace

Inliner::~Inliner() {
  for (auto &[Callee, Copy] : Copies) {
    FAM.clear(*Copy, Copy->getName());
    Copy->eraseFromParent();
  }
}

Function *Inliner::getCallee(const CallBase &Call) const {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() ||
      isTextFunction(*Callee) || Callee->hasFnAttribute(KeepCallAttr) ||
      getTakenSize(Call) || getGiven(Call))
    return nullptr;
  const auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  return TTI.areInlineCompatible(&F, Callee) ? Callee : nullptr;
}

bool Inliner::isRecursive(int History, const Function *Callee) const {
  for (; History >= 0; History = Chain[History].second)
    if (Chain[History].first == Callee)
      return true;
  return false;
}

/// True if F may call itself, directly or by way of others.
static bool reachesItself(const Function &F) {
  SmallSetVector<const Function *, 16> Reached;
  auto AddCallees = [&](const Function &G) {
    for (const Instruction &I : instructions(G))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && !Callee->isDeclaration())
          Reached.insert(Callee);
  };
  AddCallees(F);
  for (unsigned I = 0; I < Reached.size() && !Reached.contains(&F); ++I)
    AddCallees(*Reached[I]);
  return Reached.contains(&F);
}

/// Without a debug location New tells by itself how it came here.
void Inliner::noteCall(CallBase &New, unsigned Entry) {
  if (New.getDebugLoc())
    return;
  SmallVector<int, 8> Missing;
  for (int I = Entry; I >= 0 && !Notes.contains(I); I = Chain[I].second)
    Missing.push_back(I);
  for (int I : reverse(Missing))
    Notes[I] = makeInlinedCall(*Chain[I].first, Notes.lookup(Chain[I].second));
  New.setMetadata(InlinedCallsMetadata, Notes[Entry]);
}

Expected<Function *> Inliner::getCopy(Function &Callee, const CallBase &Call) {
  Function *&Copy = Copies[&Callee];
  if (Copy)
    return Copy;
  if (Error E = checkSource(Callee)) {
    Copies.erase(&Callee);
    CallChain Calls = {{getReadableName(Callee), Call.getDebugLoc()}};
    append_range(Calls, getInlinedCalls(Call));
    return addCalls(std::move(E), Calls);
  }
  ValueToValueMapTy VMap;
  Copy = CloneFunction(&Callee, VMap);
  Copy->setName("pardiff.inline." + Callee.getName());
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setComdat(nullptr);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  Copy->removeFnAttr(Attribute::NoInline);
  FunctionPassManager FPM;
  FPM.addPass(NoteIntegersPass());
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.run(*Copy, FAM);
  return Copy;
}

Error Inliner::run() {
  // The second number is the call's entry in Chain.
  SmallVector<std::pair<CallBase *, int>, 16> Work;
  auto Enlist = [&](CallBase *Call, int History) {
    if (!isa<IntrinsicInst>(Call))
      Work.push_back({Call, History});
  };
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Enlist(Call, -1);

  auto GetAC = [&](Function &G) -> AssumptionCache & {
    return FAM.getResult<AssumptionAnalysis>(G);
  };
  size_t Size = F.getInstructionCount();
  for (size_t K = 0; K < Work.size(); ++K) {
    auto [Call, History] = Work[K];
    Function *Callee = getCallee(*Call);
    if (!Callee)
      continue;
    if (KeepRecursive && reachesItself(*Callee))
      continue;
    if (isRecursive(History, Callee))
      return refuse(Reason::RecursiveCall, getReadableName(*Callee), Call);
    Expected<Function *> Copy = getCopy(*Callee, *Call);
    if (!Copy)
      return Copy.takeError();
    size_t NewSize = Size + (*Copy)->getInstructionCount();
    if (NewSize > InlineLimit) {
      if (KeepRecursive)
        continue;
      return refuse(Reason::TooLarge, getReadableName(*Callee), Call);
    }
    Size = NewSize;
    Call->setCalledFunction(*Copy);
    InlineFunctionInfo IFI(GetAC);
    if (!InlineFunction(*Call, IFI, /*MergeAttributes=*/true, nullptr,
                        /*InsertLifetime=*/false)
             .isSuccess()) {
      Call->setCalledFunction(Callee);
      continue;
    }
    Chain.push_back({Callee, History});
    for (CallBase *New : IFI.InlinedCallSites) {
      noteCall(*New, Chain.size() - 1);
      Enlist(New, Chain.size() - 1);
    }
  }
  return Error::success();
}

Error pardiff::inlineCalls(Function &F, FunctionAnalysisManager &FAM,
                           bool KeepRecursive) {
  Error E = Inliner(F, FAM, KeepRecursive).run();
  FAM.invalidate(F, PreservedAnalyses::none());
  return E;
}
