//===- Request/Overloads.h - Rules by the names of functions ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++ functions in the namespace pardiff::derivatives are rules: for a function
// n::f of whatever kind that namespace has
//
//   n::f_derivative                 forward mode
//   n::f_augmented, n::f_reverse    reverse mode
//
// with the parameters that registrations ask for (Request/Register.h). If f has
// no pointers, f itself may be its augmented function. Which of several
// functions of one name a rule serves is told by the types: those parameters of
// the rule that are no shadows or tangents must be written like the function's.
// A function with C linkage has no types in its name; there those of LLVM must
// fit.
//
// Functions that are passed structures by value, return them through memory, or
// whose names are not identifiers have no rules of this kind.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_OVERLOADS_H
#define PARDIFF_REQUEST_OVERLOADS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <string>

namespace pardiff {

/// True if F is in the namespace of rules.
bool isOverload(const llvm::Function &F);

/// A rule and the function that it serves.
struct Overload {
  llvm::Function *Primal = nullptr;
  /// The derivative; or the augmented function and the reverse function.
  llvm::SmallVector<llvm::Function *, 2> Parts;
  bool IsGradient = false;
};

/// A rule that serves nothing, and why.
struct WrongOverload {
  llvm::Function *Rule = nullptr;
  std::string Why;
};

/// Finds the rules of M, in its order.
llvm::SmallVector<Overload, 4>
findOverloads(llvm::Module &M, llvm::SmallVectorImpl<WrongOverload> &Wrong);

} // namespace pardiff

#endif // PARDIFF_REQUEST_OVERLOADS_H
