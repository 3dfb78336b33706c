//===- Nest/Recover.h - Read an affine nest out of Polly --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_RECOVER_H
#define PARDIFF_NEST_RECOVER_H

#include "Nest/Program.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace llvm {
class PassBuilder;
}

namespace pardiff {

/// When the model is exact. The nest may run only if all of it holds.
struct Conditions {
  /// Parameters for which Polly's assumptions hold, and all extents but the
  /// outermost are positive.
  isl::set Valid;
  /// i1 values in the entry block: preconditions of the Prepare passes.
  llvm::SmallVector<llvm::Value *, 4> Requirements;
  /// Pairs of external arrays, at least one of them written, that alias
  /// analysis cannot tell apart: the ranges that they access must be disjoint.
  llvm::SmallVector<std::pair<Array *, Array *>, 8> MayAlias;
};

/// Smallest and largest index that the program accesses in each dimension of A,
/// as functions of the parameters; null objects where isl cannot tell.
struct AccessRange {
  llvm::SmallVector<isl::pw_aff, 4> Min, Max;
};
AccessRange getAccessRange(const Program &P, const Array &A);

/// A function that is one nest: the model and where it sits in the IR.
struct RecoveredNest {
  std::unique_ptr<Nest> N;
  Program Primal;
  Conditions Cond;
  llvm::BasicBlock *Entry =
      nullptr; ///< ends in an unconditional branch to the body
  llvm::BasicBlock *Body = nullptr; ///< first block of the body
  llvm::BasicBlock *Exit = nullptr; ///< first block behind the body
};

/// Reads the whole body of a prepared function (Prepare/Prepare.h) as one
/// program. Polly's objects are released before it returns; F's entry block
/// gets the values of parameters and extents.
llvm::Expected<RecoveredNest> recoverNest(llvm::Function &F,
                                          llvm::FunctionAnalysisManager &FAM);

/// opt -passes='print<pardiff-nest>' and the verifier as a pass.
void registerNestPasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_NEST_RECOVER_H
