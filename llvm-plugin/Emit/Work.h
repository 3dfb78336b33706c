//===- Emit/Work.h - How much work a parallel region has --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_WORK_H
#define PARDIFF_EMIT_WORK_H

#include "Emit/LoopGen.h"

namespace pardiff {

/// Estimates the number of instructions that Node executes, as a double at B's
/// insertion point: trip counts with the iterators outside at the middle of
/// their ranges. Sets the variables of the loops in Node.
llvm::Value *emitWork(const AstNode &Node, LoopGen &Gen, llvm::IRBuilder<> &B);

/// True if the work of an iteration of Loop depends on its iterator.
bool isUnbalanced(const AstNode &Loop);

} // namespace pardiff

#endif // PARDIFF_EMIT_WORK_H
