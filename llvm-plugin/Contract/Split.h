//===- Contract/Split.h - Two functions from two sweeps ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_SPLIT_H
#define PARDIFF_CONTRACT_SPLIT_H

#include "Flow/Calls.h"
#include "Flow/Flow.h"

namespace pardiff {

/// Moves the two sweeps of G, a function (primal's parameters, shadow of each
/// pointer, adjoint of the result if it has one) that appendReverseSweep
/// completed, into Pair's two functions, which have no body yet, and erases G.
/// Result and ResultShadow: values of the forward sweep, or null. HasSeed: G's
/// last parameter is the adjoint of the result.
llvm::Error splitSweeps(llvm::Function &G, const FlowResult &Flow,
                        llvm::Value *Result, llvm::Value *ResultShadow,
                        bool HasSeed, FlowPair Pair);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_SPLIT_H
