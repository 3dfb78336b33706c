//===- Contract/Split.cpp - Two functions from two sweeps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the flow engine's construction nothing passes from the forward sweep to
// the reverse sweep but parameters and the allocas of the entry block. Those
// that both sweeps use become fields of a frame on the heap:
//
//   forward:  frame = malloc; parameters are stored in it; ... ; return frame
//   reverse:  parameters are loaded; ... ; free(frame)
//
//===----------------------------------------------------------------------===//

#include "Contract/Split.h"
#include "Emit/Emit.h"
#include "Support/Reason.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

namespace {

class Splitter {
public:
  Splitter(Function &G, const FlowResult &Flow, FlowPair Pair)
      : G(G), M(*G.getParent()), Flow(Flow), Pair(Pair), B(G.getContext()) {}
  Error run(Value *Result, Value *ResultShadow, bool HasSeed);

private:
  void findReverse();
  Error classify(unsigned NumParams);
  void createReverse(bool HasSeed);
  void createForward(Value *Result, Value *ResultShadow);

  Function &G;
  Module &M;
  const FlowResult &Flow;
  FlowPair Pair;
  IRBuilder<> B;
  SmallSetVector<BasicBlock *, 32> Reverse; ///< blocks of the reverse sweep
  SmallVector<AllocaInst *, 16> Shared;     ///< used by both sweeps
  SmallVector<AllocaInst *, 16> OfReverse;  ///< used by the reverse sweep alone
  SmallVector<Argument *, 8> Params;        ///< used by the reverse sweep
  StructType *FrameTy = nullptr;
};

} // namespace

void Splitter::findReverse() {
  Reverse.insert(Flow.Turn->getSuccessor(0));
  for (unsigned I = 0; I < Reverse.size(); ++I)
    for (BasicBlock *Next : successors(Reverse[I]))
      Reverse.insert(Next);
}

/// True if all that the forward sweep does with A is to store a constant in it
/// in the entry block.
static bool isInitOnly(const Instruction &User, const AllocaInst &A) {
  auto *Store = dyn_cast<StoreInst>(&User);
  return Store && Store->getPointerOperand() == &A &&
         isa<Constant>(Store->getValueOperand()) &&
         Store->getParent()->isEntryBlock();
}

/// True if the address of A goes nowhere.
static bool isDirectUse(const Instruction &User, const AllocaInst &A) {
  if (auto *Store = dyn_cast<StoreInst>(&User))
    return Store->getValueOperand() != &A;
  return isa<LoadInst>(User);
}

Error Splitter::classify(unsigned NumParams) {
  for (Instruction &I : G.getEntryBlock()) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A)
      continue;
    if (!A->isStaticAlloca())
      return refuse(Reason::InternalError, "alloca of variable size", A);
    bool InReverse = false, OnlyInit = true, Direct = true;
    for (User *U : A->users()) {
      auto *User = cast<Instruction>(U);
      Direct &= isDirectUse(*User, *A);
      if (Reverse.contains(User->getParent()))
        InReverse = true;
      else
        OnlyInit &= isInitOnly(*User, *A);
    }
    if (InReverse && OnlyInit && Direct)
      OfReverse.push_back(A);
    else if (InReverse || !Direct)
      Shared.push_back(A);
  }
  SmallSetVector<Argument *, 8> Used;
  for (BasicBlock *BB : Reverse)
    for (Instruction &I : *BB)
      for (Value *V : I.operands()) {
        if (auto *A = dyn_cast<Argument>(V); A && A->getArgNo() < NumParams)
          Used.insert(A);
        auto *Def = dyn_cast<Instruction>(V);
        if (Def && !Reverse.contains(Def->getParent()) &&
            !is_contained(Shared, Def) && !is_contained(OfReverse, Def))
          return refuse(Reason::InternalError,
                        "a value passes between the sweeps", &I);
      }
  append_range(Params, Used);
  SmallVector<Type *, 16> Fields;
  for (AllocaInst *A : Shared) {
    Type *Ty = A->getAllocatedType();
    uint64_t Count = cast<ConstantInt>(A->getArraySize())->getZExtValue();
    Fields.push_back(Count == 1 ? Ty : ArrayType::get(Ty, Count));
    // malloc's alignment is all that a frame has.
    if (A->getAlign() > Align(16) ||
        A->getAlign() > M.getDataLayout().getABITypeAlign(Ty))
      A->setAlignment(M.getDataLayout().getABITypeAlign(Ty));
  }
  for (Argument *A : Params)
    Fields.push_back(A->getType());
  FrameTy = StructType::get(G.getContext(), Fields);
  return Error::success();
}

