//===- Schedule/Schedule.h - Order and parallelism of a program -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_SCHEDULE_H
#define PARDIFF_SCHEDULE_SCHEDULE_H

#include "Nest/Program.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// What was decided for one loop of the emitted program, for remarks and the report.
struct LoopChoice {
  std::string Scheme; ///< "parallel", "gather", "chunked", "private", "serial"
  unsigned Depth = 0; ///< number of loops around it
  llvm::SmallVector<std::string, 4> Statements;
};
struct ScheduleResult {
  llvm::SmallVector<LoopChoice, 8> Loops;
};

/// Chooses a new order for P and sets P.Tree: a schedule tree in which a mark
/// "parallel" stands above each one-dimensional band whose iterations are independent.
/// Keeps every dependence between instances (accumulations of different statements
/// into one element exclude each other but are not ordered). P.Order is not changed:
/// it stays the meaning of the program.
llvm::Expected<ScheduleResult> scheduleProgram(Program &P);

/// Storage: drops the leading private dimensions of shadows that one iteration of the
/// loops around all accesses owns. To be called after scheduleProgram.
llvm::Error contractShadows(Program &P);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_SCHEDULE_H
