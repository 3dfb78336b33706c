//===- Schedule/Conflicts.h - Which instances may not change order *- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two instances conflict if they access one element and not both only read it.
// If both only accumulate into it they exclude each other, in either order: the
// sum is the same up to rounding, and the order is still fixed at compile time.
// Any other conflict is ordered.
//
// The relations hold all pairs, not only the nearest ones, so that a relation
// between two statements says on its own what may be done with them.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_CONFLICTS_H
#define PARDIFF_SCHEDULE_CONFLICTS_H

#include "Nest/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace pardiff {

/// The conflicts of statements S and T, S <= T. All relations map instances of
/// S to instances of T, whichever comes first.
struct PairConflict {
  unsigned S = 0, T = 0; ///< indices in Program::Statements
  isl::map Any; ///< all conflicts; for S == T both directions, and maybe S(i)
                ///< with itself
  isl::map Before; ///< ordered, S's instance first
  isl::map After;  ///< ordered, T's instance first; for S == T empty

  bool isNull() const {
    return Any.is_null() || Before.is_null() || After.is_null();
  }
};

using AccessSet = llvm::SmallSetVector<const Access *, 8>;

/// All pairs with a conflict, sorted by (S, T). A null relation among them
/// means that isl gave up. Free: accumulations that do not exclude each other.
/// Only: the arrays to look at; empty: all.
std::vector<PairConflict>
computeConflicts(const Program &P, const AccessSet &Free = {},
                 llvm::ArrayRef<const Array *> Only = {});

/// { S[i] -> T[j] : A(i) = B(j) }, and the same with < and >. A and B are
/// one-dimensional.
isl::map whereEqual(isl::pw_aff A, isl::pw_aff B);
isl::map whereLess(isl::pw_aff A, isl::pw_aff B);
isl::map whereGreater(isl::pw_aff A, isl::pw_aff B);

/// The coordinates of a single-valued map, one function for each.
std::vector<isl::pw_aff> getCoordinates(const isl::map &M);

/// True if M is known to be empty.
inline bool isEmpty(const isl::map &M) { return M.is_empty().is_true(); }

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_CONFLICTS_H
