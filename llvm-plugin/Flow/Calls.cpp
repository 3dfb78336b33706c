//===- Flow/Calls.cpp - Calls of derived functions ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which calls become calls of pairs: those of functions with a definition that
// is final (everything that could be inlined is inlined, so they are recursive
// or too large) and those through pointers. Calls of other functions stay; what
// they mean is decided when they are reversed.
//
//===----------------------------------------------------------------------===//

#include "Flow/Calls.h"
#include "Flow/Heap.h"
#include "Rules/Rules.h"
#include "Support/Library.h"
#include "Support/Reason.h"
#include "Support/UserRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

bool pardiff::holdsFloats(const Type *Ty) {
  if (Ty->isFPOrFPVectorTy())
    return true;
  if (auto *Struct = dyn_cast<StructType>(Ty))
    return any_of(Struct->elements(), [](Type *T) { return holdsFloats(T); });
  if (auto *Array = dyn_cast<ArrayType>(Ty))
    return holdsFloats(Array->getElementType());
  return false;
}

bool pardiff::isInactiveCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && (isInactiveFunction(*Callee) ||
                    Callee->hasFnAttribute(UserInactiveAttr));
}

bool pardiff::isMirroredCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && isMirroredFunction(*Callee);
}

bool pardiff::isPointerCastCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && isPointerCast(*Callee);
}

Value *pardiff::emitMirroredCall(CallBase &Call, ArrayRef<Value *> Args,
                                 IRBuilder<> &B) {
  Function *Callee = Call.getCalledFunction();
  Module &M = *Call.getModule();
  std::string Name = ("pardiff.mirror." + Callee->getName()).str();
  Function *F = M.getFunction(Name);
  if (!F) {
    F = Function::Create(Callee->getFunctionType(),
                         GlobalValue::InternalLinkage, Name, M);
    LLVMContext &C = M.getContext();
    BasicBlock *Entry = BasicBlock::Create(C, "entry", F),
               *Has = BasicBlock::Create(C, "has.shadow", F),
               *None = BasicBlock::Create(C, "none", F);
    IRBuilder<> G(Entry);
    Value *AnyNull = G.getFalse();
    SmallVector<Value *, 4> Params;
    for (Argument &A : F->args()) {
      Params.push_back(&A);
      if (A.getType()->isPointerTy())
        AnyNull = G.CreateOr(AnyNull, G.CreateIsNull(&A));
    }
    G.CreateCondBr(AnyNull, None, Has);
    G.SetInsertPoint(Has);
    Value *Result = G.CreateCall(Callee, Params);
    Type *Ty = F->getReturnType();
    Ty->isVoidTy() ? G.CreateRetVoid() : G.CreateRet(Result);
    G.SetInsertPoint(None);
    Ty->isVoidTy() ? G.CreateRetVoid()
                   : G.CreateRet(Constant::getNullValue(Ty));
  }
  return B.CreateCall(F, Args);
}

StructType *pardiff::getForwardResult(FunctionType &Primal, unsigned Width) {
  LLVMContext &C = Primal.getContext();
  SmallVector<Type *, 3> Fields = {PointerType::getUnqual(C)};
  Type *Result = Primal.getReturnType();
  if (!Result->isVoidTy())
    Fields.push_back(Result);
  if (Result->isPointerTy())
    Fields.append(Width, Result);
  return StructType::get(C, Fields);
}

Type *pardiff::getReverseResult(FunctionType &Primal, unsigned Width) {
  SmallVector<Type *, 4> Fields;
  for (Type *Param : Primal.params())
    if (holdsFloats(Param))
      Fields.append(Width, Param);
  if (Fields.empty())
    return Type::getVoidTy(Primal.getContext());
  return StructType::get(Primal.getContext(), Fields);
}

/// The function that a call always calls; null if that is not known.
static Function *getTarget(const CallBase &Call) {
  auto *Callee = dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
  return Callee && Callee->getFunctionType() == Call.getFunctionType()
             ? Callee
             : nullptr;
}

static bool holdsPointers(const Type *Ty) {
  if (Ty->isPtrOrPtrVectorTy())
    return true;
  return any_of(Ty->subtypes(), [](Type *T) { return holdsPointers(T); });
}

static Error checkSignature(const CallBase &Call) {
  FunctionType *Ty = Call.getFunctionType();
  if (Ty->isVarArg())
    return refuse(Reason::VariadicBody, "", &Call);
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    if (Call.isInAllocaArgument(I) || (!Ty->getParamType(I)->isPointerTy() &&
                                       holdsPointers(Ty->getParamType(I))))
      return refuse(Reason::UnsupportedCall, describeOperation(Call), &Call);
  if (!Ty->getReturnType()->isPointerTy() && holdsPointers(Ty->getReturnType()))
    return refuse(Reason::UnsupportedCall, describeOperation(Call), &Call);
  return Error::success();
}

/// True if what a call throws is caught in the function.
static bool mayCatch(const CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return false;
  return any_of(*Call.getFunction(), [&](const BasicBlock &BB) {
    return isa<ReturnInst>(BB.getTerminator()) &&
           isPotentiallyReachable(Invoke->getUnwindDest(), &BB);
  });
}

