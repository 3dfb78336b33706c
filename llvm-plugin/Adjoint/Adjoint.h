//===- Adjoint/Adjoint.h - The adjoint of a program is a program -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_ADJOINT_ADJOINT_H
#define PARDIFF_ADJOINT_ADJOINT_H

#include "Nest/Program.h"
#include "Tape/Plan.h"
#include "llvm/ADT/MapVector.h"

namespace pardiff {

/// The adjoint program. Its Order is the reversed order of the primal.
struct AdjointProgram {
  Program P;
  /// Shadow of each active primal array, an array of the nest.
  llvm::MapVector<const Array *, Array *> Shadows;
};

/// Builds the adjoint of Primal: accumulation statements (one for each active
/// read) and the read-and-clear of the shadows of what was written (design in
/// the head comment of Adjoint.cpp). Shadows of locals and scratch arguments
/// are privatised.
llvm::Expected<AdjointProgram> buildAdjoint(const Program &Primal,
                                            const Activity &A,
                                            const Dataflow &D,
                                            const TapePlan &Plan);

} // namespace pardiff

#endif // PARDIFF_ADJOINT_ADJOINT_H
