//===- Tape/BodyFacts.cpp - What a planner asks about a body --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks from a result back to the arguments. Bodies are pure, so operands are
// all there is.
//
//===----------------------------------------------------------------------===//

#include "Tape/BodyFacts.h"
#include "Body/Body.h"
#include "Support/LoopFunctions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

/// Price of I in units of an addition: only the order of magnitude matters.
static unsigned getCost(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return 5;
  case Instruction::Call: {
    if (getLoopFunction(&I))
      return 1000;
    switch (cast<CallBase>(I).getIntrinsicID()) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
    case Intrinsic::fabs:
    case Intrinsic::maxnum:
    case Intrinsic::minnum:
    case Intrinsic::maximum:
    case Intrinsic::minimum:
    case Intrinsic::copysign:
      return 1;
    case Intrinsic::sqrt:
      return 6;
    default:
      return 20;
    }
  }
  case Instruction::Ret:
  case Instruction::InsertValue:
  case Instruction::ExtractValue:
  case Instruction::BitCast:
  case Instruction::Freeze:
    return 0;
  default:
    return 1;
  }
}

ResultFacts pardiff::getResultFacts(const Statement &S, unsigned Field) {
  ResultFacts Facts;
  Facts.Reads.resize(S.Reads.size());
  const Value *Result = getResult(*S.Body, Field);
  if (auto *A = dyn_cast<Argument>(Result))
    if (A->getArgNo() < S.Reads.size())
      Facts.CopyOf = A->getArgNo();
  SmallVector<const Value *, 16> Work = {Result};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (auto *A = dyn_cast<Argument>(V)) {
      unsigned No = A->getArgNo();
      if (No < S.Reads.size())
        Facts.Reads.set(No);
      else if (No < S.Reads.size() + S.getNumIterators())
        Facts.UsesIterators = true;
    } else if (auto *I = dyn_cast<Instruction>(V)) {
      Facts.Cost += getCost(*I);
      append_range(Work, I->operand_values());
    }
  }
  return Facts;
}
