//===- Schedule/Schedule.h - Order and parallelism of a program -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_SCHEDULE_H
#define PARDIFF_SCHEDULE_SCHEDULE_H

#include "Nest/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace llvm {
class PassBuilder;
}

namespace pardiff {

/// What was decided for one loop of the emitted program, for remarks and the
/// report.
struct LoopChoice {
  /// "parallel", "gather" (parallel, statements shifted against each other),
  /// "chunked" (parallel over chunks of iterations), "private" (the same with
  /// private arrays for sums), "serial", "original" (the statements in the
  /// program's own order)
  std::string Scheme;
  unsigned Depth = 0; ///< number of loops around it
  llvm::SmallVector<std::string, 4> Statements;
};
struct ScheduleResult {
  llvm::SmallVector<LoopChoice, 8> Loops; ///< outermost first
  /// Arrays that were added, to be allocated before the program runs. They are
  /// zero before and after it.
  llvm::SmallVector<Array *, 2> Temporaries;
  /// Why the program runs in its original order; empty if it does not.
  std::string Fallback;
};

/// The mark above loops that are left over at the edges of others, where little
/// of the work is: their code should be small.
inline constexpr const char *RestMark = "rest";

/// Chooses a new order for P and sets P.Tree: a schedule tree in which a mark
/// "parallel" stands above each one-dimensional band whose iterations are
/// independent. Keeps every dependence between instances (accumulations into
/// one element exclude each other but are not ordered). Sums over a whole loop
/// may get partial sums, new statements and arrays; then P.Order becomes the
/// order of the tree, otherwise it stays as it is.
/// OneThread: nothing will run in parallel.
llvm::Expected<ScheduleResult> scheduleProgram(Program &P,
                                               bool OneThread = false);

/// Storage: drops the leading private dimensions of arrays that one iteration
/// of the loops around all accesses owns. To be called after scheduleProgram.
void contractShadows(Program &P);

/// Both for a forward sweep: slots and locals that no value crosses iterations
/// in do not keep these from running in parallel (Schedule/PrivateCopies.h).
/// NeededAfter: arrays whose last values are read after P.
llvm::Expected<ScheduleResult>
scheduleForward(Program &P, llvm::function_ref<bool(const Array &)> NeededAfter,
                bool OneThread = false);

/// The loops that P.Tree stands for, as isl would write them in C.
void printLoops(const Program &P, llvm::raw_ostream &OS);

/// opt -passes='test<pardiff-schedule>'.
void registerSchedulePasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_SCHEDULE_H
