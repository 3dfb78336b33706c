//===- Flow/Adjoints.cpp - One instruction backwards
//------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adjoint of an SSA value is an alloca that is zero at the end of the
// forward sweep. Uses add to it; the definition takes it, so that it is zero
// again when the definition's next earlier execution is reversed.
//
//===----------------------------------------------------------------------===//

#include "Emit/Emit.h"
#include "Flow/MemoryTypes.h"
#include "Flow/ReverseSweep.h"
#include "Rules/Rules.h"
#include "Support/Reason.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

/// True for floating-point values and aggregates or vectors that hold some.
static bool holdsFloats(const Type *Ty) {
  if (Ty->isFPOrFPVectorTy())
    return true;
  if (auto *Struct = dyn_cast<StructType>(Ty))
    return any_of(Struct->elements(), [](Type *T) { return holdsFloats(T); });
  if (auto *Array = dyn_cast<ArrayType>(Ty))
    return holdsFloats(Array->getElementType());
  return false;
}

/// Functions that read at most, and whose results carry no derivative.
static bool isOutput(const CallInst &Call) {
  static constexpr StringLiteral Names[] = {
      "printf",  "fprintf", "puts",   "fputs", "putchar",  "fputc",
      "fwrite",  "fflush",  "perror", "putc",  "snprintf", "sprintf",
      "vprintf", "write",   "clock",  "time",  "strlen",   "strcmp"};
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         is_contained(Names, Callee->getName());
}

void ReverseSweep::findActive() {
  for (auto [I, Out] : enumerate(R.Out))
    if (Out)
      Active.insert(F.getArg(I));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Instruction &I : instructions(F)) {
      if (!holdsFloats(I.getType()) || isActive(&I))
        continue;
      bool Now = false;
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        Now = Pointers.hasShadow(Load->getPointerOperand());
      } else if (const Rule *Found = findRule(I)) {
        const Instruction &Operation = getOperation(I);
        for (unsigned Op = 0; Op < Operation.getNumOperands(); ++Op)
          Now |= isActive(Operation.getOperand(Op)) &&
                 !isZeroPartial(*Found, I, Op);
      } else {
        Now = any_of(I.operands(), [&](Value *V) { return isActive(V); });
      }
      if (Now)
        Active.insert(&I);
      Changed |= Now;
    }
  }
}

AllocaInst *ReverseSweep::getAdjoint(Value *V) {
  AllocaInst *&Adjoint = Adjoints[V];
  if (!Adjoint)
    Adjoint = Tape.createCell(V->getType(), nullptr, V->getName() + ".adjoint");
  return Adjoint;
}

Value *ReverseSweep::takeAdjoint(Value *V) {
  AllocaInst *Adjoint = getAdjoint(V);
  Value *Taken = B.CreateLoad(V->getType(), Adjoint);
  B.CreateStore(Constant::getNullValue(V->getType()), Adjoint);
  return Taken;
}

/// P += Value, field by field; only what is floating point.
static void addInto(Value *P, Value *V, IRBuilder<> &B) {
  Type *Ty = V->getType();
  if (Ty->isFPOrFPVectorTy()) {
    B.CreateStore(B.CreateFAdd(B.CreateLoad(Ty, P), V), P);
    return;
  }
  unsigned Count = 0;
  if (auto *Struct = dyn_cast<StructType>(Ty))
    Count = Struct->getNumElements();
  else if (auto *Array = dyn_cast<ArrayType>(Ty))
    Count = Array->getNumElements();
  for (unsigned I = 0; I < Count; ++I)
    addInto(B.CreateConstInBoundsGEP2_32(Ty, P, 0, I),
            B.CreateExtractValue(V, I), B);
}

void ReverseSweep::addAdjoint(Value *V, Value *Contribution) {
  if (Contribution && isActive(V))
    addInto(getAdjoint(V), Contribution, B);
}

Error ReverseSweep::reverseByRule(Instruction &I) {
  const Rule *Found = findRule(I);
  if (!Found) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(I))
      return refuse(Reason::NoRule, describeOperation(I), &I);
    return Call->getCalledFunction()
               ? refuse(Reason::UnknownCall, describeOperation(I), &I)
               : refuse(Reason::IndirectCall, "", &I);
  }
  Value *Seed = takeAdjoint(&I);
  const Instruction &Operation = getOperation(I);
  for (unsigned Op = 0; Op < Operation.getNumOperands(); ++Op) {
    Value *Operand = Operation.getOperand(Op);
    if (!isActive(Operand) || isZeroPartial(*Found, I, Op))
      continue;
    addAdjoint(Operand, emitAdjoint(*Found, I, Op, Seed, B,
                                    [&](Value *V) { return getValue(V); }));
  }
  return Error::success();
}

