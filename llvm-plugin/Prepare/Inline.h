//===- Prepare/Inline.h - Inline every callee into one function ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_PREPARE_INLINE_H
#define PARDIFF_PREPARE_INLINE_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// Inlines into F, and into no other function, every call of a function that is
/// defined here. See Inline.cpp for the conditions. Calls that cannot be
/// inlined stay; constructs in a callee that no later step can treat are
/// refused.
/// KeepRecursive: calls of functions that call themselves, and of those past
/// the limit on the size of F, stay; else they are refused.
llvm::Error inlineCalls(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                        bool KeepRecursive = false);

} // namespace pardiff

#endif // PARDIFF_PREPARE_INLINE_H
