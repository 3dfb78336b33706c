//===- Tape/Versions.h - Names for the values of a program ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A version is a name for a value: "S:w0"[j] is what write 0 of S(j) stored,
// "in:A"[e] is what element e of A held before the nest. Two reads with equal
// versions read equal values. A statement that only copies what it reads makes
// no version of its own: it forwards that of its read. (Where copies chain up
// too far one value has two names, which costs storage, never correctness.)
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_VERSIONS_H
#define PARDIFF_TAPE_VERSIONS_H

#include "Tape/BodyFacts.h"
#include "Tape/Dataflow.h"
#include "llvm/ADT/DenseMap.h"

namespace pardiff {

/// Tuple names of versions: what write W of an instance of S wrote, and what an
/// element of A held before the nest. isl reads a name as an identifier and
/// drops what follows one, so names are identifiers.
std::string nameOfWrite(const Statement &S, unsigned W);
std::string nameOfLiveIn(const Array &A);

class Versions {
public:
  Versions(const Program &P, const Dataflow &D) : P(P), D(D) {}

  /// { S[i] -> version } for read R; null on an isl error.
  isl::union_map ofRead(const Statement &S, unsigned R);
  /// The same for the value that write W stores; an Accumulate's is the sum.
  isl::union_map ofWrite(const Statement &S, unsigned W);

  const ResultFacts &getFacts(const Statement &S, unsigned W);

  /// { version -> element of A } for the versions that A still holds when the
  /// program ends; null on an isl error.
  isl::union_map getFinalPlaces(const Array &A);

  /// True if every version in the range of M is from before the nest.
  static bool areLiveIn(const isl::union_map &M);

private:
  isl::union_map read(const Statement &S, unsigned R, unsigned Depth);
  isl::union_map write(const Statement &S, unsigned W, unsigned Depth);

  const Program &P;
  const Dataflow &D;
  llvm::DenseMap<Dataflow::Key, ResultFacts> Facts;
  llvm::DenseMap<Dataflow::Key, isl::union_map> Reads;
  llvm::DenseMap<const Array *, isl::union_map> Places;
  isl::union_set Written;
};

} // namespace pardiff

#endif // PARDIFF_TAPE_VERSIONS_H
