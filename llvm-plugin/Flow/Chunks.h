//===- Flow/Chunks.h - Lists of chunks of memory ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tapes (Records.h) and frames (Frames.h) have in common: memory that
// grows by chunks, each with a header whose first field points to the chunk
// before it.
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

/// Emits the free of Chunk, a last chunk or null, and of all before it.
void emitFreeChunks(llvm::Value *Chunk, llvm::IRBuilder<> &B);

} // namespace pardiff

#endif // PARDIFF_FLOW_CHUNKS_H
