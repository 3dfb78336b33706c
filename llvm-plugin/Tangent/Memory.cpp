//===- Tangent/Memory.cpp - Shadow memory in forward mode -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens to memory happens to its shadow: an allocation allocates the
// shadow too, a copy copies it, a free frees it. So the shadow holds at any
// time the tangents of the floating-point values in the memory, and the shadows
// of the pointers. What it holds in the place of integers means nothing.
//
// Where a pointer may lead to memory without a shadow, the shadow pointer is
// null, and an access through it is turned into one that has no effect, without
// a branch; only an active value may not be stored there: that stops the
// program.
//
//===----------------------------------------------------------------------===//

#include "Emit/Emit.h"
#include "Flow/Heap.h"
#include "Rules/Rules.h"
#include "Support/Library.h"
#include "Support/Reason.h"
#include "Tangent/Sweep.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

/// The primal's address where there is no shadow: it can be read and written.
Value *TangentSweep::orPrimal(Value *Shadow, Value *P, Value *&IsNull) {
  IsNull = B.CreateIsNull(Shadow);
  return B.CreateSelect(IsNull, P, Shadow);
}

/// The shadow is accessed as the memory is, so the same types tell it apart.
static void copyTypes(const Instruction &From, Instruction *To) {
  if (MDNode *Tag = From.getMetadata(LLVMContext::MD_tbaa))
    To->setMetadata(LLVMContext::MD_tbaa, Tag);
}

void TangentSweep::emitAlloca(AllocaInst &I) {
  // Zero when it comes to life: parts that are written as integers have no
  // tangent.
  Value *Size = B.CreateMul(
      B.CreateZExtOrTrunc(I.getArraySize(), B.getInt64Ty()),
      B.getInt64(F.getDataLayout().getTypeAllocSize(I.getAllocatedType())));
  define(I, [&](unsigned) {
    Instruction *Shadow = B.Insert(I.clone());
    // Static ones stay together at the begin of the function.
    if (I.isStaticAlloca())
      Shadow->moveAfter(&I);
    return Shadow;
  });
  if (I.isStaticAlloca())
    B.SetInsertPoint(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (Value *Shadow : Tangents[&I])
    B.CreateMemSet(Shadow, B.getInt8(0), Size, I.getAlign());
}

void TangentSweep::emitLoad(LoadInst &I) {
  Value *P = I.getPointerOperand();
  define(I, [&](unsigned Lane) -> Value * {
    Value *Shadow = get(P, Lane), *IsNull = nullptr;
    if (isMaybe(P))
      Shadow = orPrimal(Shadow, P, IsNull);
    LoadInst *Tangent = B.CreateAlignedLoad(I.getType(), Shadow, I.getAlign());
    if (I.isAtomic())
      Tangent->setAtomic(I.getOrdering(), I.getSyncScopeID());
    copyTypes(I, Tangent);
    if (!IsNull) {
      copyScopes(I, P, *Tangent);
      Accesses.push_back({Tangent, Lane});
      return Tangent;
    }
    return B.CreateSelect(IsNull, Constant::getNullValue(I.getType()), Tangent);
  });
}

void TangentSweep::emitGEP(GetElementPtrInst &I) {
  bool Maybe = isMaybe(&I);
  define(I, [&](unsigned Lane) -> Value * {
    Value *Base = get(I.getPointerOperand(), Lane);
    auto *Copy = cast<GetElementPtrInst>(I.clone());
    Copy->setOperand(0, Base);
    B.Insert(Copy);
    if (!Maybe)
      return Copy;
    // A null shadow stays recognisable only without an offset.
    Copy->setNoWrapFlags(GEPNoWrapFlags::none());
    return B.CreateSelect(B.CreateIsNull(Base),
                          Constant::getNullValue(I.getType()), Copy);
  });
}

Error TangentSweep::emitStore(StoreInst &I) {
  Value *V = I.getValueOperand(), *P = I.getPointerOperand();
  Type *Ty = V->getType();
  if (V->getType()->isPointerTy() && Pointers.hasShadow(P) &&
      Pointers.getKind(V) == PointerKind::Unknown)
    return refuse(Reason::UnknownPointer, "", &I);
  // An integer constant may be a floating-point value in disguise: zero.
  if (Ty->isIntOrIntVectorTy() && !isa<Constant>(V))
    return Error::success();
  if (!Pointers.hasShadow(P)) {
    if (isActive(V))
      return refuse(Reason::InactiveMemory, "", &I);
    return Error::success();
  }
  B.SetInsertPoint(&I);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    Value *Shadow = get(P, Lane), *Tangent = get(V, Lane);
    if (isMaybe(P)) {
      if (isActive(V)) {
        emitStopUnless(B.CreateIsNotNull(Shadow),
                       "an active value was stored in memory without a shadow",
                       B);
        B.SetInsertPoint(&I);
      } else {
        Value *IsNull = nullptr;
        Shadow = orPrimal(Shadow, P, IsNull);
        Tangent = B.CreateSelect(IsNull, V, Tangent);
      }
    }
    StoreInst *Store = B.CreateAlignedStore(Tangent, Shadow, I.getAlign());
    if (I.isAtomic())
      Store->setAtomic(I.getOrdering(), I.getSyncScopeID());
    copyTypes(I, Store);
    if (!isMaybe(P)) {
      copyScopes(I, P, *Store);
      Accesses.push_back({Store, Lane});
    }
  }
  return Error::success();
}

