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
// Where e is an index of an array (the derivative of a row that every row of a
// matrix is multiplied with), the loop is worth more whole: what the sum needs
// is at hand where the loop is at a row, and a second loop over columns reads
// the matrix again. Then x is one of a fixed number of copies, to which the
// chunks of the loop are dealt out (LoopChooser.cpp), so that
//
//   - adding up takes no more than a small part of the loop, as each copy has
//     the sums of at least one chunk;
//   - the memory is at most a fixed multiple of the array that is summed into,
//     and, but for one copy, at most a small part of one that the loop reads,
//     or the array has one long dimension only. Arrays of two are never copied
//     for a loop that works on nothing larger.
//
// What accumulates under a guard is left alone: the sums may only be added
// where it does.
//
// A loop that is known to have few chunks is left alone: gathering sums over
// columns instead gives more threads something to do.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Reductions.h"
#include "Schedule/Strides.h"
#include "Support/IslUtils.h"
#include "Tape/TupleId.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace pardiff;

/// True if the element depends on iterators of short loops only.
static bool isReduction(const Access &A, const StatementInfo &Info) {
  if (A.Kind != AccessKind::Accumulate || A.Guard || Info.Degree == 0 ||
      isScatter(A))
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

/// Iterators of long loops that A's element depends on.
static unsigned getRank(const Access &A, const StatementInfo &Info) {
  unsigned Rank = 0;
  for (unsigned D = 0; D < Info.S->getNumIterators(); ++D)
    Rank += !Info.Short[D] && getStride(A, D) != Stride::None;
  return Rank;
}

/// Elements that one iteration of a parallel loop sums up.
static constexpr unsigned SumChunkSize = 128;
/// Iterations that a loop with private arrays has, if that is known.
static constexpr int64_t MinPrivateTrip = 64;

/// True if iterator D takes at least MinPrivateTrip values, or it is not known
/// how many.
static bool mayBeLong(const StatementInfo &Info, unsigned D) {
  isl::pw_aff Length = Info.Upper[D].sub(Info.Lower[D]);
  isl::val Most = isl::manage(isl_pw_aff_max_val(Length.release()));
  return !Most.is_int().is_true() ||
         !Most.lt(long(MinPrivateTrip) - 1).is_true();
}

/// Loops for which the search is repeated.
static constexpr unsigned MaxLoops = 2;

SmallVector<AccessSet, 2>
pardiff::findArraySums(const Program &P, ArrayRef<StatementInfo> Infos) {
  unsigned Degree = 0;
  for (const StatementInfo &I : Infos)
    Degree = std::max(Degree, I.Degree);
  MapVector<unsigned, AccessSet> Found;
  for (auto [I, S] : enumerate(P.Statements)) {
    const StatementInfo &Info = Infos[I];
    if (Info.Degree < 2 || Info.Degree < Degree)
      continue;
    unsigned Largest = 0;
    for (const Access &A : concat<const Access>(S->Reads, S->Writes))
      if (!A.Arr->PrivateDims)
        Largest = std::max(Largest, getRank(A, Info));
    for (const Access &W : S->Writes) {
      if (W.Kind != AccessKind::Accumulate || W.Guard || W.Arr->PrivateDims ||
          isScatter(W) || isReduction(W, Info))
        continue;
      unsigned Rank = getRank(W, Info);
      if (Rank > 1 && Rank >= Largest)
        continue;
      for (unsigned D = 0; D < S->getNumIterators(); ++D) {
        if (Info.Short[D] || getStride(W, D) != Stride::None ||
            !mayBeLong(Info, D))
          continue;
        Found[S->Loops[D]].insert(&W);
      }
    }
  }
  SmallVector<AccessSet, 2> Result;
  for (auto &[Loop, Sums] : Found)
    if (Result.size() < MaxLoops)
      Result.push_back(std::move(Sums));
  return Result;
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
  Expansion(Program &P, ArrayRef<StatementInfo> Infos,
            const AccessSet &Reductions)
      : P(P), Infos(Infos), Reductions(Reductions) {}

  bool visit(PlanNode &Node);

  SmallVector<Array *, 4> Arrays;

private:
  bool expandLoop(PlanNode &Loop, SmallVectorImpl<unsigned> &NewStmts);
  isl::map getPlace(const PlanNode &Loop, const Access &Use, unsigned Stmt,
                    bool Plain) const;
  isl::set getRange(const PlanNode &Loop, const Partial &Sums,
                    bool Plain) const;
  isl::set getCopies(const PlanNode &Loop, const Partial &Sums) const;
  bool isPrivate(const PlanNode &Loop, const Array &A) const;
  bool crosses(const PlanNode &Loop, unsigned Stmt, const Access &W) const;
  std::optional<unsigned> expand(const PlanNode &Loop, Array &A, Partial &Sums);
  std::unique_ptr<PlanNode> planSum(unsigned Stmt, bool AreCopies) const;
  Function *createBody(const Twine &Name, Type *Ty, unsigned NumIterators);

  Program &P;
  ArrayRef<StatementInfo> Infos;
  const AccessSet &Reductions;
  SmallVector<PlanNode *, 4> Outer; ///< serial loops around
};

} // namespace

