//===- Contract/Shell.h - The signature of a gradient -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_SHELL_H
#define PARDIFF_CONTRACT_SHELL_H

#include "Flow/Calls.h"
#include "Request/Request.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// A function with the signature of a gradient (replaceCall in
/// Request/Request.h).
struct GradientShell {
  llvm::Function *G = nullptr;
  /// Shadow pointers of each parameter of the primal, parameters of G; empty if
  /// it has none.
  llvm::SmallVector<Lanes, 8> ShadowsOf;
  /// The value that the primal returned; null if it returned none.
  llvm::Value *Returned = nullptr;
};

/// Moves the body of Clone, a clone of the primal with one ret, into a new
/// function and erases Clone. Its parameters are those of the primal, as many
/// shadow pointers for each one as NumShadows tells, and Extra; it returns a
/// struct of Results (void if empty). The ret returns poison until setResults.
GradientShell makeShell(llvm::Function &Clone,
                        llvm::ArrayRef<unsigned> NumShadows,
                        llvm::ArrayRef<llvm::Type *> Extra,
                        llvm::ArrayRef<llvm::Type *> Results,
                        const llvm::Twine &Name,
                        llvm::FunctionAnalysisManager &FAM);

/// The same with the signature of the gradient that R asks for.
GradientShell makeShell(llvm::Function &Clone, const Request &R,
                        const llvm::Twine &Name,
                        llvm::FunctionAnalysisManager &FAM);

/// What the gradient returns: the fields of its result, available at the ret
/// that makeShell left. Returns false if their number does not fit.
bool setResults(llvm::Function &G, llvm::ArrayRef<llvm::Value *> Results);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_SHELL_H
