//===- Contract/UserRules.cpp - Registered rules as derived functions -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adapters between the functions that users register, whose arguments stand as
// (x, shadow of x, y, shadow of y, ...), and those that the engines call. The
// frame of a registered gradient keeps all arguments and the user's tape.
//
//===----------------------------------------------------------------------===//

#include "Contract/UserRules.h"
#include "Flow/Frames.h"
#include "Request/Register.h"
#include "Support/Reason.h"
#include "Support/UserRules.h"
#include "Tangent/Tangent.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

/// How F's parameters and result are passed holds for Call too: structures by
/// value on the stack, small integers with their upper bits.
static void addPassing(CallInst &Call, const Function &F) {
  AttributeList All = F.getAttributes();
  for (Attribute::AttrKind K :
       {Attribute::ByVal, Attribute::StructRet, Attribute::Alignment,
        Attribute::InReg, Attribute::SExt, Attribute::ZExt}) {
    for (unsigned I = 0; I != F.arg_size(); ++I)
      if (All.hasParamAttr(I, K))
        Call.addParamAttr(I, All.getParamAttr(I, K));
    if (All.hasRetAttr(K))
      Call.addRetAttr(All.getRetAttr(K));
  }
}

/// Calls F, and returns the fields of what it returns.
static SmallVector<Value *, 4> emitCall(Function &F, ArrayRef<Value *> Args,
                                        IRBuilder<> &B) {
  SmallVector<Value *, 8> All;
  AllocaInst *Slot = nullptr;
  if (F.hasStructRetAttr())
    All.push_back(Slot = B.CreateAlloca(getReturned(F)));
  append_range(All, Args);
  CallInst *Call = B.CreateCall(&F, All);
  Call->setCallingConv(F.getCallingConv());
  addPassing(*Call, F);
  Value *Returned = Call;
  if (Slot)
    Returned = B.CreateLoad(Slot->getAllocatedType(), Slot);
  SmallVector<Value *, 4> Fields;
  unsigned Count = getReturnedFields(F).size();
  for (unsigned I = 0; I != Count; ++I) {
    if (Returned->getType()->isStructTy())
      Fields.push_back(B.CreateExtractValue(Returned, I));
    else if (Returned->getType()->isVectorTy() && Count == 2)
      Fields.push_back(B.CreateExtractElement(Returned, I));
    else
      Fields.push_back(Returned);
  }
  return Fields;
}

static void emitReturn(ArrayRef<Value *> Fields, Function &F, IRBuilder<> &B) {
  if (F.getReturnType()->isVoidTy()) {
    B.CreateRetVoid();
    return;
  }
  Value *All = PoisonValue::get(F.getReturnType());
  for (auto [I, V] : enumerate(Fields))
    All = B.CreateInsertValue(All, V, I);
  B.CreateRet(All);
}

/// Each of the first arguments of Derived, behind it its shadow or tangent of
/// lane Lane.
static SmallVector<Value *, 8> interleave(Function &F, Function &Derived,
                                          bool IsGradient, unsigned Width,
                                          unsigned Lane) {
  SmallVector<Value *, 8> Args;
  unsigned Next = F.arg_size();
  for (Argument &A : F.args()) {
    Args.push_back(Derived.getArg(A.getArgNo()));
    Type *Ty = A.getType();
    if (IsGradient ? !Ty->isPointerTy() : !canHaveTangent(Ty))
      continue;
    Args.push_back(Derived.getArg(Next + Lane));
    Next += Width;
  }
  return Args;
}

/// A registered function does what F does, and for one lane.
static Error checkWidth(Function &F, StringRef Kind, unsigned Width,
                        const Instruction *At) {
  bool HasPointers =
      any_of(F.args(), [](Argument &A) { return A.getType()->isPointerTy(); });
  if (Width == 1 || !HasPointers)
    return Error::success();
  return refuse(Reason::UnsupportedCall,
                "the " + Kind + " registered for '" + F.getName() +
                    "' has pointers, and can be called for one direction only",
                At);
}

