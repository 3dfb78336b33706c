//===- Tape/Redirect.h - Read memory instead of scalars ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_REDIRECT_H
#define PARDIFF_TAPE_REDIRECT_H

#include "Nest/Program.h"
#include "Tape/Dataflow.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// Removes slots and locals whose values all lie in another array as well at
/// the times when they are read: the reads go there (see Redirect.cpp). D is
/// P's dataflow, before and after.
llvm::Error redirectReads(Program &P, Dataflow &D);

} // namespace pardiff

#endif // PARDIFF_TAPE_REDIRECT_H
