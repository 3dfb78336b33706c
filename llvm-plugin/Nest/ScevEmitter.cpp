//===- Nest/ScevEmitter.cpp - Integers from iterators and sizes -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/ScevEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace pardiff;

Value *ScevEmitter::emit(const SCEV *S) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getValue();
  if (!S->getType()->isIntegerTy() || S->getType()->getIntegerBitWidth() > 64)
    return nullptr;
  if (R.isInvariant(S)) {
    std::optional<unsigned> Param = R.getParam(S);
    if (!Param)
      return nullptr;
    return B.CreateTrunc(Body.getParam(*Param, B.getInt64Ty()), S->getType());
  }
  if (auto *Cast = dyn_cast<SCEVCastExpr>(S)) {
    Value *Op = emit(Cast->getOperand());
    if (!Op)
      return nullptr;
    if (isa<SCEVTruncateExpr>(S))
      return B.CreateTrunc(Op, S->getType());
    if (isa<SCEVZeroExtendExpr>(S))
      return B.CreateZExt(Op, S->getType());
    return isa<SCEVSignExtendExpr>(S) ? B.CreateSExt(Op, S->getType())
                                      : nullptr;
  }
  if (auto *Rec = dyn_cast<SCEVAddRecExpr>(S)) {
    if (!Rec->isAffine())
      return nullptr;
    Value *Start = emit(Rec->getStart());
    Value *Step = emit(Rec->getStepRecurrence(R.getSE()));
    for (unsigned D = 0; D < Stmt.getNumIterators(); ++D)
      if (Start && Step && Stmt.getLoopForDimension(D) == Rec->getLoop())
        return B.CreateAdd(
            Start,
            B.CreateMul(Step, B.CreateTrunc(Body.Iterators[D], S->getType())));
    return nullptr;
  }
  if (auto *Div = dyn_cast<SCEVUDivExpr>(S)) {
    Value *LHS = emit(Div->getLHS());
    auto *RHS = dyn_cast<SCEVConstant>(Div->getRHS());
    if (!LHS || !RHS || RHS->getAPInt().isZero())
      return nullptr;
    return B.CreateUDiv(LHS, RHS->getValue());
  }
  if (auto *U = dyn_cast<SCEVUnknown>(S))
    return Values ? Values->lookup(U->getValue()) : nullptr;
  return emitNary(S);
}

Value *ScevEmitter::emitNary(const SCEV *S) {
  auto *Nary = dyn_cast<SCEVNAryExpr>(S);
  if (!Nary)
    return nullptr;
  Value *Result = nullptr;
  for (const SCEV *Op : Nary->operands()) {
    Value *V = emit(Op);
    if (!V)
      return nullptr;
    if (!Result) {
      Result = V;
      continue;
    }
    switch (S->getSCEVType()) {
    case scAddExpr:
      Result = B.CreateAdd(Result, V);
      break;
    case scMulExpr:
      Result = B.CreateMul(Result, V);
      break;
    case scSMaxExpr:
      Result = B.CreateSelect(B.CreateICmpSGT(Result, V), Result, V);
      break;
    case scSMinExpr:
      Result = B.CreateSelect(B.CreateICmpSLT(Result, V), Result, V);
      break;
    case scUMaxExpr:
      Result = B.CreateSelect(B.CreateICmpUGT(Result, V), Result, V);
      break;
    case scUMinExpr:
      Result = B.CreateSelect(B.CreateICmpULT(Result, V), Result, V);
      break;
    default:
      return nullptr;
    }
  }
  return Result;
}
