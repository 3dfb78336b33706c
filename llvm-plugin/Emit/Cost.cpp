//===- Emit/Cost.cpp - Work, span and barriers of a sweep -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over the loops that are emitted and adds up instances:
//
//   work      all of them, each with its instructions
//   span      the same, but of a parallel loop the longer one of its first and
//             its last iteration only
//   barriers  parallel regions, as many times as they are entered
//   bytes     the elements that instances read and write, those on the stack
//             and in scalars left out; caches do not count
//
// Of a branch the side counts that is taken for large parameters, in the middle
// of the loops around; both sides do if it depends on which parameter is
// larger. Sizes count as multiples of those of chunks. That a region of little
// work stays on one thread, that schedules are static, and what memory
// delivers, is not modelled.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cost.h"
#include "Emit/Parallel.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace pardiff;

using Op = AstExpr::Op;

/// The range of a loop may end as many iterations too early without being taken
/// for empty: a triangle's first row.
static constexpr double MaxMissing = 16;

namespace {

class CostWalk {
public:
  CostWalk(const LoopAst &Ast, const Nest &N, Formulas &In)
      : In(In), Vars(Ast.NumVars) {
    for (unsigned V = 0; V < Ast.NumVars; ++V)
      Vars[V] = V < N.Params.size() ? In.parameter(N.Params[V].Id.name())
                                    : In.iterator(V);
  }
  SweepCost visit(const AstNode &Node, bool InRegion);

private:
  Formula convert(const AstExpr &E);
  std::optional<bool> decide(const AstExpr &E);
  /// Level: that of the region whose loops are shared; none: they are not.
  SweepCost visitAll(ArrayRef<AstNode> Nodes, bool InRegion,
                     std::optional<unsigned> Level = std::nullopt);
  SweepCost visitLoop(const AstNode &Node, bool InRegion, bool Parallel);
  SweepCost visitShared(const AstNode &Node, unsigned Level);
  SweepCost visitIf(const AstNode &Node, bool InRegion,
                    std::optional<unsigned> Level = std::nullopt);

  /// F where the iterators around are at that end of their ranges that makes it
  /// smallest or largest, if F is linear in them; else unknown.
  Formula getExtreme(Formula F, bool Smallest);

  Formulas &In;
  std::vector<Formula> Vars;
  struct Range {
    unsigned Var;
    Formula First, Last;
  };
  std::vector<Range> Around; ///< of the loops around, outermost first
};

} // namespace

double pardiff::getWork(const Statement &S) {
  double Work = double(S.Reads.size() + S.Writes.size());
  for (const Instruction &I : S.Body->getEntryBlock()) {
    if (isa<CallBase>(I))
      Work += 20;
    else if (I.getOpcode() == Instruction::FDiv)
      Work += 5;
    else
      Work += 1;
  }
  return Work;
}

Formula CostWalk::convert(const AstExpr &E) {
  auto Operand = [&](unsigned K) { return convert(E.Ops[K]); };
  switch (E.Kind) {
  case Op::Constant:
    return Formula::constant(double(E.Value));
  case Op::Variable:
    return Vars[E.Value];
  case Op::Add:
    return In.add(Operand(0), Operand(1));
  case Op::Sub:
    return In.add(Operand(0), Operand(1), -1);
  case Op::Mul:
    return In.multiply(Operand(0), Operand(1));
  case Op::Neg:
    return In.add(Formula(), Operand(0), -1);
  case Op::FloorDiv:
  case Op::PosDiv: {
    // The last one of a chunk, or a number that was rounded up.
    const double By = double(E.Ops[1].Value);
    return In.multiply(In.add(Operand(0), Formula::constant(1 - By)),
                       Formula::constant(1 / By));
  }
  case Op::ExactDiv:
    return In.multiply(Operand(0),
                       Formula::constant(1.0 / double(E.Ops[1].Value)));
  case Op::PosRem:
  case Op::ZeroRem:
    return Formula::constant(double(E.Ops[1].Value - 1) / 2);
  case Op::Min:
  case Op::Max: {
    Formula F = Operand(0);
    for (unsigned K = 1; K < E.Ops.size(); ++K)
      F = In.minMax(F, Operand(K), E.Kind == Op::Min);
    return F;
  }
  case Op::Select:
    if (std::optional<bool> Taken = decide(E.Ops[0]))
      return Operand(*Taken ? 1 : 2);
    return In.minMax(Operand(1), Operand(2), /*IsMin=*/false);
  default:
    return Formula::unknown();
  }
}

