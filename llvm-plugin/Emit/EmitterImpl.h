//===- Emit/EmitterImpl.h - State of a NestEmitter --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_EMITTERIMPL_H
#define PARDIFF_EMIT_EMITTERIMPL_H

#include "Emit/Arrays.h"
#include "Emit/Emit.h"
#include "Emit/LoopGen.h"
#include "Emit/Parallel.h"
#include "Emit/ParamExpr.h"

namespace pardiff {

struct NestEmitter::Impl {
  Impl(Nest &N, llvm::Function &F, const EmitOptions &O)
      : N(N), F(F), O(O), Arrays(N, F), Exprs(N, Arrays) {}

  Nest &N;
  llvm::Function &F;
  EmitOptions O;
  EmittedArrays Arrays;
  ParamExprs Exprs;
  std::unique_ptr<ParallelGen> Parallel;
  Formulas InReport;
  /// Bytes of the arrays on the stack.
  uint64_t StackBytes = 0;
};

} // namespace pardiff

#endif // PARDIFF_EMIT_EMITTERIMPL_H
