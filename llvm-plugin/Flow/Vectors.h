//===- Flow/Vectors.h - Vector operations without a rule --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_VECTORS_H
#define PARDIFF_FLOW_VECTORS_H

#include "llvm/IR/Function.h"

namespace pardiff {

/// Rewrites reductions of floating-point vectors as scalar operations.
void lowerReductions(llvm::Function &F);

} // namespace pardiff

#endif // PARDIFF_FLOW_VECTORS_H
