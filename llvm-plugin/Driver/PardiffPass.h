//===- Driver/PardiffPass.h - Serve every request of a module ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_DRIVER_PARDIFFPASS_H
#define PARDIFF_DRIVER_PARDIFFPASS_H

#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace pardiff {

/// Replaces every call of an entry point by a call of a generated derivative. A module
/// without such calls is not changed.
class PardiffPass : public llvm::PassInfoMixin<PardiffPass> {
public:
  explicit PardiffPass(llvm::OptimizationLevel Level) : Level(Level) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  /// At O0 the generated code gets a pipeline of its own.
  llvm::OptimizationLevel Level;
};

} // namespace pardiff

#endif // PARDIFF_DRIVER_PARDIFFPASS_H
