//===- Flow/Transfers.h - Copies and fills of memory ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_TRANSFERS_H
#define PARDIFF_FLOW_TRANSFERS_H

#include "Flow/MemoryTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

/// Emits the forward sweep's part of a copy or fill of Length bytes (i64) with
/// Layout: the shadows of pointers are copied from the shadow From to the
/// shadow To, or set to null if From is null. Nothing happens if To is null.
void emitPointerTransfer(const MemoryLayout &Layout, llvm::Value *To,
                         llvm::Value *From, llvm::Value *Length,
                         llvm::IRBuilder<> &B);

/// Emits the reverse sweep's part: the adjoints in To are added to those in
/// From (if that is not null) and become zero. The regions may overlap. Stops
/// the program if To is null and From is not: derivatives would be lost.
void emitFloatTransfer(const MemoryLayout &Layout, llvm::Value *To,
                       llvm::Value *From, llvm::Value *Length,
                       llvm::IRBuilder<> &B);

/// Emits in the reverse sweep: Length bytes of the shadow To, which may be
/// null, become zero.
void emitGuardedZero(llvm::Value *To, llvm::Value *Length,
                     llvm::IRBuilder<> &B);

} // namespace pardiff

#endif // PARDIFF_FLOW_TRANSFERS_H
