//===- Tangent/Disjoint.h - Which shadows are different memory --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TANGENT_DISJOINT_H
#define PARDIFF_TANGENT_DISJOINT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace pardiff {

/// What a function does to the memory that a pointer leads to.
enum class PointerEffect { Read, Written, Unknown };

/// What F does to the memory of each of its parameters that are pointers.
llvm::SmallVector<PointerEffect, 8> getPointerEffects(llvm::Function &F);

} // namespace pardiff

#endif // PARDIFF_TANGENT_DISJOINT_H
