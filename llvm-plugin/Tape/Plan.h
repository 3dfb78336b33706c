//===- Tape/Plan.h - What is kept for the reverse sweep, and where -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector-Jacobian products of a program's bodies use some values of the
// primal. A TapePlan says for each of them how the reverse sweep gets it: the
// array still holds it, a tape does, or it is computed again.
//
// A tape is indexed by the reader: by iterators of the statement that reads the
// value and by the element, as few of both as tell the versions apart. Values
// of the same versions are then looked up there, wherever that is. Any order of
// the reverse sweep can fetch them.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_PLAN_H
#define PARDIFF_TAPE_PLAN_H

#include "Nest/Program.h"
#include "Tape/Activity.h"
#include "Tape/Choices.h"
#include "Tape/Dataflow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <vector>

namespace pardiff {

/// How the reverse sweep gets a value of a primal instance.
enum class Keep {
  InPlace,  ///< an array still holds it
  Tape,     ///< stored by the forward sweep
  Recompute ///< computed again from values that are kept
};
struct KeptValue {
  Keep How = Keep::InPlace;
  /// InPlace, Tape: S[i] -> element. InPlace: not always the array that was
  /// read; a copy of the value may have survived elsewhere.
  Access From;
  /// Recompute: result Write of Producer's body at instance Instance: S[i] ->
  /// Producer[j]. One affine piece without divisions.
  const Statement *Producer = nullptr;
  unsigned Write = 0;
  isl::map Instance;
  /// The instances of S that are covered: all of them if S's own vjp uses the
  /// value, else those whose results are recomputed.
  isl::set Domain;
};

/// A read or a result of a primal statement whose value is on a tape.
struct TapedValue {
  const Statement *S = nullptr;
  unsigned Index = 0;    ///< in Reads or Writes
  bool IsResult = false; ///< result Index instead of read Index
  isl::map Cell;         ///< S[i] -> [cell], total on S's domain
  /// The first coordinates of the cell: iterators of S.
  llvm::SmallVector<unsigned, 4> Iterators;
  /// The cell is where the tape of another value has the version, or would have
  /// it (MergeTapes.h). Iterators is empty.
  bool HasMoved = false;
};

/// A tape array, and what it holds. Cells are numbered before the shift that
/// makes the array's indices start at zero.
struct Tape {
  Array *Arr = nullptr;
  llvm::SmallVector<TapedValue, 4> Values;
  isl::set Cells; ///< { [cell] }
  isl::map Shift; ///< { [cell] -> Arr[index] }
  /// { [cell] -> version }, see Tape/Versions.h. Null if the cells are the
  /// instances of the statement that stores them.
  isl::union_map Versions;
  bool AllLiveIn = false; ///< every version is from before the nest
  /// Set for a tape of a chain of choices: it holds no values of the primal but
  /// where the chain's last replacement was, and starts as zero.
  const Statement *ChoiceOf = nullptr;
};

/// A statement that computes what a quotient's dividend was: not part of any
/// program, but a producer. Its reads are the divisor and the quotient.
struct InverseStatement {
  Statement S;                   ///< at the instances of Quotient
  const Statement *Of = nullptr; ///< computes the quotient
  unsigned Dividend = 0;         ///< a read of Of
};

/// True if T keeps the value of a guarded access: then it keeps no other.
bool isGuarded(const Tape &T);

/// The reads that the guards of S use.
llvm::SmallBitVector getGuardOperands(const Statement &S);

/// A plan for one program: a value of its own, so that planners can make it.
struct TapePlan {
  /// Key: (statement, read). Every read that some vjp needs has an entry, and
  /// so has every read of a Producer that is needed to recompute. The vjps are
  /// those with respect to all reads of active arrays, with seeds for all
  /// writes of active arrays that are not dead, and the results in Results
  /// known. What a statement's guards use counts as needed by its vjp.
  llvm::DenseMap<Dataflow::Key, KeptValue> Reads;
  /// Key: (statement, write): results whose value the reverse sweep may use
  /// instead of computing it again (output-form partials).
  llvm::DenseMap<Dataflow::Key, KeptValue> Results;
  /// Chains of choices whose adjoint follows their tapes: what it needs of the
  /// statement is that of Choice::Chosen instead of the body.
  llvm::DenseMap<const Statement *, Choice> Choices;
  /// Producers that invert a division.
  std::vector<std::unique_ptr<InverseStatement>> Inverses;
  /// Tapes in the order of their creation; their arrays belong to the nest.
  llvm::SmallVector<Tape, 4> Tapes;
};
llvm::Expected<TapePlan> planTape(const Program &P, const Activity &A,
                                  const Dataflow &D);

/// A plan that asks no more of D than what is overwritten: for nests in which
/// planTape, or exact dataflow, is too much work.
llvm::Expected<TapePlan> planTapeByInstance(const Program &P, const Activity &A,
                                            const Dataflow &D);

/// One line for each kept value, in the order of the program, and for each
/// tape.
void printPlan(const TapePlan &Plan, const Program &P, llvm::raw_ostream &OS);

} // namespace pardiff

#endif // PARDIFF_TAPE_PLAN_H
