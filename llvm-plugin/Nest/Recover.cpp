//===- Nest/Recover.cpp - Read an affine nest out of Polly ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/Recover.h"
#include "Nest/Gather.h"
#include "Nest/Guard.h"
#include "Nest/LoopArrays.h"
#include "Nest/PollyScop.h"
#include "Nest/ScopReader.h"
#include "Nest/Storage.h"
#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "isl/map.h"
#include "isl/set.h"
#include <optional>

using namespace llvm;
using namespace pardiff;

namespace {
struct Shape {
  BasicBlock *Entry = nullptr, *Body = nullptr, *Exit = nullptr;
};
} // namespace

static bool isTrueConstant(const Value *V) {
  auto *C = dyn_cast<ConstantInt>(V);
  return C && C->isOne();
}

/// Finds entry, body and exit of a prepared function. The guard between entry
/// and body has done its service once the body has been brought into form: it
/// is removed.
static Expected<Shape> findShape(Function &F, FunctionAnalysisManager &FAM) {
  Shape S;
  S.Entry = &F.getEntryBlock();
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator())) {
      if (S.Exit)
        return refuse(Reason::NotPrepared, "it has several returns",
                      BB.getTerminator());
      S.Exit = &BB;
    }
  if (!S.Exit)
    return refuse(Reason::EndlessLoop, "the function never returns");
  auto *Br = dyn_cast<BranchInst>(S.Entry->getTerminator());
  BasicBlock *Guard =
      Br && Br->isUnconditional() ? Br->getSuccessor(0) : nullptr;
  auto *GuardBr = Guard && Guard != S.Exit && Guard->size() == 1
                      ? dyn_cast<BranchInst>(Guard->getTerminator())
                      : nullptr;
  if (GuardBr && GuardBr->isConditional() &&
      isTrueConstant(GuardBr->getCondition()) &&
      GuardBr->getSuccessor(1) == S.Exit && S.Exit->phis().empty()) {
    BasicBlock *Body = GuardBr->getSuccessor(0);
    BranchInst::Create(Body, GuardBr->getIterator());
    GuardBr->eraseFromParent();
    MergeBlockIntoPredecessor(Guard);
    FAM.invalidate(F, PreservedAnalyses::none());
    Br = dyn_cast<BranchInst>(S.Entry->getTerminator());
  }
  if (!Br || Br->isConditional())
    return refuse(Reason::NotPrepared,
                  "the entry block does not lead to the nest alone",
                  S.Entry->getTerminator());
  S.Body = Br->getSuccessor(0);
  return S;
}

/// Takes the preconditions that Prepare noted in the entry block.
static void takeRequirements(BasicBlock &Entry, Conditions &Cond) {
  for (Instruction &I : make_early_inc_range(Entry)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->getName() != RequireName)
      continue;
    Value *Required = Call->getArgOperand(0);
    if (auto *C = dyn_cast<ConstantInt>(Required); !C || !C->isOne())
      Cond.Requirements.push_back(Required);
    Call->eraseFromParent();
  }
}

/// Values computed in the nest may leave it through memory only.
static Error checkNothingEscapes(const Shape &S) {
  for (Instruction &I : *S.Exit)
    for (Value *Op : I.operands()) {
      auto *Def = dyn_cast<Instruction>(Op);
      if (isa<PHINode>(I) ||
          (Def && Def->getParent() != S.Entry && Def->getParent() != S.Exit))
        return refuse(Reason::EscapingValue, "", &I);
    }
  return Error::success();
}

