//===- Support/Library.h - Library functions without a derivative -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table of the library functions that a derivative passes by. What is not
// here, has no rule and no definition is refused.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_LIBRARY_H
#define PARDIFF_SUPPORT_LIBRARY_H

#include "llvm/IR/Function.h"
#include <optional>

namespace pardiff {

/// Functions that neither read nor write values with derivatives: output, text,
/// time, exceptions and the like. What they return has no derivative, and no
/// shadow.
bool isInactiveFunction(const llvm::Function &F);

/// Inactive functions that a program may define itself, in headers: the strings
/// and string streams of C++. They are never inlined: characters and the
/// pointers to them would be hard to tell from values with derivatives.
bool isTextFunction(const llvm::Function &F);

/// Functions that return their first argument, moved by a number of bytes, or
/// null. No memory with derivatives is read or written.
bool isPointerCast(const llvm::Function &F);

/// Functions that only link, and walk along, pointers in memory: run on the
/// shadows as well they do the same there.
bool isMirroredFunction(const llvm::Function &F);

/// Functions that compute a value from memory, which may have a derivative, and
/// write none.
bool isReadingFunction(const llvm::Function &F);

/// A function that reads a floating-point value from a file or stream into the
/// memory behind one of its arguments: what was there is overwritten by a
/// constant.
struct InputFunction {
  unsigned Operand;
  llvm::Type *Ty; ///< of the value
};
/// What F is of these; nothing if it is none.
std::optional<InputFunction> getInput(const llvm::Function &F);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_LIBRARY_H
