//===- Tape/Passes.h - Passes of this component for opt ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_PASSES_H
#define PARDIFF_TAPE_PASSES_H

namespace llvm {
class PassBuilder;
}

namespace pardiff {

/// opt -passes='print<pardiff-flow>', 'print<pardiff-tape>' and
/// 'print<pardiff-forward>', on prepared functions.
void registerTapePasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_TAPE_PASSES_H
