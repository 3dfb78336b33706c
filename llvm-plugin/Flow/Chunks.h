//===- Flow/Chunks.h - Lists of chunks of memory ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tapes (Records.h) and frames (Frames.h) have in common: memory that
// grows by chunks, each with a header: first a pointer to the chunk before it,
// then its size in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_CHUNKS_H
#define PARDIFF_FLOW_CHUNKS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace pardiff {

/// A function of this plugin that is seldom called, with an empty entry block.
llvm::Function *createColdHelper(llvm::Module &M, llvm::StringRef Name,
                                 llvm::Type *Result,
                                 llvm::ArrayRef<llvm::Type *> Params);

/// Emits a new chunk of Bytes, header included, behind Last, or a stop with
/// Message.
llvm::Value *emitChunk(llvm::Value *Last, llvm::Value *Bytes,
                       llvm::StringRef Message, llvm::IRBuilder<> &B);

/// Emits the free of Chunk alone.
void emitFreeChunk(llvm::Value *Chunk, llvm::IRBuilder<> &B);

/// Load and store of an integer in a header. Those who differentiate the
/// derivative in turn see that it is none of the numbers next to it.
llvm::Value *loadCount(llvm::Value *Place, llvm::IRBuilder<> &B);
void storeCount(llvm::Value *Count, llvm::Value *Place, llvm::IRBuilder<> &B);

/// Emits the free of Chunk, a last chunk or null, and of all before it.
void emitFreeChunks(llvm::Value *Chunk, llvm::IRBuilder<> &B);

} // namespace pardiff

#endif // PARDIFF_FLOW_CHUNKS_H
