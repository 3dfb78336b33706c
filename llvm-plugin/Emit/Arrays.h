//===- Emit/Arrays.h - Addresses and alias scopes of arrays -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_ARRAYS_H
#define PARDIFF_EMIT_ARRAYS_H

#include "Nest/Program.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Metadata.h"

namespace pardiff {

/// The arrays of a nest in one function: addresses of elements, and metadata
/// that tells LLVM which of them are disjoint.
class EmittedArrays {
public:
  EmittedArrays(const Nest &N, llvm::Function &F) : N(N), F(F) {}

  /// Arrays that were allocated here: disjoint from everything else.
  llvm::DenseSet<const Array *> Allocated;
  /// Sizes of those on the heap.
  llvm::DenseMap<const Array *, llvm::Value *> Bytes;

  /// The nest's condition tells A and B apart.
  void addDisjoint(const Array *A, const Array *B);
  /// The nest's condition has been emitted: primal arrays that it does not
  /// check are told apart by alias analysis.
  void setPrimalDisjoint() { PrimalDisjoint = true; }

  /// Values of the extents behind the outermost, where the function has them.
  llvm::Value *getKnownExtent(const Array &A, unsigned Dim) const;

  /// Address of the element Index of A. Extents[k]: the extent of dimension k
  /// + 1.
  llvm::Value *emitAddress(const Array &A, llvm::ArrayRef<llvm::Value *> Index,
                           llvm::ArrayRef<llvm::Value *> Extents,
                           llvm::IRBuilder<> &B) const;

  /// To be called when bases were set or pairs added: what addScopes knew is
  /// out of date.
  void invalidateScopes() { Metadata.clear(); }
  /// What is emitted from here on is not told apart from what was before.
  void renewScopes() {
    Metadata.clear();
    Scopes.clear();
  }
  /// Adds !alias.scope and !noalias to a load or store of A.
  void addScopes(llvm::Instruction &I, const Array &A);

private:
  const Nest &N;
  llvm::Function &F;
  bool PrimalDisjoint = false;
  llvm::DenseSet<std::pair<const Array *, const Array *>> Disjoint;
  llvm::MDNode *Domain = nullptr;
  llvm::DenseMap<const Array *, llvm::MDNode *> Scopes;
  struct Lists {
    llvm::MDNode *Own = nullptr, *Others = nullptr;
  };
  llvm::DenseMap<const Array *, Lists> Metadata;

  bool areDisjoint(const Array &A, const Array &B) const;
  bool isOwnMemory(const Array &A) const;
  llvm::MDNode *getScope(const Array &A);
};

} // namespace pardiff

#endif // PARDIFF_EMIT_ARRAYS_H
