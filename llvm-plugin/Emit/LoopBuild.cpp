//===- Emit/LoopBuild.cpp - From a schedule to loops ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs isl's AST generator over a program. Statements of different domains that
// share a loop leave conditions inside it, which keep LLVM from vectorizing the
// loop; isl can separate a loop into pieces without conditions instead, at the
// price of code size. So the generator runs up to four times:
//
//   1. without separation: taken if no innermost loop has a condition
//   2. innermost loops separated
//   3. all loops but the parallel ones separated
//   4. all loops separated
//
// and the first that has no condition inside its innermost loops and is not
// much larger than the first is taken, else the best. Where 1. is too much work
// for isl, every loop becomes one loop over all that its statements need, with
// conditions inside. Iterators and the indices
// of every access are expressions over the loops' iterators, simplified by what
// isl knows inside them.
//
// Not attempted: tiling, unrolling; they belong to the schedule.
//
//===----------------------------------------------------------------------===//

#include "Emit/LoopAst.h"
#include "Emit/ParamExpr.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "llvm/Support/CommandLine.h"
#include "isl/ast_build.h"
#include "isl/schedule_node.h"

using namespace llvm;
using namespace pardiff;

static cl::opt<bool>
    AtomicLoops("pardiff-atomic-loops", cl::Hidden,
                cl::desc("Do not cut loops into pieces without conditions"));

/// Loops in each other; more are refused.
static constexpr unsigned MaxDepth = 32;

namespace {

enum class Separation { None, Innermost, NotParallel, All, Atomic };

/// Sets isl's options while it lives. Statements that share but one iteration
/// of a loop stay together: isl would give each a loop of its own, so that two
/// threads could run parts of that iteration, and each part would have its own
/// copy of what lives in one iteration.
class AstOptions {
public:
  explicit AstOptions(isl_ctx *Ctx)
      : Ctx(Ctx), Atomic(isl_options_get_ast_build_atomic_upper_bound(Ctx)),
        MinMax(isl_options_get_ast_build_detect_min_max(Ctx)),
        Group(isl_options_get_ast_build_group_coscheduled(Ctx)) {
    isl_options_set_ast_build_atomic_upper_bound(Ctx, 1);
    isl_options_set_ast_build_detect_min_max(Ctx, 1);
    isl_options_set_ast_build_group_coscheduled(Ctx, 1);
  }
  ~AstOptions() {
    isl_options_set_ast_build_atomic_upper_bound(Ctx, Atomic);
    isl_options_set_ast_build_detect_min_max(Ctx, MinMax);
    isl_options_set_ast_build_group_coscheduled(Ctx, Group);
  }

private:
  isl_ctx *Ctx;
  int Atomic, MinMax, Group;
};

/// What the callback of a statement collects.
struct Collector {
  const Program *P;
  std::vector<AstConverter::IslCall> Calls;
};

/// What decides between two syntax trees.
struct Shape {
  unsigned Calls = 0;
  unsigned InnerConditions = 0; ///< in loops without loops inside
  unsigned InnerSelects = 0;    ///< in indices there
};

} // namespace

/// The function of F's only piece.
static isl::multi_aff getPiece(const isl::pw_multi_aff &F) {
  isl::multi_aff Result;
  F.foreach_piece([&](const isl::set &, const isl::multi_aff &Piece) {
    Result = Piece;
    return isl::stat::ok();
  });
  return Result;
}

/// The index expressions of A where Instance maps the schedule to S's
/// instances.
static isl::ast_expr buildAccess(isl_ast_build *Build, const Statement &S,
                                 const Access &A,
                                 const isl::pw_multi_aff &Instance) {
  isl::map Rel = A.Relation.intersect_domain(S.Domain);
  if (Rel.is_null())
    return {};
  isl::pw_multi_aff Element =
      isl::manage(isl_pw_multi_aff_from_map(Rel.release()));
  // An access is only evaluated where it is defined. Where both functions have
  // one piece, its domain is left out: that saves much work on it.
  if (isl_pw_multi_aff_n_piece(Element.get()) == 1 &&
      isl_pw_multi_aff_n_piece(Instance.get()) == 1)
    Element = isl::pw_multi_aff(getPiece(Element).pullback(getPiece(Instance)));
  else
    Element = Element.pullback(Instance);
  if (Element.is_null())
    return {};
  return isl::manage(isl_ast_build_access_from_pw_multi_aff(
      Build, coalesceChecked(Element).release()));
}

