//===- Support/Accesses.h - Where instructions access memory ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's functions for loads and stores, with atomic updates (atomicrmw), which
// are both.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_ACCESSES_H
#define PARDIFF_SUPPORT_ACCESSES_H

#include "llvm/IR/Instructions.h"

namespace pardiff {

/// The address that I loads from, stores to, or updates; null: none of these.
inline const llvm::Value *getAccessPointer(const llvm::Instruction &I) {
  if (auto *Update = llvm::dyn_cast<llvm::AtomicRMWInst>(&I))
    return Update->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&I);
}

/// What such an instruction accesses.
inline llvm::Type *getAccessType(const llvm::Instruction &I) {
  return llvm::isa<llvm::AtomicRMWInst>(I) ? I.getType()
                                           : llvm::getLoadStoreType(&I);
}

inline llvm::Align getAccessAlign(const llvm::Instruction &I) {
  if (auto *Update = llvm::dyn_cast<llvm::AtomicRMWInst>(&I))
    return Update->getAlign();
  return llvm::getLoadStoreAlignment(&I);
}

} // namespace pardiff

#endif // PARDIFF_SUPPORT_ACCESSES_H
