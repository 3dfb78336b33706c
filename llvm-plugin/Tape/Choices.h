//===- Tape/Choices.h - Chains of choices: max, min, last match -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain of choices is a statement that, iteration after iteration, keeps the
// old value of an element or replaces it by another one,
//
//   top = x[j] > top ? x[j] : top
//
// and whose intermediate values nothing else sees. All that its adjoint has to
// know is which iteration made the last replacement: the seed of the final
// value goes there, or to the value before the chain if there was none.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_CHOICES_H
#define PARDIFF_TAPE_CHOICES_H

#include "Nest/Program.h"
#include "Tape/Dataflow.h"
#include "llvm/ADT/DenseMap.h"

namespace pardiff {

/// What write Write of S, which keeps or replaces the value of read Read, does
/// over the instances of S.
struct Choice {
  const Statement *S = nullptr;
  unsigned Read = 0, Write = 0;
  /// S's body, but result Write is the other value whether it is chosen or not:
  /// the derivative of one instance, given that it is.
  llvm::Function *Chosen = nullptr;
  /// (arguments of S's body) -> { i1 }: does the instance replace the value?
  llvm::Function *Replaces = nullptr;
  /// Iterators of S that name the chain, and those that run along it.
  llvm::SmallVector<unsigned, 4> Fixed, Moving;
  isl::map Cell;   ///< S[i] -> [the fixed iterators]
  isl::set Starts; ///< the first instance of each chain
  /// For each moving iterator a tape of its value at the last replacement plus
  /// one, 0 if there was none, at the chain's cell. Empty until the plan
  /// decides for this form.
  llvm::SmallVector<Array *, 2> Tapes;
  isl::map Place; ///< S[i] -> the first tape, and so the others

  isl::map getPlace(const Array &Tape) const;
};

/// The chains of choices of a program. Nothing for those with a property that
/// is not known here.
llvm::DenseMap<const Statement *, Choice> findChoices(const Program &P,
                                                      const Dataflow &D);

} // namespace pardiff

#endif // PARDIFF_TAPE_CHOICES_H
