//===- Driver/OptimizeGenerated.h - Passes over generated code -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_DRIVER_OPTIMIZEGENERATED_H
#define PARDIFF_DRIVER_OPTIMIZEGENERATED_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// The functions that a module gets after this object was made.
class GeneratedFunctions {
public:
  explicit GeneratedFunctions(llvm::Module &M);

  /// Runs an O2 function pipeline over them, the vectorizers included. For -O0,
  /// where no other pass would: unoptimised gradients are slow beyond use.
  void optimize(llvm::ModuleAnalysisManager &MAM);

private:
  llvm::Module &M;
  llvm::SmallPtrSet<const llvm::Function *, 32> Before;
};

} // namespace pardiff

#endif // PARDIFF_DRIVER_OPTIMIZEGENERATED_H
