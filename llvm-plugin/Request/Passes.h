//===- Request/Passes.h - Make requests visible to opt --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_PASSES_H
#define PARDIFF_REQUEST_PASSES_H

namespace llvm {
class PassBuilder;
}

namespace pardiff {

/// Makes the passes of this component available to opt -passes=.
void registerRequestPasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_REQUEST_PASSES_H
