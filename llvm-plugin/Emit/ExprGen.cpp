//===- Emit/ExprGen.cpp - Expressions of the loops in LLVM IR -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversion from isl (LoopAst.cpp) has shown that no operation overflows
// for parameters up to MaxParameter. That makes the nsw flags true.
//
//===----------------------------------------------------------------------===//

#include "Emit/ExprGen.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace pardiff;

using Op = AstExpr::Op;

Value *ExprGen::emitDivision(const AstExpr &E) {
  Value *X = emit(E.Ops[0]);
  const int64_t D = E.Ops[1].Value;
  ConstantInt *Divisor = B.getInt64(D);
  switch (E.Kind) {
  case Op::ExactDiv:
    return B.CreateSDiv(X, Divisor, "", NoWrap);
  case Op::PosDiv:
    return B.CreateUDiv(X, Divisor);
  case Op::PosRem:
    return B.CreateURem(X, Divisor);
  case Op::ZeroRem:
    return B.CreateSRem(X, Divisor);
  default:
    break;
  }
  if (isPowerOf2_64(D))
    return B.CreateAShr(X, Log2_64(D));
  // Rounds towards minus infinity: one less where a negative dividend leaves a
  // rest.
  Value *Q = B.CreateSDiv(X, Divisor), *R = B.CreateSRem(X, Divisor);
  Value *IsNegative = B.CreateICmpSLT(R, B.getInt64(0));
  return B.CreateAdd(Q, B.CreateSExt(IsNegative, B.getInt64Ty()), "", false,
                     NoWrap);
}

Value *ExprGen::emit(const AstExpr &E) {
  auto Operand = [&](unsigned I) { return emit(E.Ops[I]); };
  auto Fold = [&](Intrinsic::ID Id) {
    Value *V = Operand(0);
    for (unsigned I = 1; I < E.Ops.size(); ++I)
      V = B.CreateBinaryIntrinsic(Id, V, Operand(I));
    return V;
  };
  switch (E.Kind) {
  case Op::Constant:
    return B.getInt64(E.Value);
  case Op::Variable:
    return Vars[E.Value];
  case Op::Add: {
    Value *L = Operand(0);
    return B.CreateAdd(L, Operand(1), "", false, NoWrap);
  }
  case Op::Sub: {
    Value *L = Operand(0);
    return B.CreateSub(L, Operand(1), "", false, NoWrap);
  }
  case Op::Mul: {
    Value *L = Operand(0);
    return B.CreateMul(L, Operand(1), "", false, NoWrap);
  }
  case Op::Neg:
    return B.CreateSub(B.getInt64(0), Operand(0), "", false, NoWrap);
  case Op::Min:
    return Fold(Intrinsic::smin);
  case Op::Max:
    return Fold(Intrinsic::smax);
  case Op::ExactDiv:
  case Op::FloorDiv:
  case Op::PosDiv:
  case Op::PosRem:
  case Op::ZeroRem:
    return emitDivision(E);
  case Op::Select: {
    Value *C = emitBool(E.Ops[0]);
    Value *T = Operand(1);
    return B.CreateSelect(C, T, Operand(2));
  }
  default:
    return B.CreateZExt(emitBool(E), B.getInt64Ty());
  }
}

static CmpInst::Predicate getPredicate(Op K) {
  switch (K) {
  case Op::EQ:
    return CmpInst::ICMP_EQ;
  case Op::LE:
    return CmpInst::ICMP_SLE;
  case Op::LT:
    return CmpInst::ICMP_SLT;
  case Op::GE:
    return CmpInst::ICMP_SGE;
  default:
    return CmpInst::ICMP_SGT;
  }
}

Value *ExprGen::emitBool(const AstExpr &E) {
  if (E.Kind == Op::Constant)
    return B.getInt1(E.Value != 0);
  if (E.Kind == Op::And || E.Kind == Op::Or) {
    Value *V = emitBool(E.Ops[0]);
    for (unsigned I = 1; I < E.Ops.size(); ++I) {
      Value *Next = emitBool(E.Ops[I]);
      // The second may be poison where the first decides, unless nothing is.
      if (NoWrap)
        V = E.Kind == Op::And ? B.CreateLogicalAnd(V, Next)
                              : B.CreateLogicalOr(V, Next);
      else
        V = E.Kind == Op::And ? B.CreateAnd(V, Next) : B.CreateOr(V, Next);
    }
    return V;
  }
  Value *L = emit(E.Ops[0]);
  return B.CreateICmp(getPredicate(E.Kind), L, emit(E.Ops[1]));
}
