//===- Tape/Dataflow.h - Which instance wrote each value --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_DATAFLOW_H
#define PARDIFF_TAPE_DATAFLOW_H

#include "Nest/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// Exact dataflow of a program (isl flow). Instances are named by their
/// statement. Every read and write of every statement has an entry in each
/// table, also those of statements that never run.
struct Dataflow {
  /// A read or write of a statement, by its index in Reads or Writes.
  using Key = std::pair<const Statement *, unsigned>;

  /// For read K of S: union of { Writer[j] -> S[i] } over must-writers, one
  /// entry for each (S, K). The writer's written access is known by statement
  /// and index.
  struct Source {
    const Statement *Writer;
    unsigned Write;
    isl::map Map; ///< Writer[j] -> S[i]
  };
  struct ReadFlow {
    llvm::SmallVector<Source, 2> Sources;
    isl::set LiveIn; ///< instances of S whose value comes from outside
  };
  llvm::DenseMap<Key, ReadFlow> Reads;
  /// For write K of S, an Accumulate: where the value that it adds to comes
  /// from.
  llvm::DenseMap<Key, ReadFlow> Accumulates;
  /// Instances of S after whose read K the element is overwritten in the
  /// program, by the same instance or a later one.
  llvm::DenseMap<Key, isl::set> ReadOverwritten;
  /// Instances of S whose write K is overwritten later.
  llvm::DenseMap<Key, isl::set> WriteOverwritten;

  /// True if write K of S goes to an array that ends with the nest, and no read
  /// sees it.
  bool isDead(const Statement &S, unsigned K) const;
};
llvm::Expected<Dataflow> computeDataflow(const Program &P);

/// What holds without a look at subscripts: any write to an array may be the
/// source of any read of it, and each may overwrite what was there. For nests
/// in which exact dataflow is too much work. Not for planTape.
Dataflow assumeAllFlows(const Program &P);

} // namespace pardiff

#endif // PARDIFF_TAPE_DATAFLOW_H
