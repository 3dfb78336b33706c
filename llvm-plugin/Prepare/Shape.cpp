//===- Prepare/Shape.cpp - Entry block, body and exit block -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a function the blocks that Prepare.h describes:
//
//   entry:           allocas, allocations, invariant integer and pointer loads,
//                    integer and pointer arithmetic, pardiff.require, the
//                    stores of floating-point arguments into their slots
//   pardiff.guard:   br i1 true, %body, %exit
//   ...              the body
//   pardiff.exit:    load of the result's slot, frees, ret
//
// The guard makes guard -> exit one region for RegionInfo whatever the body
// looks like: one block, or several nests behind each other. Its condition is a
// constant, so no parameter comes with it. Nothing that folds constant branches
// may run between this pass and the reader of the nest.
//
// Everything stays where it was unless it is known to do no harm in front of
// the body: a load stays in the entry block only if nothing in front of it may
// write to its memory.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Allocation.h"
#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

AllocaInst *pardiff::createSlot(Function &F, Type *Ty, StringRef Kind,
                                const Twine &Name, int ArgNo) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *Slot = B.CreateAlloca(Ty, nullptr, Name);
  LLVMContext &Ctx = F.getContext();
  SmallVector<Metadata *, 2> Ops{MDString::get(Ctx, Kind)};
  if (ArgNo >= 0)
    Ops.push_back(ConstantAsMetadata::get(B.getInt32(ArgNo)));
  Slot->setMetadata(SlotMetadata, MDNode::get(Ctx, Ops));
  return Slot;
}

std::optional<PreparedShape> pardiff::getPreparedShape(Function &F) {
  if (F.isDeclaration())
    return std::nullopt;
  PreparedShape S;
  S.Entry = &F.getEntryBlock();
  S.Guard = S.Entry->getSingleSuccessor();
  if (!S.Guard || S.Guard->size() != 1)
    return std::nullopt;
  auto *Br = dyn_cast<BranchInst>(S.Guard->getTerminator());
  if (!Br || !Br->isConditional())
    return std::nullopt;
  auto *Cond = dyn_cast<ConstantInt>(Br->getCondition());
  if (!Cond || !Cond->isOne())
    return std::nullopt;
  S.Body = Br->getSuccessor(0);
  S.Exit = Br->getSuccessor(1);
  if (!isa<ReturnInst>(S.Exit->getTerminator()))
    return std::nullopt;
  return S;
}

namespace {

class Shaper {
public:
  Shaper(Function &F, FunctionAnalysisManager &FAM)
      : F(F), TLI(FAM.getResult<TargetLibraryAnalysis>(F)),
        MSSA(FAM.getResult<MemorySSAAnalysis>(F).getMSSA()) {}

  bool run();

private:
  void splitEntry();
  bool staysInEntry(Instruction &I);
  void uniteReturns(ArrayRef<ReturnInst *> Returns);
  void storeArguments();
  void moveFrees();

  Function &F;
  const TargetLibraryInfo &TLI;
  MemorySSA &MSSA;
  SmallPtrSet<const Instruction *, 32> Moved; ///< out of the entry block
  BasicBlock *Guard = nullptr;
  BasicBlock *Exit = nullptr;
};

} // namespace

