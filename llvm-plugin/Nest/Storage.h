//===- Nest/Storage.h - Where an array of the nest lives --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_STORAGE_H
#define PARDIFF_NEST_STORAGE_H

#include "Nest/Program.h"
#include "llvm/Support/Error.h"

namespace llvm {
class TargetLibraryInfo;
} // namespace llvm

namespace pardiff {

struct Storage {
  ArrayKind Kind = ArrayKind::Memory;
  bool LiveIn = false, LiveOut = false;
};

/// Memory unless it begins in F's entry block and nobody else gets to know its
/// address. One element that is addressed as such is a slot.
Storage classifyStorage(const llvm::Value *Base, const llvm::Function &F);

/// Refuses if the entry or the exit block does something to memory that has no
/// model: writes other than slots of arguments, locals filled with constants,
/// allocations.
llvm::Error checkEntryAndExit(const llvm::Function &F,
                              const llvm::BasicBlock &Exit,
                              const llvm::TargetLibraryInfo &TLI);

} // namespace pardiff

#endif // PARDIFF_NEST_STORAGE_H