static isl_ast_node *atEachDomain(isl_ast_node *Node, isl_ast_build *Build,
                                  void *User) {
  Collector &C = *static_cast<Collector *>(User);
  auto Fail = [&]() -> isl_ast_node * {
    isl_ast_node_free(Node);
    return nullptr;
  };
  isl::map ToInstance =
      isl::manage(isl_map_from_union_map(isl_ast_build_get_schedule(Build)))
          .reverse();
  isl::id Id = ToInstance.is_null() ? isl::id() : ToInstance.range_tuple_id();
  if (Id.is_null())
    return Fail();
  const Statement *S = C.P->find(nameOf(Id));
  if (!S)
    return Fail();
  isl::pw_multi_aff Instance =
      isl::manage(isl_pw_multi_aff_from_map(ToInstance.release()));
  AstConverter::IslCall Call;
  Call.S = S;
  for (const Access &A : S->Reads)
    Call.Reads.push_back(buildAccess(Build, *S, A, Instance));
  for (const Access &A : S->Writes)
    Call.Writes.push_back(buildAccess(Build, *S, A, Instance));
  auto IsNull = [](const isl::ast_expr &E) { return E.is_null(); };
  if (any_of(Call.Reads, IsNull) || any_of(Call.Writes, IsNull))
    return Fail();
  C.Calls.push_back(std::move(Call));
  isl_id *Note = isl_id_alloc(isl_ast_node_get_ctx(Node), "call",
                              reinterpret_cast<void *>(C.Calls.size()));
  return isl_ast_node_set_annotation(Node, Note);
}

static bool isParallelMark(isl_schedule_node *Node) {
  if (isl_schedule_node_get_type(Node) != isl_schedule_node_mark)
    return false;
  isl::id Id = isl::manage(isl_schedule_node_mark_get_id(Node));
  return nameOf(Id) == "parallel";
}

/// True if Node, a band, is the one below a mark "parallel".
static bool isParallelBand(isl_schedule_node *Node) {
  if (isl_schedule_node_has_parent(Node) != isl_bool_true)
    return false;
  isl::schedule_node Parent =
      isl::manage(isl_schedule_node_parent(isl_schedule_node_copy(Node)));
  return !Parent.is_null() && isParallelMark(Parent.get());
}

static isl_bool isNoBand(isl_schedule_node *Node, void *User) {
  bool &First = *static_cast<bool *>(User);
  if (std::exchange(First, false))
    return isl_bool_true;
  return isl_bool_ok(isl_schedule_node_get_type(Node) !=
                     isl_schedule_node_band);
}

/// True if no band stands below Node.
static bool isInnermostBand(isl_schedule_node *Node) {
  bool First = true;
  return isl_schedule_node_every_descendant(Node, isNoBand, &First) ==
         isl_bool_true;
}

static isl_schedule_node *separateBand(isl_schedule_node *Node, void *User) {
  Separation Sep = *static_cast<Separation *>(User);
  if (!Node || isl_schedule_node_get_type(Node) != isl_schedule_node_band)
    return Node;
  if (Sep == Separation::NotParallel && isParallelBand(Node))
    return Node;
  int N = isl_schedule_node_band_n_member(Node), First = 0;
  if (Sep == Separation::Innermost) {
    if (!isInnermostBand(Node))
      return Node;
    First = N - 1;
  }
  for (int I = std::max(First, 0); I < N; ++I)
    Node = isl_schedule_node_band_member_set_ast_loop_type(
        Node, I,
        Sep == Separation::Atomic ? isl_ast_loop_atomic
                                  : isl_ast_loop_separate);
  return Node;
}

/// Gives a mark an id that carries the number of loops around.
static isl_schedule_node *noteLevel(isl_schedule_node *Node, void *) {
  if (!Node || isl_schedule_node_get_type(Node) != isl_schedule_node_mark)
    return Node;
  isl_size Level = isl_schedule_node_get_schedule_depth(Node);
  isl::id Id = isl::manage(isl_schedule_node_mark_get_id(Node));
  if (Level < 0 || Id.is_null()) {
    isl_schedule_node_free(Node);
    return nullptr;
  }
  isl_id *Noted = AstConverter::makeLevel(isl_schedule_node_get_ctx(Node),
                                          nameOf(Id), Level);
  return isl_schedule_node_insert_mark(isl_schedule_node_delete(Node), Noted);
}

/// Iterators that carry the number of loops around theirs: isl drops loops of
/// one iteration, and then a loop inside of them looks as one outside.
static isl_id_list *makeIterators(isl_ctx *Ctx) {
  isl_id_list *List = isl_id_list_alloc(Ctx, MaxDepth);
  for (unsigned I = 0; I < MaxDepth; ++I)
    List = isl_id_list_add(
        List, AstConverter::makeLevel(Ctx, "pardiff.i" + std::to_string(I), I));
  return List;
}

