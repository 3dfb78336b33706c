//===- Nest/Guard.cpp - Accesses that happen under a condition ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/Guard.h"
#include "Prepare/Prepare.h"
#include "Support/Reason.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace pardiff;

/// Metadata of an access that has a guard: whoever moves or replaces accesses
/// sees that this one is not like others.
static constexpr StringLiteral GuardedMetadata = "pardiff.guarded";

Error AccessGuards::take(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (isWhere(I))
      Calls.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Calls)
    for (Use &U : Call->uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (getLoadStorePointerOperand(User) != Call ||
          (isa<StoreInst>(User) &&
           U.getOperandNo() != StoreInst::getPointerOperandIndex()))
        return refuse(Reason::DataDependentBranch, "", User);
    }
  for (CallInst *Call : Calls) {
    for (User *U : Call->users()) {
      auto *Access = cast<Instruction>(U);
      Conditions[Access] = Call->getArgOperand(1);
      Access->setMetadata(GuardedMetadata, MDNode::get(F.getContext(), {}));
    }
    Call->replaceAllUsesWith(Call->getArgOperand(0));
    Call->eraseFromParent();
  }
  return Error::success();
}

bool pardiff::hasGuard(const Instruction &I) {
  return I.hasMetadata(GuardedMetadata);
}
