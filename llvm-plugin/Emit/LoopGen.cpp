//===- Emit/LoopGen.cpp - Loops and statements in LLVM IR -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops are emitted in rotated form behind a guard:
//
//     br (Lower < Upper), loop, exit
//   loop:
//     i = phi [Lower], [i + Step]; body; br (i + Step < Upper), loop, exit
//   exit:
//
// A statement reads all its elements, runs the body's instructions and writes.
// Only the additions of Accumulate into shadows may be reassociated: they are
// the adjoint's own; the body's instructions keep the flags that the user's
// arithmetic has, and scattered sums of the primal have none.
//
// Nothing here can fail.
//
//===----------------------------------------------------------------------===//

#include "Emit/LoopGen.h"
#include "Body/Body.h"
#include "Emit/ExprGen.h"
#include "Nest/LoopArrays.h"
#include "Support/LoopFunctions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace pardiff;

BasicBlock *pardiff::openBlock(IRBuilder<> &B) {
  BasicBlock *BB = B.GetInsertBlock();
  Function *F = BB->getParent();
  if (B.GetInsertPoint() == BB->end())
    return BasicBlock::Create(F->getContext(), "pardiff.rest", F,
                              BB->getNextNode());
  BasicBlock *Rest = BB->splitBasicBlock(B.GetInsertPoint(), "pardiff.rest");
  BB->getTerminator()->eraseFromParent();
  B.SetInsertPoint(BB);
  return Rest;
}

void pardiff::setInsertPointKeepLoc(IRBuilder<> &B, BasicBlock *BB) {
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.SetInsertPoint(BB, BB->begin());
  B.SetCurrentDebugLocation(Loc);
}

void pardiff::closeBlock(IRBuilder<> &B, BasicBlock *Rest) {
  B.CreateBr(Rest);
  setInsertPointKeepLoc(B, Rest);
}

LoopGen::LoopGen(IRBuilder<> &B, Function &F, const Nest &N,
                 EmittedArrays &Arrays, const ExtentMap &Extents,
                 unsigned NumVars)
    : B(B), F(F), N(N), Arrays(Arrays), Extents(Extents), Vars(NumVars) {
  for (unsigned I = 0; I < N.Params.size(); ++I)
    Vars[I] = N.Params[I].V;
  BasicBlock &Entry = F.getEntryBlock();
  StackPoint = {&Entry, Entry.begin()};
}

Value *LoopGen::emitExpr(const AstExpr &E) {
  return ExprGen(B, Vars, /*NoWrap=*/true).emit(E);
}

void LoopGen::emitNode(const AstNode &Node) {
  switch (Node.K) {
  case AstNode::Kind::Parallel:
    if (EmitParallel && !InRegion)
      return EmitParallel(Node);
    return emitNode(Node.Children[0]);
  case AstNode::Kind::Scope:
    emitLocals(Node.Locals);
    [[fallthrough]];
  case AstNode::Kind::Block:
    for (const AstNode &C : Node.Children)
      emitNode(C);
    return;
  case AstNode::Kind::Rest: {
    SaveAndRestore Inside(InRest, true);
    return emitNode(Node.Children[0]);
  }
  case AstNode::Kind::For:
    return emitFor(Node);
  case AstNode::Kind::If:
    return emitIf(Node, [this](const AstNode &C) { emitNode(C); });
  case AstNode::Kind::Call:
    return emitCall(Node.Call);
  }
}

/// Gives arrays with a scope their memory and fills it with zeros.
void LoopGen::emitLocals(ArrayRef<AstNode::Local> Locals) {
  for (const AstNode::Local &L : Locals) {
    Type *Ty = L.A->ElemTy;
    IRBuilder<> StackB(F.getContext());
    StackB.restoreIP(StackPoint);
    L.A->Base = StackB.CreateAlloca(
        L.A->Shape.empty() ? Ty : ArrayType::get(Ty, L.Elements), nullptr,
        L.A->Name);
    if (L.Elements == 1) {
      emitStore(*L.A, Constant::getNullValue(Ty), L.A->Base);
      continue;
    }
    const DataLayout &DL = F.getDataLayout();
    B.CreateMemSet(L.A->Base, B.getInt8(0),
                   L.Elements * DL.getTypeAllocSize(Ty).getFixedValue(),
                   DL.getABITypeAlign(Ty));
  }
}

