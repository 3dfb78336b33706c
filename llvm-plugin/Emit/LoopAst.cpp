//===- Emit/LoopAst.cpp - Convert isl's AST and check it ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each conversion yields an upper bound of the absolute value beside the
// expression, so that arithmetic in 64 bits is shown not to overflow once for
// all.
//
//===----------------------------------------------------------------------===//

#include "Emit/LoopAst.h"
#include "Schedule/Schedule.h"
#include "Support/Reason.h"
#include "isl/id.h"
#include "isl/val.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace pardiff;

using Op = AstExpr::Op;
using Bounded = std::pair<AstExpr, double>;

/// Leaves room for the sums that addressing adds.
static const double Limit = std::ldexp(1.0, 61);
/// Elements of an array with a Scope: it lives on the stack.
static constexpr uint64_t MaxLocalElements = 1024;

AstConverter::AstConverter(const Nest &N) : N(N) {
  for (const Parameter &P : N.Params) {
    Vars[isl_id_get_name(P.Id.get())] = Magnitude.size();
    Magnitude.push_back(double(MaxParameter));
  }
}

static Expected<Bounded> bounded(AstExpr E, double Magnitude) {
  if (Magnitude > Limit)
    return refuse(Reason::IndexTooWide);
  return Bounded(std::move(E), Magnitude);
}

static std::optional<int64_t> getInt(isl_val *V) {
  isl::val Val = isl::manage(V);
  if (Val.is_null() || isl_val_is_int(Val.get()) != isl_bool_true)
    return std::nullopt;
  // isl_val_get_num_si fails on what a long cannot hold; ask first.
  if (isl_val_n_abs_num_chunks(Val.get(), 4) > 2)
    return std::nullopt;
  uint64_t Abs = 0;
  if (isl_val_get_abs_num_chunks(Val.get(), 8, &Abs) != isl_stat_ok ||
      Abs >> 62)
    return std::nullopt;
  return isl_val_sgn(Val.get()) < 0 ? -int64_t(Abs) : int64_t(Abs);
}

Expected<Bounded> AstConverter::convert(isl_ast_expr *E) {
  if (!E)
    return refuse(Reason::IslFailed);
  switch (isl_ast_expr_get_type(E)) {
  case isl_ast_expr_int: {
    std::optional<int64_t> C = getInt(isl_ast_expr_get_val(E));
    if (!C)
      return refuse(Reason::IndexTooWide);
    return bounded(AstExpr::constant(*C), std::abs(double(*C)));
  }
  case isl_ast_expr_id: {
    isl::id Id = isl::manage(isl_ast_expr_get_id(E));
    if (Id.is_null())
      return refuse(Reason::IslFailed);
    auto It = Vars.find(isl_id_get_name(Id.get()));
    if (It == Vars.end())
      return refuse(Reason::IslFailed, Twine("unknown name ") + Id.name());
    return bounded({Op::Variable, int64_t(It->second), {}},
                   Magnitude[It->second]);
  }
  case isl_ast_expr_op:
    return convertOp(E);
  default:
    return refuse(Reason::IslFailed);
  }
}

static std::optional<Op> getOp(isl_ast_op_type T) {
  switch (T) {
  case isl_ast_op_and:
  case isl_ast_op_and_then:
    return Op::And;
  case isl_ast_op_or:
  case isl_ast_op_or_else:
    return Op::Or;
  case isl_ast_op_max:
    return Op::Max;
  case isl_ast_op_min:
    return Op::Min;
  case isl_ast_op_minus:
    return Op::Neg;
  case isl_ast_op_add:
    return Op::Add;
  case isl_ast_op_sub:
    return Op::Sub;
  case isl_ast_op_mul:
    return Op::Mul;
  case isl_ast_op_div:
    return Op::ExactDiv;
  case isl_ast_op_fdiv_q:
    return Op::FloorDiv;
  case isl_ast_op_pdiv_q:
    return Op::PosDiv;
  case isl_ast_op_pdiv_r:
    return Op::PosRem;
  case isl_ast_op_zdiv_r:
    return Op::ZeroRem;
  case isl_ast_op_cond:
  case isl_ast_op_select:
    return Op::Select;
  case isl_ast_op_eq:
    return Op::EQ;
  case isl_ast_op_le:
    return Op::LE;
  case isl_ast_op_lt:
    return Op::LT;
  case isl_ast_op_ge:
    return Op::GE;
  case isl_ast_op_gt:
    return Op::GT;
  default:
    return std::nullopt;
  }
}

static bool isDivision(Op K) {
  return K == Op::ExactDiv || K == Op::FloorDiv || K == Op::PosDiv ||
         K == Op::PosRem || K == Op::ZeroRem;
}

