//===- Contract/LoopDerivatives.h - Loops in bodies -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_LOOPDERIVATIVES_H
#define PARDIFF_CONTRACT_LOOPDERIVATIVES_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// Defines the derivatives of loops (Support/LoopFunctions.h) that are declared
/// in M. Refuses what forward mode or the flow engine refuse.
llvm::Error defineLoopDerivatives(llvm::Module &M,
                                  llvm::ModuleAnalysisManager &MAM);

/// Erases loop functions that nothing calls: those of nests that were tried.
void eraseUnusedLoops(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_LOOPDERIVATIVES_H