/// Loops may become vectors, but no more than one in an iteration.
void LoopGen::keepSmall(Instruction &BackEdge) {
  LLVMContext &C = F.getContext();
  auto *One = ConstantAsMetadata::get(B.getInt32(1));
  Metadata *Ops[] = {
      nullptr, MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable")),
      MDNode::get(C, {MDString::get(C, "llvm.loop.interleave.count"), One})};
  MDNode *Id = MDNode::getDistinct(C, Ops);
  Id->replaceOperandWith(0, Id);
  BackEdge.setMetadata(LLVMContext::MD_loop, Id);
}

void LoopGen::emitFor(const AstNode &Node) {
  Value *Lower = emitExpr(Node.Lower);
  if (Node.Degenerate) {
    setVar(Node.Var, Lower);
    return emitNode(Node.Children[0]);
  }
  Value *Upper = emitExpr(Node.Upper);
  LLVMContext &C = F.getContext();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *After =
      BasicBlock::Create(C, "pardiff.exit", &F, Before->getNextNode());
  BasicBlock *Loop = BasicBlock::Create(C, "pardiff.loop", &F, After);
  B.CreateCondBr(B.CreateICmpSLT(Lower, Upper), Loop, After);
  B.SetInsertPoint(Loop);
  PHINode *Iterator = B.CreatePHI(B.getInt64Ty(), 2, "pardiff.i");
  Iterator->addIncoming(Lower, Before);
  setVar(Node.Var, Iterator);
  ++Depth;
  emitNode(Node.Children[0]);
  --Depth;
  Value *Next = B.CreateNSWAdd(Iterator, B.getInt64(Node.Step));
  Iterator->addIncoming(Next, B.GetInsertBlock());
  Instruction *BackEdge =
      B.CreateCondBr(B.CreateICmpSLT(Next, Upper), Loop, After);
  if (InRest)
    keepSmall(*BackEdge);
  B.SetInsertPoint(After);
}

void LoopGen::emitIf(const AstNode &Node,
                     function_ref<void(const AstNode &)> EmitChild) {
  Value *Cond = ExprGen(B, Vars, /*NoWrap=*/true).emitBool(Node.Cond);
  LLVMContext &C = F.getContext();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *After =
      BasicBlock::Create(C, "pardiff.endif", &F, Before->getNextNode());
  BasicBlock *Then = BasicBlock::Create(C, "pardiff.then", &F, After);
  BasicBlock *Else = After;
  if (Node.Children.size() > 1)
    Else = BasicBlock::Create(C, "pardiff.else", &F, After);
  B.CreateCondBr(Cond, Then, Else);
  B.SetInsertPoint(Then);
  EmitChild(Node.Children[0]);
  B.CreateBr(After);
  if (Else != After) {
    B.SetInsertPoint(Else);
    EmitChild(Node.Children[1]);
    B.CreateBr(After);
  }
  B.SetInsertPoint(After);
}

SmallVector<Value *, 4> LoopGen::emitDistance(const Array &A,
                                              ArrayRef<Value *> Index) {
  const Subscript &Sub = *A.View;
  SmallVector<Value *, 8> Args;
  for (const Array *X : Sub.Arrays)
    Args.push_back(X->Base);
  append_range(Args, Index);
  for (const Parameter &P : N.Params)
    Args.push_back(P.V);
  // Loads are emitted in the order of the arrays.
  BasicBlock *BB = B.GetInsertBlock();
  Instruction *Last = BB->empty() ? nullptr : &BB->back();
  SmallVector<Value *, 4> Distance = inlineBody(*Sub.Fn, Args, B);
  auto It = Last ? std::next(Last->getIterator()) : BB->begin();
  unsigned Next = 0;
  for (Instruction &I : make_range(It, BB->end()))
    if (isa<LoadInst>(I) && Next < Sub.Arrays.size())
      Arrays.addScopes(I, *Sub.Arrays[Next++]);
  return Distance;
}

