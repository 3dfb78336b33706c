//===- Prepare/OpaqueStrides.cpp - Row lengths that are sums --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum in the entry block that counters are multiplied with, the length of a
// row, becomes a value that scalar evolution cannot look into:
//
//   %row = add i64 %n, 8                %row = freeze i64 (add i64 %n, 8)
//   ... mul i64 %i, %row                ... mul i64 %i, %row
//
// For double x[][n + 8] scalar evolution writes the offset of x[5][i] as
// 40 + 5 n + i, and Polly does not find five rows in it. With an opaque row it
// is 5 row + i. What is lost is how the row's length depends on n: that i stays
// within a row is a condition at run time then. So this is for functions that
// cannot be modelled without it.
//
// Only multiplications and addresses read the opaque value. A frozen value that
// was poison is some value instead: a refinement.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

/// True if V is a sum that is computed in the entry block.
static bool isSum(Value *V) {
  auto *Op = dyn_cast<BinaryOperator>(V);
  return Op && Op->getType()->isIntegerTy(64) && isInEntryBlock(Op) &&
         (Op->getOpcode() == Instruction::Add ||
          Op->getOpcode() == Instruction::Sub);
}

PreservedAnalyses OpaqueStridesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  SmallSetVector<BinaryOperator *, 8> Strides;
  for (Instruction &I : instructions(F))
    if (I.getOpcode() == Instruction::Mul)
      for (unsigned K = 0; K < 2; ++K)
        if (isSum(I.getOperand(K)) && !isa<Constant>(I.getOperand(1 - K)))
          Strides.insert(cast<BinaryOperator>(I.getOperand(K)));
  for (BinaryOperator *Sum : Strides) {
    IRBuilder<> B(Sum->getParent(), std::next(Sum->getIterator()));
    Value *Opaque = B.CreateFreeze(Sum, Sum->getName() + ".row");
    Sum->replaceUsesWithIf(Opaque, [&](const Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      return User->getOpcode() == Instruction::Mul ||
             User->getOpcode() == Instruction::Shl ||
             isa<GetElementPtrInst>(User);
    });
  }
  if (Strides.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
