//===- Tape/MergeTapes.h - One tape for versions kept twice -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_MERGETAPES_H
#define PARDIFF_TAPE_MERGETAPES_H

#include "Tape/Plan.h"
#include "Tape/Versions.h"

namespace pardiff {

/// Moves all values of a tape to another one that holds their versions already,
/// or nearly all of them, where that takes less memory (see MergeTapes.cpp).
/// The tapes have no shapes yet. What isl cannot tell stays as it is.
void mergeTapes(TapePlan &Plan, Versions &V, Nest &N);

} // namespace pardiff

#endif // PARDIFF_TAPE_MERGETAPES_H