Value *LoopGen::emitElement(const Array &A, ArrayRef<AstExpr> Index) {
  SmallVector<Value *, 4> Values;
  for (const AstExpr &E : Index)
    Values.push_back(emitExpr(E));
  if (A.View)
    return B.CreatePtrAdd(A.Base, emitDistance(A, Values).front());
  auto It = Extents.find(&A);
  ArrayRef<Value *> Ext;
  if (It != Extents.end())
    Ext = It->second;
  return Arrays.emitAddress(A, Values, Ext, B);
}

Value *LoopGen::emitLoad(const Array &A, Value *Address) {
  LoadInst *L = B.CreateLoad(A.ElemTy, Address);
  Arrays.addScopes(*L, A);
  return L;
}

void LoopGen::emitStore(const Array &A, Value *V, Value *Address) {
  Arrays.addScopes(*B.CreateStore(V, Address), A);
}

/// True if other elements of the program's arrays may be where elements of A
/// are: A is a view, or what a view leads to.
static bool isShared(const Nest &N, const Array &A) {
  return A.View || any_of(N.Arrays, [&](const auto &X) {
           return X->View && X->Base && X->Base == A.Base;
         });
}

void LoopGen::emitAccumulate(const Array &A, Value *V, Value *Address) {
  // Relaxed: nobody looks at the sum before the region's end.
  if (InRegion && isShared(N, A)) {
    auto *Add = B.CreateAtomicRMW(AtomicRMWInst::FAdd, Address, V, MaybeAlign(),
                                  AtomicOrdering::Monotonic);
    Arrays.addScopes(*Add, A);
    return;
  }
  IRBuilder<>::FastMathFlagGuard Guard(B);
  FastMathFlags Flags;
  if (A.Kind == ArrayKind::Memory) {
    B.setFastMathFlags(Flags);
    emitStore(A, B.CreateFAdd(emitLoad(A, Address), V), Address);
    return;
  }
  Flags.setAllowReassoc();
  Flags.setNoSignedZeros();
  Flags.setAllowContract();
  B.setFastMathFlags(Flags);
  emitStore(A, B.CreateFAdd(emitLoad(A, Address), V), Address);
}

/// The place of S if F has locations; places of another function would be wrong
/// here.
DebugLoc LoopGen::getLoc(const Statement &S) const {
  DISubprogram *SP = F.getSubprogram();
  if (!SP || !S.Loc)
    return B.getCurrentDebugLocation();
  const DILocation *Outermost = S.Loc.get();
  while (const DILocation *At = Outermost->getInlinedAt())
    Outermost = At;
  return Outermost->getScope()->getSubprogram() == SP
             ? S.Loc
             : B.getCurrentDebugLocation();
}

Value *LoopGen::emitGuard(Function &Guard, ArrayRef<Value *> Reads,
                          ArrayRef<Value *> Others, GuardValues &Known) {
  Value *&Holds = Known[&Guard];
  if (Holds)
    return Holds;
  SmallVector<Value *, 16> Args;
  for (auto [R, Arg] : zip(Reads, Guard.args()))
    Args.push_back(R ? R : PoisonValue::get(Arg.getType()));
  append_range(Args, Others);
  return Holds = emitBody(Guard, Args).front();
}

/// Continues where Holds is true; returns the block behind.
BasicBlock *LoopGen::openGuard(Value *Holds) {
  LLVMContext &C = F.getContext();
  BasicBlock *Next = B.GetInsertBlock()->getNextNode();
  BasicBlock *After = BasicBlock::Create(C, "pardiff.unguarded", &F, Next);
  BasicBlock *Then = BasicBlock::Create(C, "pardiff.guarded", &F, After);
  B.CreateCondBr(Holds, Then, After);
  setInsertPointKeepLoc(B, Then);
  return After;
}