/// Calls void Name(ptr to, ptr from, i64 n): copies n bytes of the shadow from,
/// which may be null, to the shadow to, which may be null as well. StopIfLost:
/// what is copied may hold active values.
static void emitGuardedCopy(bool StopIfLost, Value *To, Value *From,
                            Value *Length, IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  StringRef Name =
      StopIfLost ? "pardiff.tangent.copy.values" : "pardiff.tangent.copy";
  Function *C = M.getFunction(Name);
  if (!C) {
    Type *Ptr = B.getPtrTy();
    C = Function::Create(
        FunctionType::get(B.getVoidTy(), {Ptr, Ptr, B.getInt64Ty()}, false),
        GlobalValue::InternalLinkage, Name, M);
    C->addFnAttr(Attribute::NoUnwind);
    LLVMContext &Context = M.getContext();
    auto Block = [&](StringRef BlockName) {
      return BasicBlock::Create(Context, BlockName, C);
    };
    BasicBlock *Entry = Block("entry"), *Has = Block("has.shadow"),
               *Both = Block("both"), *One = Block("one"),
               *None = Block("none");
    Value *Into = C->getArg(0), *Of = C->getArg(1), *N = C->getArg(2);
    IRBuilder<> G(Entry);
    G.CreateCondBr(G.CreateIsNull(Into), None, Has);
    G.SetInsertPoint(Has);
    G.CreateCondBr(G.CreateIsNull(Of), One, Both);
    G.SetInsertPoint(Both);
    G.CreateMemMove(Into, MaybeAlign(), Of, MaybeAlign(), N);
    G.CreateRetVoid();
    G.SetInsertPoint(One);
    G.CreateMemSet(Into, G.getInt8(0), N, MaybeAlign());
    G.CreateRetVoid();
    G.SetInsertPoint(None);
    Instruction *Ret = G.CreateRetVoid();
    G.SetInsertPoint(Ret);
    if (StopIfLost)
      emitStopUnless(G.CreateOr(G.CreateIsNull(Of), G.CreateIsNull(N)),
                     "active memory was copied to memory without a shadow", G);
  }
  B.CreateCall(C, {To, From, Length});
}

