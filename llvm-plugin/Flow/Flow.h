//===- Flow/Flow.h - Reverse mode over any control flow ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The flow engine differentiates what is no affine nest: branches on data,
// loops with unknown trip counts, pointers in memory. It appends a reverse
// sweep to a function whose blocks are the forward sweep.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_FLOW_H
#define PARDIFF_FLOW_FLOW_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// What the flow engine is told of a function.
struct FlowRequest {
  /// The function: its blocks are the primal's, in the form of prepareFlow; it
  /// may have parameters behind those of the primal.
  llvm::Function *F = nullptr;
  /// The value the primal returns; null if none.
  llvm::Value *Returned = nullptr;
  /// For each parameter of the primal: the shadow pointer, or null.
  llvm::SmallVector<llvm::Value *, 8> Shadows;
  /// For each parameter of the primal: a by-value argument with a derivative.
  llvm::SmallVector<bool, 8> Out;
};

/// The values that the completed function can return.
struct FlowResult {
  llvm::Instruction *End = nullptr; ///< the ret: insert before it
  llvm::Value *Primal = nullptr;    ///< the primal's value, or null
  llvm::SmallVector<llvm::Value *, 4>
      Adjoints; ///< one for each Out parameter, in order
};

/// Brings a clone into the form that the engine reads: promoted, one return,
/// natural loops with dedicated exits, no critical edges, no switches. In
/// place.
void prepareFlow(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Appends the reverse sweep. The function's ret becomes the end of the reverse
/// sweep; what it returns is up to the caller.
llvm::Expected<FlowResult>
appendReverseSweep(const FlowRequest &R, llvm::FunctionAnalysisManager &FAM);

} // namespace pardiff

#endif // PARDIFF_FLOW_FLOW_H
