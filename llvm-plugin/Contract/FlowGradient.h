//===- Contract/FlowGradient.h - A gradient by the flow engine --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_FLOWGRADIENT_H
#define PARDIFF_CONTRACT_FLOWGRADIENT_H

#include "Request/Request.h"
#include "Support/Report.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Builds the gradient of a function with any control flow. Nests: the nest
/// engine differentiates affine nests in it, and describes them there; null:
/// the flow engine does everything.
llvm::Expected<llvm::Function *>
buildFlowGradient(const Request &R, llvm::ModuleAnalysisManager &MAM,
                  std::vector<NestReport> *Nests);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_FLOWGRADIENT_H
