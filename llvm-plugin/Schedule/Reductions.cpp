//===- Schedule/Reductions.cpp - Sums over a whole loop -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of an argument by value, or of the weights of a small stencil,
// is a sum over everything. The search takes such sums for parallel. Then, in a
// parallel loop with coordinate x,
//
//   dS[e] += v            becomes    partial[x, e] += v
//
// and behind the loop stands
//
//   for x, e:   dS[e] += partial[x, e];   partial[x, e] = 0
//
// For a loop over chunks x is the chunk. The partial sums do not depend on the
// number of threads, and neither does the order in which they are summed up:
// the result is the same for any number. It takes memory for one value for each
// x and e, and the sum behind the loop is serial.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Reductions.h"
#include "Support/IslUtils.h"
#include "Tape/TupleId.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace pardiff;

/// True if the element depends on iterators of short loops only.
static bool isReduction(const Access &A, const StatementInfo &Info) {
  if (A.Kind != AccessKind::Accumulate || Info.Degree == 0)
    return false;
  isl::pw_multi_aff F = A.Relation.as_pw_multi_aff();
  bool Small = true;
  isl::stat Ok = F.foreach_piece([&](isl::set, isl::multi_aff Piece) {
    for (unsigned I = 0, E = dimOf(Piece, isl::dim::out); I < E; ++I)
      for (unsigned D = 0; D < Info.S->getNumIterators(); ++D)
        if (!Info.Short[D] &&
            isl_aff_involves_dims(Piece.at(I).get(), isl_dim_in, D, 1) !=
                isl_bool_false)
          Small = false;
    return isl::stat::ok();
  });
  return Ok.is_ok() && Small;
}

AccessSet pardiff::findReductions(const Program &P,
                                  ArrayRef<StatementInfo> Infos) {
  AccessSet Result;
  for (auto [I, S] : enumerate(P.Statements))
    for (const Access &W : S->Writes)
      if (isReduction(W, Infos[I]))
        Result.insert(&W);
  return Result;
}

namespace {

/// The partial sums of one array in one parallel loop.
struct Partial {
  SmallVector<Access *, 4> Uses;
  SmallVector<unsigned, 4> Stmts; ///< of each use
};

class Expansion {
public:
  Expansion(Program &P, const AccessSet &Reductions)
      : P(P), Reductions(Reductions) {}

  bool visit(PlanNode &Node);

  SmallVector<Array *, 4> Arrays;

private:
  bool expandLoop(PlanNode &Loop, SmallVectorImpl<unsigned> &NewStmts);
  bool isPrivate(const PlanNode &Loop, const Array &A) const;
  std::optional<unsigned> expand(const PlanNode &Loop, Array &A, Partial &Sums);
  Function *createBody(const Twine &Name, Type *Ty, unsigned NumIterators);

  Program &P;
  const AccessSet &Reductions;
  SmallVector<PlanNode *, 4> Outer; ///< serial loops around
};

} // namespace

/// True if Loop uses A for sums only.
bool Expansion::isPrivate(const PlanNode &Loop, const Array &A) const {
  for (unsigned S : Loop.Stmts) {
    for (const Access &R : P.Statements[S]->Reads)
      if (R.Arr == &A)
        return false;
    for (const Access &W : P.Statements[S]->Writes)
      if (W.Arr == &A && !Reductions.contains(&W))
        return false;
  }
  return true;
}

Function *Expansion::createBody(const Twine &Name, Type *Ty,
                                unsigned NumIterators) {
  Module &M = *P.N->Bodies;
  SmallVector<Type *, 8> Params = {Ty};
  Params.append(NumIterators + P.N->Params.size(),
                Type::getInt64Ty(M.getContext()));
  auto *Ret = StructType::get(M.getContext(), {Ty, Ty});
  auto *F = Function::Create(FunctionType::get(Ret, Params, false),
                             GlobalValue::InternalLinkage, Name, M);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *V = B.CreateInsertValue(PoisonValue::get(Ret), F->getArg(0), 0);
  B.CreateRet(B.CreateInsertValue(V, Constant::getNullValue(Ty), 1));
  return F;
}