static size_t getNumOperands(Op K) {
  switch (K) {
  case Op::Neg:
    return 1;
  case Op::Select:
    return 3;
  default:
    return 2;
  }
}

/// True if E may stand where a truth value is wanted. isl writes constants for
/// "always" and "never".
static bool isCondition(const AstExpr &E) {
  return E.isBoolean() || E.isConstant(0) || E.isConstant(1);
}

/// True if the operands have the kinds that K takes.
static bool isWellFormed(Op K, ArrayRef<AstExpr> Ops) {
  bool NAry = K == Op::Min || K == Op::Max || K == Op::And || K == Op::Or;
  if (NAry ? Ops.empty() : Ops.size() != getNumOperands(K))
    return false;
  if (K == Op::And || K == Op::Or)
    return all_of(Ops, isCondition);
  if (K == Op::Select)
    return isCondition(Ops[0]) && !Ops[1].isBoolean() && !Ops[2].isBoolean();
  if (isDivision(K) && (Ops[1].Kind != Op::Constant || Ops[1].Value <= 0))
    return false;
  return none_of(Ops, [](const AstExpr &E) { return E.isBoolean(); });
}

static double getMagnitude(Op K, ArrayRef<double> M, ArrayRef<AstExpr> Ops) {
  switch (K) {
  case Op::Add:
  case Op::Sub:
    return M[0] + M[1];
  case Op::Mul:
    return M[0] * M[1];
  case Op::Neg:
    return M[0];
  case Op::Min:
  case Op::Max:
    return *std::max_element(M.begin(), M.end());
  case Op::ExactDiv:
  case Op::FloorDiv:
  case Op::PosDiv:
    return M[0] / double(Ops[1].Value) + 1;
  case Op::PosRem:
  case Op::ZeroRem:
    return double(Ops[1].Value);
  case Op::Select:
    return std::max(M[1], M[2]);
  default:
    return 1;
  }
}

Expected<Bounded> AstConverter::convertOp(isl_ast_expr *E) {
  std::optional<Op> K = getOp(isl_ast_expr_get_op_type(E));
  if (!K)
    return refuse(Reason::IslFailed, "operation of the syntax tree");
  AstExpr R;
  R.Kind = *K;
  SmallVector<double, 4> M;
  for (int I = 0, N = isl_ast_expr_get_op_n_arg(E); I < N; ++I) {
    isl::ast_expr Arg = isl::manage(isl_ast_expr_get_op_arg(E, I));
    Expected<Bounded> A = convert(Arg.get());
    if (!A)
      return A.takeError();
    R.Ops.push_back(std::move(A->first));
    M.push_back(A->second);
  }
  if (!isWellFormed(*K, R.Ops))
    return refuse(Reason::IslFailed, "operation of the syntax tree");
  double Mag = getMagnitude(*K, M, R.Ops);
  return bounded(std::move(R), Mag);
}

Expected<AstExpr> AstConverter::convertExpr(isl_ast_expr *E) {
  Expected<Bounded> R = convert(E);
  if (!R)
    return R.takeError();
  return std::move(R->first);
}

/// Operands 1, 2, ... of a call or access.
Expected<std::vector<AstExpr>> AstConverter::convertArgs(isl_ast_expr *E) {
  std::vector<AstExpr> Args;
  if (!E || isl_ast_expr_get_type(E) != isl_ast_expr_op)
    return refuse(Reason::IslFailed);
  for (int I = 1, N = isl_ast_expr_get_op_n_arg(E); I < N; ++I) {
    isl::ast_expr Arg = isl::manage(isl_ast_expr_get_op_arg(E, I));
    Expected<AstExpr> A = convertExpr(Arg.get());
    if (!A)
      return A.takeError();
    if (A->isBoolean())
      return refuse(Reason::IslFailed);
    Args.push_back(std::move(*A));
  }
  return Args;
}