/// What a condition is for all large parameters, in the middle of the loops
/// around; none if that depends.
std::optional<bool> CostWalk::decide(const AstExpr &E) {
  if (E.Kind == Op::Constant)
    return E.Value != 0;
  if (E.Kind == Op::And || E.Kind == Op::Or) {
    const bool IsAnd = E.Kind == Op::And;
    bool All = true;
    for (const AstExpr &O : E.Ops) {
      std::optional<bool> V = decide(O);
      if (V && *V != IsAnd)
        return !IsAnd;
      All &= V.has_value();
    }
    return All ? std::optional<bool>(IsAnd) : std::nullopt;
  }
  if (!E.isBoolean())
    return std::nullopt;
  Formula Difference = In.add(convert(E.Ops[0]), convert(E.Ops[1]), -1);
  for (const Range &R : reverse(Around))
    Difference = In.substitute(
        Difference, R.Var,
        In.multiply(In.add(R.First, R.Last), Formula::constant(0.5)));
  std::optional<int> Sign = In.getSign(Difference);
  if (!Sign)
    return std::nullopt;
  switch (E.Kind) {
  case Op::EQ:
    return *Sign == 0;
  case Op::LE:
    return *Sign <= 0;
  case Op::LT:
    return *Sign < 0;
  case Op::GE:
    return *Sign >= 0;
  default:
    return *Sign > 0;
  }
}

SweepCost CostWalk::visitAll(ArrayRef<AstNode> Nodes, bool InRegion,
                             std::optional<unsigned> Level) {
  SweepCost Sum;
  for (const AstNode &Node : Nodes) {
    SweepCost C = Level ? visitShared(Node, *Level) : visit(Node, InRegion);
    Sum.Work = In.add(Sum.Work, C.Work);
    Sum.Span = In.add(Sum.Span, C.Span);
    Sum.Barriers = In.add(Sum.Barriers, C.Barriers);
    Sum.Bytes = In.add(Sum.Bytes, C.Bytes);
  }
  return Sum;
}

SweepCost CostWalk::visitIf(const AstNode &Node, bool InRegion,
                            std::optional<unsigned> Level) {
  ArrayRef<AstNode> Sides = Node.Children;
  if (std::optional<bool> Taken = decide(Node.Cond))
    Sides = *Taken ? Sides.take_front(1) : Sides.drop_front(1);
  return visitAll(Sides, InRegion, Level);
}

Formula CostWalk::getExtreme(Formula F, bool Smallest) {
  for (const Range &R : reverse(Around)) {
    std::optional<double> Slope = In.getSlope(F, R.Var);
    if (!Slope)
      return Formula::unknown();
    if (*Slope != 0)
      F = In.substitute(F, R.Var, (*Slope > 0) == Smallest ? R.First : R.Last);
  }
  return F;
}