/// Pairs of arrays of which one is written, that may overlap as far as alias
/// analysis of their bases can tell. Facts about single accesses (scopes of
/// inlined restrict, ranges) hold within one iteration only and are not asked
/// for.
static void findAliases(const Program &P, AAResults &AA, Conditions &Cond) {
  SmallPtrSet<const Array *, 8> Written;
  for (const auto &St : P.Statements)
    for (const Access &A : St->Writes)
      Written.insert(A.Arr);
  auto IsConstant = [&](const Array &A) {
    return AA.pointsToConstantMemory(MemoryLocation::getBeforeOrAfter(A.Base));
  };
  const auto &Arrays = P.N->Arrays;
  for (unsigned I = 0; I < Arrays.size(); ++I)
    for (unsigned K = I + 1; K < Arrays.size(); ++K) {
      Array *A = Arrays[I].get(), *B = Arrays[K].get();
      if (A->Kind == ArrayKind::Slot || B->Kind == ArrayKind::Slot)
        continue;
      if (!Written.contains(A) && !Written.contains(B))
        continue;
      if (IsConstant(*A) || IsConstant(*B) ||
          ((A->View || B->View) && A->Base == B->Base))
        continue;
      if (!AA.isNoAlias(MemoryLocation::getBeforeOrAfter(A->Base),
                        MemoryLocation::getBeforeOrAfter(B->Base)))
        Cond.MayAlias.push_back({A, B});
    }
}

AccessRange pardiff::getAccessRange(const Program &P, const Array &A) {
  AccessRange R;
  isl::set Range;
  for (const auto &St : P.Statements)
    for (ArrayRef<Access> Accesses :
         {ArrayRef<Access>(St->Reads), ArrayRef<Access>(St->Writes)})
      for (const Access &Acc : Accesses)
        if (Acc.Arr == &A) {
          isl::set One = Acc.Relation.range();
          Range = Range.is_null() ? One : Range.unite(One);
        }
  if (!Range.is_null())
    Range = coalesceChecked(Range);
  for (unsigned D = 0; D < A.getNumDims(); ++D) {
    R.Min.push_back(Range.is_null() ? isl::pw_aff()
                                    : coalesceChecked(Range.dim_min(D)));
    R.Max.push_back(Range.is_null() ? isl::pw_aff()
                                    : coalesceChecked(Range.dim_max(D)));
  }
  return R;
}

static std::unique_ptr<Module> createBodies(const Function &F) {
  auto M = std::make_unique<Module>("pardiff.bodies", F.getContext());
  M->setDataLayout(F.getDataLayout());
  M->setTargetTriple(F.getParent()->getTargetTriple());
  return M;
}

/// A nest without statements.
static Expected<RecoveredNest> makeEmpty(Function &F) {
  auto N = std::make_unique<Nest>(
      std::shared_ptr<isl_ctx>(isl_ctx_alloc(), isl_ctx_free));
  isl::ctx Ctx(N->Ctx.get());
  N->Context =
      isl::manage(isl_set_universe(isl_space_params_alloc(N->Ctx.get(), 0)));
  Program P(*N);
  P.Order = isl::union_map::empty(Ctx);
  RecoveredNest R{std::move(N), std::move(P), {}, nullptr, nullptr, nullptr};
  R.Cond.Valid = R.N->Context;
  return std::move(R);
}

/// With IsUnusual, a condition that holds for no usual sizes is as bad as one
/// that never holds; IsUnusual tells that it was that.
static Expected<RecoveredNest>
readNest(Function &F, FunctionAnalysisManager &FAM, const Shape &S,
         const AccessGuards &Guards, bool *IsUnusual = nullptr) {
  if (S.Body == S.Exit)
    return makeEmpty(F);
  auto Polly = PollyScop::build(F, FAM, *S.Body, *S.Exit);
  if (!Polly)
    return Polly.takeError();
  polly::Scop *Scop = (*Polly)->getScop();
  if (!Scop)
    return makeEmpty(F);

  auto N = std::make_unique<Nest>(Scop->getSharedIslCtx());
  Program P(*N);
  RecoveredNest R{std::move(N), std::move(P), {}, nullptr, nullptr, nullptr};
  R.N->Bodies = createBodies(F);
  ScopReader Reader(*Scop, (*Polly)->assumesOnlyBounds(), *R.N, R.Primal, F,
                    FAM.getResult<ScalarEvolutionAnalysis>(F), Guards);
  {
    IslQuota Quota(R.N->Ctx.get());
    if (Error E = Reader.read(R.Cond)) {
      if (!Quota.exceeded())
        return std::move(E);
      consumeError(std::move(E));
      return Quota.refusal("recovery of '" + F.getName() + "'");
    }
    if (IsUnusual && !Reader.isUsual(R.Cond)) {
      *IsUnusual = true;
      return refuse(Reason::NeverValid, "usual sizes");
    }
  }
  Polly->reset();
  if (Error E = Reader.materialise())
    return std::move(E);
  findAliases(R.Primal, FAM.getResult<AAManager>(F), R.Cond);
  return std::move(R);
}

