//===- Flow/LargeBlocks.h - Compile time of large blocks --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_LARGEBLOCKS_H
#define PARDIFF_FLOW_LARGEBLOCKS_H

#include "llvm/IR/Function.h"

namespace pardiff {

/// Takes very large blocks of F apart, in a way that LLVM does not undo.
void splitLargeBlocks(llvm::Function &F);

} // namespace pardiff

#endif // PARDIFF_FLOW_LARGEBLOCKS_H
