//===- Schedule/PlanCost.cpp - What a plan costs --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of a plan has two parts, both for one instance of each statement:
//
//   - memory: each outermost loop nest brings each array that it reads, and
//     takes away each that it writes, once. The unit is an element at unit
//     stride; an array that is far smaller than the iteration space, so that it
//     stays in a cache, counts for a quarter. Private arrays count if the plan
//     leaves them memory for several iterations (they are open);
//   - computing: statements that come from one statement of the primal and run
//     side by side in one innermost loop for the same instance share nearly all
//     that they compute.
//
//===----------------------------------------------------------------------===//

#include "Schedule/PlanCost.h"
#include "Schedule/Strides.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include <map>

using namespace llvm;
using namespace pardiff;

/// Instructions that take as long as an element from memory does.
static constexpr double InstructionsPerElement = 8;
/// The part of the computing that statements do not share.
static constexpr double OwnPart = 0.25;
/// An element of an array that stays in a cache.
static constexpr double CachedElement = 0.25;

namespace {

struct Traffic {
  double In = 0, Out = 0;
};

/// One outermost loop nest.
struct NestCost {
  MapVector<const Array *, Traffic> Arrays;
  /// For each innermost loop and instance of a primal statement: the largest
  /// and the sum of its parts.
  struct Computing {
    double Largest = 0, Sum = 0;
  };
  using Key = std::pair<std::pair<unsigned, unsigned>, std::vector<unsigned>>;
  std::map<Key, Computing> Groups;
};

class Estimate {
public:
  Estimate(const Program &P, ArrayRef<StatementInfo> Infos)
      : P(P), Infos(Infos) {
    for (const StatementInfo &I : Infos)
      Degree = std::max(Degree, I.Degree);
  }

  void findDropped(const PlanNode &Root);
  void visit(const PlanNode &N, unsigned Depth);

  PlanCost Cost;

private:
  void visitNest(const PlanNode &N, NestCost &Nest);
  void addStatement(unsigned S, unsigned Leaf, NestCost &Nest);
  void addNest(const PlanNode &N);
  unsigned getOriginNumber(const Statement &S);

  const Program &P;
  ArrayRef<StatementInfo> Infos;
  unsigned Degree = 0;
  unsigned NumLeaves = 0;
  SmallVector<const PlanNode *, 8> Path;
  /// For each private array the dimensions that the plan makes unnecessary.
  DenseMap<const Array *, SmallBitVector> Dropped;
};

} // namespace

static double getWork(const Statement &S) {
  double Work = 0;
  if (!S.Body || S.Body->empty())
    return Work;
  for (const Instruction &I : S.Body->getEntryBlock())
    Work += isa<CallBase>(I) ? 20 : I.getOpcode() == Instruction::FDiv ? 5 : 1;
  return Work;
}

/// Iterators of long loops that A moves with.
static unsigned getRank(const Access &A, const StatementInfo &I,
                        const SmallBitVector &Dropped) {
  unsigned Rank = 0;
  for (unsigned D = 0; D < I.S->getNumIterators(); ++D)
    Rank += !I.Short[D] && getStride(A, D, Dropped) != Stride::None;
  return Rank;
}

/// True if what is not private of A has a constant size.
static bool hasSmallCells(const Array &A) {
  return all_of(drop_begin(A.Shape, A.PrivateDims), [](const isl::pw_aff &E) {
    isl::val V =
        E.is_null() ? isl::val() : isl::manage(isl_pw_aff_max_val(E.copy()));
    return V.is_int().is_true();
  });
}

/// Follows the plan as contractShadows will follow its tree: where a loop is
/// around all uses of an array and each is in the iteration that owns the
/// element, the loop's dimension goes. In a parallel loop the copies must be
/// small.
void Estimate::findDropped(const PlanNode &Root) {
  MapVector<const Array *, SmallVector<std::pair<unsigned, const Access *>, 8>>
      Uses;
  for (auto [S, I] : enumerate(Infos))
    for (const Access &A : concat<const Access>(I.S->Reads, I.S->Writes))
      if (A.Arr->PrivateDims && is_contained(Root.Stmts, S))
        Uses[A.Arr].push_back({S, &A});
  for (const auto &[A, Of] : Uses) {
    SmallBitVector Fixed(A->PrivateDims);
    const PlanNode *N = &Root;
    while (N) {
      if (N->K == PlanNode::Kind::Loop) {
        if (N->Parallel && !hasSmallCells(*A))
          break;
        SmallBitVector Own(A->PrivateDims, !N->Shape.Chunk);
        for (const auto &[S, Acc] : Of)
          Own &= getPrivateDims(*Acc, N->Shape.find(S)->Dim);
        Fixed |= Own;
      }
      auto Next = find_if(N->Children, [&, &Of = Of](const auto &C) {
        return all_of(
            Of, [&](const auto &U) { return is_contained(C->Stmts, U.first); });
      });
      N = Next == N->Children.end() ? nullptr : Next->get();
    }
    Cost.Open += !Fixed.all();
    Dropped[A] = std::move(Fixed);
  }
}