Error ReverseSweep::reverseLoad(LoadInst &I) {
  if (!holdsFloats(I.getType()) || !isActive(&I))
    return Error::success();
  if (!I.getType()->isFPOrFPVectorTy())
    return refuse(Reason::UnsupportedAccess, "", &I);
  Value *P = I.getPointerOperand();
  Value *Shadow = getShadow(P), *Adjoint = takeAdjoint(&I);
  if (Pointers.getKind(P) == PointerKind::Maybe) {
    B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateIsNotNull(Shadow), Place,
                                               /*Unreachable=*/false));
    addInto(Shadow, Adjoint, B);
    B.SetInsertPoint(Place);
  } else {
    addInto(Shadow, Adjoint, B);
  }
  return Error::success();
}

Error ReverseSweep::reverseStore(StoreInst &I) {
  Value *V = I.getValueOperand(), *P = I.getPointerOperand();
  if (!holdsFloats(V->getType()))
    return Error::success();
  if (!V->getType()->isFPOrFPVectorTy())
    return refuse(Reason::UnsupportedAccess, "", &I);
  if (!Pointers.hasShadow(P)) {
    if (isActive(V))
      return refuse(Reason::InactiveMemory, "", &I);
    return Error::success();
  }
  Value *Shadow = getShadow(P);
  auto Take = [&] {
    Value *Adjoint = B.CreateLoad(V->getType(), Shadow);
    B.CreateStore(Constant::getNullValue(V->getType()), Shadow);
    addAdjoint(V, Adjoint);
  };
  if (Pointers.getKind(P) != PointerKind::Maybe) {
    Take();
    return Error::success();
  }
  Value *Exists = B.CreateIsNotNull(Shadow);
  if (isActive(V)) {
    // What it is stored in has no shadow: its derivative would be lost.
    emitStopUnless(Exists,
                   "an active value was stored in memory without a shadow", B);
    B.SetInsertPoint(Place);
    Take();
    return Error::success();
  }
  B.SetInsertPoint(SplitBlockAndInsertIfThen(Exists, Place, false));
  Take();
  B.SetInsertPoint(Place);
  return Error::success();
}

/// memset, memcpy, memmove of one floating-point type.
Error ReverseSweep::reverseTransfer(CallInst &I) {
  auto &Mem = cast<MemIntrinsic>(I);
  Value *Dest = Mem.getRawDest(), *Source = nullptr;
  if (auto *Transfer = dyn_cast<MemTransferInst>(&I))
    Source = Transfer->getRawSource();
  bool ToShadow = Pointers.hasShadow(Dest);
  bool FromShadow = Source && Pointers.hasShadow(Source);
  if (!ToShadow && !FromShadow)
    return Error::success();
  Type *DestTy = getElementType(Dest, F), *Ty = DestTy;
  Type *SourceTy = Source ? getElementType(Source, F) : nullptr;
  if (!Ty || (Ty->isIntegerTy() && SourceTy))
    Ty = SourceTy;
  if (!Ty || (SourceTy && SourceTy != Ty))
    return refuse(Reason::UnknownMemoryType, "", &I);
  if (Ty->isIntegerTy()) {
    // One side alone may hold the bits of what the other side is.
    if (FromShadow && (!DestTy || !SourceTy))
      return refuse(Reason::UnknownMemoryType, "", &I);
    return Error::success();
  }
  if (!ToShadow)
    return refuse(Reason::InactiveMemory, "", &I);
  if (Pointers.getKind(Dest) == PointerKind::Maybe ||
      (FromShadow && Pointers.getKind(Source) == PointerKind::Maybe))
    return refuse(Reason::UnknownMemoryType, "", &I);

  Value *Length =
      B.CreateZExtOrTrunc(getValue(Mem.getLength()), B.getInt64Ty());
  Value *To = getShadow(Dest);
  if (FromShadow) {
    Value *From = getShadow(Source);
    Value *Size = B.getInt64(F.getDataLayout().getTypeAllocSize(Ty));
    // Regions may overlap: take all of the adjoint before any of it is added.
    Value *Taken = To;
    FunctionCallee Malloc = F.getParent()->getOrInsertFunction(
        "malloc", FunctionType::get(B.getPtrTy(), {B.getInt64Ty()}, false));
    FunctionCallee Free = F.getParent()->getOrInsertFunction(
        "free", FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false));
    if (isa<MemMoveInst>(I)) {
      Taken = B.CreateCall(Malloc, {B.CreateAdd(Length, B.getInt64(1))});
      emitStopUnless(B.CreateIsNotNull(Taken), "out of memory", B);
      B.SetInsertPoint(Place);
      B.CreateMemCpy(Taken, MaybeAlign(), To, MaybeAlign(), Length);
      B.CreateMemSet(To, B.getInt8(0), Length, MaybeAlign());
    }
    auto [Body, Index] = SplitBlockAndInsertSimpleForLoop(
        B.CreateUDiv(Length, Size), Place->getIterator());
    B.SetInsertPoint(Body);
    Value *Adjoint = B.CreateLoad(Ty, B.CreateGEP(Ty, Taken, Index));
    addInto(B.CreateGEP(Ty, From, Index), Adjoint, B);
    B.SetInsertPoint(Place);
    if (isa<MemMoveInst>(I)) {
      B.CreateCall(Free, {Taken});
      return Error::success();
    }
  }
  B.CreateMemSet(To, B.getInt8(0), Length, MaybeAlign());
  return Error::success();
}

