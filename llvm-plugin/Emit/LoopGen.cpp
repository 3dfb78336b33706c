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
// Only the additions of Accumulate may be reassociated: they are the adjoint's
// own; the body's instructions keep the flags that the user's arithmetic has.
//
// Nothing here can fail.
//
//===----------------------------------------------------------------------===//

#include "Emit/LoopGen.h"
#include "Body/Body.h"
#include "Emit/ExprGen.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

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
  emitNode(Node.Children[0]);
  Value *Next = B.CreateNSWAdd(Iterator, B.getInt64(Node.Step));
  Iterator->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpSLT(Next, Upper), Loop, After);
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

Value *LoopGen::emitDistance(const Array &A, ArrayRef<Value *> Index) {
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
  Value *Distance = inlineBody(*Sub.Fn, Args, B).front();
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
    return B.CreatePtrAdd(A.Base, emitDistance(A, Values));
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

void LoopGen::emitCall(const AstCall &Call) {
  const Statement &S = *Call.S;
  if (EmitCall) {
    SmallVector<Value *, 4> Iterators;
    for (const AstExpr &E : Call.Iterators)
      Iterators.push_back(emitExpr(E));
    return EmitCall(Iterators);
  }
  DebugLoc Outer = B.getCurrentDebugLocation();
  B.SetCurrentDebugLocation(getLoc(S));
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < S.Reads.size(); ++I) {
    const Array &A = *S.Reads[I].Arr;
    Args.push_back(emitLoad(A, emitElement(A, Call.Reads[I])));
  }
  for (const AstExpr &E : Call.Iterators)
    Args.push_back(emitExpr(E));
  for (const Parameter &P : N.Params)
    Args.push_back(P.V);
  SmallVector<Value *, 4> Results = inlineBody(*S.Body, Args, B);
  for (unsigned I = 0; I < S.Writes.size(); ++I) {
    const Array &A = *S.Writes[I].Arr;
    Value *Address = emitElement(A, Call.Writes[I]), *V = Results[I];
    if (S.Writes[I].Kind == AccessKind::Accumulate)
      emitAccumulate(A, V, Address);
    else
      emitStore(A, V, Address);
  }
  B.SetCurrentDebugLocation(Outer);
}
