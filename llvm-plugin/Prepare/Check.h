//===- Prepare/Check.h - What can be prepared at all --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_PREPARE_CHECK_H
#define PARDIFF_PREPARE_CHECK_H

#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace llvm {
class TargetLibraryInfo;
}

namespace pardiff {

/// Refuses constructs that no later step can give a meaning: asked of the
/// function to prepare and of each function that is inlined into it, before
/// anything is done.
llvm::Error checkSource(const llvm::Function &F);

/// Refuses what is left after the canonicalisation and cannot be in a nest:
/// calls that could not be inlined, exceptions, no way to return.
llvm::Error checkPrepared(const llvm::Function &F,
                          const llvm::TargetLibraryInfo &TLI);

} // namespace pardiff

#endif // PARDIFF_PREPARE_CHECK_H