Expected<AstNode> AstConverter::convertUser(isl_ast_node *Node,
                                            ArrayRef<IslCall> Calls) {
  AstNode R;
  R.K = AstNode::Kind::Call;
  isl::id Note = isl::manage(isl_ast_node_get_annotation(Node));
  if (Note.is_null())
    return refuse(Reason::IslFailed);
  uintptr_t Number = reinterpret_cast<uintptr_t>(isl_id_get_user(Note.get()));
  if (Number == 0 || Number > Calls.size())
    return refuse(Reason::IslFailed);
  const IslCall &C = Calls[Number - 1];
  R.Call.S = C.S;
  isl::ast_expr E = isl::manage(isl_ast_node_user_get_expr(Node));
  Expected<std::vector<AstExpr>> Its = convertArgs(E.get());
  if (!Its)
    return Its.takeError();
  if (Its->size() != C.S->getNumIterators())
    return refuse(Reason::IslFailed);
  R.Call.Iterators = std::move(*Its);
  auto AddAll = [&](ArrayRef<isl::ast_expr> From,
                    std::vector<std::vector<AstExpr>> &To) -> Error {
    for (const isl::ast_expr &A : From) {
      Expected<std::vector<AstExpr>> Index = convertArgs(A.get());
      if (!Index)
        return Index.takeError();
      To.push_back(std::move(*Index));
    }
    return Error::success();
  };
  if (Error Err = AddAll(C.Reads, R.Call.Reads))
    return std::move(Err);
  if (Error Err = AddAll(C.Writes, R.Call.Writes))
    return std::move(Err);
  return R;
}

/// E + 1.
static AstExpr addOne(AstExpr E) {
  if (E.Kind == Op::Constant)
    return AstExpr::constant(E.Value + 1);
  if (E.Kind == Op::Sub && E.Ops[1].isConstant(1))
    return E.Ops[0];
  if (E.Kind == Op::Add && E.Ops[1].isConstant(-1))
    return E.Ops[0];
  // min(a - 1, b - 1) + 1 is min(a, b).
  if (E.Kind == Op::Min || E.Kind == Op::Max) {
    for (AstExpr &O : E.Ops)
      O = addOne(std::move(O));
    return E;
  }
  AstExpr R{Op::Add, 0, {}};
  R.Ops.push_back(std::move(E));
  R.Ops.push_back(AstExpr::constant(1));
  return R;
}

isl_id *AstConverter::makeLevel(isl_ctx *Ctx, const std::string &Name,
                                unsigned Level) {
  return isl_id_alloc(Ctx, Name.c_str(),
                      reinterpret_cast<void *>(uintptr_t(Level) + 1));
}

/// The level that makeLevel put into an id.
static std::optional<unsigned> getLevel(const isl::id &Id) {
  uintptr_t User = reinterpret_cast<uintptr_t>(isl_id_get_user(Id.get()));
  if (User == 0)
    return std::nullopt;
  return User - 1;
}

Expected<AstNode> AstConverter::convertFor(isl_ast_node *Node,
                                           ArrayRef<IslCall> Calls) {
  AstNode R;
  R.K = AstNode::Kind::For;
  isl::ast_expr Init = isl::manage(isl_ast_node_for_get_init(Node));
  Expected<Bounded> Lower = convert(Init.get());
  if (!Lower)
    return Lower.takeError();
  R.Lower = std::move(Lower->first);
  double Mag = Lower->second;
  isl_bool Degenerate = isl_ast_node_for_is_degenerate(Node);
  if (Degenerate == isl_bool_error)
    return refuse(Reason::IslFailed);
  R.Degenerate = Degenerate == isl_bool_true;
  if (!R.Degenerate) {
    // The condition is iterator <= bound or iterator < bound
    // (atomic_upper_bound).
    isl::ast_expr Cond = isl::manage(isl_ast_node_for_get_cond(Node));
    if (Cond.is_null() || isl_ast_expr_get_type(Cond.get()) != isl_ast_expr_op)
      return refuse(Reason::IslFailed);
    isl_ast_op_type T = isl_ast_expr_get_op_type(Cond.get());
    if (T != isl_ast_op_le && T != isl_ast_op_lt)
      return refuse(Reason::IslFailed, "condition of a loop");
    isl::ast_expr Bound = isl::manage(isl_ast_expr_get_op_arg(Cond.get(), 1));
    Expected<Bounded> Upper = convert(Bound.get());
    if (!Upper)
      return Upper.takeError();
    R.Upper = T == isl_ast_op_le ? addOne(std::move(Upper->first))
                                 : std::move(Upper->first);
    isl::ast_expr Inc = isl::manage(isl_ast_node_for_get_inc(Node));
    Expected<AstExpr> Step = convertExpr(Inc.get());
    if (!Step)
      return Step.takeError();
    if (Step->Kind != Op::Constant || Step->Value <= 0 ||
        Step->Value > (1 << 30))
      return refuse(Reason::IslFailed, "step of a loop");
    R.Step = Step->Value;
    Mag = std::max(Mag, Upper->second) + double(R.Step);
  }
  isl::ast_expr It = isl::manage(isl_ast_node_for_get_iterator(Node));
  isl::id Id = isl::manage(isl_ast_expr_get_id(It.get()));
  if (Id.is_null())
    return refuse(Reason::IslFailed);
  std::optional<unsigned> Level = getLevel(Id);
  if (!Level)
    return refuse(Reason::IslFailed, "loops in each other");
  R.Level = *Level;
  R.Var = Magnitude.size();
  Magnitude.push_back(Mag);
  // Names of iterators are used again in other loops.
  std::string Name = isl_id_get_name(Id.get());
  std::optional<unsigned> Hidden;
  if (auto Old = Vars.find(Name); Old != Vars.end())
    Hidden = Old->second;
  Vars[Name] = R.Var;
  isl::ast_node Body = isl::manage(isl_ast_node_for_get_body(Node));
  Expected<AstNode> B = convertNode(Body.get(), Calls);
  if (Hidden)
    Vars[Name] = *Hidden;
  else
    Vars.erase(Name);
  if (!B)
    return B.takeError();
  R.Children.push_back(std::move(*B));
  return R;
}

