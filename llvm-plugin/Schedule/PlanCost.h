//===- Schedule/PlanCost.h - What a plan costs ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_PLANCOST_H
#define PARDIFF_SCHEDULE_PLANCOST_H

#include "Schedule/LoopOptions.h"
#include "Schedule/LoopPlan.h"

namespace pardiff {

/// An estimate to compare plans of one program with. Only statements of the
/// highest degree count.
struct PlanCost {
  unsigned Serial = 0; ///< statements that are in no parallel loop
  unsigned Depths = 0; ///< sum over statements of the serial loops outside of
                       ///< their parallel loop
  double Time = 0;     ///< of one instance of each, see PlanCost.cpp
  /// Private arrays that have memory for more than one iteration.
  unsigned Open = 0;
};

PlanCost getPlanCost(const Program &P, llvm::ArrayRef<StatementInfo> Infos,
                     const PlanNode &Plan);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_PLANCOST_H
