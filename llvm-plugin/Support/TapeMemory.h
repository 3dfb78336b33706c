//===- Support/TapeMemory.h - Memory that gradients use again ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tapes and local shadows have the same sizes in every call of a gradient. From
// malloc each of them is new to the program: the operating system makes its
// pages one by one when they are touched, which may take longer than the
// gradient itself. So what a gradient gives back is kept, up to a limit
// (-pardiff-keep-memory), for whoever asks for as much next.
//
// What is kept never adds to the peak: blocks are either used again or all of
// them freed before anything new is allocated.
//
// In programs with sanitizers memory comes from malloc and goes to free, so
// that they see how long it lives.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_TAPEMEMORY_H
#define PARDIFF_SUPPORT_TAPEMEMORY_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace pardiff {

/// Emits the allocation of Bytes (i64), filled with zeros if Zero; null if
/// there is no memory. The result may be freed by emitGive or by free.
llvm::CallInst *emitTake(llvm::Value *Bytes, bool Zero, llvm::IRBuilder<> &B,
                         const llvm::Twine &Name = "");

/// Gives memory (may be null) of emitTake or malloc back that has at least
/// Bytes.
void emitGive(llvm::Value *Memory, llvm::Value *Bytes, llvm::IRBuilder<> &B);

/// For calls that emitTake has emitted in a derivative that is differentiated
/// in turn: their size; null for others.
llvm::Value *getTakenSize(const llvm::CallBase &Call);

/// The same memory again, but zero, for a call that emitTake has emitted.
llvm::CallInst *emitTakeLike(const llvm::CallBase &Call, llvm::IRBuilder<> &B);

/// What a call that emitGive has emitted gives back; null for others.
llvm::Value *getGiven(const llvm::CallBase &Call);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_TAPEMEMORY_H
