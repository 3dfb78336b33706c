//===- Schedule/LoopChooser.h - Search for loops and parallelism *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_LOOPCHOOSER_H
#define PARDIFF_SCHEDULE_LOOPCHOOSER_H

#include "Schedule/LoopOptions.h"

namespace pardiff {

/// Chooses loops for all statements of P (see LoopChooser.cpp). Statements
/// without instances are left out. OneThread: no parallel loops, as few passes
/// as possible.
std::unique_ptr<PlanNode> chooseLoops(const Program &P,
                                      llvm::ArrayRef<StatementInfo> Infos,
                                      std::vector<PairConflict> Conflicts,
                                      bool OneThread = false);

/// True if loops may have private arrays (StatementInfo::ArraySums).
bool hasPrivateCopies();

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_LOOPCHOOSER_H