/// True if Loop uses A for sums only. Those that are no reductions do not meet
/// from one iteration to another: that is checked at the end.
bool Expansion::isPrivate(const PlanNode &Loop, const Array &A) const {
  return all_of(Loop.Stmts, [&](unsigned S) {
    return all_of(
        concat<const Access>(P.Statements[S]->Reads, P.Statements[S]->Writes),
        [&](const Access &X) {
          return X.Arr != &A || X.Kind == AccessKind::Accumulate;
        });
  });
}

/// True if sums of W in different iterations of Loop meet in one element.
bool Expansion::crosses(const PlanNode &Loop, unsigned Stmt,
                        const Access &W) const {
  if (!Reductions.contains(&W))
    return false;
  return !Infos[Stmt].isArraySum(W) ||
         getStride(W, Loop.Shape.find(Stmt)->Dim) == Stride::None;
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

/// { instance -> [outer..., x, element] }: where Use's sum belongs. Plain: x is
/// not the iteration of Loop but what it is a chunk of.
isl::map Expansion::getPlace(const PlanNode &Loop, const Access &Use,
                             unsigned Stmt, bool Plain) const {
  const Statement &S = *P.Statements[Stmt];
  SmallVector<isl::pw_aff, 6> Coordinates;
  for (const PlanNode *L : Outer) {
    isl::pw_aff X = getCoordinate(P, L->Shape, *L->Shape.find(Stmt));
    Coordinates.push_back(L->Shape.Reversed ? X.neg() : X);
  }
  LoopShape Shape = Loop.Shape;
  if (Plain)
    Shape.Chunk = Shape.Copies = 0;
  Coordinates.push_back(getCoordinate(P, Shape, *Shape.find(Stmt)));
  isl::map Element =
      isl::manage(isl_map_reset_tuple_id(Use.Relation.copy(), isl_dim_out));
  return getMap(S, Coordinates).flat_range_product(Element);
}

/// { [outer..., x, element] } for all sums.
isl::set Expansion::getRange(const PlanNode &Loop, const Partial &Sums,
                             bool Plain) const {
  isl::set All;
  for (auto [Use, Stmt] : zip(Sums.Uses, Sums.Stmts)) {
    isl::set Range = getPlace(Loop, *Use, Stmt, Plain).range();
    All = All.is_null() ? Range : All.unite(Range);
  }
  return coalesceChecked(All);
}

/// The same for copies: those that may be used. Others are zero.
isl::set Expansion::getCopies(const PlanNode &Loop, const Partial &Sums) const {
  unsigned X = Outer.size();
  isl::set Plain = getRange(Loop, Sums, /*Plain=*/true);
  isl::pw_aff First = Plain.dim_min(X), Last = Plain.dim_max(X);
  isl::set All =
      Plain.project_out(isl::dim::set, X, 1)
          .insert_dims(isl::dim::set, X, 1)
          .lower_bound_si(isl::dim::set, X, 0)
          .upper_bound_val(isl::dim::set, X, long(Loop.Shape.Copies) - 1);
  isl::val Smallest = isl::manage(isl_pw_aff_min_val(First.release()));
  if (!Smallest.is_nonneg().is_true())
    return coalesceChecked(All);
  isl::space Space = All.space();
  isl::pw_aff Start(
      isl::aff::var_on_domain(isl::local_space(Space), isl::dim::set, X));
  Start = Start.scale(isl::val(All.ctx(), Loop.Shape.Chunk));
  Last = isl::manage(isl_pw_aff_insert_domain(Last.release(), Space.release()));
  return coalesceChecked(All.intersect(Start.le_set(Last)));
}

/// Expands the sums into A in Loop. Returns the statement that sums them up.
std::optional<unsigned> Expansion::expand(const PlanNode &Loop, Array &A,
                                          Partial &Sums) {
  // Coordinates of the loops around, then x, then the element.
  unsigned NumOuter = Outer.size(), NumCopies = Loop.Shape.Copies;
  SmallVector<isl::map, 4> Places;
  for (auto [Use, Stmt] : zip(Sums.Uses, Sums.Stmts))
    Places.push_back(getPlace(Loop, *Use, Stmt, /*Plain=*/false));
  isl::set All =
      NumCopies ? getCopies(Loop, Sums) : getRange(Loop, Sums, /*Plain=*/false);
  unsigned NumDims = dimOf(All, isl::dim::set);
  if (All.is_null())
    return std::nullopt;

  // The array: x and the element, from zero on.
  Array *Sum = P.N->addArray("partial_" + A.Name, ArrayKind::Local, A.ElemTy);
  Arrays.push_back(Sum);
  SmallVector<isl::pw_aff, 4> First;
  isl::val One(All.ctx(), 1);
  for (unsigned D = NumOuter; D < NumDims; ++D) {
    First.push_back(All.dim_min(D));
    isl::pw_aff Last = All.dim_max(D);
    Sum->Shape.push_back(Last.sub(First.back()).add_constant(One));
  }
  // { [outer, x, e] -> Sum[x - first, e - first] }
  isl::space Space = All.space();
  isl::local_space LS(Space);
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
      if (crosses(Loop, S, W)) {
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

/// A loop over one statement.
static std::unique_ptr<PlanNode> planLoop(unsigned Stmt, unsigned Dim,
                                          std::unique_ptr<PlanNode> Inner) {
  auto L = std::make_unique<PlanNode>();
  L->K = PlanNode::Kind::Loop;
  L->Stmts.push_back(Stmt);
  L->Shape.Members.push_back({Stmt, Dim, 0});
  L->Children.push_back(std::move(Inner));
  return L;
}

/// The loops of a statement that sums up, inside of those around: x, then the
/// element. Copies of an array are summed up in parallel, by chunks of
/// elements.
std::unique_ptr<PlanNode> Expansion::planSum(unsigned Stmt,
                                             bool AreCopies) const {
  unsigned FirstDim = Outer.size();
  const Statement &S = *P.Statements[Stmt];
  auto N = std::make_unique<PlanNode>();
  N->K = PlanNode::Kind::Statement;
  N->Stmts.push_back(Stmt);
  for (unsigned D = S.getNumIterators(); D-- > FirstDim;)
    N = planLoop(Stmt, D, std::move(N));
  const Array &Sums = *S.Reads.front().Arr;
  auto IsLong = [](const isl::pw_aff &Extent) {
    isl::val Most = isl::manage(isl_pw_aff_max_val(Extent.copy()));
    return !Most.le(long(SumChunkSize)).is_true();
  };
  if (!AreCopies)
    return N;
  for (unsigned D = 1; D < Sums.getNumDims(); ++D)
    if (IsLong(Sums.Shape[D])) {
      N = planLoop(Stmt, FirstDim + D, std::move(N));
      N->Parallel = true;
      N->Shape.Chunk = SumChunkSize;
      break;
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
    bool AreCopies = Node.Shape.Copies != 0;
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
      Node.Children.push_back(planSum(S, AreCopies));
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
                          ArrayRef<StatementInfo> Infos,
                          const AccessSet &Reductions) {
  Expansion E(P, Infos, Reductions);
  if (!E.visit(Plan))
    return std::nullopt;
  return E.Arrays;
}
