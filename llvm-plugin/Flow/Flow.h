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

#include "Flow/Calls.h"
#include "llvm/ADT/DenseMap.h"
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
  /// Reverse sweeps that share the forward sweep: lanes, which know nothing of
  /// each other. Each has its seed, its shadows of all memory and its adjoints.
  unsigned Width = 1;
  /// For each parameter of the primal: its shadow pointers, one for each lane;
  /// empty: it has none.
  llvm::SmallVector<Lanes, 8> Shadows;
  /// For each parameter of the primal: a by-value argument with a derivative.
  llvm::SmallVector<bool, 8> Out;
  /// The adjoints of what the primal returns; empty: 1.
  Lanes Seeds;
  /// The primal's value is wanted at the end of the reverse sweep.
  bool NeedPrimal = false;
  /// The calls of pairs in F (Calls.h).
  llvm::SmallVector<PairedCall, 4> Calls;
  /// The arena for their frames (Frames.h); null: F gets one of its own.
  llvm::Value *Arena = nullptr;
  /// The two sweeps become two functions: between them anything may happen to
  /// memory, and pointer parameters have shadows only if these are not null.
  bool IsSplit = false;
  /// Others may add to the shadows at the same time.
  bool IsAtomic = false;
};

/// For each block of a forward sweep one of the reverse sweep that runs if, and
/// only if, that block has run.
using BlockPairs = llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *>;

/// The values that the completed function can return.
struct FlowResult {
  llvm::BranchInst *Turn = nullptr; ///< from the forward sweep to the reverse
  llvm::Instruction *End = nullptr; ///< the ret: insert before it
  BlockPairs ReverseOf;
  /// Split sweeps: the shadows of the pointer that the primal returns, values
  /// of the forward sweep; empty if it returns none.
  Lanes ResultShadows;
  llvm::Value *Primal = nullptr; ///< the primal's value, or null
  llvm::SmallVector<llvm::Value *, 4>
      Adjoints; ///< those of each Out parameter, in order
};

/// Brings a clone into the form that the engine reads: promoted, one return,
/// natural loops with dedicated exits, no critical edges, no switches. In
/// place. IsSplit: see FlowRequest.
void prepareFlow(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 bool IsSplit);

/// Appends the reverse sweep. The function's ret becomes the end of the reverse
/// sweep; what it returns is up to the caller.
llvm::Expected<FlowResult>
appendReverseSweep(const FlowRequest &R, llvm::FunctionAnalysisManager &FAM);

/// What the outermost of the derived functions does when all of them are there:
/// at its end it frees what was freed on the way, and resets the shadows of
/// global variables.
void finishFlow(llvm::Function &G, const FlowResult &Result);

} // namespace pardiff

#endif // PARDIFF_FLOW_FLOW_H
