//===- Tape/TapeIndex.h - By what a tape is indexed -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that reader S(i) finds in element e gets the tape cell [q, d], where
// q is a subset of i and d a subset of e, both as small as possible so that a
// cell has one version. No iterator: a snapshot. All of them: one cell for each
// instance.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_TAPEINDEX_H
#define PARDIFF_TAPE_TAPEINDEX_H

#include "Nest/Program.h"
#include "llvm/ADT/SmallVector.h"

namespace pardiff {

/// A subset of a statement's iterators and of an element's dimensions.
struct TapeIndex {
  llvm::SmallVector<unsigned, 4> Iterators, Elements;

  bool operator==(const TapeIndex &O) const {
    return Iterators == O.Iterators && Elements == O.Elements;
  }
};

/// A way to index the versions of one value.
struct IndexedValue {
  TapeIndex Index;
  isl::map Cell;         ///< S[i] -> [cell]
  isl::set Cells;        ///< range of Cell
  unsigned FreeDims = 0; ///< dimensions of more than one index
  double Size = 0;       ///< cells of the box at sample parameters
};

/// Finds the index of a value of S with the given versions (S[i] -> version) in
/// the given elements (S[i] -> A[e]). A null Cell: isl failed.
IndexedValue chooseIndex(const Statement &S, const isl::map &Element,
                         const isl::union_map &Versions);

/// The value with the given index, if it tells the versions apart, also
/// together with those of another value (Other: [cell] -> version; may be
/// null). Else a null Cell.
IndexedValue tryIndex(const Statement &S, const isl::map &Element,
                      const isl::union_map &Versions, const TapeIndex &Index,
                      const isl::union_map &Other);

/// Number of points of the smallest box around a set when all parameters are
/// about 100: for comparing alternatives only. UnknownSize if there is none.
inline constexpr double UnknownSize = 1e30;
double estimateBox(const isl::set &Set);

/// The smallest box around Cells as extents, and the shift that lets its
/// indices start at zero, into tuple Name. False: isl failed.
bool makeShape(const isl::set &Cells, const isl::set &Context,
               llvm::StringRef Name, llvm::SmallVectorImpl<isl::pw_aff> &Shape,
               isl::map &Shift);

/// True if M is one affine piece on its domain; without divisions if NoDivs.
bool isOnePiece(const isl::map &M, bool NoDivs);

} // namespace pardiff

#endif // PARDIFF_TAPE_TAPEINDEX_H
