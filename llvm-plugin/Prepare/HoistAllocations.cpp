//===- Prepare/HoistAllocations.cpp - Local buffers live as long as the function
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation (malloc, calloc, new, an alloca of variable size) moves to the
// entry block, its frees to the returns:
//
//   for (i...) { double *t = malloc(m * sizeof *t); ...; free(t); }
//
// becomes one array of the nest; how often it has to exist is decided later,
// from the flow of values. A buffer that is used again holds old values instead
// of undefined ones: a refinement. calloc becomes malloc and a memset where it
// was.
//
// Conditions: the size is made of values of the entry block by arithmetic that
// can do no harm there; the buffer is used through address arithmetic alone (no
// phi but with null, it is not stored, passed on or returned), and freed in
// this function if it is a heap buffer. A buffer that is allocated on one path
// only, and null on the others, is always allocated then. A test of the address
// that an allocation returns against null is taken to succeed:
// there is no program that goes on differently without memory which could be
// differentiated.
//
// An allocation that was not reached in every run is required to be of a
// possible size, and new becomes malloc, which does not throw.
//
// With all variable allocas in the entry block, saving and restoring the stack
// is without effect, and dropped.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Allocation.h"
#include "Prepare/Passes.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

namespace {

class AllocationHoister {
public:
  AllocationHoister(Function &F, const TargetLibraryInfo &TLI)
      : F(F), TLI(TLI) {}
  bool run();

private:
  bool hoistHeap(CallBase &Call);
  bool hoistAlloca(AllocaInst &Alloca);
  void replaceOrNull(CallBase &Call, PHINode &Phi);
  void foldNullTests(Instruction &Object);
  CallInst *replaceByMalloc(CallBase &Call, Value *Size);
  CallBase *zeroWhereItWas(CallBase &Call);
  CallBase *makeHarmless(CallBase &Call);
  void freeBefore(Instruction *At, CallBase &Object, Instruction &Free);
  bool dropStackSaves();

  Function &F;
  const TargetLibraryInfo &TLI;
};

} // namespace

void AllocationHoister::foldNullTests(Instruction &Object) {
  for (User *U : make_early_inc_range(Object.users()))
    if (auto *Cmp = dyn_cast<ICmpInst>(U);
        Cmp && Cmp->isEquality() &&
        (isa<ConstantPointerNull>(Cmp->getOperand(0)) ||
         isa<ConstantPointerNull>(Cmp->getOperand(1)))) {
      Cmp->replaceAllUsesWith(ConstantInt::get(
          Cmp->getType(), Cmp->getPredicate() == ICmpInst::ICMP_NE));
      Cmp->eraseFromParent();
    }
}

/// A sized delete takes the size that was allocated.
static void setFreedSize(Instruction &Free, Value *Size) {
  auto &Call = cast<CallBase>(Free);
  StringRef Name = Call.getCalledFunction()->getName();
  if (Name.contains("Pvm") || Name.contains("Pvj"))
    Call.setArgOperand(1, Size);
}

/// Takes the place of Call, which allocates Size bytes.
CallInst *AllocationHoister::replaceByMalloc(CallBase &Call, Value *Size) {
  IRBuilder<> B(&Call);
  FunctionCallee Malloc = F.getParent()->getOrInsertFunction(
      "malloc", Call.getType(), Size->getType());
  CallInst *New = B.CreateCall(Malloc, Size);
  New->setAttributes(AttributeList::get(
      F.getContext(), AttributeSet(), Call.getAttributes().getRetAttrs(), {}));
  New->removeRetAttr(Attribute::NonNull);
  New->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  New->setDoesNotThrow();
  New->addFnAttr(Attribute::WillReturn);
  New->addRetAttr(Attribute::NoAlias);
  Call.replaceAllUsesWith(New);
  New->takeName(&Call);
  Call.eraseFromParent();
  return New;
}

/// calloc(n, s) -> malloc(n * s); memset 0. Where the product does not fit,
/// calloc returns null, and any use of the buffer is undefined.
CallBase *AllocationHoister::zeroWhereItWas(CallBase &Call) {
  IRBuilder<> B(&Call);
  Value *Size = B.CreateNUWMul(Call.getArgOperand(0), Call.getArgOperand(1));
  CallInst *New = replaceByMalloc(Call, Size);
  B.SetInsertPoint(New->getParent(), std::next(New->getIterator()));
  B.CreateMemSet(New, B.getInt8(0), Size, Align(8)); // as malloc aligns
  return New;
}

/// The size may be senseless where the allocation was not reached: then the
/// nest does not run. new would throw, malloc does no harm.
CallBase *AllocationHoister::makeHarmless(CallBase &Call) {
  Value *Size = Call.getArgOperand(0);
  IRBuilder<> B(F.getEntryBlock().getTerminator());
  createRequire(
      B, B.CreateFreeze(B.CreateICmpULT(
             Size, ConstantInt::get(Size->getType(), uint64_t(1) << 47))));
  if (!Call.getCalledFunction()->getName().starts_with("_Zn"))
    return &Call;
  return replaceByMalloc(Call, Size);
}

/// Frees Object in front of At as Free does.
void AllocationHoister::freeBefore(Instruction *At, CallBase &Object,
                                   Instruction &Free) {
  if (Object.getCalledFunction()->getName() == "malloc") {
    IRBuilder<> B(At);
    FunctionCallee Function = F.getParent()->getOrInsertFunction(
        "free", B.getVoidTy(), Object.getType());
    CallInst *New = B.CreateCall(Function, &Object);
    New->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
    New->setDoesNotThrow();
    New->addFnAttr(Attribute::WillReturn);
    return;
  }
  Instruction *New = Free.clone();
  setFreedSize(*New, Object.getArgOperand(0));
  New->insertBefore(At->getIterator());
}

