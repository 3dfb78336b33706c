//===- Nest/Guard.h - Accesses that happen under a condition ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prepare marks the address of an access that does not always happen by a call
// of @pardiff.where (Prepare/Prepare.h). Polly is shown the access as if it
// always happened: the calls are taken out, and what they say is kept here
// until the bodies are read.
//
// The function does not mean the same then. It must not run.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_GUARD_H
#define PARDIFF_NEST_GUARD_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Error.h"

namespace pardiff {

class AccessGuards {
public:
  /// Takes the calls of @pardiff.where out of F.
  llvm::Error take(llvm::Function &F);

  bool empty() const { return Conditions.empty(); }

  /// The condition under which a load or store happens; null: always.
  llvm::Value *get(const llvm::Instruction &Access) const {
    return Conditions.lookup(&Access);
  }

  /// The accesses in BB under the condition Old have New in its place.
  void replace(const llvm::BasicBlock &BB, const llvm::Value *Old,
               llvm::Value *New) {
    for (auto &[Access, Condition] : Conditions)
      if (Access->getParent() == &BB && Condition == Old)
        Condition = New;
  }

private:
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> Conditions;
};

/// True if I does not always happen, and take has seen it.
bool hasGuard(const llvm::Instruction &I);

} // namespace pardiff

#endif // PARDIFF_NEST_GUARD_H
