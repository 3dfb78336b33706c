//===- Contract/SplitMode.h - The two sweeps as two calls -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_SPLITMODE_H
#define PARDIFF_CONTRACT_SPLITMODE_H

#include "Request/Request.h"
#include "Support/Report.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Builds what a call of __pardiff_augmentfwd or __pardiff_reverse runs, with
/// the signature that replaceCall (Request/Request.h) expects. Nests: see
/// buildFlowGradient.
llvm::Expected<llvm::Function *>
buildSplitSweep(const Request &R, llvm::ModuleAnalysisManager &MAM,
                std::vector<NestReport> *Nests);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_SPLITMODE_H