void Splitter::createReverse(bool HasSeed) {
  Function &F = *Pair.Reverse;
  LLVMContext &C = G.getContext();
  BasicBlock *Entry = BasicBlock::Create(C, "frame", &F);
  B.SetInsertPoint(Entry);
  Argument *Frame = F.getArg(0);
  Frame->setName("frame");
  ValueToValueMapTy Map;
  for (Argument &A : G.args())
    Map[&A] = PoisonValue::get(A.getType());
  for (auto [I, A] : enumerate(Params))
    Map[A] = B.CreateLoad(A->getType(),
                          B.CreateStructGEP(FrameTy, Frame, Shared.size() + I),
                          A->getName());
  if (HasSeed)
    Map[G.getArg(G.arg_size() - 1)] = F.getArg(1);
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&F, &G, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  for (auto [I, A] : enumerate(Shared)) {
    auto *Copy = cast<Instruction>(Map[A]);
    Copy->replaceAllUsesWith(
        B.CreateStructGEP(FrameTy, Frame, I, A->getName()));
  }
  for (AllocaInst *A : OfReverse) {
    auto *Copy = cast<Instruction>(Map[A]);
    Copy->moveBefore(*Entry, Entry->begin());
    for (User *U : A->users())
      if (auto *Store = dyn_cast<StoreInst>(U);
          Store && !Reverse.contains(Store->getParent()))
        B.CreateStore(Store->getValueOperand(), Copy);
  }
  B.CreateBr(cast<BasicBlock>(Map[Flow.Turn->getSuccessor(0)]));
  removeUnreachableBlocks(F);
  for (BasicBlock &BB : F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator())) {
      B.SetInsertPoint(Ret);
      if (!F.getReturnType()->isVoidTy()) {
        Value *Result = PoisonValue::get(F.getReturnType());
        for (auto [I, V] : enumerate(Flow.Adjoints)) {
          Value *Here = isa<Constant>(V) ? V : static_cast<Value *>(Map[V]);
          Result = B.CreateInsertValue(Result, Here, I);
        }
        B.CreateRet(Result);
      } else {
        B.CreateRetVoid();
      }
      B.SetInsertPoint(Ret->getPrevNode());
      B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
                   {Frame});
      Ret->eraseFromParent();
      break;
    }
}

void Splitter::createForward(Value *Result, Value *ResultShadow) {
  Function &F = *Pair.Forward;
  F.splice(F.begin(), &G);
  F.setAttributes(AttributeList::get(
      G.getContext(), G.getAttributes().getFnAttrs(), AttributeSet(), {}));
  if (G.hasPersonalityFn())
    F.setPersonalityFn(G.getPersonalityFn());
  F.setSubprogram(G.getSubprogram());
  G.setSubprogram(nullptr);
  for (Argument &A : F.args()) {
    Argument *Old = G.getArg(A.getArgNo());
    Old->replaceAllUsesWith(&A);
    A.takeName(Old);
  }
  B.SetInsertPoint(Flow.Turn);
  auto Find = [&](Value *V) -> Value * {
    auto *A = dyn_cast<Argument>(V);
    return A ? F.getArg(A->getArgNo()) : V;
  };
  // The frame is made in a block of its own, in front of everything.
  BasicBlock *Body = &F.getEntryBlock();
  BasicBlock *Entry = BasicBlock::Create(F.getContext(), "frame", &F, Body);
  B.SetInsertPoint(Entry);
  Value *Size = B.getInt64(M.getDataLayout().getTypeAllocSize(FrameTy));
  Value *Frame = B.CreateCall(
      M.getOrInsertFunction("malloc", B.getPtrTy(), B.getInt64Ty()),
      {B.CreateAdd(Size, B.getInt64(1))}, "frame");
  BranchInst *Jump = B.CreateBr(Body);
  B.SetInsertPoint(Jump);
  emitStopUnless(B.CreateIsNotNull(Frame), "out of memory for a frame", B);
  B.SetInsertPoint(Jump);
  for (auto [I, A] : enumerate(Params))
    B.CreateStore(F.getArg(A->getArgNo()),
                  B.CreateStructGEP(FrameTy, Frame, Shared.size() + I));
  for (auto [I, A] : enumerate(Shared)) {
    A->replaceAllUsesWith(B.CreateStructGEP(FrameTy, Frame, I, A->getName()));
    A->eraseFromParent();
  }
  for (Instruction &I : make_early_inc_range(*Body))
    if (isa<AllocaInst>(I))
      I.moveBefore(*Entry, Entry->begin());

  B.SetInsertPoint(Flow.Turn);
  Value *All = PoisonValue::get(F.getReturnType());
  All = B.CreateInsertValue(All, Frame, 0);
  if (Result)
    All = B.CreateInsertValue(All, Find(Result), 1);
  if (ResultShadow)
    All = B.CreateInsertValue(All, Find(ResultShadow), 2);
  B.CreateRet(All);
  Flow.Turn->eraseFromParent();
  removeUnreachableBlocks(F);
}

Error Splitter::run(Value *Result, Value *ResultShadow, bool HasSeed) {
  findReverse();
  if (Error E = classify(G.arg_size() - HasSeed))
    return E;
  createReverse(HasSeed);
  createForward(Result, ResultShadow);
  G.eraseFromParent();
  return Error::success();
}

Error pardiff::splitSweeps(Function &G, const FlowResult &Flow, Value *Result,
                           Value *ResultShadow, bool HasSeed, FlowPair Pair) {
  return Splitter(G, Flow, Pair).run(Result, ResultShadow, HasSeed);
}