/// The reason of a refusal; no reason for another error.
static std::optional<Reason> getReason(Error &E) {
  std::optional<Reason> Why;
  E = handleErrors(std::move(E), [&](std::unique_ptr<Refusal> R) -> Error {
    Why = R->Why;
    return Error(std::move(R));
  });
  return Why;
}

/// Reads a nest whose conditions or subscripts are in the way with rows of
/// opaque lengths. IsUnusual: it can also be read as it is; if not, Why is the
/// reason.
static Expected<RecoveredNest>
readRows(Function &F, FunctionAnalysisManager &FAM, const Shape &S,
         const AccessGuards &Guards, bool IsUnusual, Error Why) {
  SmallVector<FreezeInst *, 4> Rows = makeStridesOpaque(F, FAM);
  if (!Rows.empty()) {
    Expected<RecoveredNest> R = readNest(F, FAM, S, Guards);
    if (R) {
      consumeError(std::move(Why));
      return R;
    }
    consumeError(R.takeError());
  }
  if (!IsUnusual)
    return std::move(Why);
  consumeError(std::move(Why));
  for (FreezeInst *Row : Rows) {
    Row->replaceAllUsesWith(Row->getOperand(0));
    Row->eraseFromParent();
  }
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, PA);
  return readNest(F, FAM, S, Guards);
}

/// Reads the nest; where subscripts are in the way, once more with rows whose
/// lengths are opaque, or without gathers.
static Expected<RecoveredNest> readNestOrRows(Function &F,
                                              FunctionAnalysisManager &FAM,
                                              const Shape &S,
                                              const AccessGuards &Guards) {
  bool IsUnusual = false;
  Expected<RecoveredNest> R = readNest(F, FAM, S, Guards, &IsUnusual);
  if (R)
    return R;
  Error First = R.takeError();
  std::optional<Reason> Why = getReason(First);
  if (Why == Reason::NeverValid || Why == Reason::NonAffineSubscript)
    return readRows(F, FAM, S, Guards, IsUnusual, std::move(First));
  if (Why != Reason::IndirectSubscript || !hideGathers(F, *S.Exit, FAM))
    return std::move(First);
  consumeError(std::move(First));
  Expected<RecoveredNest> Second = readNest(F, FAM, S, Guards);
  if (!Second) {
    restoreGathers(F);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  return Second;
}

Expected<RecoveredNest> pardiff::recoverNest(Function &F,
                                             FunctionAnalysisManager &FAM) {
  Expected<Shape> S = findShape(F, FAM);
  if (!S)
    return S.takeError();
  if (Error E = checkEntryAndExit(F, *S->Exit,
                                  FAM.getResult<TargetLibraryAnalysis>(F)))
    return std::move(E);
  if (Error E = checkNothingEscapes(*S))
    return std::move(E);
  AccessGuards Guards;
  if (Error E = Guards.take(F))
    return std::move(E);
  if (!Guards.empty()) {
    PreservedAnalyses PA;
    PA.preserveSet<CFGAnalyses>();
    FAM.invalidate(F, PA);
  }
  hideLoops(F, *S->Exit, Guards, FAM);
  Expected<RecoveredNest> R = readNestOrRows(F, FAM, *S, Guards);
  if (!R)
    return R;
  R->N->Name = F.getName().str();
  R->Entry = S->Entry;
  R->Body = S->Body;
  R->Exit = S->Exit;
  takeRequirements(*S->Entry, R->Cond);
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, PA);
  return R;
}
