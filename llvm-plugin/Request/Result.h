//===- Request/Result.h - What a request returns --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_RESULT_H
#define PARDIFF_REQUEST_RESULT_H

#include "Request/Request.h"

namespace pardiff {

/// Succeeds if the call's declaration can return R.getResultTypes().
llvm::Error checkResult(const Request &R);

} // namespace pardiff

#endif // PARDIFF_REQUEST_RESULT_H
