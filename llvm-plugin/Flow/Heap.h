//===- Flow/Heap.h - Memory on the heap in both sweeps ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shadow of memory on the heap is allocated where the primal's memory is,
// and lives as long. What the primal frees is freed, with its shadow, at the
// end of the reverse sweep: until then both sweeps may read it.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_HEAP_H
#define PARDIFF_FLOW_HEAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// Rewrites realloc and posix_memalign by allocations, copies and frees.
void lowerAllocations(llvm::Function &F);

/// Turns stack memory outside the entry block into heap memory that is freed at
/// the end of the reverse sweep: F's two sweeps are different functions.
void moveStackToHeap(llvm::Function &F);

/// True for a call whose result is fresh memory of known size.
bool isAllocation(const llvm::CallBase &Call);

/// What a call of free or operator delete frees; null for other calls.
llvm::Value *getFreed(const llvm::CallBase &Call);

/// Emits the allocation of the shadow, zero, for the allocation Call.
llvm::Value *createShadowMemory(llvm::CallBase &Call, llvm::IRBuilder<> &B);

/// The same by the function that Call calls: whoever frees the memory may free
/// the shadow in the same way.
llvm::Value *createMirroredMemory(llvm::CallBase &Call, llvm::IRBuilder<> &B);

/// True for the calls that deferFree and releaseDeferred emit, in a derivative
/// that is differentiated in turn.
bool isDeferral(const llvm::CallBase &Call);

/// The memory of which such a call defers the free; null for all others.
llvm::Value *getDeferred(const llvm::CallBase &Call);

/// Emits code in the place of Free, a call that frees memory, which frees it
/// and its shadows (may be null) at the end of the reverse sweep. Refuses
/// unknown ways of freeing.
llvm::Error deferFree(llvm::CallBase &Free,
                      llvm::ArrayRef<llvm::Value *> Shadows);

/// Frees at each of Ends what was deferred behind Start, all in one function.
/// Emits nothing if nothing in the module defers.
void releaseDeferred(llvm::Instruction *Start,
                     llvm::ArrayRef<llvm::Instruction *> Ends);

} // namespace pardiff

#endif // PARDIFF_FLOW_HEAP_H