/// Structures passed by value: the callee gets a pointer to a copy made here.
static void copyByValue(CallBase &Call) {
  const DataLayout &DL = Call.getDataLayout();
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    if (!Call.isByValArgument(I))
      continue;
    Type *Ty = Call.getParamByValType(I);
    IRBuilder<> B(&*Call.getFunction()->getEntryBlock().getFirstInsertionPt());
    AllocaInst *Copy = B.CreateAlloca(Ty, nullptr, "by.value");
    Align A = std::max(Call.getParamAlign(I).valueOrOne(), Copy->getAlign());
    Copy->setAlignment(A);
    B.SetInsertPoint(&Call);
    B.CreateMemCpy(Copy, A, Call.getArgOperand(I), Call.getParamAlign(I),
                   DL.getTypeAllocSize(Ty));
    Call.setArgOperand(I, Copy);
    Call.removeParamAttr(I, Attribute::ByVal);
  }
}

Value *pardiff::emitCastShadow(CallBase &Call, Value *Base, IRBuilder<> &B) {
  Type *Int = B.getInt64Ty();
  Value *Distance = B.CreateSub(B.CreatePtrToInt(&Call, Int),
                                B.CreatePtrToInt(Call.getArgOperand(0), Int));
  Value *None = B.CreateOr(B.CreateIsNull(&Call), B.CreateIsNull(Base));
  return B.CreateSelect(None, ConstantPointerNull::get(B.getPtrTy()),
                        B.CreatePtrAdd(Base, Distance));
}

CallBase *pardiff::emitDerivedCall(CallBase &Old, Function &Derived,
                                   ArrayRef<Value *> Args, IRBuilder<> &B) {
  auto *Invoke = dyn_cast<InvokeInst>(&Old);
  if (!Invoke)
    return B.CreateCall(&Derived, Args);
  // The parts of the result get a block of their own.
  BasicBlock *Dest = Invoke->getNormalDest();
  BasicBlock *Parts =
      BasicBlock::Create(Old.getContext(), "returned", Old.getFunction(), Dest);
  CallBase *New =
      B.CreateInvoke(&Derived, Parts, Invoke->getUnwindDest(), Args);
  Dest->replacePhiUsesWith(Old.getParent(), Parts);
  B.SetInsertPoint(BranchInst::Create(Dest, Parts));
  B.SetCurrentDebugLocation(Old.getDebugLoc());
  return New;
}

static PairedCall replaceCall(CallBase &Old, FlowPair Pair, unsigned Width,
                              Value *Pointer) {
  PairedCall P;
  P.Pair = Pair;
  P.PrimalTy = Old.getFunctionType();
  P.IsIndirect = Pointer;
  SmallVector<Value *, 8> Args;
  if (Pointer)
    Args.push_back(Pointer);
  append_range(Args, Old.args());
  for (Value *A : Old.args())
    if (A->getType()->isPointerTy())
      Args.append(Width,
                  ConstantPointerNull::get(cast<PointerType>(A->getType())));
  IRBuilder<> B(&Old);
  Args.push_back(ConstantPointerNull::get(B.getPtrTy())); // the arena
  P.Call = emitDerivedCall(Old, *Pair.Forward, Args, B);
  auto Extract = [&](unsigned Field, const Twine &Name) {
    return cast<Instruction>(B.CreateExtractValue(P.Call, Field, Name));
  };
  P.Frame = Extract(0, "frame");
  Type *Ty = Old.getType();
  if (!Ty->isVoidTy()) {
    P.Result = Extract(1, Old.getName());
    for (unsigned Lane = 0; Ty->isPointerTy() && Lane != Width; ++Lane)
      P.ResultShadows.push_back(Extract(2 + Lane, Old.getName() + ".shadow"));
    Old.replaceAllUsesWith(P.Result);
  }
  Old.eraseFromParent();
  return P;
}

Expected<SmallVector<DerivedCall, 8>> pardiff::findDerivedCalls(Function &F) {
  SmallVector<DerivedCall, 8> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call) || isAllocation(*Call) ||
        getFreed(*Call) || isInactiveCall(*Call) || isMirroredCall(*Call) ||
        isPointerCastCall(*Call) || isDeferral(*Call) || findRule(*Call))
      continue;
    Function *Callee = getTarget(*Call);
    bool HasRule = Callee && (getUserFunction(*Callee, UserDerivativeName) ||
                              getUserFunction(*Callee, UserGradientName));
    if (Callee && !HasRule &&
        (Callee->isDeclaration() || Callee->isInterposable()))
      continue;
    if (Error E = checkSignature(*Call))
      return std::move(E);
    copyByValue(*Call);
    Calls.push_back({Call, Callee});
  }
  return Calls;
}

Expected<SmallVector<PairedCall, 4>>
pardiff::pairCalls(Function &F, unsigned Width, PairProvider &Pairs) {
  auto Calls = findDerivedCalls(F);
  if (!Calls)
    return Calls.takeError();
  SmallVector<PairedCall, 4> Result;
  for (auto [Call, Callee] : *Calls) {
    if (mayCatch(*Call))
      return refuse(Reason::CaughtException, describeOperation(*Call), Call);
    Expected<FlowPair> Pair =
        Callee ? Pairs.getPair(*Callee, *Call)
               : Pairs.getDispatch(*Call->getFunctionType(), *Call);
    if (!Pair)
      return Pair.takeError();
    Result.push_back(replaceCall(*Call, *Pair, Width,
                                 Callee ? nullptr : Call->getCalledOperand()));
    if (Callee && Pairs.isPart(*Callee))
      Result.back().Part = Callee;
  }
  return Result;
}