/// { instance -> the given coordinates }
static isl::map getMap(const Statement &S, ArrayRef<isl::pw_aff> Coordinates) {
  isl::pw_aff_list List = isl::manage(isl_pw_aff_list_alloc(
      isl_set_get_ctx(S.Domain.get()), Coordinates.size()));
  for (const isl::pw_aff &X : Coordinates)
    List = List.add(X);
  isl::space Space = isl::manage(
      isl_space_add_dims(isl_space_from_domain(S.Domain.space().release()),
                         isl_dim_out, Coordinates.size()));
  return isl::map(isl::multi_pw_aff(Space, List).as_map())
      .intersect_domain(S.Domain);
}

/// Expands the sums into A in Loop. Returns the statement that sums them up.
std::optional<unsigned> Expansion::expand(const PlanNode &Loop, Array &A,
                                          Partial &Sums) {
  // Coordinates of the loops around, then x, then the element.
  unsigned NumOuter = Outer.size();
  SmallVector<isl::map, 4> Places;
  isl::set All;
  for (auto [Use, Stmt] : zip(Sums.Uses, Sums.Stmts)) {
    const Statement &S = *P.Statements[Stmt];
    SmallVector<isl::pw_aff, 6> Coordinates;
    for (const PlanNode *L : Outer) {
      isl::pw_aff X = getCoordinate(P, L->Shape, *L->Shape.find(Stmt));
      Coordinates.push_back(L->Shape.Reversed ? X.neg() : X);
    }
    Coordinates.push_back(getCoordinate(P, Loop.Shape, *Loop.Shape.find(Stmt)));
    isl::map Element =
        isl::manage(isl_map_reset_tuple_id(Use->Relation.copy(), isl_dim_out));
    Places.push_back(getMap(S, Coordinates).flat_range_product(Element));
    isl::set Range = Places.back().range();
    All = All.is_null() ? Range : All.unite(Range);
  }
  All = All.coalesce();
  unsigned NumDims = dimOf(All, isl::dim::set);
  if (All.is_null())
    return std::nullopt;

  // The array: x and the element, from zero on.
  Array *Sum = P.N->addArray("partial_" + A.Name, ArrayKind::Local, A.ElemTy);
  Arrays.push_back(Sum);
  SmallVector<isl::pw_aff, 4> First;
  for (unsigned D = NumOuter; D < NumDims; ++D) {
    First.push_back(All.dim_min(D));
    Sum->Shape.push_back(
        All.dim_max(D).sub(First.back()).add_constant(isl::val(All.ctx(), 1)));
  }
  // { [outer, x, e] -> Sum[x - first, e - first] }
  isl::space Space = All.space();
  isl::local_space LS(Space);
  SmallVector<isl::pw_aff, 4> Index;
  isl::pw_aff_list List = isl::manage(
      isl_pw_aff_list_alloc(isl_set_get_ctx(All.get()), First.size()));
  for (auto [K, Min] : enumerate(First)) {
    isl::pw_aff X(isl::aff::var_on_domain(LS, isl::dim::set, NumOuter + K));
    isl::pw_aff Start =
        isl::manage(isl_pw_aff_insert_domain(Min.copy(), Space.copy()));
    List = List.add(X.sub(Start));
  }
  isl::space IndexSpace = isl::manage(isl_space_add_dims(
      isl_space_from_domain(Space.release()), isl_dim_out, First.size()));
  isl::map ToIndex = isl::map(isl::multi_pw_aff(IndexSpace, List).as_map())
                         .set_range_tuple(tupleId(All.ctx(), Sum->Name));
  for (auto [Use, Place] : zip(Sums.Uses, Places)) {
    Use->Arr = Sum;
    Use->Relation = Place.apply_range(ToIndex);
    if (Use->Relation.is_null())
      return std::nullopt;
  }

  // The statement that sums up.
  auto S = std::make_unique<Statement>();
  S->Name = "sum_" + Sum->Name;
  isl::id Id = tupleId(All.ctx(), S->Name);
  S->Domain = All.set_tuple_id(Id);
  for (unsigned D = 0; D < NumDims; ++D)
    S->Loops.push_back(~0u - D);
  isl::map Old =
      isl::map::identity(All.space().map_from_set()).intersect_domain(All);
  Old = Old.project_out(isl::dim::out, 0, NumOuter + 1)
            .set_range_tuple(tupleId(All.ctx(), A.Name))
            .set_domain_tuple(Id);
  isl::map New = ToIndex.intersect_domain(All).set_domain_tuple(Id);
  S->Reads.push_back({AccessKind::Read, Sum, New});
  S->Writes.push_back({AccessKind::Accumulate, &A, Old});
  S->Writes.push_back({AccessKind::Write, Sum, New});
  S->Body = createBody(S->Name, A.ElemTy, NumDims);
  S->Loc = P.Statements[Sums.Stmts.front()]->Loc;
  if (S->Domain.is_null() || Old.is_null() || New.is_null())
    return std::nullopt;
  P.Statements.push_back(std::move(S));
  return P.Statements.size() - 1;
}

