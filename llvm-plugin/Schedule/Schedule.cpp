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
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace pardiff;

/// isl operations for everything here.
static constexpr unsigned long MaxOperations = 4000000;
/// Statements beyond which the search is not tried.
static constexpr unsigned MaxStatements = 200;

/// The search. Returns why it failed, or an empty string.
static std::string search(Program &P, ScheduleResult &R) {
  if (P.Statements.size() > MaxStatements)
    return "too many statements";
  IslQuota Quota(P.N->Ctx.get(), MaxOperations);
  auto Failed = [&]() -> std::string {
    return Quota.exceeded() ? "operation limit" : "isl error";
  };
  TimeTraceScope All("pardiff: schedule", P.N->Name);
  std::vector<PairConflict> Conflicts = computeConflicts(P);
  if (any_of(Conflicts, [](const PairConflict &C) { return C.isNull(); }))
    return Failed();
  TimeTraceScope Search("pardiff: choose loops", P.N->Name);
  std::unique_ptr<PlanNode> Plan = chooseLoops(P, Conflicts);
  isl::schedule Tree = buildTree(P, *Plan);
  if (Tree.is_null())
    return Failed();
  TimeTraceScope Check("pardiff: check the schedule", P.N->Name);
  std::string Wrong = findIllegal(P, Tree, Conflicts);
  if (!Wrong.empty())
    return Quota.exceeded() ? "operation limit" : Wrong;
  P.Tree = Tree;
  describePlan(P, *Plan, R);
  return "";
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