/// Phi is Call or null: now the buffer always exists, and tests against null
/// ask where control came from.
void AllocationHoister::replaceOrNull(CallBase &Call, PHINode &Phi) {
  IRBuilder<> B(&Phi);
  PHINode *IsNull = B.CreatePHI(B.getInt1Ty(), Phi.getNumIncomingValues());
  for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I)
    IsNull->addIncoming(B.getInt1(Phi.getIncomingValue(I) != &Call),
                        Phi.getIncomingBlock(I));
  B.SetInsertPoint(Phi.getParent(), Phi.getParent()->getFirstInsertionPt());
  for (User *U : make_early_inc_range(Phi.users()))
    if (auto *Cmp = dyn_cast<ICmpInst>(U);
        Cmp && (isa<ConstantPointerNull>(Cmp->getOperand(0)) ||
                isa<ConstantPointerNull>(Cmp->getOperand(1)))) {
      Cmp->replaceAllUsesWith(Cmp->getPredicate() == ICmpInst::ICMP_EQ
                                  ? IsNull
                                  : B.CreateNot(IsNull));
      Cmp->eraseFromParent();
    }
  Phi.replaceAllUsesWith(&Call);
  Phi.eraseFromParent();
}

bool AllocationHoister::hoistHeap(CallBase &Call) {
  SmallVector<PHINode *, 2> OrNull;
  if (isa<InvokeInst>(Call) || !isPrivateObject(Call, TLI, &OrNull))
    return false;
  // Could not become malloc.
  if (!isInEntryBlock(&Call) &&
      Call.getCalledFunction()->getName().contains("align_val_t"))
    return false;
  SmallVector<Instruction *, 8> Chain;
  if (any_of(Call.args(), [&](Use &Arg) { return !collectChain(Arg, Chain); }))
    return false;
  SmallVector<Instruction *, 4> Frees;
  SmallVector<Value *, 2> Names(OrNull.begin(), OrNull.end());
  Names.push_back(&Call);
  for (Value *V : Names)
    for (User *U : V->users())
      if (auto *I = cast<Instruction>(U); getHeapFreed(*I, TLI) == V)
        Frees.push_back(I);
  if (Frees.empty())
    return false;
  foldNullTests(Call);
  for (PHINode *Phi : OrNull)
    replaceOrNull(Call, *Phi);
  moveToEntry(F, Chain);
  CallBase *Object = &Call;
  bool MayNotRun = !isInEntryBlock(Object);
  if (isZeroAllocation(Object, TLI)) {
    Object = zeroWhereItWas(*Object);
    if (auto *Size = dyn_cast<Instruction>(Object->getArgOperand(0));
        Size && !isInEntryBlock(Size))
      moveToEntry(F, Size);
  }
  if (!isInEntryBlock(Object))
    Object->moveBefore(F.getEntryBlock().getTerminator()->getIterator());
  if (MayNotRun)
    Object = makeHarmless(*Object);
  Instruction *Free = Frees.front();
  for (BasicBlock &BB : F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator())) {
      freeBefore(Ret, *Object, *Free);
    }
  for (Instruction *Old : Frees)
    Old->eraseFromParent();
  return true;
}

bool AllocationHoister::hoistAlloca(AllocaInst &Alloca) {
  SmallVector<Instruction *, 8> Chain;
  if (!isPrivateObject(Alloca, TLI) ||
      !collectChain(Alloca.getArraySize(), Chain))
    return false;
  moveToEntry(F, Chain);
  BasicBlock &Entry = F.getEntryBlock();
  Alloca.moveBefore(Entry.getTerminator()->getIterator());
  if (isa<ConstantInt>(Alloca.getArraySize()))
    return true;
  // Its size may be negative where it was not reached.
  IRBuilder<> B(&Alloca);
  Value *Size = Alloca.getArraySize();
  Alloca.setOperand(
      0, B.CreateBinaryIntrinsic(Intrinsic::smax, Size,
                                 ConstantInt::get(Size->getType(), 0)));
  return true;
}

bool AllocationHoister::dropStackSaves() {
  SmallVector<IntrinsicInst *, 4> Saves, Restores;
  for (Instruction &I : instructions(F)) {
    if (auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && !Alloca->getParent()->isEntryBlock())
      return false;
    auto *II = dyn_cast<IntrinsicInst>(&I);
    if (II && II->getIntrinsicID() == Intrinsic::stacksave)
      Saves.push_back(II);
    else if (II && II->getIntrinsicID() == Intrinsic::stackrestore)
      Restores.push_back(II);
  }
  // A restore in front of an alloca of the entry block does not free it.
  for (IntrinsicInst *II : Restores)
    II->eraseFromParent();
  for (IntrinsicInst *II : Saves)
    if (II->use_empty())
      II->eraseFromParent();
  return !Restores.empty() || !Saves.empty();
}

bool AllocationHoister::run() {
  SmallVector<CallBase *, 8> Calls;
  SmallVector<AllocaInst *, 8> Allocas;
  for (Instruction &I : instructions(F)) {
    if (isHeapAllocation(&I, TLI))
      Calls.push_back(cast<CallBase>(&I));
    else if (auto *Alloca = dyn_cast<AllocaInst>(&I);
             Alloca && !Alloca->getParent()->isEntryBlock())
      Allocas.push_back(Alloca);
  }
  bool Changed = false;
  for (CallBase *Call : Calls)
    Changed |= hoistHeap(*Call);
  for (AllocaInst *Alloca : Allocas)
    Changed |= hoistAlloca(*Alloca);
  return dropStackSaves() || Changed;
}

PreservedAnalyses HoistAllocationsPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  return AllocationHoister(F, TLI).run() ? PreservedAnalyses::none()
                                         : PreservedAnalyses::all();
}
