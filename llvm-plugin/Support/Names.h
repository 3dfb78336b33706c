//===- Support/Names.h - Names as the user wrote them ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_NAMES_H
#define PARDIFF_SUPPORT_NAMES_H

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/Module.h"
#include <string>

namespace pardiff {

/// The name of a function or variable for messages: C++ names demangled,
/// Fortran's as module::name, functions made by this plugin by the name of the
/// user's function that they were made from.
std::string getReadableName(const llvm::GlobalValue &G);

/// The name of the function that debug information describes.
std::string getReadableName(const llvm::DISubprogram &P);

/// The file that a module was made from. flang names every module alike, so
/// there the debug information or the first function tells.
std::string getSourceFile(const llvm::Module &M);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_NAMES_H
