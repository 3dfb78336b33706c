//===- Request/Expose.h - Make the function and the markers visible -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_EXPOSE_H
#define PARDIFF_REQUEST_EXPOSE_H

#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Rewrites what stands around requests until each can be read, as far as that
/// is possible. Functions whose requests can be read as they are do not change.
/// Returns true if anything changed.
bool exposeRequests(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace pardiff

#endif // PARDIFF_REQUEST_EXPOSE_H
