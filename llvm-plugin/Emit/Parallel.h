//===- Emit/Parallel.h - Parallel loops with OpenMP -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_PARALLEL_H
#define PARDIFF_EMIT_PARALLEL_H

#include "Emit/LoopGen.h"
#include "llvm/Frontend/OpenMP/OMPIRBuilder.h"

namespace pardiff {

/// Emits parallel regions into one function.
class ParallelGen {
public:
  explicit ParallelGen(llvm::Function &F);

  /// True if Region, a Parallel, has a loop to share.
  static bool isWorthwhile(const AstNode &Region);
  /// True if threads share the iterations of Node in a region of that level.
  static bool isShared(const AstNode &Node, unsigned Level);

  /// Emits Node, a Parallel, as one parallel region at B, the end of an open
  /// block.
  void emitRegion(const AstNode &Node, LoopGen &Gen, llvm::IRBuilder<> &B);

  /// Outlines the regions.
  void finalize();

private:
  llvm::Function &F;
  llvm::OpenMPIRBuilder OMP;
  bool Used = false;

  using InsertPoint = llvm::OpenMPIRBuilder::InsertPointTy;
  void emitThreads(const AstNode &Node, llvm::Value *IsLarge, LoopGen &Gen,
                   llvm::IRBuilder<> &B);
  void emitShared(const AstNode &Node, unsigned Level, LoopGen &Gen,
                  llvm::IRBuilder<> &B, InsertPoint AllocaIP);
  void emitLoop(const AstNode &Node, unsigned Level, LoopGen &Gen,
                llvm::IRBuilder<> &B, InsertPoint AllocaIP);
};

} // namespace pardiff

#endif // PARDIFF_EMIT_PARALLEL_H
