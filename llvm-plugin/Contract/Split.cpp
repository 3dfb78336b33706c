//===- Contract/Split.cpp - Two functions from two sweeps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes from the forward sweep to the reverse sweep are parameters,
// allocas of the entry block, and values. They become fields of a frame in the
// gradient's arena (Flow/Frames.h):
//
//   forward:  a new frame; parameters are stored in it; ... ; values are stored
//             in it; return frame
//   reverse:  parameters and values are loaded; ...
//
// Recursive functions often return early. So the frame is small at first, and
// has its other fields only from that block of the forward sweep on that most
// of them belong to (findLate). Nothing moves: there was room for them.
//
// Where another pair takes over, the frame holds that pair's frame, and a flag
// that tells the reverse sweep to call the other pair's as well.
//
//===----------------------------------------------------------------------===//

#include "Contract/Split.h"
#include "Flow/Frames.h"
#include "Flow/Records.h"
#include "Support/Reason.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

/// How far from the entry the frame may get its late fields.
static constexpr unsigned MaxLateDepth = 4;

namespace {

class Splitter {
public:
  Splitter(const TwoSweeps &Sweeps, FlowPair Pair)
      : S(Sweeps), G(*S.G), M(*G.getParent()), Pair(Pair), B(G.getContext()) {}
  Error run();

private:
  void findReverse();
  Error classify();
  void layOut();
  void createReverse();
  void createReverseOtherwise(Value *Frame);
  void finishReverse(Function &F, ValueToValueMapTy &Map);
  void createForward();
  void createForwardOtherwise(Function &F, Value *Frame);
  unsigned addField(Type *Ty, Align A);
  void addField(Value *V);
  bool isLate(const Value *V, BasicBlock &From) const;
  bool mayExtend(BasicBlock &At) const;
  void findLate(ArrayRef<Value *> All);
  Argument *getArena() const { return G.getArg(G.arg_size() - S.NumSeeds - 1); }
  Value *getField(Value *Frame, unsigned Number) {
    return B.CreateStructGEP(FrameTy, Frame, Number);
  }
  Value *getField(Value *Frame, Value *V) {
    return B.CreateStructGEP(FrameTy, Frame, Field.lookup(V), V->getName());
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
  /// From here on the frame has the fields of Late; null: it never grows.
  BasicBlock *LateFrom = nullptr;
  SmallPtrSet<const Value *, 16> Late;
  uint64_t EarlySize = 0;
  DominatorTree DT;
  LoopInfo LI;
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
  layOut();
  return Error::success();
}

/// The type that V has in the frame.
static Type *getFieldType(const Value *V) {
  auto *A = dyn_cast<AllocaInst>(V);
  if (!A)
    return V->getType();
  Type *Ty = A->getAllocatedType();
  uint64_t Count = cast<ConstantInt>(A->getArraySize())->getZExtValue();
  return Count == 1 ? Ty : ArrayType::get(Ty, Count);
}

void Splitter::addField(Value *V) {
  Type *Ty = getFieldType(V);
  auto *A = dyn_cast<AllocaInst>(V);
  Field[V] =
      addField(Ty, A ? A->getAlign() : M.getDataLayout().getABITypeAlign(Ty));
}

void Splitter::layOut() {
  SmallVector<Value *, 32> All(Shared.begin(), Shared.end());
  append_range(All, Params);
  append_range(All, Values);
  findLate(All);
  for (Value *V : All)
    if (!Late.contains(V))
      addField(V);
  if (S.Otherwise) {
    TakenOver = addField(B.getInt8Ty(), Align(1));
    OtherFrame =
        addField(B.getPtrTy(), M.getDataLayout().getPointerABIAlignment(0));
  }
  EarlySize = FrameSize;
  for (Value *V : All)
    if (Late.contains(V))
      addField(V);
  FrameTy = StructType::get(G.getContext(), Fields);
}

/// True if neither sweep needs V in the frame unless the forward sweep has come
/// to From. What the reverse sweep reads otherwise may be anything.
bool Splitter::isLate(const Value *V, BasicBlock &From) const {
  if (auto *I = dyn_cast<Instruction>(V); I && !isa<AllocaInst>(I))
    return DT.dominates(&From, I->getParent());
  BasicBlock *Back = S.ReverseOf.lookup(&From);
  return all_of(V->users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    if (!Reverse.contains(const_cast<BasicBlock *>(I->getParent())))
      return isa<Argument>(V) || DT.dominates(&From, I->getParent());
    return (isa<AllocaInst>(V) && isa<LoadInst>(I)) ||
           (Back && DT.dominates(Back, I->getParent()));
  });
}

/// True if the frame is the last one in the arena when the forward sweep comes
/// to At, which it does at most once.
bool Splitter::mayExtend(BasicBlock &At) const {
  if (Reverse.contains(&At) || LI.getLoopFor(&At) || At.isEHPad())
    return false;
  SmallSetVector<BasicBlock *, 16> Before;
  Before.insert_range(predecessors(&At));
  for (unsigned I = 0; I < Before.size(); ++I) {
    for (Instruction &Inst : *Before[I])
      if (auto *Call = dyn_cast<CallBase>(&Inst);
          Call && is_contained(Call->args(), getArena()))
        return false;
    Before.insert_range(predecessors(Before[I]));
  }
  return true;
}

/// Walks down the dominator tree as long as most of the frame belongs there.
void Splitter::findLate(ArrayRef<Value *> All) {
  DT.recalculate(G);
  LI.analyze(DT);
  uint64_t Most = 0;
  BasicBlock *At = &G.getEntryBlock();
  for (unsigned Depth = 0; At && Depth != MaxLateDepth; ++Depth) {
    BasicBlock *Best = nullptr;
    for (DomTreeNode *Child : DT.getNode(At)->children()) {
      if (!mayExtend(*Child->getBlock()))
        continue;
      uint64_t Bytes = 0;
      for (const Value *V : All)
        if (isLate(V, *Child->getBlock()))
          Bytes += M.getDataLayout().getTypeAllocSize(getFieldType(V));
      // Not much later for much less.
      if (Bytes <= Most / 2)
        continue;
      Most = Bytes;
      Best = LateFrom = Child->getBlock();
    }
    At = Best;
  }
  if (LateFrom)
    for (const Value *V : All)
      if (isLate(V, *LateFrom))
        Late.insert(V);
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
  finishReverse(F, Map);
  removeUnreachableBlocks(F);
}

/// Returns the adjoints.
void Splitter::finishReverse(Function &F, ValueToValueMapTy &Map) {
  for (BasicBlock *BB : Reverse) {
    if (!isa<ReturnInst>(BB->getTerminator()))
      continue;
    auto *Ret = cast<ReturnInst>(Map[BB->getTerminator()]);
    B.SetInsertPoint(Ret);
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

void Splitter::createForward() {
  Function &F = *Pair.Forward;
  F.splice(F.begin(), &G);
  bool NeverThrows = F.doesNotThrow();
  F.setAttributes(AttributeList::get(
      G.getContext(), G.getAttributes().getFnAttrs(), AttributeSet(), {}));
  if (NeverThrows)
    F.setDoesNotThrow();
  // All of its accesses to the arena itself are by way of this parameter.
  F.addParamAttr(F.arg_size() - 1, Attribute::NoAlias);
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
  BranchInst *Jump = B.CreateBr(Body);
  B.SetInsertPoint(Jump);
  Argument *Arena = F.getArg(F.arg_size() - 1);
  uint64_t Size = M.getDataLayout().getTypeAllocSize(FrameTy);
  Value *Frame =
      emitFrame(Arena, LateFrom ? EarlySize : Size, Size, FrameAlign, B);
  Instruction *Begin = &*B.GetInsertPoint();
  Instruction *LateBegin = LateFrom ? &*LateFrom->getFirstInsertionPt() : Begin;
  if (LateFrom) {
    IRBuilder<> At(LateBegin);
    emitFullFrame(Arena, Frame, Size, At);
  }
  for (Argument *A : Params) {
    B.SetInsertPoint(Late.contains(A) ? LateBegin : Begin);
    B.SetCurrentDebugLocation(DebugLoc());
    B.CreateStore(F.getArg(A->getArgNo()), getField(Frame, A));
  }
  B.SetInsertPoint(Begin);
  for (AllocaInst *A : Shared) {
    A->replaceAllUsesWith(getField(Frame, A));
    A->eraseFromParent();
  }
  for (Instruction &I : make_early_inc_range(*Body))
    if (isa<AllocaInst>(I))
      I.moveBefore(*Entry, Entry->begin());

  B.SetInsertPoint(S.Turn);
  for (Instruction *V : Values)
    B.CreateStore(emitDefined(V, B), getField(Frame, V));
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
