//===- Adjoint/Privatise.h - Which loops own a shadow -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_ADJOINT_PRIVATISE_H
#define PARDIFF_ADJOINT_PRIVATISE_H

#include "Nest/Program.h"
#include "Tape/Plan.h"

namespace pardiff {

/// True if write W of S is to a slot or local whose last value nobody sees, and
/// feeds no read: it is no output of the statement.
bool isDeadWrite(const Statement &S, unsigned W, const Dataflow &D);

/// Number of outermost loops, common to all accesses of A in P, that no value
/// of A crosses: each iteration of them may have a shadow of its own. Zero
/// unless A is a slot or local whose values all come from writes in P.
unsigned countPrivateLoops(const Program &P, const Array &A, const Dataflow &D);

} // namespace pardiff

#endif // PARDIFF_ADJOINT_PRIVATISE_H
