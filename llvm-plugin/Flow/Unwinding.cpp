//===- Flow/Unwinding.cpp - Exceptions that leave a forward sweep ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that may throw, and whose exception nobody in the function sees, gets
// a landing pad that resumes: there, and where the function itself resumes, the
// gradient gives back what it has allocated. Functions that cannot throw stay
// as they are. Nothing is done where the module has no C++.
//
//===----------------------------------------------------------------------===//

#include "Flow/Unwinding.h"
#include "Flow/Heap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

/// True if an exception may come out of what Call calls, whatever it does if
/// that is a function with a body.
static bool mayThrow(const CallBase &Call) {
  if (Call.doesNotThrow() || isa<IntrinsicInst>(Call) || Call.isInlineAsm())
    return false;
  const Function *Callee = Call.getCalledFunction();
  return !Callee || !StringSwitch<bool>(Callee->getName())
                         .Cases({"malloc", "calloc", "free", "memalign"}, true)
                         .Cases({"aligned_alloc", "malloc_usable_size"}, true)
                         .Default(false);
}

bool pardiff::mayThrow(const Function &F) {
  SmallSetVector<const Function *, 16> Reached;
  Reached.insert(&F);
  for (unsigned I = 0; I < Reached.size(); ++I)
    for (const Instruction &Inst : instructions(*Reached[I])) {
      auto *Call = dyn_cast<CallBase>(&Inst);
      if (!Call || !::mayThrow(*Call))
        continue;
      const Function *Callee = Call->getCalledFunction();
      if (!Callee || Callee->isDeclaration() || Callee->isInterposable())
        return true;
      Reached.insert(Callee);
    }
  return false;
}

/// C++'s, if there is C++ in the module.
static Constant *getPersonality(Module &M) {
  for (Function &F : M)
    if (F.hasPersonalityFn())
      return F.getPersonalityFn();
  if (none_of(M,
              [](const Function &F) { return F.getName().starts_with("_Z"); }))
    return nullptr;
  return cast<Constant>(
      M.getOrInsertFunction("__gxx_personality_v0",
                            FunctionType::get(Type::getInt32Ty(M.getContext()),
                                              /*isVarArg=*/true))
          .getCallee());
}

void pardiff::catchExceptions(Function &F, const Instruction &Turn) {
  // The blocks of the forward sweep.
  SmallSetVector<BasicBlock *, 32> Forward;
  Forward.insert(&F.getEntryBlock());
  for (unsigned I = 0; I < Forward.size(); ++I)
    if (Forward[I]->getTerminator() != &Turn)
      for (BasicBlock *Next : successors(Forward[I]))
        Forward.insert(Next);
  SmallVector<CallInst *, 8> Calls;
  for (BasicBlock *BB : Forward)
    for (Instruction &I : *BB)
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && !Call->isMustTailCall() && ::mayThrow(*Call))
        Calls.push_back(Call);
  if (F.doesNotThrow() || Calls.empty())
    return;
  if (!F.hasPersonalityFn()) {
    Constant *Personality = getPersonality(*F.getParent());
    if (!Personality)
      return;
    F.setPersonalityFn(Personality);
  }
  if (F.getPersonalityFn()->getName() != "__gxx_personality_v0")
    return;
  LLVMContext &C = F.getContext();
  BasicBlock *Pad = BasicBlock::Create(C, "unwind", &F);
  IRBuilder<> B(Pad);
  LandingPadInst *Exception = B.CreateLandingPad(
      StructType::get(PointerType::getUnqual(C), Type::getInt32Ty(C)), 0);
  Exception->setCleanup(true);
  B.CreateResume(Exception);
  for (CallInst *Call : Calls)
    changeToInvokeAndSplitBasicBlock(Call, Pad);
}

void pardiff::beforeResumes(Function &F,
                            function_ref<void(IRBuilder<> &)> Emit) {
  for (BasicBlock &BB : F)
    if (auto *Resume = dyn_cast<ResumeInst>(BB.getTerminator())) {
      IRBuilder<> B(Resume);
      Emit(B);
    }
}
