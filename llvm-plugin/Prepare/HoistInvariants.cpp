//===- Prepare/HoistInvariants.cpp - Integer arithmetic of parameters ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer and pointer arithmetic whose operands are all available in the entry
// block moves there: `n/2`, `n*m`, the address of a row. It is then a parameter
// of the nest instead of a scalar that one block computes and another uses.
//
// Condition: executing the instruction where it was not executed before does no
// harm (no memory, no division by what may be zero). Floating-point arithmetic
// stays.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

static bool isHoistable(const Instruction &I) {
  if (!I.getType()->isIntOrPtrTy() || isa<PHINode>(I) || isa<AllocaInst>(I) ||
      I.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&I))
    return false;
  return all_of(I.operands(), [](const Use &U) {
    return isInEntryBlock(U) && !U->getType()->isFPOrFPVectorTy();
  });
}

PreservedAnalyses HoistInvariantsPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  BasicBlock &Entry = F.getEntryBlock();
  bool Changed = false;
  ReversePostOrderTraversal<Function *> RPOT(&F);
  for (BasicBlock *BB : RPOT) {
    if (BB == &Entry)
      continue;
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (!isHoistable(I))
        continue;
      I.moveBefore(Entry.getTerminator()->getIterator());
      I.dropUBImplyingAttrsAndMetadata();
      Changed = true;
    }
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
