//===- Support/SourceName.h - What the user calls a value -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_SOURCENAME_H
#define PARDIFF_SUPPORT_SOURCENAME_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Value.h"

namespace pardiff {

/// The name of the value, or of the variable that it is according to debug
/// information; empty where neither is there (a release build of clang drops
/// names). For messages and printed programs only: generated code must not
/// depend on it.
llvm::StringRef getSourceName(llvm::Value *V);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_SOURCENAME_H
