//===- Tape/Forward.h - The augmented forward sweep -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_FORWARD_H
#define PARDIFF_TAPE_FORWARD_H

#include "Nest/Program.h"
#include "Tape/Dataflow.h"
#include "Tape/Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// The augmented forward sweep: P with the stores that fill the tapes.
/// Statements of P keep their names; their Origin is P's statement. The Tree is
/// P's if nothing has to be stored, else null.
llvm::Expected<Program> buildForward(const Program &P, const TapePlan &Plan,
                                     const Dataflow &D);

/// Removes writes and statements of F whose values nobody needs: neither
/// another statement that stays, nor, at the end of F, an array for which
/// NeededAtEnd is true. Tapes are always needed.
llvm::Error pruneForward(Program &F,
                         llvm::function_ref<bool(const Array &)> NeededAtEnd);

/// Removes the writes of S for which Live is false, and, with DropReads, the
/// reads that have no use then.
void dropWrites(Nest &N, Statement &S, llvm::function_ref<bool(unsigned)> Live,
                bool DropReads);

/// True if the reverse sweep reads A itself (a value in place).
bool isReadInPlace(const TapePlan &Plan, const Array &A);

} // namespace pardiff

#endif // PARDIFF_TAPE_FORWARD_H
