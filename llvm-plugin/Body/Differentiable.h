//===- Body/Differentiable.h - Where derivatives flow -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this component.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_BODY_DIFFERENTIABLE_H
#define PARDIFF_BODY_DIFFERENTIABLE_H

#include "Rules/Rules.h"

namespace pardiff {

/// Calls Visit for each operand of I that its derivative can flow to. An
/// operation without a rule may let it flow to each.
inline void
forEachDifferentiable(const llvm::Instruction &I,
                      llvm::function_ref<void(const llvm::Value *)> Visit) {
  // An integer among the results of a loop.
  if (llvm::isa<llvm::ExtractValueInst>(I) && I.getType()->isIntegerTy())
    return;
  const Rule *R = findRule(I);
  const llvm::Instruction &Operation = getOperation(I);
  for (unsigned Op = 0, E = Operation.getNumOperands(); Op != E; ++Op)
    if (!R || !isZeroPartial(*R, I, Op))
      Visit(Operation.getOperand(Op));
}

} // namespace pardiff

#endif // PARDIFF_BODY_DIFFERENTIABLE_H
