//===- Body/Body.h - Derivatives of pure functions --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body is a pure function without memory: a statement's computation. This
// component differentiates bodies on the rule table, composes them and takes
// them apart.
//
// Form of a body: one block of straight-line code (conditions are selects) that
// returns a literal struct, one field for each result. It reads and writes no
// memory, cannot throw and returns always; so calls of library functions in it
// are free of side effects by contract, whatever their declarations say
// (errno).
//
// "Reads" are the leading arguments of a body; further arguments (iterators,
// parameters) carry no derivative.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_BODY_BODY_H
#define PARDIFF_BODY_BODY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <vector>

namespace llvm {
class PassBuilder;
}

namespace pardiff {

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

/// The vector-Jacobian product of a body with NumReads leading arguments, other
/// arguments X (iterators, parameters) and m results.
struct Vjp {
  /// (reads..., X..., results (m)..., seeds (m)...) -> { adjoint of read }, one
  /// field for each entry of ActiveReads, all of the read's type. A result
  /// argument is used instead of computing the value again only where
  /// KnownResults has its bit.
  llvm::Function *Fn = nullptr;
  llvm::SmallVector<unsigned, 4> ActiveReads;
  /// What Fn really uses: a read that is not used need not be kept.
  llvm::SmallBitVector UsesRead, UsesResult;
  /// Zero[a][w]: adjoint a does not depend on seed w. Identity[a][w]: adjoint a
  /// is exactly seed w (then Zero for all others). Indexed as ActiveReads.
  std::vector<llvm::SmallBitVector> Zero, Identity;
};

/// Differentiates Body with respect to ActiveReads, which are floating point.
/// SeedMask: results that carry a seed; the seeds of others count as zero.
/// KnownResults: results whose value the caller can supply. The new function is
/// added to Body's module. Refuses with NoRule where an operation between an
/// active read and a seeded result has no rule.
///
/// What a select (or fmin, fmax) does not choose is not differentiated: a value
/// that is infinite or NaN there leaves no trace in the gradient.
llvm::Expected<Vjp> buildVjp(llvm::Function &Body, unsigned NumReads,
                             llvm::ArrayRef<unsigned> ActiveReads,
                             const llvm::SmallBitVector &SeedMask,
                             const llvm::SmallBitVector &KnownResults);

/// The Jacobian-vector product of a body, forward mode:
/// (reads..., X..., tangents of ActiveReads...) -> { tangent of each result },
/// zero for results that are not floating point. Refuses with NoRule where an
/// operation that depends on an active read has no rule.
llvm::Expected<llvm::Function *> buildJvp(llvm::Function &Body,
                                          llvm::ArrayRef<unsigned> ActiveReads);

/// [w][k]: true if result w depends on read k in a way that a derivative sees
/// (not only through a comparison, a rounding or the like). What has no rule
/// counts as dependent. For activity analysis.
std::vector<llvm::SmallBitVector>
getDerivativeDependence(const llvm::Function &Body, unsigned NumReads);

//===----------------------------------------------------------------------===//
// Taking apart and putting together
//===----------------------------------------------------------------------===//

/// Number of results of a body.
unsigned getNumResults(const llvm::Function &Body);

/// The value of result Field within the body: an argument, a constant or an
/// instruction, seen through the construction of the struct. A body that builds
/// its struct in an unusual way gets an extractvalue in front of its return.
llvm::Value *getResult(llvm::Function &Body, unsigned Field);

/// True if F has the form described at the head of this file. Says why not on
/// OS.
bool isBody(const llvm::Function &F, llvm::raw_ostream *OS = nullptr);

/// A copy of F that returns only the given fields, cleaned (dead code, constant
/// folding, common subexpressions). The arguments stay as they are.
llvm::Function *selectResults(llvm::Function &F,
                              llvm::ArrayRef<unsigned> Fields);

/// True if F's code uses argument A.
bool usesArgument(const llvm::Function &F, unsigned A);

/// Simplifies a body in place: instruction simplification, CSE, dead code.
/// Marks library calls and the body itself as free of side effects.
void simplifyBody(llvm::Function &F);

/// Clones the one block of F before the insertion point with its arguments
/// replaced; returns the values of the fields of its result. F may be in
/// another module: the functions that it calls are declared where the builder
/// stands. Debug locations become the builder's.
llvm::SmallVector<llvm::Value *, 4>
inlineBody(llvm::Function &F, llvm::ArrayRef<llvm::Value *> Args,
           llvm::IRBuilderBase &B);

/// Where an argument of a composed function comes from.
struct ArgSource {
  enum Kind {
    Argument, ///< argument Index of the new function
    Result,   ///< result Index of Inner, whose arguments come from InnerArgs
    Computed  ///< what Compute emits from the new function's arguments
  };
  using ComputeFn = std::function<llvm::Value *(
      llvm::IRBuilderBase &, llvm::ArrayRef<llvm::Value *> Args)>;

  Kind How = Argument;
  unsigned Index = 0;
  llvm::Function *Inner = nullptr;
  std::vector<ArgSource> InnerArgs;
  ComputeFn Compute;

  static ArgSource argument(unsigned Index);
  static ArgSource result(llvm::Function &Inner, unsigned Field,
                          std::vector<ArgSource> InnerArgs);
  static ArgSource computed(ComputeFn Compute);
};

/// A new body with the given arguments and Outer's results, in which each
/// argument of Outer comes from its source. Cleaned: equal computations are
/// shared, unused ones are gone.
///
/// This is how values are recomputed in the reverse sweep (KeptValue::Recompute
/// in Tape/Plan.h). For a function Outer of statement S, e.g. Vjp::Fn, whose
/// read k is result Write of Producer at Instance, the new function takes what
/// is kept of the producer's reads instead of read k, and
///     Sources[k] = result(*Producer->Body, Write, { for each read of Producer:
///     its place among the new arguments, or again a result(...) ; for each of
///     its iterators: computed(the affine function Instance of the new
///     function's iterator arguments) ; for each parameter: argument(...) })
/// and every other source is argument(its new place). A read of the producer
/// that usesArgument(selectResults(Producer, Write), read) denies may be any
/// argument or computed(poison).
llvm::Function *composeBody(llvm::Function &Outer,
                            llvm::ArrayRef<llvm::Type *> ArgTypes,
                            llvm::ArrayRef<ArgSource> Sources,
                            const llvm::Twine &Name);

/// opt -passes='test<pardiff-vjp>' (Passes.cpp).
void registerBodyPasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_BODY_BODY_H
