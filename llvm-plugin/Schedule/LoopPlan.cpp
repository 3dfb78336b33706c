//===- Schedule/LoopPlan.cpp - Loops that were chosen for a program -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the schedule tree bottom up: a domain for a statement, a sequence for
// a sequence, a one-dimensional band for a loop, and a mark above a parallel
// one.
//
//===----------------------------------------------------------------------===//

#include "Schedule/LoopPlan.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "isl/map.h"
#include "isl/val.h"
#include <map>

using namespace llvm;
using namespace pardiff;

isl::pw_aff pardiff::getCoordinate(const Program &P, const LoopShape &L,
                                   const LoopMember &M) {
  isl::space Space = P.Statements[M.Stmt]->Domain.space();
  isl::aff X =
      isl::aff::var_on_domain(isl::local_space(Space), isl::dim::set, M.Dim);
  if (L.Reversed)
    X = X.neg();
  X = X.add_constant(isl::val(X.ctx(), M.Shift));
  if (L.Chunk)
    X = X.scale_down(isl::val(X.ctx(), L.Chunk)).floor();
  if (L.Copies)
    X = X.mod(isl::val(X.ctx(), L.Copies));
  return isl::pw_aff(X);
}

static isl::schedule insertBand(isl::schedule S, isl::union_pw_aff Band,
                                bool Parallel) {
  S = S.insert_partial_schedule(isl::multi_union_pw_aff(Band));
  if (!Parallel)
    return S;
  isl::schedule_node Node = S.root().child(0);
  if (Node.is_null() ||
      isl_schedule_node_get_type(Node.get()) != isl_schedule_node_band)
    return isl::schedule();
  Node = Node.as<isl::schedule_node_band>().member_set_coincident(0, 1);
  return Node.insert_mark("parallel").schedule();
}

/// The tree for the statements in Stmts below the first Depth dimensions of
/// time: a sequence where time is a constant for each of them, else a band.
static isl::schedule buildBelow(const isl::multi_union_pw_aff &Time,
                                ArrayRef<isl::map> Stmts, unsigned Depth) {
  isl::union_set Domain = isl::union_set(Stmts.front().domain());
  for (const isl::map &S : Stmts.drop_front())
    Domain = Domain.unite(isl::union_set(S.domain()));
  if (Depth == dimOf(Time, isl::dim::out))
    return isl::schedule::from_domain(Domain);

  std::map<long, SmallVector<isl::map, 8>> Groups;
  for (const isl::map &S : Stmts) {
    isl::val V = isl::manage(
        isl_map_plain_get_val_if_fixed(S.get(), isl_dim_out, Depth));
    if (V.is_null())
      return isl::schedule();
    if (!V.is_int().is_true())
      return insertBand(buildBelow(Time, Stmts, Depth + 1),
                        Time.at(Depth).intersect_domain(Domain),
                        /*Parallel=*/false);
    Groups[isl_val_get_num_si(V.get())].push_back(S);
  }
  isl::schedule Result;
  for (const auto &[Value, Group] : Groups) {
    isl::schedule Next = buildBelow(Time, Group, Depth + 1);
    Result = Result.is_null() ? Next : Result.sequence(Next);
    if (Result.is_null())
      break;
  }
  return Result;
}

/// The statements in the order of the program.
static isl::schedule buildOriginal(const Program &P, ArrayRef<unsigned> Stmts) {
  isl::union_set Domain = isl::union_set::empty(P.Order.ctx());
  SmallVector<isl::map, 16> Times;
  for (unsigned S : Stmts) {
    isl::union_set One(P.Statements[S]->Domain);
    if (One.is_empty().is_true())
      continue;
    Domain = Domain.unite(One);
    Times.push_back(P.Order.intersect_domain(One).as_map());
    if (Times.back().is_null())
      return isl::schedule();
  }
  if (Times.empty())
    return isl::schedule::from_domain(Domain);
  isl::multi_union_pw_aff Time =
      P.Order.intersect_domain(Domain).as_multi_union_pw_aff();
  if (Time.is_null())
    return isl::schedule();
  return buildBelow(Time, Times, 0);
}

static isl::union_pw_aff buildBand(const Program &P, const LoopShape &L) {
  isl::union_pw_aff Band;
  for (const LoopMember &M : L.Members) {
    isl::pw_aff X =
        getCoordinate(P, L, M).intersect_domain(P.Statements[M.Stmt]->Domain);
    Band = Band.is_null() ? isl::union_pw_aff(X)
                          : Band.union_add(isl::union_pw_aff(X));
  }
  return Band;
}

static isl::schedule buildLoop(const Program &P, const PlanNode &Plan) {
  isl::union_pw_aff Band = buildBand(P, Plan.Shape);
  isl::schedule S =
      insertBand(buildTree(P, *Plan.Children.front()), Band, Plan.Parallel);
  if (Plan.Core.is_null())
    return S;
  S = S.intersect_domain(Plan.Core);
  for (const auto &C : Plan.Children.front()->Children) {
    isl::union_set Domain(P.Statements[C->Stmts.front()]->Domain);
    // Whole rows in one piece of code, and the ends of the others.
    for (const isl::union_set &Rest :
         {Domain.subtract(Plan.CoreRows),
          Domain.intersect(Plan.CoreRows).subtract(Plan.Core)})
      if (Rest.is_empty().is_false())
        S = S.sequence(insertBand(isl::schedule::from_domain(Rest),
                                  Band.intersect_domain(Rest), false));
  }
  return S;
}

isl::schedule pardiff::buildTree(const Program &P, const PlanNode &Plan) {
  switch (Plan.K) {
  case PlanNode::Kind::Statement:
    return isl::schedule::from_domain(
        isl::union_set(P.Statements[Plan.Stmts.front()]->Domain));
  case PlanNode::Kind::Original:
    return buildOriginal(P, Plan.Stmts);
  case PlanNode::Kind::Sequence: {
    isl::schedule S;
    for (const auto &C : Plan.Children) {
      isl::schedule Next = buildTree(P, *C);
      S = C == Plan.Children.front() ? Next : S.sequence(Next);
    }
    return S;
  }
  case PlanNode::Kind::Loop:
    return buildLoop(P, Plan);
  }
  return isl::schedule();
}

static void describe(const Program &P, const PlanNode &N, unsigned Depth,
                     ScheduleResult &R) {
  auto Add = [&](StringRef Scheme) {
    LoopChoice C;
    C.Scheme = Scheme.str();
    C.Depth = Depth;
    for (unsigned S : N.Stmts)
      C.Statements.push_back(P.Statements[S]->Name);
    R.Loops.push_back(std::move(C));
  };
  if (N.K == PlanNode::Kind::Original)
    Add("original");
  if (N.K == PlanNode::Kind::Loop) {
    bool Shifted = any_of(N.Shape.Members, [&](const LoopMember &M) {
      return M.Shift != N.Shape.Members.front().Shift;
    });
    Add(!N.Parallel      ? "serial"
        : N.Shape.Copies ? "private"
        : N.Shape.Chunk  ? "chunked"
        : Shifted        ? "gather"
                         : "parallel");
    ++Depth;
  }
  for (const auto &C : N.Children)
    describe(P, *C, Depth, R);
}

void pardiff::describePlan(const Program &P, const PlanNode &Plan,
                           ScheduleResult &R) {
  describe(P, Plan, 0, R);
}
