//===- Contract/NestGradient.h - A gradient by the nest engine --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_NESTGRADIENT_H
#define PARDIFF_CONTRACT_NESTGRADIENT_H

#include "Contract/Derive.h"
#include "Flow/Calls.h"
#include "Request/Request.h"
#include "Support/Report.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Builds the gradient of a function that is one affine nest. Otherwise:
/// called, at most once, for the gradient to use where the nest's condition
/// does not hold (same signature); if it gives null, the program stops there.
/// Fills Report.
llvm::Expected<llvm::Function *>
buildNestGradient(const Request &R, llvm::ModuleAnalysisManager &MAM,
                  NestReport &Report,
                  llvm::function_ref<llvm::Function *()> Otherwise);

/// Builds the two halves of a pair (Flow/Calls.h) for a function without a
/// result that is one affine nest. Params: one for each parameter; a pointer
/// that is active has a shadow, or else Otherwise takes over, as it does where
/// the nest's condition does not hold. Nothing is built if there is an error.
/// Fills Report.
llvm::Error buildNestPair(llvm::Function &Primal,
                          llvm::ArrayRef<ParamActivity> Params, FlowPair Pair,
                          FlowPair Otherwise, llvm::ModuleAnalysisManager &MAM,
                          NestReport &Report);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_NESTGRADIENT_H
