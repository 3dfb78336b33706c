//===- Contract/Split.h - Two functions from two sweeps ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_SPLIT_H
#define PARDIFF_CONTRACT_SPLIT_H

#include "Flow/Flow.h"
#include "llvm/ADT/SmallVector.h"

namespace pardiff {

/// A function that runs a forward sweep and then a reverse sweep.
struct TwoSweeps {
  /// Parameters: the primal's, the shadows of each pointer, the arena for
  /// frames, and NumSeeds adjoints of the result. Its ret ends the reverse
  /// sweep.
  llvm::Function *G = nullptr;
  unsigned NumSeeds = 0;
  llvm::BranchInst *Turn = nullptr; ///< from the forward sweep to the reverse
  /// Blocks of the forward sweep, and those that run them backwards: all, some,
  /// or none of them.
  BlockPairs ReverseOf;
  llvm::Value *Result = nullptr; ///< value of the forward sweep, or null
  Lanes ResultShadows;           ///< values of the forward sweep
  /// Values of the reverse sweep, those of each parameter that holds
  /// floating-point values.
  llvm::SmallVector<llvm::Value *, 4> Adjoints;
  /// A block in the forward sweep that ends in an unreachable, where another
  /// pair, Other, takes over; null if there is none.
  llvm::BasicBlock *Otherwise = nullptr;
  FlowPair Other;
};

/// Moves the two sweeps into Pair's two functions, which have no body yet, and
/// erases G.
llvm::Error splitSweeps(const TwoSweeps &Sweeps, FlowPair Pair);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_SPLIT_H
