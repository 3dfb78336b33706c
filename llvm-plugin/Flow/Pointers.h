//===- Flow/Pointers.h - Which pointers have shadows ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_POINTERS_H
#define PARDIFF_FLOW_POINTERS_H

#include "Flow/Flow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"

namespace pardiff {

/// What is known of the memory behind a pointer.
enum class PointerKind {
  Unset,    ///< not seen yet
  Inactive, ///< has no shadow: nothing in it depends on an active argument
  Shadowed, ///< has a shadow
  Maybe,    ///< one or the other: the shadow pointer is null if there is none
  Unknown   ///< where it comes from is not known
};

/// Classifies the pointers of a function, by where they come from.
class PointerAnalysis {
public:
  explicit PointerAnalysis(const FlowRequest &R) : R(R) {}

  /// Refuses pointers made from integers and memory that may not have a shadow.
  llvm::Error run();

  PointerKind getKind(const llvm::Value *P) const;
  bool hasShadow(const llvm::Value *P) const {
    PointerKind K = getKind(P);
    return K == PointerKind::Shadowed || K == PointerKind::Maybe;
  }

private:
  PointerKind compute(const llvm::Value *P);

  const FlowRequest &R;
  llvm::DenseMap<const llvm::Value *, PointerKind> Kinds;
};

/// True if I may write to the object that P points to, whenever each of the two
/// runs.
bool mayEverWrite(const llvm::Instruction &I, const llvm::Value *P,
                  llvm::AAResults &AA, const llvm::LoopInfo &LI);

/// True if P may point to another object in each iteration of a loop.
bool mayVary(const llvm::Value *P, const llvm::LoopInfo &LI);

/// The same for something that writes to the object that Q points to, and to
/// nothing else.
bool mayEverWriteAt(const llvm::Value *Q, const llvm::Value *P,
                    llvm::AAResults &AA, const llvm::LoopInfo &LI);

} // namespace pardiff

#endif // PARDIFF_FLOW_POINTERS_H
