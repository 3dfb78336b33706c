//===- Request/Erase.h - Remove the call of a request ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_ERASE_H
#define PARDIFF_REQUEST_ERASE_H

#include "llvm/IR/InstrTypes.h"

namespace pardiff {

/// Erases a call or invoke without uses, and what loaded its markers.
void eraseRequest(llvm::CallBase &Call);

} // namespace pardiff

#endif // PARDIFF_REQUEST_ERASE_H
