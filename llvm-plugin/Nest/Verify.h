//===- Nest/Verify.h - Check the invariants of a program --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_VERIFY_H
#define PARDIFF_NEST_VERIFY_H

#include "Nest/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace pardiff {

/// Checks every invariant of Nest/Program.h. Returns true and says on OS what
/// is wrong if one is broken, as llvm::verifyFunction does.
bool verifyProgram(const Program &P, llvm::raw_ostream *OS = nullptr);

} // namespace pardiff

#endif // PARDIFF_NEST_VERIFY_H
