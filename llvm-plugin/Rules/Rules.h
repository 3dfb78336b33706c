//===- Rules/Rules.h - Derivatives of operations ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table says what an operation means: its adjoint, and which of its
// operands and its result the adjoint needs. An operation is an LLVM
// instruction, an intrinsic or a function of the C library. Both engines and
// all modes read the table. Adding a function is one entry in Table.cpp and one
// test.
//
// Conventions where a partial derivative is not finite or not unique. The rules
// never make a NaN where the primal value is finite and one of these applies.
//   infinite at a point where the function is finite (sqrt and cbrt at 0, pow
//   at
//     0 with an exponent in (0, 1), asin and acos at 1 and -1, acosh at 1): 0
//   fabs at 0, copysign at 0: 0
//   hypot(0, 0), atan2(0, 0): 0
//   fmin, fmax at a tie: all of it goes to the first operand; a NaN operand
//   that
//     fmin or fmax ignores gets nothing
//   pow: d/dx pow(x, 0) = 0 and d/dy pow(0, y) = 0, also at x = y = 0;
//     d/dx pow(0, 1) = 1. For x < 0, d/dy does not exist and is NaN
//   fmod(x, y), remainder(x, y): 1 and minus the integer quotient
//   comparisons, floor, ceil, trunc, round, rint, conversions to integers: 0
//   nextafter: 1 by the first operand
//   cabs and clog at 0, csqrt at 0, cpow at base 0: 0; complex functions are
//     differentiated as holomorphic functions
//
// The emitted code computes with the fast-math flags of the primal operation,
// without nnan and ninf: a derivative may be infinite where the primal is not.
// It calls library functions where the primal did, and intrinsics elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_RULES_RULES_H
#define PARDIFF_RULES_RULES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
}

namespace pardiff {

/// The rule of one operation: an entry of the table (Rules/Rule.h).
struct Rule;

/// Gives the value of an operand of the operation, or of the operation itself,
/// at the insertion point.
using ValueFn = llvm::function_ref<llvm::Value *(llvm::Value *)>;

/// The rule for I, or null if there is none. Knows operations by opcode,
/// intrinsic or the name and signature of a library function (sin, sinf, sinl).
/// A call with the attribute nobuiltin, or of a function that is defined here,
/// has no rule.
const Rule *findRule(const llvm::Instruction &I);

/// True if Call is of a function in the table: it is free of side effects but
/// for errno and signgam.
bool isMathFunction(const llvm::CallInst &Call);

/// The instruction whose operands a rule speaks of: I itself, or where I takes
/// a field out of the result of a call that has a rule for it (sincos), the
/// call.
const llvm::Instruction &getOperation(const llvm::Instruction &I);

/// The table's name for the operation ("exp").
llvm::StringRef getRuleName(const Rule &R);

/// How to call I in a message: opcode, or the name of the function called.
std::string describeOperation(const llvm::Instruction &I);

/// The refusal of an operation that would need a rule and has none.
llvm::Error refuseWithoutRule(const llvm::Instruction &I);

/// True if the partial derivative with respect to operand Op is zero
/// everywhere, or is taken for zero (conditions, comparisons, rounding).
bool isZeroPartial(const Rule &R, const llvm::Instruction &I, unsigned Op);

/// True if the adjoint of operand Op needs the value of operand Other / of the
/// result.
bool needsOperand(const Rule &R, const llvm::Instruction &I, unsigned Op,
                  unsigned Other);
bool needsResult(const Rule &R, const llvm::Instruction &I, unsigned Op);

/// Emits the adjoint contribution to operand Op of I: (d result / d operand) *
/// Seed. Returns null if the derivative is identically zero.
llvm::Value *emitAdjoint(const Rule &R, const llvm::Instruction &I, unsigned Op,
                         llvm::Value *Seed, llvm::IRBuilderBase &B,
                         ValueFn Value);

/// True if the partial derivative with respect to Op is 1 or 0, by a condition
/// (select, fmin, fmax). Such an operation chooses a value; what was not chosen
/// may be infinite, so a caller that keeps conditions apart from seeds (Body)
/// does not multiply it by zero.
bool isGate(const Rule &R, const llvm::Instruction &I, unsigned Op);

/// Emits the condition of a gate: the seed flows to operand Op where it is
/// true, or where it is false if the gate is inverted. The gates of one
/// operation that are inverted and not have the same condition.
bool isGateInverted(const Rule &R, const llvm::Instruction &I, unsigned Op);
llvm::Value *emitGate(const Rule &R, const llvm::Instruction &I, unsigned Op,
                      llvm::IRBuilderBase &B, ValueFn Value);

/// Emits the tangent of I from those of its operands (null: zero); null if
/// zero.
llvm::Value *emitTangent(const Rule &R, const llvm::Instruction &I,
                         llvm::ArrayRef<llvm::Value *> OperandTangents,
                         llvm::IRBuilderBase &B, ValueFn Value);

/// The fast-math flags that code derived from I may have.
llvm::FastMathFlags getDerivedFlags(const llvm::Instruction &I);

/// The function that derivatives in module M call as they call F elsewhere: a
/// declaration of F, or one of the functions that this component emits (for the
/// derivative of lgamma, say), defined in M.
llvm::FunctionCallee getFunctionIn(llvm::Module &M, const llvm::Function &F);

/// The names in the table: one line for each operation, the name of the rule
/// first, then opcodes, intrinsics and library functions.
void printRules(llvm::raw_ostream &OS);

} // namespace pardiff

#endif // PARDIFF_RULES_RULES_H