/// The function of a loop in place of its model: with arrays, and shadows that
/// it adds to itself.
void LoopGen::emitLoop(CallInst &Model) {
  Module &M = *F.getParent();
  Function &Callee = *Model.getCalledFunction();
  Function &Loop = *findModelled(Callee, M);
  bool IsDerivative = Callee.hasFnAttribute(LoopDerivativeAttribute);
  SmallVector<Value *, 8> Args, Shadows;
  SmallBitVector WithShadow(Loop.arg_size());
  for (unsigned I = 0; I < Loop.arg_size(); ++I) {
    Value *Arg = Model.getArgOperand(I);
    if (!isLoopArray(Loop, I)) {
      Args.push_back(Arg);
      continue;
    }
    const Array &A = *Ranges.lookup(Arg);
    Args.push_back(A.Base);
    auto Shadow = find_if(RangeShadows, [&](auto *S) { return S->Of == &A; });
    if (!IsDerivative || Shadow == RangeShadows.end())
      continue;
    WithShadow.set(I);
    Shadows.push_back((*Shadow)->Base);
  }
  IRBuilder<>::InsertPointGuard Guard(B);
  DebugLoc Loc = B.getCurrentDebugLocation();
  B.SetInsertPoint(&Model);
  B.SetCurrentDebugLocation(Loc);
  if (!IsDerivative) {
    CallInst *Call = B.CreateCall(&Loop, Args);
    Model.replaceAllUsesWith(Call);
    Model.eraseFromParent();
    return;
  }
  append_range(Args, Shadows);
  append_range(Args, drop_begin(Model.args(), Loop.arg_size()));
  CallInst *Call =
      B.CreateCall(&getLoopDerivative(Loop, WithShadow, InRegion), Args);
  // A field for each number. What goes to arrays is there already.
  SmallVector<int, 8> Fields;
  int Next = 0;
  for (unsigned I = 0; I < Loop.arg_size(); ++I)
    if (Callee.getArg(I)->getType()->isFloatingPointTy())
      Fields.push_back(isLoopArray(Loop, I) ? -1 : Next++);
  for (User *U : make_early_inc_range(Model.users())) {
    auto *Extract = cast<ExtractValueInst>(U);
    int Field = Fields[Extract->getIndices().front()];
    Value *V = PoisonValue::get(Extract->getType());
    if (Field >= 0) {
      B.SetInsertPoint(Extract);
      V = B.CreateExtractValue(Call, Field);
    }
    Extract->replaceAllUsesWith(V);
    Extract->eraseFromParent();
  }
  Model.eraseFromParent();
}

/// Inlines a body, or a guard, with loops' functions in place of their models.
SmallVector<Value *, 4> LoopGen::emitBody(Function &Body,
                                          ArrayRef<Value *> Args) {
  BasicBlock *BB = B.GetInsertBlock();
  Instruction *Last = BB->empty() ? nullptr : &BB->back();
  SmallVector<Value *, 4> Results = inlineBody(Body, Args, B);
  if (Ranges.empty())
    return Results;
  SmallVector<WeakTrackingVH, 4> Tracked(Results.begin(), Results.end());
  auto It = Last ? std::next(Last->getIterator()) : BB->begin();
  SmallVector<CallInst *, 2> Models;
  for (Instruction &I : make_range(It, BB->end()))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && isLoopModel(*Callee))
        Models.push_back(Call);
  for (CallInst *Call : Models) {
    Function *Callee = Call->getCalledFunction();
    emitLoop(*Call);
    if (Callee->use_empty())
      Callee->eraseFromParent();
  }
  for (auto [Result, V] : zip(Results, Tracked))
    Result = V;
  return Results;
}

void LoopGen::emitWrite(const Access &W, ArrayRef<AstExpr> Index, Value *V) {
  if (isRange(*W.Arr))
    return; // done by the derivative of the loop
  Value *Address = emitElement(*W.Arr, Index);
  if (W.Kind == AccessKind::Accumulate)
    emitAccumulate(*W.Arr, V, Address);
  else
    emitStore(*W.Arr, V, Address);
}

