//===- Contract/Outline.h - Nests inside other control flow -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_OUTLINE_H
#define PARDIFF_CONTRACT_OUTLINE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace pardiff {

/// A part of a function that became a function of its own.
struct OutlinedNest {
  llvm::Function *F = nullptr; ///< without a result; called once
  struct Param {
    /// Nobody writes the memory behind it until the reverse sweep has run.
    bool Lasts = true;
    /// A variable that takes an integer result.
    bool IsIntegerResult = false;
  };
  llvm::SmallVector<Param, 8> Params;
  llvm::DebugLoc Loc;   ///< of the first loop
  std::string Function; ///< the name of the function that it was part of
};

/// Moves the loops of F that are affine nests into functions, as many loops
/// into one as can be: runs of neighbours, outer loops rather than inner ones.
/// F is a clone for the flow engine (promoteClone). IsSplit: anything may
/// happen to memory between the two sweeps of F.
llvm::SmallVector<OutlinedNest, 4>
outlineNests(llvm::Function &F, llvm::ModuleAnalysisManager &MAM, bool IsSplit);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_OUTLINE_H