/// Atomic sums, differences and exchanges: the same to the shadow.
Error TangentSweep::emitUpdate(AtomicRMWInst &I) {
  Value *V = I.getValOperand(), *P = I.getPointerOperand();
  if (!Pointers.hasShadow(P)) {
    if (isActive(V))
      return refuse(Reason::InactiveMemory, "", &I);
    return Error::success();
  }
  bool IsExchange = I.getOperation() == AtomicRMWInst::Xchg;
  if (!IsExchange && !isActive(V) && I.use_empty())
    return Error::success();
  B.SetInsertPoint(&I);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Lanes Before;
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    Value *Shadow = get(P, Lane);
    if (isMaybe(P)) {
      Value *IsNull = B.CreateIsNull(Shadow);
      if (isActive(V)) {
        emitStopUnless(B.CreateNot(IsNull),
                       "an active value was stored in memory without a shadow",
                       B);
        B.SetInsertPoint(&I);
      }
      // Zero, in a place of its own, is what is updated where none is.
      BasicBlock &Entry = F.getEntryBlock();
      auto *Nowhere = new AllocaInst(V->getType(), 0, "nowhere",
                                     Entry.getFirstInsertionPt());
      B.CreateStore(Constant::getNullValue(V->getType()), Nowhere);
      Shadow = B.CreateSelect(IsNull, Nowhere, Shadow);
    }
    Before.push_back(B.CreateAtomicRMW(I.getOperation(), Shadow, get(V, Lane),
                                       I.getAlign(), I.getOrdering(),
                                       I.getSyncScopeID()));
  }
  if (isActive(&I))
    define(I, [&](unsigned Lane) { return Before[Lane]; });
  return Error::success();
}

/// memset, memcpy, memmove: the whole shadow is treated alike, whatever it
/// holds. What is set has no tangent.
Error TangentSweep::emitTransfer(MemIntrinsic &I) {
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  Value *To = I.getRawDest(), *From = Copy ? Copy->getRawSource() : nullptr;
  auto IsUnknown = [&](Value *P) {
    return P && Pointers.getKind(P) == PointerKind::Unknown;
  };
  if (IsUnknown(To) || IsUnknown(From))
    return refuse(Reason::UnknownMemoryType, "", &I);
  bool ToShadow = Pointers.hasShadow(To),
       FromShadow = From && Pointers.hasShadow(From);
  if (!ToShadow && !FromShadow)
    return Error::success();
  std::optional<uint64_t> Length;
  if (auto *Constant = dyn_cast<ConstantInt>(I.getLength()))
    Length = Constant->getZExtValue();
  bool MayBeLost = false;
  if (FromShadow && (!ToShadow || isMaybe(To))) {
    std::optional<MemoryLayout> Layout = Types.getCopyLayout(To, From, Length);
    MayBeLost = !Layout || Layout->holdsFloats();
    if (!ToShadow)
      return !Layout     ? refuse(Reason::UnknownMemoryType, "", &I)
             : MayBeLost ? refuse(Reason::InactiveMemory, "", &I)
                         : Error::success();
  }
  B.SetInsertPoint(&I);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    Value *Into = get(To, Lane);
    Value *Of =
        FromShadow ? get(From, Lane) : ConstantPointerNull::get(B.getPtrTy());
    if (isMaybe(To) || (FromShadow && isMaybe(From))) {
      emitGuardedCopy(MayBeLost, Into, Of,
                      B.CreateZExtOrTrunc(I.getLength(), B.getInt64Ty()), B);
    } else if (!FromShadow) {
      B.CreateMemSet(Into, B.getInt8(0), I.getLength(), I.getDestAlign());
    } else if (isa<MemMoveInst>(I)) {
      B.CreateMemMove(Into, I.getDestAlign(), Of, Copy->getSourceAlign(),
                      I.getLength());
    } else {
      B.CreateMemCpy(Into, I.getDestAlign(), Of, Copy->getSourceAlign(),
                     I.getLength());
    }
  }
  return Error::success();
}

/// The shadow of memory that the same function allocates and frees.
Error TangentSweep::emitFree(CallBase &I, Value *P) {
  if (Pointers.getKind(P) == PointerKind::Unknown)
    return refuse(Reason::FreedUnknown, "", &I);
  if (!Pointers.hasShadow(P))
    return Error::success();
  B.SetInsertPoint(&I);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    SmallVector<Value *, 3> Args(I.args());
    for (Value *&A : Args)
      if (A == P)
        A = get(P, Lane);
    CallInst *Free =
        B.CreateCall(I.getFunctionType(), I.getCalledOperand(), Args);
    Free->setCallingConv(I.getCallingConv());
  }
  return Error::success();
}

