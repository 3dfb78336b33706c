//===- Tape/Inverse.h - Values that a division can give back ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax divides its exponentials by their sum, in place. What the reverse
// sweep needs, the exponential, is gone then, but it is the product of two
// values that the reverse sweep has anyway.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_INVERSE_H
#define PARDIFF_TAPE_INVERSE_H

#include "Nest/Program.h"
#include "Tape/Dataflow.h"
#include <optional>

namespace pardiff {

/// How to have a result again: it is read Dividend of Of, whose result
/// Quotient is Dividend / Divisor.
struct Inversion {
  const Statement *Of = nullptr;
  unsigned Dividend = 0, Divisor = 0, Quotient = 0;
  isl::map Instance; ///< instance that wrote the value -> instance of Of
};

/// A division that determines result W of S at all of its instances, if its
/// fast-math flags allow to assume so: no rounding that matters (reassoc), no
/// infinite or undefined values (nnan, ninf).
std::optional<Inversion> findInversion(const Program &P, const Dataflow &D,
                                       const Statement &S, unsigned W);

/// (divisor, quotient, iterators, parameters of Of's body) -> { dividend }.
llvm::Function *buildInverse(const Inversion &I);

} // namespace pardiff

#endif // PARDIFF_TAPE_INVERSE_H
