//===- Tape/Plan.h - What is kept for the reverse sweep, and where -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_PLAN_H
#define PARDIFF_TAPE_PLAN_H

#include "Nest/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// Which arrays carry derivatives. Seeds come from the request; analyseActivity
/// completes Active.
struct Activity {
  /// Arrays whose contents at entry depend on the differentiation variables.
  llvm::SmallPtrSet<const Array *, 8> Inputs;
  /// Arrays whose shadow may be non-zero when the reverse sweep begins.
  llvm::SmallPtrSet<const Array *, 8> Outputs;
  /// Floating-point arrays that vary with an input and influence an output at some
  /// point of the program (whole arrays). Result of analyseActivity.
  llvm::SmallPtrSet<const Array *, 8> Active;

  bool isActive(const Array *A) const { return Active.contains(A); }
};

/// Completes A.Active by propagation through the bodies.
llvm::Error analyseActivity(const Program &P, Activity &A);

/// Exact dataflow of a program (isl flow). Instances are named by their statement.
struct Dataflow {
  /// For read K of S: union of { Writer[j] -> S[i] } over must-writers, one entry for
  /// each (S, K). The writer's written access is known by statement and index.
  struct Source {
    const Statement *Writer;
    unsigned Write;
    isl::map Map; ///< Writer[j] -> S[i]
  };
  struct ReadFlow {
    llvm::SmallVector<Source, 2> Sources;
    isl::set LiveIn; ///< instances of S whose value comes from outside
  };
  llvm::DenseMap<std::pair<const Statement *, unsigned>, ReadFlow> Reads;
  /// Instances of S after whose read K the element is overwritten in the program.
  llvm::DenseMap<std::pair<const Statement *, unsigned>, isl::set> ReadOverwritten;
  /// Instances of S whose write K is overwritten later.
  llvm::DenseMap<std::pair<const Statement *, unsigned>, isl::set> WriteOverwritten;
};
llvm::Expected<Dataflow> computeDataflow(const Program &P);

/// How the reverse sweep gets a value of a primal instance.
enum class Keep {
  InPlace,  ///< the array still holds it
  Tape,     ///< stored by the forward sweep
  Recompute ///< computed again from values that are kept
};
struct KeptValue {
  Keep How = Keep::InPlace;
  Access From; ///< InPlace, Tape: S[i] -> element (of the array or the tape)
  /// Recompute: result Write of Producer's body at instance Instance: S[i] -> Producer[j].
  const Statement *Producer = nullptr;
  unsigned Write = 0;
  isl::map Instance;
};

/// A plan for one program: a value of its own, so that planners can make it.
struct TapePlan {
  /// Key: (statement, read). Every read that some vjp needs has an entry, and so has
  /// every read of a Producer that is needed to recompute.
  llvm::DenseMap<std::pair<const Statement *, unsigned>, KeptValue> Reads;
  /// Key: (statement, write): results whose value the reverse sweep may use instead of
  /// computing it again (output-form partials).
  llvm::DenseMap<std::pair<const Statement *, unsigned>, KeptValue> Results;
  /// Tapes, in the order of their creation, as arrays of the nest.
  llvm::SmallVector<Array *, 4> Tapes;
};
llvm::Expected<TapePlan> planTape(const Program &P, const Activity &A, const Dataflow &D);

/// The augmented forward sweep: P with the stores that fill the tapes.
llvm::Expected<Program> buildForward(const Program &P, const TapePlan &Plan,
                                     const Dataflow &D);

} // namespace pardiff

#endif // PARDIFF_TAPE_PLAN_H
