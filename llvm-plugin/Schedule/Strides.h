//===- Schedule/Strides.h - What a loop does to memory ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_STRIDES_H
#define PARDIFF_SCHEDULE_STRIDES_H

#include "Nest/Program.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace pardiff {

/// How an access moves with one iterator, all others fixed.
enum class Stride { None, Unit, Far };

/// The stride of A along iterator Dim. Dimensions that privatisation added to a
/// shadow do not count: they vanish (contractShadows).
Stride getStride(const Access &A, unsigned Dim);

/// The same where only the leading dimensions in Dropped vanish.
Stride getStride(const Access &A, unsigned Dim,
                 const llvm::SmallBitVector &Dropped);

/// The private dimensions of A that move with iterator Dim.
llvm::SmallBitVector getPrivateDims(const Access &A, unsigned Dim);

/// For each iterator of S the cost of one iteration if its loop were innermost:
/// memory lines touched, in eighths. A private array is one cell only if its
/// iterations are outside.
llvm::SmallVector<unsigned, 4> getStrideCosts(const Statement &S);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_STRIDES_H
