//===- Flow/Frames.h - Memory for the frames of pairs -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frames of all calls of pairs (Calls.h) in one gradient lie behind each
// other in its arena, so that a recursive call allocates nothing. The arena is
// a list of chunks, which only grows: the forward sweep of a gradient makes all
// of its frames before the reverse sweep needs the first one. It is given back
// as a whole when the reverse sweep has ended, or when an exception leaves the
// forward sweep. Gradients share nothing.
//
//   arena: { next free byte, end of the chunk, last chunk }
//   chunk: { the chunk before it, bytes of all chunks so far }  frames
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_FRAMES_H
#define PARDIFF_FLOW_FRAMES_H

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Alignment.h"

namespace pardiff {

/// The type of an arena. Zero: it is empty.
llvm::StructType *getArenaType(llvm::LLVMContext &C);

/// Emits the allocation of a frame of Size bytes in Arena. B may be in another
/// block behind it. There is room for MaxSize bytes: until the next frame is
/// made the frame can be extended.
llvm::Value *emitFrame(llvm::Value *Arena, uint64_t Size, uint64_t MaxSize,
                       llvm::Align A, llvm::IRBuilder<> &B);

/// Emits that Frame, the last frame in Arena, has MaxSize bytes from now on.
void emitFullFrame(llvm::Value *Arena, llvm::Value *Frame, uint64_t MaxSize,
                   llvm::IRBuilder<> &B);

/// Emits the last chunk of Arena (null if there is none): what emitFreeChunks
/// (Chunks.h) needs.
llvm::Value *emitLastChunk(llvm::Value *Arena, llvm::IRBuilder<> &B);

} // namespace pardiff

#endif // PARDIFF_FLOW_FRAMES_H
