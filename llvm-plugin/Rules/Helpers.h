//===- Rules/Helpers.h - Functions that derivatives call --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this component: functions that no C library has.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_RULES_HELPERS_H
#define PARDIFF_RULES_HELPERS_H

#include "llvm/IR/Function.h"

namespace pardiff {

/// The internal function Name of type Ty -> Ty in M, defined if it was not yet:
///   "digamma"  the derivative of the logarithm of the gamma function
llvm::FunctionCallee getHelper(llvm::Module &M, llvm::StringRef Name,
                               llvm::Type *Ty);

} // namespace pardiff

#endif // PARDIFF_RULES_HELPERS_H