/// The arrays that live below a mark.
Error AstConverter::addLocals(AstNode &Node, StringRef Mark) const {
  for (const auto &A : N.Arrays) {
    if (A->Scope.empty() || A->Scope != Mark)
      continue;
    uint64_t Elements = 1;
    for (const isl::pw_aff &Extent : A->Shape) {
      isl::val V = isl::manage(isl_pw_aff_max_val(Extent.copy()));
      if (V.is_null() || !V.is_int().is_true() || !V.is_pos().is_true() ||
          !V.le(long(MaxLocalElements)).is_true())
        return refuse(Reason::NoStorage,
                      A->Name + ": extent is not a small constant");
      Elements *= V.num_si();
      if (Elements > MaxLocalElements)
        return refuse(Reason::NoStorage, A->Name + ": too large for its scope");
    }
    Node.Locals.push_back({A.get(), Elements});
  }
  return Error::success();
}

Expected<AstNode> AstConverter::convertNode(isl_ast_node *Node,
                                            ArrayRef<IslCall> Calls) {
  if (!Node)
    return refuse(Reason::IslFailed);
  AstNode R;
  auto AddChild = [&](isl_ast_node *C) -> Error {
    isl::ast_node Child = isl::manage(C);
    Expected<AstNode> N = convertNode(Child.get(), Calls);
    if (!N)
      return N.takeError();
    R.Children.push_back(std::move(*N));
    return Error::success();
  };
  switch (isl_ast_node_get_type(Node)) {
  case isl_ast_node_for:
    return convertFor(Node, Calls);
  case isl_ast_node_user:
    return convertUser(Node, Calls);
  case isl_ast_node_mark: {
    isl::id Id = isl::manage(isl_ast_node_mark_get_id(Node));
    if (Id.is_null())
      return refuse(Reason::IslFailed);
    R.K = Id.name() == "parallel" ? AstNode::Kind::Parallel
          : Id.name() == RestMark ? AstNode::Kind::Rest
                                  : AstNode::Kind::Scope;
    std::optional<unsigned> Level = getLevel(Id);
    if (!Level)
      return refuse(Reason::IslFailed);
    R.Level = *Level;
    if (Error Err = addLocals(R, Id.name()))
      return std::move(Err);
    if (Error Err = AddChild(isl_ast_node_mark_get_node(Node)))
      return std::move(Err);
    return R;
  }
  case isl_ast_node_block: {
    isl::ast_node_list L = isl::manage(isl_ast_node_block_get_children(Node));
    if (L.is_null())
      return refuse(Reason::IslFailed);
    for (int I = 0, N = isl_ast_node_list_n_ast_node(L.get()); I < N; ++I)
      if (Error Err = AddChild(isl_ast_node_list_get_ast_node(L.get(), I)))
        return std::move(Err);
    return R;
  }
  case isl_ast_node_if: {
    R.K = AstNode::Kind::If;
    isl::ast_expr C = isl::manage(isl_ast_node_if_get_cond(Node));
    Expected<AstExpr> Cond = convertExpr(C.get());
    if (!Cond)
      return Cond.takeError();
    if (!isCondition(*Cond))
      return refuse(Reason::IslFailed, "condition of the syntax tree");
    R.Cond = std::move(*Cond);
    if (Error Err = AddChild(isl_ast_node_if_get_then_node(Node)))
      return std::move(Err);
    isl_bool HasElse = isl_ast_node_if_has_else_node(Node);
    if (HasElse == isl_bool_error)
      return refuse(Reason::IslFailed);
    if (HasElse == isl_bool_true)
      if (Error Err = AddChild(isl_ast_node_if_get_else_node(Node)))
        return std::move(Err);
    return R;
  }
  default:
    return refuse(Reason::IslFailed);
  }
}
