//===- Schedule/Schedule.cpp - Order and parallelism of a program ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conflicts, search, tree, check. Where any of these fails (operation limit,
// isl error, an illegal tree), the program runs in its own order: that is
// always right.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Schedule.h"
#include "Schedule/Conflicts.h"
#include "Schedule/Legality.h"
#include "Schedule/LoopChooser.h"
#include "Schedule/LoopPlan.h"
#include "Schedule/PlanCost.h"
#include "Schedule/PrivateCopies.h"
#include "Schedule/Reductions.h"
#include "Schedule/Strides.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace pardiff;

/// isl operations for everything here.
static constexpr unsigned long MaxOperations = 4000000;
/// Statements beyond which passes are not shifted into one to save time: each
/// gets code for the edges of the others, and isl's work grows with it.
static constexpr unsigned MaxOnePass = 24;
/// Statements beyond which the search is not tried.
static constexpr unsigned MaxStatements = 200;

static cl::opt<bool>
    OneThread("pardiff-one-thread", cl::Hidden,
              cl::desc("Choose loops for one thread in printing passes too"));

namespace {

/// Takes back what expandReductions did.
class Backup {
public:
  explicit Backup(Program &P)
      : P(P), Order(P.Order), NumStatements(P.Statements.size()),
        NumArrays(P.N->Arrays.size()) {
    for (const auto &S : P.Statements)
      Writes.push_back(S->Writes);
  }
  void restore() {
    for (unsigned I = NumStatements; I < P.Statements.size(); ++I)
      P.Statements[I]->Body->eraseFromParent();
    P.Statements.resize(NumStatements);
    P.N->Arrays.resize(NumArrays);
    for (auto [S, W] : zip(P.Statements, Writes))
      S->Writes = W;
    P.Order = Order;
  }

private:
  Program &P;
  isl::union_map Order;
  size_t NumStatements, NumArrays;
  std::vector<SmallVector<Access, 2>> Writes;
};

/// One search for a tree.
class Search {
public:
  Search(Program &P, ScheduleResult &R)
      : P(P), R(R), Quota(P.N->Ctx.get(), MaxOperations) {}

  /// Sums that need partial sums if they are in a parallel loop.
  struct Candidate {
    AccessSet Free;
    std::vector<StatementInfo> Infos;
    std::vector<PairConflict> Conflicts;
    std::unique_ptr<PlanNode> Plan;
    PlanCost Cost;
    bool OneThread = false;
  };
  /// Chooses the loops of C. Returns why it failed, or an empty string.
  std::string choose(Candidate &C);
  /// Makes C's plan the program's. Returns why it failed, or an empty string.
  std::string apply(Candidate &C);

private:
  std::string expand(Candidate &C);
  std::string check(const isl::schedule &Tree,
                    ArrayRef<PairConflict> Conflicts) const;
  std::string getFailure() const {
    return Quota.exceeded() ? "operation limit" : "isl error";
  }

  Program &P;
  ScheduleResult &R;
  IslQuota Quota;
};

} // namespace

std::string Search::check(const isl::schedule &Tree,
                          ArrayRef<PairConflict> Conflicts) const {
  TimeTraceScope Trace("pardiff: check the schedule", P.N->Name);
  if (Tree.is_null() ||
      any_of(Conflicts, [](const PairConflict &C) { return C.isNull(); }))
    return getFailure();
  std::string Wrong = findIllegal(P, Tree, Conflicts);
  return !Wrong.empty() && Quota.exceeded() ? getFailure() : Wrong;
}

/// Gives the free sums that are in parallel loops their partial sums.
std::string Search::expand(Candidate &C) {
  Backup Old(P);
  auto Fail = [&](const Twine &Why) {
    std::string Text = Why.str();
    Old.restore();
    return Text;
  };
  SmallVector<const Array *, 4> Changed;
  for (const Access *A : C.Free)
    if (!is_contained(Changed, A->Arr))
      Changed.push_back(A->Arr);
  auto Temporaries = expandReductions(P, *C.Plan, C.Infos, C.Free);
  if (!Temporaries)
    return Fail("no partial sums");
  isl::schedule Tree = buildTree(P, *C.Plan);
  if (Tree.is_null())
    return Fail(getFailure());
  // Behind its loop a sum comes before everything that came behind the loop, so
  // the order is right. That the loops are still parallel is checked.
  if (!Temporaries->empty())
    P.Order = Tree.map();
  Changed.append(Temporaries->begin(), Temporaries->end());
  std::string Wrong = check(Tree, computeConflicts(P, {}, Changed));
  if (!Wrong.empty())
    return Fail(Wrong);
  P.Tree = Tree;
  R.Temporaries = std::move(*Temporaries);
  return "";
}

std::string Search::choose(Candidate &C) {
  TimeTraceScope Trace("pardiff: choose loops", P.N->Name);
  for (StatementInfo &I : C.Infos)
    for (const Access &W : I.S->Writes) {
      if (!C.Free.contains(&W))
        continue;
      if (!I.isArraySum(W)) {
        I.Reduces = true;
        continue;
      }
      for (unsigned D = 0; D < I.S->getNumIterators(); ++D)
        if (getStride(W, D) == Stride::None)
          I.NeedPrivate.set(D);
    }
  C.Conflicts = computeConflicts(P, C.Free);
  if (any_of(C.Conflicts, [](const PairConflict &X) { return X.isNull(); }))
    return getFailure();
  C.Plan = chooseLoops(P, C.Infos, C.Conflicts, C.OneThread);
  C.Cost = getPlanCost(P, C.Infos, *C.Plan);
  return Quota.exceeded() ? getFailure() : "";
}

