//===- Tape/Inverse.cpp - Values that a division can give back ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The division must be the whole computation of a result, with two reads as its
// operands, of a statement without guards. Not attempted: other operations;
// multiplications, since their inverse divides by what may be zero.
//
//===----------------------------------------------------------------------===//

#include "Tape/Inverse.h"
#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "Tape/TapeIndex.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace pardiff;

/// The division that makes result W of T from two reads, if it may be inverted.
static const Instruction *getDivision(const Statement &T, unsigned W) {
  if (T.Writes[W].Kind != AccessKind::Write || T.isGuarded())
    return nullptr;
  auto *Div = dyn_cast<Instruction>(getResult(*T.Body, W));
  if (!Div || Div->getOpcode() != Instruction::FDiv ||
      !Div->hasAllowReassoc() || !Div->hasNoNaNs() || !Div->hasNoInfs())
    return nullptr;
  auto IsRead = [&](const Value *V) {
    auto *A = dyn_cast<Argument>(V);
    return A && A->getArgNo() < T.Reads.size();
  };
  return IsRead(Div->getOperand(0)) && IsRead(Div->getOperand(1)) ? Div
                                                                  : nullptr;
}

std::optional<Inversion> pardiff::findInversion(const Program &P,
                                                const Dataflow &D,
                                                const Statement &S,
                                                unsigned W) {
  for (const auto &T : P.Statements)
    for (unsigned Q = 0; Q < T->Writes.size(); ++Q) {
      const Instruction *Div = getDivision(*T, Q);
      if (!Div)
        continue;
      Inversion I;
      I.Of = T.get();
      I.Quotient = Q;
      I.Dividend = cast<Argument>(Div->getOperand(0))->getArgNo();
      I.Divisor = cast<Argument>(Div->getOperand(1))->getArgNo();
      auto Flow = D.Reads.find({T.get(), I.Dividend});
      if (I.Dividend == I.Divisor || Flow == D.Reads.end())
        continue;
      for (const Dataflow::Source &Src : Flow->second.Sources) {
        if (Src.Writer != &S || Src.Write != W)
          continue;
        I.Instance = coalesceChecked(Src.Map);
        if (S.Domain.is_subset(I.Instance.domain()).is_true() &&
            I.Instance.is_single_valued().is_true() &&
            isOnePiece(I.Instance, /*NoDivs=*/true))
          return I;
      }
    }
  return std::nullopt;
}

Function *pardiff::buildInverse(const Inversion &I) {
  const Statement &T = *I.Of;
  const Instruction *Div = getDivision(T, I.Quotient);
  Type *Ty = Div->getType();
  SmallVector<Type *, 8> Params = {Ty, Ty};
  for (unsigned A = T.Reads.size(); A < T.Body->arg_size(); ++A)
    Params.push_back(T.Body->getArg(A)->getType());
  StructType *ResultTy = StructType::get(Ty);
  Function *F = Function::Create(
      FunctionType::get(ResultTy, Params, false), GlobalValue::InternalLinkage,
      T.Body->getName() + ".inverse", *T.Body->getParent());
  IRBuilder<> B(BasicBlock::Create(F->getContext(), "entry", F));
  B.setFastMathFlags(Div->getFastMathFlags());
  Value *Dividend = B.CreateFMul(F->getArg(0), F->getArg(1));
  B.CreateRet(B.CreateInsertValue(PoisonValue::get(ResultTy), Dividend, 0));
  return F;
}