Error pardiff::defineUserPair(Function &F, FlowPair Pair, unsigned Width) {
  if (Error E = checkWidth(F, "gradient", Width, nullptr))
    return E;
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  Function &Augmented = *getUserFunction(F, UserGradientName, 0);
  Function &Reverse = *getUserFunction(F, UserGradientName, 1);
  SmallVector<Type *, 4> Returned = getReturnedFields(Augmented);
  bool HasTape = !Returned.empty() && Returned.front()->isPointerTy();

  IRBuilder<> B(BasicBlock::Create(C, "entry", Pair.Forward));
  SmallVector<Value *, 8> Kept =
      interleave(F, *Pair.Forward, /*IsGradient=*/true, 1, 0);
  SmallVector<Value *, 4> Results, Tapes;
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    Results = emitCall(Augmented, Kept, B);
    if (HasTape)
      Tapes.push_back(Results.front());
  }
  SmallVector<Value *, 3> Fields;
  append_range(Kept, Tapes);
  SmallVector<Type *, 8> Types;
  for (Value *V : Kept)
    Types.push_back(V->getType());
  StructType *FrameTy = StructType::get(C, Types);
  ReturnInst *End = B.CreateRetVoid();
  B.SetInsertPoint(End);
  const DataLayout &DL = M.getDataLayout();
  Value *Frame =
      emitFrame(Pair.Forward->getArg(Pair.Forward->arg_size() - 1),
                DL.getTypeAllocSize(FrameTy), DL.getTypeAllocSize(FrameTy),
                DL.getABITypeAlign(FrameTy), B);
  Fields.push_back(Frame);
  if (!F.getReturnType()->isVoidTy())
    Fields.push_back(Results.back());
  for (auto [I, V] : enumerate(Kept))
    B.CreateStore(V, B.CreateStructGEP(FrameTy, Frame, I));
  emitReturn(Fields, *Pair.Forward, B);
  End->eraseFromParent();

  B.SetInsertPoint(BasicBlock::Create(C, "entry", Pair.Reverse));
  Frame = Pair.Reverse->getArg(0);
  SmallVector<Value *, 8> Args;
  for (auto [I, Ty] : enumerate(Types))
    Args.push_back(B.CreateLoad(Ty, B.CreateStructGEP(FrameTy, Frame, I)));
  ArrayRef<Value *> Arguments = ArrayRef(Args).drop_back(Tapes.size());
  ArrayRef<Value *> TapesAgain = ArrayRef(Args).take_back(Tapes.size());
  SmallVector<SmallVector<Value *, 4>, 1> OfLane;
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    SmallVector<Value *, 8> All(Arguments);
    if (Pair.Reverse->arg_size() > 1)
      All.push_back(Pair.Reverse->getArg(1 + Lane));
    if (HasTape)
      All.push_back(TapesAgain[Lane]);
    OfLane.push_back(emitCall(Reverse, All, B));
  }
  SmallVector<Value *, 4> Adjoints;
  for (unsigned I = 0; I != OfLane.front().size(); ++I)
    for (ArrayRef<Value *> Of : OfLane)
      Adjoints.push_back(Of[I]);
  emitReturn(Adjoints, *Pair.Reverse, B);
  return Error::success();
}

Error pardiff::defineUserTangent(Function &F, Function &Tangent, unsigned Width,
                                 const Instruction *At) {
  Function &Rule = *getUserFunction(F, UserDerivativeName);
  if (Error E = checkWidth(F, "derivative", Width, At))
    return E;
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", &Tangent));
  SmallVector<Value *, 4> Fields;
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    SmallVector<Value *, 4> Results = emitCall(
        Rule, interleave(F, Tangent, /*IsGradient=*/false, Width, Lane), B);
    append_range(Fields, drop_begin(Results, Lane != 0 && !Results.empty()));
  }
  emitReturn(Fields, Tangent, B);
  return Error::success();
}

Function &pardiff::getCaller(Function &F) {
  if (!F.hasFnAttribute(KeepCallAttr))
    return F;
  Module &M = *F.getParent();
  std::string Name = ("pardiff.rule." + F.getName()).str();
  if (Function *Known = M.getFunction(Name))
    return *Known;
  Function *Caller = Function::Create(F.getFunctionType(),
                                      GlobalValue::InternalLinkage, Name, M);
  AttributeList All = F.getAttributes();
  SmallVector<AttributeSet, 8> Params;
  for (Argument &A : F.args())
    Params.push_back(All.getParamAttrs(A.getArgNo()));
  AttributeList Kept = AttributeList::get(F.getContext(), AttributeSet(),
                                          All.getRetAttrs(), Params);
  Caller->setAttributes(Kept);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Caller));
  SmallVector<Value *, 8> Args;
  for (Argument &A : Caller->args())
    Args.push_back(&A);
  CallInst *Call = B.CreateCall(&F, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(Kept);
  Call->getType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
  return *Caller;
}
