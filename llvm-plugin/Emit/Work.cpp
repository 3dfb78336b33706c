//===- Emit/Work.cpp - How much work a parallel region has ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Work.h"
#include "Emit/Cost.h"

using namespace llvm;
using namespace pardiff;

static Value *emitSum(ArrayRef<AstNode> Nodes, LoopGen &Gen, IRBuilder<> &B) {
  Value *Sum = ConstantFP::get(B.getDoubleTy(), 0);
  for (const AstNode &N : Nodes)
    Sum = B.CreateFAdd(Sum, emitWork(N, Gen, B));
  return Sum;
}

Value *pardiff::emitWork(const AstNode &Node, LoopGen &Gen, IRBuilder<> &B) {
  if (Node.K == AstNode::Kind::Call)
    return ConstantFP::get(B.getDoubleTy(), getWork(*Node.Call.S));
  if (Node.K != AstNode::Kind::For)
    return emitSum(Node.Children, Gen, B);
  Value *Lower = Gen.emitExpr(Node.Lower);
  if (Node.Degenerate) {
    Gen.setVar(Node.Var, Lower);
    return emitSum(Node.Children, Gen, B);
  }
  Value *Upper = Gen.emitExpr(Node.Upper);
  Value *Length = B.CreateBinaryIntrinsic(
      Intrinsic::smax, B.CreateNSWSub(Upper, Lower), B.getInt64(0));
  Gen.setVar(Node.Var, B.CreateNSWAdd(Lower, B.CreateLShr(Length, 1)));
  Value *Trips = B.CreateUDiv(B.CreateNSWAdd(Length, B.getInt64(Node.Step - 1)),
                              B.getInt64(Node.Step));
  return B.CreateFMul(B.CreateUIToFP(Trips, B.getDoubleTy()),
                      emitSum(Node.Children, Gen, B));
}

static bool uses(const AstExpr &E, unsigned Var) {
  if (E.Kind == AstExpr::Op::Variable)
    return E.Value == int64_t(Var);
  return any_of(E.Ops, [&](const AstExpr &O) { return uses(O, Var); });
}

static bool boundsUse(const AstNode &Node, unsigned Var) {
  if (Node.K == AstNode::Kind::For && !Node.Degenerate &&
      (uses(Node.Lower, Var) || uses(Node.Upper, Var)))
    return true;
  return any_of(Node.Children,
                [&](const AstNode &C) { return boundsUse(C, Var); });
}

bool pardiff::isUnbalanced(const AstNode &Loop) {
  return Loop.K == AstNode::Kind::For && !Loop.Degenerate &&
         boundsUse(Loop.Children[0], Loop.Var);
}
