//===- Prepare/DropNoReturn.cpp - Paths that never return ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   assert(n > 0);          std::vector<double> t(n);   // length_error
//
// A branch that leads to a failed assertion or to an exception is no part of
// the nest. That it is not taken is required, and the branch goes away.
//
// Condition: what the branch depends on can be computed in the entry block. It
// is required also where the branch would not have been reached: then the other
// side of the nest's condition runs, which has it still.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

/// The blocks from which a return can be reached.
static SmallPtrSet<const BasicBlock *, 32> findReturning(Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Returning;
  SmallVector<const BasicBlock *, 16> Work;
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()))
      Work.push_back(&BB);
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (Returning.insert(BB).second)
      append_range(Work, predecessors(BB));
  }
  return Returning;
}

PreservedAnalyses DropNoReturnPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  SmallPtrSet<const BasicBlock *, 32> Returning = findReturning(F);
  bool Changed = false;
  for (BasicBlock &BB : F) {
    auto *Br = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Br || !Br->isConditional() || !Returning.contains(&BB) ||
        isa<Constant>(Br->getCondition()))
      continue;
    bool Lives[] = {Returning.contains(Br->getSuccessor(0)),
                    Returning.contains(Br->getSuccessor(1))};
    SmallVector<Instruction *, 8> Chain;
    if ((Lives[0] && Lives[1]) || !collectChain(Br->getCondition(), Chain))
      continue;
    moveToEntry(F, Chain);
    IRBuilder<> B(F.getEntryBlock().getTerminator());
    Value *Cond = Br->getCondition();
    // It may be poison where the branch was not reached.
    createRequire(B, B.CreateFreeze(Lives[0] ? Cond : B.CreateNot(Cond)));
    Br->getSuccessor(Lives[0])->removePredecessor(&BB);
    BranchInst::Create(Br->getSuccessor(Lives[0] ? 0 : 1), Br->getIterator());
    Br->eraseFromParent();
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  removeUnreachableBlocks(F);
  return PreservedAnalyses::none();
}
