//===- Body/Body.h - Derivatives of pure functions -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body is a pure function without memory: a statement's computation. This component
// differentiates bodies on the rule table, composes them and takes them apart.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_BODY_BODY_H
#define PARDIFF_BODY_BODY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// The vector-Jacobian product of a body with NumReads leading arguments, other
/// arguments X (iterators, parameters) and m results.
struct Vjp {
  /// (reads..., X..., results (m)..., seeds (m)...) -> { adjoint of read }, one field
  /// for each entry of ActiveReads, all of the read's type. A result argument is
  /// used instead of computing the value again only where KnownResults has its bit.
  llvm::Function *Fn = nullptr;
  llvm::SmallVector<unsigned, 4> ActiveReads;
  /// What Fn really uses: a read that is not used need not be kept.
  llvm::SmallBitVector UsesRead, UsesResult;
  /// Zero[a][w]: adjoint a does not depend on seed w. Identity[a][w]: adjoint a is
  /// exactly seed w (then Zero for all others).
  std::vector<llvm::SmallBitVector> Zero, Identity;
};

/// Differentiates Body (results are a literal struct) with respect to ActiveReads.
/// SeedMask: results that carry a seed; the seeds of others count as zero.
/// The new function is added to Body's module. Refuses with NoRule.
llvm::Expected<Vjp> buildVjp(llvm::Function &Body, unsigned NumReads,
                             llvm::ArrayRef<unsigned> ActiveReads,
                             const llvm::SmallBitVector &SeedMask,
                             const llvm::SmallBitVector &KnownResults);

/// A copy of F that returns only the given fields, cleaned (dead code, constant
/// folding, common subexpressions). The arguments stay as they are.
llvm::Function *selectResults(llvm::Function &F, llvm::ArrayRef<unsigned> Fields);

/// True if F's code uses argument A.
bool usesArgument(const llvm::Function &F, unsigned A);

/// Simplifies a body in place: instruction simplification, CSE, dead code.
void simplifyBody(llvm::Function &F);

/// Clones the one block of F before the insertion point with its arguments replaced;
/// returns the values of the fields of its result.
llvm::SmallVector<llvm::Value *, 4> inlineBody(llvm::Function &F,
                                               llvm::ArrayRef<llvm::Value *> Args,
                                               llvm::IRBuilderBase &B);

} // namespace pardiff

#endif // PARDIFF_BODY_BODY_H
