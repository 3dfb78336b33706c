//===- Prepare/MemoryContent.h - What an integer access reads ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A floating-point value may be moved as an integer of its size: LLVM turns a
// copy of 8 bytes into a load and a store of i64. For a derivative it makes all
// the difference whether that is a number or an index. The type of the access
// does not say, so other evidence decides.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_PREPARE_MEMORYCONTENT_H
#define PARDIFF_PREPARE_MEMORYCONTENT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// What memory holds at some place.
struct MemoryContent {
  enum Kind { Unknown, Integer, Float } What = Unknown;
  llvm::Type *FloatTy = nullptr; ///< of a Float: its scalar type
  /// Floating-point values are somewhere in the same object.
  bool NearFloats = false;
  /// The language says so (TBAA, a field of a structure): a cast of a pointer
  /// cannot fake it.
  bool IsDeclared = false;
};

/// Finds what the memory holds that a load or store accesses. The evidence, in
/// this order: the C type of the access (TBAA); the type that its address was
/// computed with; the type of the variable; the type of all other accesses to
/// the object in the function.
class MemoryContentAnalysis {
public:
  explicit MemoryContentAnalysis(const llvm::Function &F) : F(F) {}
  MemoryContent get(const llvm::Instruction &Access);

private:
  MemoryContent getOfObject(const llvm::Value *Object);

  const llvm::Function &F;
  llvm::DenseMap<const llvm::Value *, MemoryContent> Objects;
};

/// What a TBAA tag says.
MemoryContent getContentByTBAA(const llvm::MDNode *Tag,
                               llvm::LLVMContext &Context);

/// Refuses F if the bits of a floating-point value may flow through integers in
/// a way that no rule differentiates: copied as integers between places that
/// may hold floating-point values, changed as integers, or made from integers.
/// HasShadow tells which parameters lead to memory that carries derivatives.
/// IsInteger, if given, may know of further accesses that they are to integers.
llvm::Error checkFloatBits(
    const llvm::Function &F, llvm::function_ref<bool(unsigned)> HasShadow,
    llvm::function_ref<bool(const llvm::Instruction &)> IsInteger = nullptr);

} // namespace pardiff

#endif // PARDIFF_PREPARE_MEMORYCONTENT_H