/// Without guards: loads, body, stores. Accesses with a guard are in a branch
/// of their own, those behind each other in one if they have the same guard. If
/// all writes have the same guard, all that it does not need is in one branch.
void LoopGen::emitCall(const AstCall &Call) {
  const Statement &S = *Call.S;
  SmallVector<Value *, 4> Others;
  for (const AstExpr &E : Call.Iterators)
    Others.push_back(emitExpr(E));
  if (EmitCall)
    return EmitCall(Others);
  DebugLoc Outer = B.getCurrentDebugLocation();
  B.SetCurrentDebugLocation(getLoc(S));
  for (const Parameter &P : N.Params)
    Others.push_back(P.V);
  auto Load = [&](unsigned R) -> Value * {
    const Array &A = *S.Reads[R].Arr;
    if (isRange(A)) {
      Value *Mark = B.Insert(new FreezeInst(PoisonValue::get(A.ElemTy)));
      Ranges[Mark] = &A;
      return Mark;
    }
    return emitLoad(A, emitElement(A, Call.Reads[R]));
  };
  SmallVector<Value *, 16> Reads(S.Reads.size());
  Ranges.clear();
  RangeShadows.clear();
  for (const Access &W : S.Writes)
    if (isRange(*W.Arr))
      RangeShadows.push_back(W.Arr);
  for (unsigned R = 0; R < S.Reads.size(); ++R)
    if (!S.Reads[R].Guard)
      Reads[R] = Load(R);

  Function *Common = S.Writes.empty() ? nullptr : S.Writes.front().Guard;
  if (any_of(S.Writes, [&](const Access &W) { return W.Guard != Common; }))
    Common = nullptr;
  BasicBlock *Rest = nullptr; // behind the branch of all writes
  GuardValues Known;
  auto Open = [&](Function &Guard) {
    return openGuard(emitGuard(Guard, Reads, Others, Known));
  };
  for (unsigned R = 0; R < S.Reads.size();) {
    Function *Guard = S.Reads[R].Guard;
    if (!Guard || (Guard == Common && Rest)) {
      if (Guard)
        Reads[R] = Load(R);
      ++R;
      continue;
    }
    if (Guard == Common) {
      Rest = Open(*Guard);
      continue;
    }
    Value *Holds = emitGuard(*Guard, Reads, Others, Known);
    BasicBlock *Before = B.GetInsertBlock();
    BasicBlock *After = openGuard(Holds);
    unsigned First = R;
    for (; R < S.Reads.size() && S.Reads[R].Guard == Guard; ++R)
      Reads[R] = Load(R);
    BasicBlock *Then = B.GetInsertBlock();
    B.CreateBr(After);
    setInsertPointKeepLoc(B, After);
    for (; First < R; ++First) {
      Type *Ty = Reads[First]->getType();
      PHINode *Phi = B.CreatePHI(Ty, 2);
      Phi->addIncoming(Reads[First], Then);
      Phi->addIncoming(Constant::getNullValue(Ty), Before);
      Reads[First] = Phi;
    }
  }
  if (Common && !Rest)
    Rest = Open(*Common);

  SmallVector<Value *, 16> Args(Reads);
  append_range(Args, Others);
  SmallVector<Value *, 4> Results = emitBody(*S.Body, Args);
  for (unsigned W = 0; W < S.Writes.size();) {
    Function *Guard = S.Writes[W].Guard;
    BasicBlock *After = Guard && !Rest ? Open(*Guard) : nullptr;
    for (; W < S.Writes.size() && S.Writes[W].Guard == Guard; ++W)
      emitWrite(S.Writes[W], Call.Writes[W], Results[W]);
    if (After) {
      B.CreateBr(After);
      setInsertPointKeepLoc(B, After);
    }
  }
  if (Rest) {
    B.CreateBr(Rest);
    setInsertPointKeepLoc(B, Rest);
  }
  for (auto [Mark, A] : Ranges)
    const_cast<Value *>(Mark)->replaceAllUsesWith(PoisonValue::get(A->ElemTy));
  B.SetCurrentDebugLocation(Outer);
}