bool Expansion::expandLoop(PlanNode &Loop,
                           SmallVectorImpl<unsigned> &NewStmts) {
  MapVector<Array *, Partial> ByArray;
  for (unsigned S : Loop.Stmts)
    for (Access &W : P.Statements[S]->Writes)
      if (Reductions.contains(&W)) {
        ByArray[W.Arr].Uses.push_back(&W);
        ByArray[W.Arr].Stmts.push_back(S);
      }
  for (auto &[A, Sums] : ByArray) {
    if (!isPrivate(Loop, *A))
      return false;
    std::optional<unsigned> S = expand(Loop, *A, Sums);
    if (!S)
      return false;
    NewStmts.push_back(*S);
  }
  return true;
}

/// The loops of a statement that sums up, inside of those around.
static std::unique_ptr<PlanNode> planSum(unsigned Stmt, unsigned FirstDim,
                                         unsigned NumDims) {
  auto N = std::make_unique<PlanNode>();
  N->K = PlanNode::Kind::Statement;
  N->Stmts.push_back(Stmt);
  for (unsigned D = NumDims; D-- > FirstDim;) {
    auto L = std::make_unique<PlanNode>();
    L->K = PlanNode::Kind::Loop;
    L->Stmts.push_back(Stmt);
    L->Shape.Members.push_back({Stmt, D, 0});
    L->Children.push_back(std::move(N));
    N = std::move(L);
  }
  return N;
}

bool Expansion::visit(PlanNode &Node) {
  if (Node.K == PlanNode::Kind::Loop && Node.Parallel) {
    SmallVector<unsigned, 4> New;
    if (!expandLoop(Node, New))
      return false;
    if (New.empty())
      return true;
    // Node becomes a sequence of the loop and the sums.
    auto Loop = std::make_unique<PlanNode>(std::move(Node));
    Node = PlanNode();
    Node.K = PlanNode::Kind::Sequence;
    Node.Stmts = Loop->Stmts;
    Node.Children.push_back(std::move(Loop));
    for (unsigned S : New) {
      for (auto [D, L] : enumerate(Outer)) {
        L->Shape.Members.push_back({S, unsigned(D), 0});
        L->Stmts.push_back(S);
      }
      Node.Stmts.push_back(S);
      Node.Children.push_back(
          planSum(S, Outer.size(), P.Statements[S]->getNumIterators()));
    }
    return true;
  }
  bool IsLoop = Node.K == PlanNode::Kind::Loop;
  if (IsLoop)
    Outer.push_back(&Node);
  for (const auto &C : Node.Children)
    if (!visit(*C))
      return false;
  if (IsLoop)
    Outer.pop_back();
  return true;
}

std::optional<SmallVector<Array *, 4>>
pardiff::expandReductions(Program &P, PlanNode &Plan,
                          const AccessSet &Reductions) {
  Expansion E(P, Reductions);
  if (!E.visit(Plan))
    return std::nullopt;
  return E.Arrays;
}
