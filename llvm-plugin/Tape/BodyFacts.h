//===- Tape/BodyFacts.h - What a planner asks about a body ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions about one result of a statement's body (Nest/Program.h): which
// reads it is a function of, whether it is a plain copy, and how much it costs
// to compute it again.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_BODYFACTS_H
#define PARDIFF_TAPE_BODYFACTS_H

#include "Nest/Program.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>

namespace pardiff {

/// What one result of a body is made of.
struct ResultFacts {
  llvm::SmallBitVector
      Reads; ///< reads whose value it uses, for whatever purpose
  bool UsesIterators = false;
  /// Operations to compute it, in units of an addition.
  unsigned Cost = 0;
  /// Set if the result is exactly the value of this read.
  std::optional<unsigned> CopyOf;
};

/// Facts about result Field of the body of S.
ResultFacts getResultFacts(const Statement &S, unsigned Field);

} // namespace pardiff

#endif // PARDIFF_TAPE_BODYFACTS_H
