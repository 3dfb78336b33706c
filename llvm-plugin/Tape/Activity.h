//===- Tape/Activity.h - Which arrays carry derivatives ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_ACTIVITY_H
#define PARDIFF_TAPE_ACTIVITY_H

#include "Nest/Program.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// Which arrays carry derivatives. Seeds come from the request; analyseActivity
/// completes Active.
struct Activity {
  /// Arrays whose contents at entry depend on the differentiation variables.
  llvm::SmallPtrSet<const Array *, 8> Inputs;
  /// Arrays whose shadow may be non-zero when the reverse sweep begins.
  llvm::SmallPtrSet<const Array *, 8> Outputs;
  /// Floating-point arrays that vary with an input and influence an output at
  /// some point of the program (whole arrays). Result of analyseActivity.
  llvm::SmallPtrSet<const Array *, 8> Active;

  bool isActive(const Array *A) const { return Active.contains(A); }
};

/// Completes A.Active by propagation through the bodies.
llvm::Error analyseActivity(const Program &P, Activity &A);

} // namespace pardiff

#endif // PARDIFF_TAPE_ACTIVITY_H