static Expected<LoopAst> buildOnce(const Program &P, const isl::schedule &Tree,
                                   const isl::set &Known, Separation Sep) {
  isl_ctx *Ctx = P.N->Ctx.get();
  IslQuota Quota(Ctx);
  AstOptions Options(Ctx);
  isl::schedule Schedule = isl::manage(isl_schedule_map_schedule_node_bottom_up(
      Tree.copy(), noteLevel, nullptr));
  if (Sep != Separation::None)
    Schedule = isl::manage(isl_schedule_map_schedule_node_bottom_up(
        Schedule.release(), separateBand, &Sep));
  Collector C{&P, {}};
  isl_ast_build *Build = isl_ast_build_from_context(Known.copy());
  Build = isl_ast_build_set_at_each_domain(Build, atEachDomain, &C);
  Build = isl_ast_build_set_iterators(Build, makeIterators(Ctx));
  isl::ast_node Root =
      isl::manage(isl_ast_build_node_from_schedule(Build, Schedule.release()));
  isl_ast_build_free(Build);
  if (Root.is_null())
    return Quota.refusal("loops");
  AstConverter Conv(*P.N);
  Expected<AstNode> Node = Conv.convertNode(Root.get(), C.Calls);
  if (!Node)
    return Node.takeError();
  return LoopAst{std::move(*Node), Conv.getNumVars()};
}

static unsigned countSelects(const AstExpr &E) {
  unsigned N = E.Kind == AstExpr::Op::Select;
  for (const AstExpr &O : E.Ops)
    N += countSelects(O);
  return N;
}

static bool hasLoop(const AstNode &Node) {
  return (Node.K == AstNode::Kind::For && !Node.Degenerate) ||
         any_of(Node.Children, hasLoop);
}

/// Inner: inside a loop without loops inside.
static void measure(const AstNode &Node, Shape &S, bool Inner) {
  if (Node.K == AstNode::Kind::For && !Node.Degenerate)
    Inner = !hasLoop(Node.Children[0]);
  if (Node.K == AstNode::Kind::If && Inner)
    ++S.InnerConditions;
  if (Node.K == AstNode::Kind::Call) {
    ++S.Calls;
    if (Inner)
      for (const auto *List : {&Node.Call.Reads, &Node.Call.Writes})
        for (const std::vector<AstExpr> &Index : *List)
          for (const AstExpr &E : Index)
            S.InnerSelects += countSelects(E);
  }
  for (const AstNode &C : Node.Children)
    measure(C, S, Inner);
}

Expected<LoopAst> pardiff::buildLoopAst(const Program &P,
                                        const isl::set &KnownCases) {
  isl::schedule Tree = P.Tree;
  isl::set Known;
  {
    IslQuota Quota(P.N->Ctx.get());
    Known = getCommonContext(KnownCases);
    if (Known.is_null())
      return Quota.refusal("context of the loops");
  }
  if (Tree.is_null()) {
    IslQuota Quota(P.N->Ctx.get());
    Tree = scheduleFromOrder(P.Order);
    if (Tree.is_null())
      return Quota.refusal("order of the statements");
  }
  if (AtomicLoops)
    return buildOnce(P, Tree, Known, Separation::Atomic);
  Expected<LoopAst> Best = buildOnce(P, Tree, Known, Separation::None);
  if (!Best) {
    Expected<LoopAst> Atomic = buildOnce(P, Tree, Known, Separation::Atomic);
    if (!Atomic) {
      consumeError(Atomic.takeError());
      return Best;
    }
    consumeError(Best.takeError());
    return Atomic;
  }
  Shape BestShape;
  measure(Best->Root, BestShape, false);
  const unsigned MaxCalls = 8 * BestShape.Calls + 16;
  for (Separation Sep :
       {Separation::Innermost, Separation::NotParallel, Separation::All}) {
    if (BestShape.InnerConditions + BestShape.InnerSelects == 0)
      break;
    Expected<LoopAst> Next = buildOnce(P, Tree, Known, Sep);
    if (!Next) {
      // Separation is only a better form of what is there.
      consumeError(Next.takeError());
      continue;
    }
    Shape NextShape;
    measure(Next->Root, NextShape, false);
    if (NextShape.Calls > MaxCalls ||
        NextShape.InnerConditions + NextShape.InnerSelects >=
            BestShape.InnerConditions + BestShape.InnerSelects)
      continue;
    Best = std::move(Next);
    BestShape = NextShape;
  }
  return Best;
}
