//===- Prepare/Allocation.h - Heap allocations and local objects --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_PREPARE_ALLOCATION_H
#define PARDIFF_PREPARE_ALLOCATION_H

#include "llvm/IR/InstrTypes.h"

namespace llvm {
class PHINode;
template <typename T> class SmallVectorImpl;
class TargetLibraryInfo;
} // namespace llvm

namespace pardiff {

/// A call that allocates memory that is freed by isHeapFree: malloc, calloc,
/// aligned_alloc and operator new. (LLVM's isAllocationFn knows malloc by
/// attributes only, which the declarations do not have yet where we run.)
bool isHeapAllocation(const llvm::Value *V, const llvm::TargetLibraryInfo &TLI);

/// A call of calloc.
bool isZeroAllocation(const llvm::Value *V, const llvm::TargetLibraryInfo &TLI);

/// The pointer that I frees, or null.
llvm::Value *getHeapFreed(const llvm::Instruction &I,
                          const llvm::TargetLibraryInfo &TLI);

/// True if Object, an alloca or an allocation, is used for nothing but
/// accesses, comparisons with null, memory intrinsics and frees within the
/// function, through address arithmetic alone. If OrNull is given, also through
/// phis of Object and null, which are added to it.
bool isPrivateObject(llvm::Instruction &Object,
                     const llvm::TargetLibraryInfo &TLI,
                     llvm::SmallVectorImpl<llvm::PHINode *> *OrNull = nullptr);

} // namespace pardiff

#endif // PARDIFF_PREPARE_ALLOCATION_H
