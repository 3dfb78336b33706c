//===- Request/Conversion.h - From a call's arguments to parameters -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request passes its arguments through `...` or through a template's
// declaration, so they come promoted, or as the type of the expression rather
// than of the parameter. These are the conversions that undo it. None of them
// may change a value that the user sees: what is ambiguous (an int for a long
// parameter, whose upper half `...` does not define) is refused.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_CONVERSION_H
#define PARDIFF_REQUEST_CONVERSION_H

#include "llvm/IR/IRBuilder.h"

namespace pardiff {

/// True if V can be passed for a parameter of type To.
bool canConvertArgument(const llvm::Value *V, llvm::Type *To,
                        const llvm::DataLayout &DL);

/// Passes V for a parameter of type To; canConvertArgument must hold.
llvm::Value *convertArgument(llvm::Value *V, llvm::Type *To,
                             llvm::IRBuilder<> &B);

} // namespace pardiff

#endif // PARDIFF_REQUEST_CONVERSION_H
