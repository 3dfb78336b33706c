//===- Driver/Generated.h - Check and optimise generated code ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_DRIVER_GENERATED_H
#define PARDIFF_DRIVER_GENERATED_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace pardiff {

/// The functions that a module got since this object was made.
class GeneratedFunctions {
public:
  explicit GeneratedFunctions(llvm::Module &M);

  /// Gives calls without a place in the source the place of their function,
  /// where it has one: the inliner needs it.
  void addLocations();

  /// Checks that they are valid IR. Returns what is wrong with the first that
  /// is not, an empty text if there is none.
  std::string verify() const;

  /// Erases them, so that nothing runs into invalid IR.
  void discard();

  /// Runs an O2 function pipeline over them, the vectorizers included. For -O0,
  /// where no other pass would: unoptimised gradients are slow beyond use.
  void optimize(llvm::ModuleAnalysisManager &MAM);

private:
  llvm::SmallVector<llvm::Function *, 8> get() const;

  llvm::Module &M;
  llvm::SmallPtrSet<const llvm::Function *, 32> Before;
};

} // namespace pardiff

#endif // PARDIFF_DRIVER_GENERATED_H
