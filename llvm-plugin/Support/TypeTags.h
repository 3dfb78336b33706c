//===- Support/TypeTags.h - The C type of an access -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_TYPETAGS_H
#define PARDIFF_SUPPORT_TYPETAGS_H

#include "llvm/IR/Metadata.h"
#include "llvm/IR/Type.h"
#include <optional>

namespace pardiff {

/// What the TBAA tag of a load or store says that is accessed: a floating-point
/// type; null: an integer or a pointer; nothing: it does not say.
std::optional<llvm::Type *> getTypeByTBAA(const llvm::MDNode *Tag,
                                          llvm::LLVMContext &Context);

/// A TBAA tag that says an integer is accessed, and nothing about aliasing with
/// accesses of the program.
llvm::MDNode *getIntegerTag(llvm::LLVMContext &Context);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_TYPETAGS_H