static bool hasParallel(const PlanNode &N) {
  return (N.K == PlanNode::Kind::Loop && N.Parallel) ||
         any_of(N.Children, [](const auto &C) { return hasParallel(*C); });
}

/// A number for the primal statement that S comes from.
unsigned Estimate::getOriginNumber(const Statement &S) {
  for (auto [I, T] : enumerate(P.Statements))
    if (T.get() == &S || (S.Origin && T->Origin == S.Origin))
      return I;
  return P.Statements.size();
}

void Estimate::addStatement(unsigned S, unsigned Leaf, NestCost &Nest) {
  const StatementInfo &I = Infos[S];
  if (I.Degree < Degree || I.S->getNumIterators() == 0)
    return;
  unsigned Innermost = I.S->getNumIterators() - 1;
  NestCost::Key Key;
  Key.first = {getOriginNumber(*I.S), Leaf};
  for (const PlanNode *L : Path)
    if (const LoopMember *M = L->Shape.find(S)) {
      Innermost = M->Dim;
      Key.second.push_back(I.S->Loops[M->Dim]);
    }
  for (const Access &A : concat<const Access>(I.S->Reads, I.S->Writes)) {
    SmallBitVector NotThere = Dropped.lookup(A.Arr);
    if (NotThere.all() && (A.Arr->PrivateDims || A.Arr->getNumDims() == 0))
      continue;
    Stride Step = getStride(A, Innermost, NotThere);
    double Lines = Step == Stride::Far ? 8 : Step == Stride::Unit ? 1 : 0;
    if (getRank(A, I, NotThere) < Degree)
      Lines *= CachedElement;
    Traffic &T = Nest.Arrays[A.Arr];
    if (A.Kind != AccessKind::Write)
      T.In = std::max(T.In, Lines);
    if (A.Kind != AccessKind::Read)
      T.Out = std::max(T.Out, Lines);
  }
  NestCost::Computing &C = Nest.Groups[Key];
  double Work = getWork(*I.S);
  C.Largest = std::max(C.Largest, Work);
  C.Sum += Work;
}

void Estimate::visitNest(const PlanNode &N, NestCost &Nest) {
  if (N.Children.empty()) {
    for (unsigned S : N.Stmts)
      addStatement(S, NumLeaves, Nest);
    return;
  }
  if (N.K == PlanNode::Kind::Loop)
    Path.push_back(&N);
  // Statements side by side share an innermost loop.
  auto IsStatement = [](const auto &C) {
    return C->K == PlanNode::Kind::Statement;
  };
  for (const auto &C : N.Children) {
    visitNest(*C, Nest);
    if (!IsStatement(C))
      ++NumLeaves;
  }
  ++NumLeaves;
  if (N.K == PlanNode::Kind::Loop)
    Path.pop_back();
}

void Estimate::addNest(const PlanNode &N) {
  NestCost Nest;
  visitNest(N, Nest);
  for (const auto &[A, T] : Nest.Arrays)
    Cost.Time += T.In + T.Out;
  for (const auto &[Key, C] : Nest.Groups)
    Cost.Time +=
        (C.Largest + OwnPart * (C.Sum - C.Largest)) / InstructionsPerElement;
}

void Estimate::visit(const PlanNode &N, unsigned Depth) {
  auto CountLong = [&] {
    return count_if(N.Stmts,
                    [&](unsigned S) { return Infos[S].Degree == Degree; });
  };
  bool IsLoop = N.K == PlanNode::Kind::Loop;
  if (IsLoop && N.Parallel) {
    Cost.Depths += Depth * CountLong();
    return addNest(N);
  }
  if (!hasParallel(N) && (IsLoop || N.Children.empty())) {
    Cost.Serial += CountLong();
    return addNest(N);
  }
  if (IsLoop)
    Path.push_back(&N);
  for (const auto &C : N.Children)
    visit(*C, Depth + IsLoop);
  if (IsLoop)
    Path.pop_back();
}

PlanCost pardiff::getPlanCost(const Program &P, ArrayRef<StatementInfo> Infos,
                              const PlanNode &Plan) {
  Estimate E(P, Infos);
  E.findDropped(Plan);
  E.visit(Plan, 0);
  return E.Cost;
}