SweepCost CostWalk::visitLoop(const AstNode &Node, bool InRegion,
                              bool Parallel) {
  Formula Lower = convert(Node.Lower);
  if (Node.Degenerate) {
    Vars[Node.Var] = Lower;
    return visit(Node.Children[0], InRegion);
  }
  Vars[Node.Var] = In.iterator(Node.Var);
  Formula Trips = In.multiply(In.add(convert(Node.Upper), Lower, -1),
                              Formula::constant(1.0 / double(Node.Step)));
  // Loops over what is left of chunks are empty most of the time.
  std::optional<int> Most = In.getSign(getExtreme(Trips, /*Smallest=*/false));
  if (Most && *Most <= 0)
    return {};
  Formula Fewest = getExtreme(Trips, /*Smallest=*/true);
  std::optional<int> Sign =
      In.getSign(In.add(Fewest, Formula::constant(MaxMissing)));
  if (!Sign || *Sign < 0)
    Trips = In.minMax(Trips, Formula(), /*IsMin=*/false);
  Formula Last =
      In.add(Lower, In.multiply(Formula::constant(double(Node.Step)),
                                In.add(Trips, Formula::constant(-1))));
  Around.push_back({Node.Var, Lower, Last});
  SweepCost Of = visit(Node.Children[0], InRegion);
  Around.pop_back();
  auto Sum = [&](const Formula &F) {
    return In.sum(F, Node.Var, Lower, double(Node.Step), Trips);
  };
  SweepCost R;
  R.Work = Sum(Of.Work);
  R.Bytes = Sum(Of.Bytes);
  R.Barriers = Sum(Of.Barriers);
  if (!Parallel) {
    R.Span = Sum(Of.Span);
    return R;
  }
  R.Span = In.minMax(In.substitute(Of.Span, Node.Var, Lower),
                     In.substitute(Of.Span, Node.Var, Last), /*IsMin=*/false);
  return R;
}

/// Something in a parallel region of that level.
SweepCost CostWalk::visitShared(const AstNode &Node, unsigned Level) {
  if (ParallelGen::isShared(Node, Level))
    return visitLoop(Node, /*InRegion=*/true, /*Parallel=*/true);
  if (Node.K == AstNode::Kind::Block)
    return visitAll(Node.Children, /*InRegion=*/true, Level);
  if (Node.K == AstNode::Kind::If)
    return visitIf(Node, /*InRegion=*/true, Level);
  return visit(Node, /*InRegion=*/true);
}

static double getBytes(const Access &A) {
  bool InMemory = A.Arr->Scope.empty() && A.Arr->getNumDims() > 0;
  if (!InMemory)
    return 0;
  double Once = double(A.Arr->ElemTy->getPrimitiveSizeInBits()) / 8;
  return A.Kind == AccessKind::Accumulate ? 2 * Once : Once;
}

SweepCost CostWalk::visit(const AstNode &Node, bool InRegion) {
  switch (Node.K) {
  case AstNode::Kind::Call: {
    SweepCost R;
    R.Work = R.Span = Formula::constant(getWork(*Node.Call.S));
    double Bytes = 0;
    for (const Access &A : Node.Call.S->Reads)
      Bytes += getBytes(A);
    for (const Access &A : Node.Call.S->Writes)
      Bytes += getBytes(A);
    R.Bytes = Formula::constant(Bytes);
    return R;
  }
  case AstNode::Kind::For:
    return visitLoop(Node, InRegion, /*Parallel=*/false);
  case AstNode::Kind::If:
    return visitIf(Node, InRegion);
  case AstNode::Kind::Parallel: {
    if (InRegion || !ParallelGen::isWorthwhile(Node))
      break;
    SweepCost R = visitShared(Node.Children[0], Node.Level);
    R.Barriers = Formula::constant(1);
    return R;
  }
  default:
    break;
  }
  return visitAll(Node.Children, InRegion);
}

SweepCost pardiff::getCost(const LoopAst &Ast, const Nest &N, Formulas &In) {
  return CostWalk(Ast, N, In).visit(Ast.Root, /*InRegion=*/false);
}

double pardiff::getSpeedup(const SweepCost &Forward, const SweepCost &Adjoint,
                           const Formulas &In, double Value, double Threads) {
  auto Both = [&](Formula SweepCost::*Of) {
    return In.evaluate(Forward.*Of, Value) + In.evaluate(Adjoint.*Of, Value);
  };
  double Work = Both(&SweepCost::Work), Span = Both(&SweepCost::Span);
  double Time =
      Span + (Work - Span) / Threads + BarrierWork * Both(&SweepCost::Barriers);
  // Regions that are not worth it stay on one thread.
  return Time > 0 ? std::max(1.0, Work / Time) : 1;
}
