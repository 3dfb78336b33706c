//===- Flow/MemoryTypes.h - What memory holds -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_MEMORYTYPES_H
#define PARDIFF_FLOW_MEMORYTYPES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// The one scalar type that F reads and writes in the object P points to: a
/// floating-point type or an integer type; null if there is none, or several.
llvm::Type *getElementType(const llvm::Value *P, const llvm::Function &F);

/// Refuses integers that are loaded from memory with a shadow, computed with,
/// and stored in such memory, where nothing shows that they are integers.
/// (checkFloatBits of Prepare sees to memory of which more is known.) HasShadow
/// tells whether the memory that a pointer leads to has one.
llvm::Error
checkCopies(const llvm::Function &F,
            llvm::function_ref<bool(const llvm::Value *)> HasShadow);

} // namespace pardiff

#endif // PARDIFF_FLOW_MEMORYTYPES_H