Error TangentSweep::emitDerived(const TangentCall &T) {
  unsigned Next = T.PrimalTy->getNumParams() + T.IsIndirect;
  for (unsigned A = 0; A != T.PrimalTy->getNumParams(); ++A) {
    Value *V = T.Call->getArgOperand(A + T.IsIndirect);
    if (!canHaveTangent(V->getType()))
      continue;
    if (V->getType()->isPointerTy() &&
        Pointers.getKind(V) == PointerKind::Unknown)
      return refuse(Reason::UnknownPointer, "", T.Call);
    for (unsigned Lane = 0; Lane != R.Width; ++Lane)
      T.Call->setArgOperand(Next++, get(V, Lane));
  }
  return Error::success();
}

/// A value that is read from a stream has no tangent.
Error TangentSweep::emitInput(CallBase &I, const InputFunction &Input) {
  Value *P = I.getArgOperand(Input.Operand);
  if (Pointers.getKind(P) == PointerKind::Unknown)
    return refuse(Reason::UnknownPointer, "", &I);
  if (!Pointers.hasShadow(P))
    return Error::success();
  B.SetInsertPoint(&I);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    Value *Size = B.getInt64(F.getDataLayout().getTypeStoreSize(Input.Ty));
    emitGuardedCopy(/*StopIfLost=*/false, get(P, Lane),
                    ConstantPointerNull::get(B.getPtrTy()), Size, B);
  }
  return Error::success();
}

/// Refuses a call of which nothing is known, if tangents may be lost in it.
Error TangentSweep::checkUnknown(CallBase &I) {
  bool SeesShadows = any_of(I.args(), [&](Value *V) {
    return V->getType()->isPointerTy() && Pointers.hasShadow(V);
  });
  bool SeesActive = any_of(I.args(), [&](Value *V) { return isActive(V); });
  bool Returns = canHaveTangent(I.getType());
  bool Harmless =
      isa<IntrinsicInst>(I) ? !SeesShadows && !SeesActive : I.onlyReadsMemory();
  if (I.onlyReadsMemory() && !Returns)
    return Error::success();
  if (Harmless && !(Returns && (SeesShadows || SeesActive)))
    return Error::success();
  return refuse(Reason::UnknownCall, describeOperation(I), &I);
}

Error TangentSweep::emitCall(CallBase &I) {
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return emitTransfer(*Mem);
  if (Value *P = getFreed(I))
    return emitFree(I, P);
  if (Value *P = getDeferred(I))
    return emitFree(I, P);
  if (isDeferral(I))
    return Error::success();
  if (isInactiveCall(I))
    return checkText(I, Types,
                     [&](const Value *P) { return Pointers.hasShadow(P); });
  const Function *Callee = I.getCalledFunction();
  if (auto Input = Callee ? getInput(*Callee) : std::nullopt)
    return emitInput(I, *Input);
  bool SeesShadows = any_of(I.args(), [&](Value *V) {
    return V->getType()->isPointerTy() && Pointers.hasShadow(V);
  });
  if (Callee && isReadingFunction(*Callee) && !SeesShadows)
    return Error::success();
  if (!isAllocation(I) && !isMirroredCall(I) && !isPointerCastCall(I)) {
    if (!findRule(I))
      return checkUnknown(I);
    B.SetInsertPoint(&*I.getInsertionPointAfterDef().value());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    return emitValue(I);
  }
  B.SetInsertPoint(&*I.getInsertionPointAfterDef().value());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  if (isPointerCastCall(I)) {
    if (carries(&I))
      define(I, [&](unsigned Lane) {
        return emitCastShadow(I, get(I.getArgOperand(0), Lane), B);
      });
    return Error::success();
  }
  if (isAllocation(I)) {
    define(I, [&](unsigned) { return createMirroredMemory(I, B); });
    return Error::success();
  }
  for (Value *A : I.args())
    if (A->getType()->isPointerTy() &&
        Pointers.getKind(A) == PointerKind::Unknown)
      return refuse(Reason::UnknownPointer, "", &I);
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    SmallVector<Value *, 4> Args;
    for (Value *A : I.args())
      Args.push_back(A->getType()->isPointerTy() ? get(A, Lane) : A);
    Value *Result = emitMirroredCall(I, Args, B);
    if (I.getType()->isPointerTy())
      Tangents[&I].push_back(Result);
  }
  return Error::success();
}
