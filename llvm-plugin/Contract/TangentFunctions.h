//===- Contract/TangentFunctions.h - Forward mode functions -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_TANGENTFUNCTIONS_H
#define PARDIFF_CONTRACT_TANGENTFUNCTIONS_H

#include "Request/Request.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Builds the function that computes the primal and its tangents, for a request
/// of forward mode.
llvm::Expected<llvm::Function *>
buildTangentFunction(const Request &R, llvm::ModuleAnalysisManager &MAM);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_TANGENTFUNCTIONS_H
