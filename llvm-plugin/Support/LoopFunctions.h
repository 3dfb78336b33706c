//===- Support/LoopFunctions.h - Loops inside of a body ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of a number of iterations that depends on data, but without memory,
// like a Newton iteration for each element, is an operation to a nest: a call
// of a function that Prepare moves the loop to. Its result is a struct.
//
// Its derivative is a call of another function, which is only declared until
// Contract defines it. With few arguments it is
//
//   { results..., derivative of each floating-point result by each
//     floating-point argument... }   NAME.jacobian(arguments)
//
// (all derivatives of the first result first), with more arguments
//
//   { adjoint of each floating-point argument }
//       NAME.adjoint(arguments, adjoint of each floating-point result)
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_LOOPFUNCTIONS_H
#define PARDIFF_SUPPORT_LOOPFUNCTIONS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace pardiff {

/// Attributes of the function, and of what derives it.
inline constexpr llvm::StringLiteral LoopFunctionAttribute = "pardiff-loop";
inline constexpr llvm::StringLiteral LoopDerivativeAttribute =
    "pardiff-loop-derivative";

/// The function that V calls if it is one of a loop, or null.
inline llvm::Function *getLoopFunction(const llvm::Value *V) {
  auto *Call = llvm::dyn_cast<llvm::CallBase>(V);
  llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->hasFnAttribute(LoopFunctionAttribute) ? Callee
                                                                 : nullptr;
}

/// True if it is NAME.jacobian that derives a loop's function.
bool hasLoopJacobian(const llvm::Function &LoopFunction);

/// Declares what derives a loop's function, in the same module.
llvm::Function &getLoopDerivative(llvm::Function &LoopFunction);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_LOOPFUNCTIONS_H