bool Shaper::staysInEntry(Instruction &I) {
  if (any_of(I.operands(), [&](const Use &U) {
        const auto *Op = dyn_cast<Instruction>(U);
        return U->getType()->isFPOrFPVectorTy() || (Op && Moved.contains(Op));
      }))
    return false;
  if (isa<AllocaInst>(I) || isa<AssumeInst>(I) || isHeapAllocation(&I, TLI) ||
      isRequire(I))
    return true;
  if (!I.getType()->isIntOrPtrTy() && !isa<WithOverflowInst>(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() &&
           MSSA.isLiveOnEntryDef(
               MSSA.getWalker()->getClobberingMemoryAccess(Load));
  return !I.mayReadOrWriteMemory() && !I.mayHaveSideEffects();
}

void Shaper::splitEntry() {
  BasicBlock &Entry = F.getEntryBlock();
  SmallVector<Instruction *, 32> Stay;
  for (Instruction &I : Entry) {
    if (I.isTerminator())
      break;
    if (staysInEntry(I))
      Stay.push_back(&I);
    else
      Moved.insert(&I);
  }
  BasicBlock *Body = Entry.splitBasicBlock(Entry.begin(), "pardiff.body");
  Guard = BasicBlock::Create(F.getContext(), "pardiff.guard", &F, Body);
  Entry.getTerminator()->setSuccessor(0, Guard);
  // splitBasicBlock made Entry the predecessor of Body; Body has no phis.
  for (Instruction *I : Stay)
    I->moveBefore(Entry.getTerminator()->getIterator());
  // Static allocas first.
  BasicBlock::iterator First = Entry.begin();
  for (Instruction *I : Stay) {
    auto *Alloca = dyn_cast<AllocaInst>(I);
    if (Alloca && isa<ConstantInt>(Alloca->getArraySize()) && &*First != I)
      Alloca->moveBefore(First);
    else if (&*First == I)
      ++First;
  }
  IRBuilder<> B(Guard);
  B.CreateCondBr(B.getTrue(), Body, Exit);
}

void Shaper::uniteReturns(ArrayRef<ReturnInst *> Returns) {
  Exit = BasicBlock::Create(F.getContext(), "pardiff.exit", &F);
  IRBuilder<> B(Exit);
  Type *RetTy = F.getReturnType();
  AllocaInst *Slot =
      RetTy->isVoidTy() ? nullptr : createSlot(F, RetTy, "result", "result");
  for (ReturnInst *Ret : Returns) {
    IRBuilder<> RB(Ret);
    if (Slot && !isa<UndefValue>(Ret->getReturnValue()))
      RB.CreateStore(Ret->getReturnValue(), Slot);
    RB.CreateBr(Exit);
    Ret->eraseFromParent();
  }
  if (Slot)
    B.CreateRet(B.CreateLoad(RetTy, Slot, "result.value"));
  else
    B.CreateRetVoid();
}

/// Each block that uses a floating-point argument loads it from the slot.
void Shaper::storeArguments() {
  IRBuilder<> B(F.getContext());
  for (Argument &A : F.args()) {
    if (!A.getType()->isFloatingPointTy() || A.use_empty())
      continue;
    AllocaInst *Slot =
        createSlot(F, A.getType(), "arg", A.getName() + ".slot", A.getArgNo());
    MapVector<BasicBlock *, SmallVector<Use *, 4>> Uses;
    for (Use &U : A.uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(I);
      Uses[Phi ? Phi->getIncomingBlock(U) : I->getParent()].push_back(&U);
    }
    for (auto &[BB, BlockUses] : Uses) {
      B.SetInsertPoint(BB, BB->getFirstInsertionPt());
      LoadInst *Load = B.CreateLoad(A.getType(), Slot, A.getName());
      for (Use *U : BlockUses)
        U->set(Load);
    }
    B.SetInsertPoint(F.getEntryBlock().getTerminator());
    B.CreateStore(&A, Slot);
  }
}

/// Frees of allocations of the entry block, found in every block that returned,
/// move behind the body.
void Shaper::moveFrees() {
  SmallVector<BasicBlock *, 4> Last;
  for (BasicBlock *Pred : predecessors(Exit))
    if (Pred != Guard)
      Last.push_back(Pred);
  MapVector<Value *, SmallVector<Instruction *, 4>> Frees;
  for (BasicBlock *BB : Last) {
    if (BB->getSingleSuccessor() != Exit)
      return;
    for (Instruction &I : *BB)
      if (Value *Freed = getHeapFreed(I, TLI))
        Frees[Freed].push_back(&I);
  }
  for (auto &[Freed, Calls] : Frees) {
    if (!isInEntryBlock(Freed) || !isHeapAllocation(Freed, TLI) ||
        Calls.size() != Last.size())
      continue;
    Calls.front()->moveBefore(Exit->getTerminator()->getIterator());
    for (Instruction *Call : drop_begin(Calls))
      Call->eraseFromParent();
  }
}

bool Shaper::run() {
  SmallVector<ReturnInst *, 4> Returns;
  if (getPreparedShape(F))
    return false;
  for (BasicBlock &BB : F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator()))
      Returns.push_back(Ret);
  if (Returns.empty())
    return false;
  uniteReturns(Returns);
  splitEntry();
  storeArguments();
  moveFrees();
  return true;
}

PreservedAnalyses ShapePass::run(Function &F, FunctionAnalysisManager &FAM) {
  return Shaper(F, FAM).run() ? PreservedAnalyses::none()
                              : PreservedAnalyses::all();
}
