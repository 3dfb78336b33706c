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
// A loop may also read arrays, the memory behind pointers that are parameters
// of its function. In a body such a function is called by the name NAME.model
// and is pure: instead of a pointer it takes a number, that which the statement
// reads of the array's view (Nest/Program.h). It stands for all that the loop
// reads of the array. So what depends on the array, and by what the derivative
// goes to the array's shadow, is seen as with any other operation:
//
//   { adjoint of each floating-point argument, those of arrays too }
//       NAME.model.adjoint(arguments, adjoint of each floating-point result)
//
// Where code is emitted, the functions with pointers take their places:
//
//   { adjoint of each floating-point number }
//       NAME.adjoint...(arguments, shadows of arrays, adjoint of each
//                       floating-point result)
//
// adds to the shadows itself, and nothing if all adjoints of results are zero.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_LOOPFUNCTIONS_H
#define PARDIFF_SUPPORT_LOOPFUNCTIONS_H

#include "llvm/ADT/SmallBitVector.h"
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

/// Attribute of parameters that are arrays, or stand for them.
inline constexpr llvm::StringLiteral LoopArrayAttribute = "pardiff-array";
/// Attribute of a number that a sum begins with, which is a result: the number
/// of that field. The derivative of the one by the other is 1.
inline constexpr llvm::StringLiteral LoopSummandAttribute = "pardiff-summand";
/// Attribute of the function that tells the range of an array (getLoopRange).
inline constexpr llvm::StringLiteral LoopRangeAttribute = "pardiff-loop-range";
/// Attribute of a derivative with atomic additions.
inline constexpr llvm::StringLiteral LoopAtomicAttribute =
    "pardiff-loop-atomic";

/// True if parameter I of a loop's function, or of the one in bodies, is an
/// array.
inline bool isLoopArray(const llvm::Function &LoopFunction, unsigned I) {
  return LoopFunction.getAttributes().hasParamAttr(I, LoopArrayAttribute);
}

/// True if a loop's function reads arrays.
bool readsArrays(const llvm::Function &LoopFunction);

/// The type of all that a loop reads of its array I; null if there are several.
llvm::Type *getLoopElementType(const llvm::Function &LoopFunction, unsigned I);

/// Declares the function by which bodies in M call that of a loop; null if a
/// function of that name has another type.
llvm::Function *declareLoopModel(const llvm::Function &LoopFunction,
                                 llvm::Module &M);

/// The function of the loop, in M, to which a function with LoopModelAttribute
/// belongs.
llvm::Function *findModelled(const llvm::Function &Model, llvm::Module &M);

/// Declares the derivative that adds to the shadows of the arrays in
/// WithShadow, a bit for each parameter.
llvm::Function &getLoopDerivative(llvm::Function &LoopFunction,
                                  const llvm::SmallBitVector &WithShadow,
                                  bool IsAtomic);

/// Attribute of NAME.model and NAME.model.adjoint: NAME.
inline constexpr llvm::StringLiteral LoopModelAttribute = "pardiff-loop-model";
inline bool isLoopModel(const llvm::Function &F) {
  return F.hasFnAttribute(LoopModelAttribute);
}

/// Attribute of a derivative with shadows: their parameters, "0 1 ".
inline constexpr llvm::StringLiteral LoopShadowsAttribute =
    "pardiff-loop-shadows";

/// True if it is NAME.jacobian that derives a loop's function.
bool hasLoopJacobian(const llvm::Function &LoopFunction);

/// Declares what derives a loop's function, in the same module.
llvm::Function &getLoopDerivative(llvm::Function &LoopFunction);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_LOOPFUNCTIONS_H