Error ReverseSweep::reverseCall(CallInst &I) {
  if (isa<MemIntrinsic>(I))
    return reverseTransfer(I);
  if (isAllocationFn(&I, &TLI)) {
    if (Freed.contains(&I)) {
      FunctionCallee Free = F.getParent()->getOrInsertFunction(
          "free", FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false));
      B.CreateCall(Free, {getValue(&I)});
      B.CreateCall(Free, {getShadow(&I)});
    }
    return Error::success();
  }
  if (getFreedOperand(&I, &TLI) || isOutput(I))
    return Error::success();
  if (isActive(&I))
    return reverseByRule(I);
  bool TouchesShadows = !I.onlyReadsMemory() && any_of(I.args(), [&](Value *V) {
    return V->getType()->isPointerTy() && Pointers.hasShadow(V);
  });
  if (isa<IntrinsicInst>(I) ? TouchesShadows : !I.onlyReadsMemory())
    return refuse(Reason::UnknownCall, describeOperation(I), &I);
  return Error::success();
}

/// Elements and fields of vectors and aggregates.
Error ReverseSweep::reverseVector(Instruction &I) {
  Value *Adjoint = takeAdjoint(&I);
  if (auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
    Value *Zero = Constant::getNullValue(Extract->getVectorOperandType());
    addAdjoint(Extract->getVectorOperand(),
               B.CreateInsertElement(Zero, Adjoint,
                                     getValue(Extract->getIndexOperand())));
  } else if (auto *Insert = dyn_cast<InsertElementInst>(&I)) {
    Value *Index = getValue(Insert->getOperand(2));
    Value *Element = B.CreateExtractElement(Adjoint, Index);
    addAdjoint(Insert->getOperand(1), Element);
    addAdjoint(Insert->getOperand(0),
               B.CreateInsertElement(
                   Adjoint, Constant::getNullValue(Element->getType()), Index));
  } else if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    Value *Zero =
        Constant::getNullValue(Extract->getAggregateOperand()->getType());
    addAdjoint(Extract->getAggregateOperand(),
               B.CreateInsertValue(Zero, Adjoint, Extract->getIndices()));
  } else {
    auto &Inserted = cast<InsertValueInst>(I);
    Value *Field = B.CreateExtractValue(Adjoint, Inserted.getIndices());
    addAdjoint(Inserted.getInsertedValueOperand(), Field);
    addAdjoint(Inserted.getAggregateOperand(),
               B.CreateInsertValue(Adjoint,
                                   Constant::getNullValue(Field->getType()),
                                   Inserted.getIndices()));
  }
  return Error::success();
}

Error ReverseSweep::reverseInstruction(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return reverseLoad(*Load);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return reverseStore(*Store);
  if (auto *Call = dyn_cast<CallInst>(&I))
    return reverseCall(*Call);
  if (I.isAtomic() || I.isEHPad() || isa<VAArgInst>(I))
    return refuse(Reason::UnsupportedAccess, I.getOpcodeName(), &I);
  // Bits of an active value that are more than looked at.
  if (isa<BitCastInst>(I) && isActive(I.getOperand(0)) && !I.use_empty())
    return refuse(Reason::BitsOfFloats, "", &I);
  if (!isActive(&I))
    return Error::success();
  if (isa<ExtractElementInst, InsertElementInst, InsertValueInst>(I) ||
      (isa<ExtractValueInst>(I) && !findRule(I)))
    return reverseVector(I);
  return reverseByRule(I);
}
