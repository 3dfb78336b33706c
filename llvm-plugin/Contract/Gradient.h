//===- Contract/Gradient.h - The combined gradient of a function -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_GRADIENT_H
#define PARDIFF_CONTRACT_GRADIENT_H

#include "Request/Request.h"
#include "Support/Report.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Builds the gradient function that Request/Request.h's replaceCall expects,
/// from the activity in R. Equal requests of one module share one function (the
/// caller's matter). Fills Report.Nests, also when it refuses.
llvm::Expected<llvm::Function *> buildGradient(const Request &R,
                                               llvm::ModuleAnalysisManager &MAM,
                                               RequestReport &Report);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_GRADIENT_H
