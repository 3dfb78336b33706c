//===- Schedule/LoopPlan.h - Loops that were chosen -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of the search, before it becomes an isl schedule tree: loops,
// sequences and statements.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_LOOPPLAN_H
#define PARDIFF_SCHEDULE_LOOPPLAN_H

#include "Nest/Program.h"
#include "Schedule/Schedule.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace pardiff {

/// A statement in a loop: iteration x of the loop runs the instances whose
/// iterator Dim is at +-Dim + Shift = x.
struct LoopMember {
  unsigned Stmt = 0;
  unsigned Dim = 0;
  int64_t Shift = 0;
};

/// One loop and how its members lie in it.
struct LoopShape {
  llvm::SmallVector<LoopMember, 4> Members;
  bool Reversed = false; ///< counts -Dim
  unsigned Chunk = 0;    ///< iterations are chunks of so many of x; 0: x itself
  /// Chunks are dealt out to so many iterations in turn; 0: each is one.
  unsigned Copies = 0;

  const LoopMember *find(unsigned Stmt) const {
    for (const LoopMember &M : Members)
      if (M.Stmt == Stmt)
        return &M;
    return nullptr;
  }
};

struct PlanNode {
  enum class Kind {
    Statement, ///< one statement, all its iterators are fixed by loops around
    Sequence,  ///< the children, one after the other
    Loop,      ///< one child
    Original   ///< the statements in the order of the program
  };
  Kind K = Kind::Sequence;
  llvm::SmallVector<unsigned, 4> Stmts; ///< all statements in it
  LoopShape Shape;                      ///< Loop
  bool Parallel = false;                ///< Loop
  /// Loop around statements only: the instances that run together in it. The
  /// others follow in loops of their own, one for each statement. Null: all run
  /// together.
  isl::union_set Core;
  /// The instances in iterations of the outer loops that have a core.
  isl::union_set CoreRows;
  std::vector<std::unique_ptr<PlanNode>> Children;
};

/// The coordinate of a member in its loop, a function of its instances.
isl::pw_aff getCoordinate(const Program &P, const LoopShape &L,
                          const LoopMember &M);

/// The schedule tree of a plan; null if isl failed.
isl::schedule buildTree(const Program &P, const PlanNode &Plan);

/// Describes the loops of a plan, outermost first.
void describePlan(const Program &P, const PlanNode &Plan, ScheduleResult &R);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_LOOPPLAN_H
