//===- Contract/Split.cpp - Two functions from two sweeps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes from the forward sweep to the reverse sweep are parameters,
// allocas of the entry block, and values. They become fields of a frame on the
// heap:
//
//   forward:  frame = malloc; parameters are stored in it; ... ; values are
//             stored in it; return frame
//   reverse:  parameters and values are loaded; ... ; free(frame)
//
// Where another pair takes over, the frame holds that pair's frame, and a flag
// that tells the reverse sweep to call the other pair's as well.
//
//===----------------------------------------------------------------------===//

#include "Contract/Split.h"
#include "Emit/Emit.h"
#include "Flow/Unwinding.h"
#include "Support/Reason.h"
#include "llvm/ADT/DenseMap.h"
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
  Splitter(const TwoSweeps &Sweeps, FlowPair Pair)
      : S(Sweeps), G(*S.G), M(*G.getParent()), Pair(Pair), B(G.getContext()) {}
  Error run();

private:
  void findReverse();
  Error classify();
  void createReverse();
  void createReverseOtherwise(Value *Frame);
  void finishReverse(Function &F, Value *Frame, ValueToValueMapTy &Map);
  void createForward();
  void createForwardOtherwise(Function &F, Value *Frame);
  unsigned addField(Type *Ty, Align A);
  Value *getField(Value *Frame, unsigned Number) {
    return B.CreateStructGEP(FrameTy, Frame, Number);
  }
  Value *getField(Value *Frame, Value *V) {
    return B.CreateStructGEP(FrameTy, Frame, Field.lookup(V), V->getName());
  }
  Value *allocateFrame();
  CallInst *createFree(Value *P) {
    return B.CreateCall(
        M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()), {P});
  }

  const TwoSweeps &S;
  Function &G;
  Module &M;
  FlowPair Pair;
  IRBuilder<> B;
  SmallSetVector<BasicBlock *, 32> Reverse; ///< blocks of the reverse sweep
  SmallVector<AllocaInst *, 16> Shared;     ///< used by both sweeps
  SmallVector<AllocaInst *, 16> OfReverse;  ///< used by the reverse sweep alone
  SmallVector<Argument *, 8> Params;        ///< used by the reverse sweep
  /// Of the forward sweep, used by the reverse sweep.
  SmallSetVector<Instruction *, 16> Values;
  /// Where they are in the frame.
  DenseMap<const Value *, unsigned> Field;
  /// The fields behind them: a flag, and the frame of the other pair.
  unsigned TakenOver = 0, OtherFrame = 0;
  SmallVector<Type *, 16> Fields;
  uint64_t FrameSize = 0;
  Align FrameAlign;
  StructType *FrameTy = nullptr;
};

} // namespace

void Splitter::findReverse() {
  Reverse.insert(S.Turn->getSuccessor(0));
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

/// The number of a new field of the frame.
unsigned Splitter::addField(Type *Ty, Align A) {
  const DataLayout &DL = M.getDataLayout();
  A = std::max(A, DL.getABITypeAlign(Ty));
  uint64_t Start = alignTo(FrameSize, A);
  if (Start != alignTo(FrameSize, DL.getABITypeAlign(Ty)))
    Fields.push_back(ArrayType::get(B.getInt8Ty(), Start - FrameSize));
  FrameSize = Start + DL.getTypeAllocSize(Ty);
  FrameAlign = std::max(FrameAlign, A);
  Fields.push_back(Ty);
  return Fields.size() - 1;
}

Error Splitter::classify() {
  const unsigned NumParams = G.arg_size() - S.NumSeeds;
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
          Values.insert(Def);
      }
  append_range(Params, Used);
  const DataLayout &DL = M.getDataLayout();
  for (AllocaInst *A : Shared) {
    Type *Ty = A->getAllocatedType();
    uint64_t Count = cast<ConstantInt>(A->getArraySize())->getZExtValue();
    Field[A] =
        addField(Count == 1 ? Ty : ArrayType::get(Ty, Count), A->getAlign());
  }
  for (Argument *A : Params)
    Field[A] = addField(A->getType(), DL.getABITypeAlign(A->getType()));
  for (Instruction *V : Values)
    Field[V] = addField(V->getType(), DL.getABITypeAlign(V->getType()));
  if (S.Otherwise) {
    TakenOver = addField(B.getInt8Ty(), Align(1));
    OtherFrame = addField(B.getPtrTy(), DL.getPointerABIAlignment(0));
  }
  FrameTy = StructType::get(G.getContext(), Fields);
  return Error::success();
}