std::string Search::apply(Candidate &C) {
  TimeTraceScope Trace("pardiff: schedule", P.N->Name);
  isl::schedule Tree = buildTree(P, *C.Plan);
  std::string Wrong = check(Tree, C.Conflicts);
  if (!Wrong.empty())
    return Wrong;
  P.Tree = Tree;
  if (!C.Free.empty())
    Wrong = expand(C);
  if (Wrong.empty())
    describePlan(P, *C.Plan, R);
  return Wrong;
}

/// True if private arrays are worth it: less serial work, or much less time.
static bool isBetter(const PlanCost &Private, const PlanCost &Plain) {
  if (Private.Serial != Plain.Serial)
    return Private.Serial < Plain.Serial;
  return Private.Depths <= Plain.Depths && Private.Time < 0.9 * Plain.Time;
}

/// True if a plan for one thread takes no more time and less memory for what
/// lives in one iteration only, or, of few statements, much less time.
static bool isLeaner(const PlanCost &Serial, const PlanCost &Other,
                     unsigned NumStatements) {
  return (Serial.Open < Other.Open && Serial.Time <= Other.Time) ||
         (NumStatements <= MaxOnePass && Serial.Time < 0.75 * Other.Time);
}

/// The search, with private arrays, partial sums, and without. Where nothing
/// runs in parallel also without parallel loops. Returns why it failed, or an
/// empty string.
static std::string search(Program &P, ScheduleResult &R, bool OneThread) {
  if (P.Statements.size() > MaxStatements)
    return "too many statements";
  IslQuota Quota(P.N->Ctx.get(), MaxOperations);
  Search::Candidate Plain;
  Plain.Infos = getStatementInfos(P);
  AccessSet Reductions = findReductions(P, Plain.Infos);
  auto Make = [&](const AccessSet &Sums) {
    Search::Candidate C;
    C.Infos = Plain.Infos;
    C.Free = Reductions;
    C.Free.insert(Sums.begin(), Sums.end());
    for (StatementInfo &I : C.Infos)
      for (const Access &W : I.S->Writes)
        if (Sums.contains(&W))
          I.ArraySums.insert(&W);
    return C;
  };
  Search::Candidate Summed = Make({});
  std::string Why = Search(P, R).choose(Summed);
  if (Why.empty()) {
    std::optional<Search::Candidate> Best;
    SmallVector<AccessSet, 2> ArraySums;
    if (hasPrivateCopies())
      ArraySums = findArraySums(P, Plain.Infos);
    for (const AccessSet &Sums : ArraySums) {
      Search::Candidate C = Make(Sums);
      if (Search(P, R).choose(C).empty() && isBetter(C.Cost, Summed.Cost) &&
          (!Best || isBetter(C.Cost, Best->Cost)))
        Best = std::move(C);
    }
    const PlanCost &Other = Best ? Best->Cost : Summed.Cost;
    if (OneThread && (Other.Open > 0 || P.Statements.size() <= MaxOnePass)) {
      Search::Candidate C = Make({});
      C.OneThread = true;
      if (Search(P, R).choose(C).empty() &&
          isLeaner(C.Cost, Other, P.Statements.size()) &&
          Search(P, R).apply(C).empty())
        return "";
    }
    if (Best && Search(P, R).apply(*Best).empty())
      return "";
    Why = Search(P, R).apply(Summed);
  }
  if (Why.empty() || Reductions.empty())
    return Why;
  Why = Search(P, R).choose(Plain);
  return Why.empty() ? Search(P, R).apply(Plain) : Why;
}

Expected<ScheduleResult> pardiff::scheduleProgram(Program &P, bool OneThread) {
  ScheduleResult R;
  if (P.Statements.empty() || P.getDomain().is_empty().is_true()) {
    P.Tree = isl::schedule::from_domain(P.getDomain());
    return R;
  }
  R.Fallback = search(P, R, OneThread || ::OneThread);
  if (R.Fallback.empty())
    return R;

  IslQuota Quota(P.N->Ctx.get());
  PlanNode Original;
  Original.K = PlanNode::Kind::Original;
  for (unsigned I = 0; I < P.Statements.size(); ++I)
    Original.Stmts.push_back(I);
  P.Tree = buildTree(P, Original);
  if (P.Tree.is_null())
    return Quota.refusal("the schedule");
  R.Loops.clear();
  describePlan(P, Original, R);
  return R;
}

/// Attempts to keep private copies of at least some arrays.
static constexpr unsigned MaxPrivateAttempts = 2;

Expected<ScheduleResult> pardiff::scheduleForward(
    Program &P, function_ref<bool(const Array &)> NeededAfter, bool OneThread) {
  SmallSetVector<Array *, 4> Excluded;
  for (unsigned Attempt = 0; Attempt < MaxPrivateAttempts; ++Attempt) {
    PrivateCopies Copies(P);
    Copies.create(NeededAfter, Excluded);
    if (Copies.empty())
      break;
    auto R = scheduleProgram(P, OneThread);
    if (!R)
      return R.takeError();
    if (R->Fallback.empty()) {
      contractShadows(P);
      SmallVector<Array *, 4> Large = Copies.getLarge();
      if (Large.empty()) {
        Copies.mergeSerial();
        R->Temporaries = Copies.getUnscoped();
        return R;
      }
      Excluded.insert(Large.begin(), Large.end());
    }
    Copies.restore();
    if (!R->Fallback.empty())
      break;
  }
  return scheduleProgram(P, OneThread);
}
