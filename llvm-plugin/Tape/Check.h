//===- Tape/Check.h - Check a tape plan by brute force ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_CHECK_H
#define PARDIFF_TAPE_CHECK_H

#include "Nest/Program.h"
#include "Tape/Plan.h"
#include "llvm/Support/raw_ostream.h"

namespace pardiff {

/// Executes the forward sweep F instance by instance on names of values instead
/// of values, with all parameters about Size, and looks whether every value of
/// Plan is where the plan says. Independent of isl's flow analysis. Prints what
/// it did on OS and returns the number of wrong values.
unsigned checkPlan(const Program &P, const TapePlan &Plan, const Program &F,
                   int Size, llvm::raw_ostream &OS);

} // namespace pardiff

#endif // PARDIFF_TAPE_CHECK_H
