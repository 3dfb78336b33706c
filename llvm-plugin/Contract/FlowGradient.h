//===- Contract/FlowGradient.h - A gradient by the flow engine --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_FLOWGRADIENT_H
#define PARDIFF_CONTRACT_FLOWGRADIENT_H

#include "Request/Request.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Builds the gradient of a function with any control flow.
llvm::Expected<llvm::Function *>
buildFlowGradient(const Request &R, llvm::ModuleAnalysisManager &MAM);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_FLOWGRADIENT_H
