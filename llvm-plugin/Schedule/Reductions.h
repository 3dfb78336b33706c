//===- Schedule/Reductions.h - Sums over a whole loop -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_REDUCTIONS_H
#define PARDIFF_SCHEDULE_REDUCTIONS_H

#include "Schedule/Conflicts.h"
#include "Schedule/LoopOptions.h"
#include "Schedule/LoopPlan.h"
#include <optional>

namespace pardiff {

/// The accumulations into a few elements that all iterations of the statement's
/// long loops share: they would make each of these loops serial.
AccessSet findReductions(const Program &P, llvm::ArrayRef<StatementInfo> Infos);

/// For some loops of the source the accumulations whose element does not move
/// with the loop's iterator, so that they keep it from being parallel. Private
/// arrays for them take little time and memory (Reductions.cpp).
llvm::SmallVector<AccessSet, 2>
findArraySums(const Program &P, llvm::ArrayRef<StatementInfo> Infos);

/// Gives the accumulations in Reductions that are in a parallel loop of Plan
/// partial sums of their own for each iteration, in new arrays, and adds the
/// statements that sum these up behind the loop. Changes P and Plan. Returns
/// the new arrays, which are zero before the program and after it; nothing if
/// there is a loop for which this is not possible.
std::optional<llvm::SmallVector<Array *, 4>>
expandReductions(Program &P, PlanNode &Plan,
                 llvm::ArrayRef<StatementInfo> Infos,
                 const AccessSet &Reductions);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_REDUCTIONS_H