/// The frame says that the other pair took over: so does its reverse half.
void Splitter::createReverseOtherwise(Value *Frame) {
  Function &F = *Pair.Reverse;
  BasicBlock *Is = BasicBlock::Create(F.getContext(), "otherwise", &F);
  BasicBlock *IsNot = BasicBlock::Create(F.getContext(), "own", &F);
  Value *Flag = B.CreateLoad(B.getInt8Ty(), getField(Frame, TakenOver));
  B.CreateCondBr(B.CreateIsNotNull(Flag), Is, IsNot);
  B.SetInsertPoint(Is);
  SmallVector<Value *, 2> Args = {
      B.CreateLoad(B.getPtrTy(), getField(Frame, OtherFrame))};
  for (unsigned I = 0; I != S.NumSeeds; ++I)
    Args.push_back(F.getArg(1 + I));
  createFree(Frame);
  Value *Result = B.CreateCall(S.Other.Reverse, Args);
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Result);
  B.SetInsertPoint(IsNot);
}

void Splitter::createReverse() {
  Function &F = *Pair.Reverse;
  LLVMContext &C = G.getContext();
  BasicBlock *Entry = BasicBlock::Create(C, "frame", &F);
  B.SetInsertPoint(Entry);
  Argument *Frame = F.getArg(0);
  Frame->setName("frame");
  if (S.Otherwise)
    createReverseOtherwise(Frame);
  ValueToValueMapTy Map;
  for (Argument &A : G.args())
    Map[&A] = PoisonValue::get(A.getType());
  for (Argument *A : Params)
    Map[A] = B.CreateLoad(A->getType(), getField(Frame, A), A->getName());
  for (unsigned I = 0; I != S.NumSeeds; ++I)
    Map[G.getArg(G.arg_size() - S.NumSeeds + I)] = F.getArg(1 + I);
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(&F, &G, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  for (Instruction *V : Values)
    cast<Instruction>(Map[V])->replaceAllUsesWith(
        B.CreateLoad(V->getType(), getField(Frame, V), V->getName()));
  for (AllocaInst *A : Shared)
    cast<Instruction>(Map[A])->replaceAllUsesWith(getField(Frame, A));
  for (AllocaInst *A : OfReverse) {
    auto *Copy = cast<Instruction>(Map[A]);
    Copy->moveBefore(*Entry, Entry->begin());
    for (User *U : A->users())
      if (auto *Store = dyn_cast<StoreInst>(U);
          Store && !Reverse.contains(Store->getParent()))
        B.CreateStore(Store->getValueOperand(), Copy);
  }
  B.CreateBr(cast<BasicBlock>(Map[S.Turn->getSuccessor(0)]));
  finishReverse(F, Frame, Map);
  removeUnreachableBlocks(F);
}

/// Gives back the frame and returns the adjoints.
void Splitter::finishReverse(Function &F, Value *Frame,
                             ValueToValueMapTy &Map) {
  for (BasicBlock *BB : Reverse) {
    if (!isa<ReturnInst>(BB->getTerminator()))
      continue;
    auto *Ret = cast<ReturnInst>(Map[BB->getTerminator()]);
    B.SetInsertPoint(Ret);
    createFree(Frame);
    if (F.getReturnType()->isVoidTy()) {
      B.CreateRetVoid();
    } else {
      Value *Result = PoisonValue::get(F.getReturnType());
      for (auto [I, V] : enumerate(S.Adjoints)) {
        Value *Here = isa<Constant>(V) ? V : static_cast<Value *>(Map[V]);
        Result = B.CreateInsertValue(Result, Here, I);
      }
      B.CreateRet(Result);
    }
    Ret->eraseFromParent();
  }
}

/// The other pair's forward half runs, and this one's result holds its frame.
void Splitter::createForwardOtherwise(Function &F, Value *Frame) {
  Instruction *End = S.Otherwise->getTerminator();
  B.SetInsertPoint(End);
  SmallVector<Value *, 8> Args;
  for (Argument &A : F.args())
    Args.push_back(&A);
  Value *All = B.CreateCall(S.Other.Forward, Args);
  B.CreateStore(B.getInt8(1), getField(Frame, TakenOver));
  B.CreateStore(B.CreateExtractValue(All, 0), getField(Frame, OtherFrame));
  B.CreateRet(B.CreateInsertValue(All, Frame, 0));
  End->eraseFromParent();
}

Value *Splitter::allocateFrame() {
  uint64_t Size = M.getDataLayout().getTypeAllocSize(FrameTy) + 1;
  if (FrameAlign <= Align(16)) // malloc's
    return B.CreateCall(
        M.getOrInsertFunction("malloc", B.getPtrTy(), B.getInt64Ty()),
        {B.getInt64(Size)}, "frame");
  return B.CreateCall(
      M.getOrInsertFunction("aligned_alloc", B.getPtrTy(), B.getInt64Ty(),
                            B.getInt64Ty()),
      {B.getInt64(FrameAlign.value()), B.getInt64(alignTo(Size, FrameAlign))},
      "frame");
}

void Splitter::createForward() {
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
  auto Find = [&](Value *V) -> Value * {
    auto *A = dyn_cast<Argument>(V);
    return A ? F.getArg(A->getArgNo()) : V;
  };
  // The frame is made in a block of its own, in front of everything.
  BasicBlock *Body = &F.getEntryBlock();
  BasicBlock *Entry = BasicBlock::Create(F.getContext(), "frame", &F, Body);
  B.SetInsertPoint(Entry);
  B.SetCurrentDebugLocation(DebugLoc()); // the one of the other function
  Value *Frame = allocateFrame();
  BranchInst *Jump = B.CreateBr(Body);
  B.SetInsertPoint(Jump);
  emitStopUnless(B.CreateIsNotNull(Frame), "out of memory for a frame", B);
  B.SetInsertPoint(Jump);
  for (Argument *A : Params)
    B.CreateStore(F.getArg(A->getArgNo()), getField(Frame, A));
  for (AllocaInst *A : Shared) {
    A->replaceAllUsesWith(getField(Frame, A));
    A->eraseFromParent();
  }
  for (Instruction &I : make_early_inc_range(*Body))
    if (isa<AllocaInst>(I))
      I.moveBefore(*Entry, Entry->begin());

  B.SetInsertPoint(S.Turn);
  for (Instruction *V : Values)
    B.CreateStore(V, getField(Frame, V));
  if (S.Otherwise)
    B.CreateStore(B.getInt8(0), getField(Frame, TakenOver));
  Value *All = PoisonValue::get(F.getReturnType());
  All = B.CreateInsertValue(All, Frame, 0);
  if (S.Result)
    All = B.CreateInsertValue(All, Find(S.Result), 1);
  for (auto [I, Shadow] : enumerate(S.ResultShadows))
    All = B.CreateInsertValue(All, Find(Shadow), 2 + I);
  B.CreateRet(All);
  S.Turn->eraseFromParent();
  if (S.Otherwise)
    createForwardOtherwise(F, Frame);
  beforeResumes(F, [&](IRBuilder<> &At) {
    B.SetInsertPoint(At.GetInsertPoint());
    createFree(Frame);
  });
  removeUnreachableBlocks(F);
}

Error Splitter::run() {
  findReverse();
  if (Error E = classify())
    return E;
  createReverse();
  createForward();
  G.eraseFromParent();
  return Error::success();
}

Error pardiff::splitSweeps(const TwoSweeps &Sweeps, FlowPair Pair) {
  return Splitter(Sweeps, Pair).run();
}
