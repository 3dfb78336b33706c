//===- Schedule/Legality.h - Check a schedule tree --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_LEGALITY_H
#define PARDIFF_SCHEDULE_LEGALITY_H

#include "Schedule/Conflicts.h"
#include <string>

namespace pardiff {

/// Checks a schedule tree of P against P's conflicts, without any knowledge of
/// how the tree came about: it has all instances, ordered conflicts go forward,
/// and no two iterations of a loop marked "parallel" conflict. Returns what is
/// wrong, or an empty string. What isl cannot decide is wrong.
std::string findIllegal(const Program &P, const isl::schedule &Tree,
                        llvm::ArrayRef<PairConflict> Conflicts);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_LEGALITY_H
