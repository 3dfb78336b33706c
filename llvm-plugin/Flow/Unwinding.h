//===- Flow/Unwinding.h - Exceptions that leave a forward sweep -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_UNWINDING_H
#define PARDIFF_FLOW_UNWINDING_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace pardiff {

/// True if an exception may leave F, as far as it and the functions that it
/// calls tell.
bool mayThrow(const llvm::Function &F);

/// Makes all exceptions that leave the forward sweep of F, which ends at Turn,
/// pass through a resume in F.
void catchExceptions(llvm::Function &F, const llvm::Instruction &Turn);

/// Calls Emit in front of each resume in F.
void beforeResumes(llvm::Function &F,
                   llvm::function_ref<void(llvm::IRBuilder<> &)> Emit);

} // namespace pardiff

#endif // PARDIFF_FLOW_UNWINDING_H
