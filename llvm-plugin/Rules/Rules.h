//===- Rules/Rules.h - The rule table: derivatives of instructions, intrinsics and library functions -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table says what an operation means: its adjoint, and which of its operands and
// its result the adjoint needs. Both engines and all modes read it. Adding a function
// is one entry and one test. Conventions at points where the formula is not finite
// or not unique are documented here, once:
//   sqrt at 0: 0 (not infinity); fabs at 0: 0; fmin, fmax at a tie: all of the
//   derivative goes to the first operand; pow: d/dx pow(x, 0) = 0, d/dy pow(0, y) = 0;
//   comparisons, floor and the like: 0.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_RULES_RULES_H
#define PARDIFF_RULES_RULES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"

namespace pardiff {

/// The rule of one operation (an entry of the table).
class Rule;

/// The rule for I, or null if there is none. Knows operations by opcode, intrinsic id
/// or library function (TargetLibraryInfo's names: sin, sinf, ...).
const Rule *findRule(const llvm::Instruction &I);

/// True if the adjoint of operand Op needs the value of operand Other / of the result.
bool needsOperand(const Rule &R, const llvm::Instruction &I, unsigned Op, unsigned Other);
bool needsResult(const Rule &R, const llvm::Instruction &I, unsigned Op);

/// Emits the adjoint contribution to operand Op of I: (d result / d operand) * Seed.
/// Value(V) gives the value of V (an operand of I, or I itself) at the insertion point.
/// Returns null if the derivative is identically zero.
llvm::Value *emitAdjoint(const Rule &R, const llvm::Instruction &I, unsigned Op,
                         llvm::Value *Seed, llvm::IRBuilderBase &B,
                         llvm::function_ref<llvm::Value *(llvm::Value *)> Value);

/// Emits the tangent of I from those of its operands (null: zero); null if zero.
llvm::Value *emitTangent(const Rule &R, const llvm::Instruction &I,
                         llvm::ArrayRef<llvm::Value *> OperandTangents,
                         llvm::IRBuilderBase &B,
                         llvm::function_ref<llvm::Value *(llvm::Value *)> Value);

} // namespace pardiff

#endif // PARDIFF_RULES_RULES_H
