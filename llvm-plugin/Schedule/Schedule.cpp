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
#include "Schedule/PrivateCopies.h"
#include "Schedule/Reductions.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace pardiff;

/// isl operations for everything here.
static constexpr unsigned long MaxOperations = 4000000;
/// Statements beyond which the search is not tried.
static constexpr unsigned MaxStatements = 200;

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

  /// Returns why it failed, or an empty string. Free: see findReductions.
  std::string run(ArrayRef<StatementInfo> Infos, const AccessSet &Free);

private:
  std::string expand(PlanNode &Plan, const AccessSet &Free);
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

/// Gives the sums in Free that are in parallel loops their partial sums.
std::string Search::expand(PlanNode &Plan, const AccessSet &Free) {
  Backup Old(P);
  auto Fail = [&](const Twine &Why) {
    std::string Text = Why.str();
    Old.restore();
    return Text;
  };
  SmallVector<const Array *, 4> Changed;
  for (const Access *A : Free)
    if (!is_contained(Changed, A->Arr))
      Changed.push_back(A->Arr);
  auto Temporaries = expandReductions(P, Plan, Free);
  if (!Temporaries)
    return Fail("no partial sums");
  if (Temporaries->empty())
    return "";
  isl::schedule Tree = buildTree(P, Plan);
  if (Tree.is_null())
    return Fail(getFailure());
  // Behind its loop a sum comes before everything that came behind the loop, so
  // the order is right. That the loops are still parallel is checked.
  P.Order = Tree.map();
  Changed.append(Temporaries->begin(), Temporaries->end());
  std::string Wrong = check(Tree, computeConflicts(P, {}, Changed));
  if (!Wrong.empty())
    return Fail(Wrong);
  P.Tree = Tree;
  R.Temporaries = std::move(*Temporaries);
  return "";
}

std::string Search::run(ArrayRef<StatementInfo> Infos, const AccessSet &Free) {
  TimeTraceScope Trace("pardiff: schedule", P.N->Name);
  std::vector<PairConflict> Conflicts = computeConflicts(P, Free);
  if (any_of(Conflicts, [](const PairConflict &C) { return C.isNull(); }))
    return getFailure();
  std::unique_ptr<PlanNode> Plan;
  {
    TimeTraceScope Choose("pardiff: choose loops", P.N->Name);
    Plan = chooseLoops(P, Infos, Conflicts);
  }
  isl::schedule Tree = buildTree(P, *Plan);
  std::string Wrong = check(Tree, Conflicts);
  if (!Wrong.empty())
    return Wrong;
  P.Tree = Tree;
  if (!Free.empty())
    Wrong = expand(*Plan, Free);
  if (Wrong.empty())
    describePlan(P, *Plan, R);
  return Wrong;
}

/// The search, with partial sums and without. Returns why it failed, or an
/// empty string.
static std::string search(Program &P, ScheduleResult &R) {
  if (P.Statements.size() > MaxStatements)
    return "too many statements";
  IslQuota Quota(P.N->Ctx.get(), MaxOperations);
  std::vector<StatementInfo> Infos = getStatementInfos(P);
  AccessSet Free = findReductions(P, Infos);
  if (!Free.empty()) {
    std::vector<StatementInfo> WithSums = Infos;
    for (StatementInfo &I : WithSums)
      I.Reduces = any_of(I.S->Writes,
                         [&](const Access &W) { return Free.contains(&W); });
    if (Search(P, R).run(WithSums, Free).empty())
      return "";
  }
  return Search(P, R).run(Infos, {});
}

Expected<ScheduleResult> pardiff::scheduleProgram(Program &P) {
  ScheduleResult R;
  if (P.Statements.empty() || P.getDomain().is_empty().is_true()) {
    P.Tree = isl::schedule::from_domain(P.getDomain());
    return R;
  }
  R.Fallback = search(P, R);
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

Expected<ScheduleResult>
pardiff::scheduleForward(Program &P,
                         function_ref<bool(const Array &)> NeededAfter) {
  SmallSetVector<Array *, 4> Excluded;
  for (unsigned Attempt = 0; Attempt < MaxPrivateAttempts; ++Attempt) {
    PrivateCopies Copies(P);
    Copies.create(NeededAfter, Excluded);
    if (Copies.empty())
      break;
    auto R = scheduleProgram(P);
    if (!R)
      return R.takeError();
    if (R->Fallback.empty()) {
      if (Error E = contractShadows(P))
        return std::move(E);
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
  return scheduleProgram(P);
}
