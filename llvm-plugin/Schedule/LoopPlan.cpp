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
#include "isl/schedule_node.h"
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

/// Whole: the loop is to be one piece of code.
static isl::schedule insertBand(isl::schedule S, isl::union_pw_aff Band,
                                bool Parallel = false, bool Whole = false) {
  S = S.insert_partial_schedule(isl::multi_union_pw_aff(Band));
  if (!Parallel && !Whole)
    return S;
  isl::schedule_node Node = S.root().child(0);
  if (Node.is_null() ||
      isl_schedule_node_get_type(Node.get()) != isl_schedule_node_band)
    return isl::schedule();
  if (Whole)
    Node = isl::manage(isl_schedule_node_band_member_set_ast_loop_type(
        Node.release(), 0, isl_ast_loop_atomic));
  if (!Parallel)
    return Node.schedule();
  Node = Node.as<isl::schedule_node_band>().member_set_coincident(0, 1);
  return Node.insert_mark("parallel").schedule();
}

static isl::schedule insertMark(const isl::schedule &S, const char *Mark) {
  isl::schedule_node Node = S.root().child(0);
  return Node.is_null() ? isl::schedule() : Node.insert_mark(Mark).schedule();
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
                        Time.at(Depth).intersect_domain(Domain));
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

static isl::union_pw_aff buildBand(const Program &P, const LoopShape &L,
                                   const isl::union_set &Instances) {
  isl::union_pw_aff Band;
  for (const LoopMember &M : L.Members) {
    isl::set S = Instances.extract_set(P.Statements[M.Stmt]->Domain.space());
    isl::pw_aff X = getCoordinate(P, L, M).intersect_domain(S);
    Band = Band.is_null() ? isl::union_pw_aff(X)
                          : Band.union_add(isl::union_pw_aff(X));
  }
  return Band;
}

/// The schedules one after the other. Halves first: each step takes time for
/// all that is in it.
static isl::schedule inSequence(ArrayRef<isl::schedule> Parts) {
  if (Parts.size() == 1)
    return Parts.front();
  size_t Half = Parts.size() / 2;
  return inSequence(Parts.take_front(Half))
      .sequence(inSequence(Parts.drop_front(Half)));
}

/// True if there is a loop with a core in N.
static bool hasCore(const PlanNode &N) {
  return !N.Core.is_null() ||
         any_of(N.Children, [](const auto &C) { return hasCore(*C); });
}

/// Plan, a loop, and all loops in it for some instances of a statement alone.
static isl::schedule buildAlone(const Program &P, const PlanNode &Plan,
                                unsigned Stmt,
                                const isl::union_set &Instances) {
  if (Plan.K == PlanNode::Kind::Statement)
    return isl::schedule::from_domain(Instances);
  auto Child = find_if(Plan.Children, [&](const std::unique_ptr<PlanNode> &C) {
    return is_contained(C->Stmts, Stmt);
  });
  if (Child == Plan.Children.end())
    return isl::schedule();
  isl::schedule S = buildAlone(P, **Child, Stmt, Instances);
  if (Plan.K == PlanNode::Kind::Loop)
    S = insertBand(S, buildBand(P, Plan.Shape, Instances));
  return S;
}

static isl::schedule buildNode(const Program &P, const PlanNode &Plan,
                               const isl::union_set &Instances);

static isl::schedule buildLoop(const Program &P, const PlanNode &Plan,
                               const isl::union_set &Instances) {
  const PlanNode &Child = *Plan.Children.front();
  isl::union_set Core =
      Plan.Core.is_null() ? Instances : Instances.intersect(Plan.Core);
  // Around a core, conditions tell where it runs: cutting the loops there too
  // would copy the rest once for each face of the iterations.
  isl::schedule S =
      insertBand(buildNode(P, Child, Core), buildBand(P, Plan.Shape, Core),
                 Plan.Parallel, hasCore(Child));
  if (Plan.Core.is_null())
    return S;
  SmallVector<isl::schedule, 16> Parts = {S};
  for (unsigned Stmt : Plan.Stmts) {
    isl::union_set Own(
        Instances.extract_set(P.Statements[Stmt]->Domain.space()));
    // Whole rows in one piece of code, and the ends of the others.
    for (const isl::union_set &Rest :
         {Own.subtract(Plan.CoreRows),
          Own.intersect(Plan.CoreRows).subtract(Plan.Core)})
      if (Rest.is_empty().is_false())
        Parts.push_back(insertMark(buildAlone(P, Plan, Stmt, Rest), RestMark));
  }
  return inSequence(Parts);
}

/// The tree of Plan for Instances, which are all outside of cores.
static isl::schedule buildNode(const Program &P, const PlanNode &Plan,
                               const isl::union_set &Instances) {
  switch (Plan.K) {
  case PlanNode::Kind::Statement:
    return isl::schedule::from_domain(Instances.extract_set(
        P.Statements[Plan.Stmts.front()]->Domain.space()));
  case PlanNode::Kind::Original:
    return buildOriginal(P, Plan.Stmts);
  case PlanNode::Kind::Sequence: {
    SmallVector<isl::schedule, 16> Parts;
    for (const auto &C : Plan.Children)
      Parts.push_back(buildNode(P, *C, Instances));
    return inSequence(Parts);
  }
  case PlanNode::Kind::Loop:
    return buildLoop(P, Plan, Instances);
  }
  return isl::schedule();
}

isl::schedule pardiff::buildTree(const Program &P, const PlanNode &Plan) {
  return buildNode(P, Plan, P.getDomain());
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
