//===- Schedule/LoopOptions.h - Loops that statements may share -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level is a set of statements whose outer loops are chosen already: its
// conflicts are those between instances of one iteration of these loops. This
// answers which loop may come next, for one component and for two together.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_LOOPOPTIONS_H
#define PARDIFF_SCHEDULE_LOOPOPTIONS_H

#include "Schedule/Conflicts.h"
#include "Schedule/LoopPlan.h"
#include "llvm/ADT/SmallBitVector.h"
#include <map>
#include <optional>

namespace pardiff {

/// Smallest and largest value of (iterator of T) - (iterator of S) over a
/// relation S -> T; no value where it is not bounded.
struct Distance {
  bool Empty = false;
  std::optional<int64_t> Min, Max;

  bool isConstant() const { return Min && Max && *Min == *Max; }
  Distance negated() const;
  Distance plus(int64_t Offset) const;
};
Distance getDistance(const isl::map &M, unsigned DimS, unsigned DimT);

/// What stays the same for a statement during the search.
struct StatementInfo {
  const Statement *S = nullptr;
  llvm::SmallVector<unsigned, 4> StrideCost;      ///< see getStrideCosts
  llvm::SmallVector<isl::pw_aff, 4> Lower, Upper; ///< of each iterator
  llvm::SmallBitVector Short; ///< iterators that never take 8 values in a row
  unsigned Degree = 0;        ///< number of iterators that are not short
  bool Reduces = false;       ///< see findReductions
  /// Accumulations into arrays that may become private, and the iterators whose
  /// loops they keep from being parallel otherwise (see findArraySums).
  AccessSet ArraySums;
  llvm::SmallBitVector NeedPrivate;

  bool isArraySum(const Access &A) const { return ArraySums.contains(&A); }
};

/// A statement at a level.
struct LevelItem {
  unsigned Stmt = 0;
  llvm::SmallBitVector Used;               ///< iterators with a loop around
  llvm::SmallVector<isl::pw_aff, 6> Outer; ///< its place in these loops
  /// An iterator that is not used yet and runs over a chunk only.
  std::optional<unsigned> Chunked;

  unsigned countFree() const { return Used.size() - Used.count(); }
};

/// A loop that statements may have next.
struct LoopOption {
  LoopShape Shape;
  /// The members' ranges differ at the ends (Level::getCore).
  bool Ragged = false;
  unsigned OuterGain = 0; ///< what is gained by not having it innermost
};

class Level {
public:
  Level(const Program &P, llvm::ArrayRef<StatementInfo> Infos,
        std::vector<LevelItem> Items, std::vector<PairConflict> Pairs)
      : P(P), Infos(Infos), Items(std::move(Items)), Pairs(std::move(Pairs)) {}

  llvm::ArrayRef<LevelItem> getItems() const { return Items; }
  const LevelItem &getItem(unsigned Stmt) const;
  const StatementInfo &getInfo(unsigned Stmt) const { return Infos[Stmt]; }

  /// The level inside of loop L. Keep: L's iterators stay free (L runs over
  /// chunks of iterations that do not conflict).
  Level enter(const LoopShape &L) const;
  /// The same level for some of the statements.
  Level restrictTo(llvm::ArrayRef<unsigned> Stmts) const;

  /// Strongly connected components by ordered conflicts, in an order that
  /// respects them; otherwise as in the program.
  std::vector<llvm::SmallVector<unsigned, 4>> getComponents() const;
  /// True if some instance of S must come before one of T.
  bool mustPrecede(unsigned S, unsigned T) const;

  /// Loops of a component without conflicts between iterations.
  llvm::SmallVector<LoopOption, 4>
  getParallelOptions(llvm::ArrayRef<unsigned> Comp);
  /// Loops of a component that may run one iteration after the other, forward
  /// or reversed.
  llvm::SmallVector<LoopOption, 4>
  getSerialOptions(llvm::ArrayRef<unsigned> Comp);

  /// One loop for both, where all of A's instances that conflict with B's must
  /// come first: shifts B. Parallel: without conflicts between iterations.
  std::optional<LoopOption> join(const LoopOption &A, const LoopOption &B,
                                 bool Parallel);

  /// True if the two ranges differ by a small constant at both ends.
  bool haveNearRanges(const LoopShape &L, const LoopMember &X,
                      const LoopMember &Y) const;
  /// True if all members run over the same iterations in every iteration of the
  /// outer loops.
  bool haveSameRanges(const LoopShape &L) const;
  /// The instances in iterations of L in which all of its members have one;
  /// Rows: those in iterations of the outer loops that have such iterations.
  isl::union_set getCore(const LoopShape &L, isl::union_set &Rows) const;
  /// The instances in iterations of the outer loops in which all members of L
  /// have one, be it in different iterations of L.
  isl::union_set getCommonRows(const LoopShape &L) const;
  /// True if the iterations of L could run at once, apart from sums of one
  /// statement into one element: what a vectorizer wants.
  bool isVectorLoop(const LoopOption &L);
  /// True if the statements access an array in common.
  bool shareArray(unsigned S, unsigned T) const;

private:
  enum class Which { Any, Before, After };
  Distance distance(unsigned Pair, Which W, unsigned DimS, unsigned DimT);
  std::vector<llvm::SmallVector<LoopMember, 4>>
  getCommonLoops(llvm::ArrayRef<unsigned> Comp) const;
  bool alignToZero(llvm::ArrayRef<unsigned> Comp,
                   llvm::SmallVectorImpl<LoopMember> &Members);
  bool isLegalSerial(const LoopShape &L);
  unsigned getOuterGain(llvm::ArrayRef<LoopMember> Members) const;
  isl::map getPlace(const LoopShape &L, const LoopMember &M) const;

  const Program &P;
  llvm::ArrayRef<StatementInfo> Infos;
  std::vector<LevelItem> Items; ///< sorted by statement
  std::vector<PairConflict> Pairs;
  std::map<std::tuple<unsigned, Which, unsigned, unsigned>, Distance> Distances;
};

/// Everything the search wants to know of the statements beforehand.
std::vector<StatementInfo> getStatementInfos(const Program &P);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_LOOPOPTIONS_H
