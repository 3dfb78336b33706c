//===- Nest/ScevEmitter.h - Integers from iterators and sizes ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes integer expressions into a body, as arithmetic on its arguments for
// iterators and parameters.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_SCEVEMITTER_H
#define PARDIFF_NEST_SCEVEMITTER_H

#include "Nest/PendingBody.h"
#include "Nest/ScopReader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

class ScevEmitter {
public:
  /// Values: what values of the function are called in the body; may be null.
  ScevEmitter(ScopReader &R, polly::ScopStmt &Stmt, PendingBody &Body,
              llvm::IRBuilder<> &B,
              const llvm::DenseMap<llvm::Value *, llvm::Value *> *Values)
      : R(R), Stmt(Stmt), Body(Body), B(B), Values(Values) {}

  /// The value of S as instructions of the body; null if it has a part that is
  /// no function of iterators and parameters. Wraps around as S does: no flags.
  llvm::Value *emit(const llvm::SCEV *S);

private:
  llvm::Value *emitNary(const llvm::SCEV *S);

  ScopReader &R;
  polly::ScopStmt &Stmt;
  PendingBody &Body;
  llvm::IRBuilder<> &B;
  const llvm::DenseMap<llvm::Value *, llvm::Value *> *Values;
};

} // namespace pardiff

#endif // PARDIFF_NEST_SCEVEMITTER_H
