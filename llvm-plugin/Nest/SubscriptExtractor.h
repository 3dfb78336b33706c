//===- Nest/SubscriptExtractor.h - Subscripts read from memory --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a view (Nest/Program.h) of what a gather reads: the subscript as a
// function of the iterators that it depends on, which are the indices of the
// view. The indices of a range are all iterators: each call of the loop reads
// an element of its own.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_SUBSCRIPTEXTRACTOR_H
#define PARDIFF_NEST_SUBSCRIPTEXTRACTOR_H

#include "Nest/PendingBody.h"
#include "Nest/ScopReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace pardiff {

/// A view whose subscript function does not exist yet.
struct PendingView {
  explicit PendingView(llvm::LLVMContext &C) : Body(C) {}
  PendingBody Body;
  Array *Arr = nullptr;
  llvm::SmallVector<Array *, 2> Arrays;
  llvm::SmallVector<unsigned, 4> Indices; ///< iterators of the statement
};

/// An access of a statement to a view.
struct ViewAccess {
  Array *Arr = nullptr;
  llvm::SmallVector<unsigned, 4> Indices;
  isl::map getRelation(const isl::set &Domain) const;
};

class SubscriptExtractor {
public:
  SubscriptExtractor(ScopReader &R, polly::ScopStmt &Stmt) : R(R), Stmt(Stmt) {}
  llvm::Expected<ViewAccess> extract(llvm::CallInst &Gather);
  /// What the call of a loop's function reads of array Param, a range
  /// (Nest/LoopArrays.h).
  llvm::Expected<ViewAccess> extractRange(llvm::CallInst &Call, unsigned Param);

private:
  llvm::Error fill(PendingView &V, llvm::CallInst &Gather);
  llvm::Error fillRange(PendingView &V, llvm::CallInst &Call,
                        llvm::Function &Range);
  llvm::Expected<llvm::Value *> emit(llvm::Value *V, PendingView &View,
                                     llvm::IRBuilder<> &B);
  llvm::Expected<llvm::Value *>
  emitLoad(llvm::LoadInst &Load, PendingView &View, llvm::IRBuilder<> &B);

  ScopReader &R;
  polly::ScopStmt &Stmt;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Values;
};

} // namespace pardiff

#endif // PARDIFF_NEST_SUBSCRIPTEXTRACTOR_H
