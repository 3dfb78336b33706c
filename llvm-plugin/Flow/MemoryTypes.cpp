//===- Flow/MemoryTypes.cpp - What memory holds
//-----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are taken from the accesses of the function itself (and the types of
// allocas), for a whole object at a time. What that leaves open is refused by
// whoever asks.
//
//===----------------------------------------------------------------------===//

#include "Flow/MemoryTypes.h"
#include "Support/Reason.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

/// The scalar that an aggregate is made of; null if it is made of several.
static Type *getScalar(Type *Ty) {
  while (true) {
    if (auto *Array = dyn_cast<ArrayType>(Ty)) {
      Ty = Array->getElementType();
    } else if (auto *Struct = dyn_cast<StructType>(Ty)) {
      if (Struct->getNumElements() == 0 || !all_equal(Struct->elements()))
        return nullptr;
      Ty = Struct->getElementType(0);
    } else {
      return Ty->getScalarType();
    }
  }
}

Type *pardiff::getElementType(const Value *P, const Function &F) {
  const Value *Object = getUnderlyingObject(P, 0);
  SmallSetVector<Type *, 2> Types;
  if (auto *Alloca = dyn_cast<AllocaInst>(Object)) {
    Type *Scalar = getScalar(Alloca->getAllocatedType());
    if (Scalar && !Scalar->isIntegerTy(8))
      Types.insert(Scalar);
  }
  for (const Instruction &I : instructions(F))
    if (const Value *Pointer = getLoadStorePointerOperand(&I))
      if (getUnderlyingObject(Pointer, 0) == Object) {
        Type *Scalar = getScalar(getLoadStoreType(&I));
        if (!Scalar)
          return nullptr;
        Types.insert(Scalar);
      }
  return Types.size() == 1 && !Types[0]->isPointerTy() ? Types[0] : nullptr;
}

/// True if F reads or writes floating-point values in the object P points to.
static bool holdsFloats(const Value *P, const Function &F) {
  const Value *Object = getUnderlyingObject(P, 0);
  return any_of(instructions(F), [&](const Instruction &I) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    return Pointer && getUnderlyingObject(Pointer, 0) == Object &&
           getLoadStoreType(&I)->isFPOrFPVectorTy();
  });
}

/// True if P points into an argument with a shadow
/// that F accesses as integers only: these may be bits of floating-point
/// values.
static bool mayHoldBits(const Value *P, const Function &F,
                        function_ref<bool(const Value *)> HasShadow) {
  return isa<Argument>(getUnderlyingObject(P, 0)) && HasShadow(P) &&
         !holdsFloats(P, F);
}

/// Integers that are computed from memory with a shadow and stored in such
/// memory again.
static Error checkBits(const StoreInst &Store, const Function &F,
                       function_ref<bool(const Value *)> HasShadow) {
  const Value *Stored = Store.getValueOperand();
  if (!Stored->getType()->isIntOrIntVectorTy() ||
      Stored->getType()->getPrimitiveSizeInBits() < 16 ||
      !mayHoldBits(Store.getPointerOperand(), F, HasShadow))
    return Error::success();
  SmallSetVector<const Value *, 8> Sources;
  Sources.insert(Stored);
  for (unsigned N = 0; N < Sources.size(); ++N) {
    auto *I = dyn_cast<Instruction>(Sources[N]);
    if (!I || !I->getType()->isIntOrIntVectorTy())
      continue;
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load && mayHoldBits(Load->getPointerOperand(), F, HasShadow))
      return refuse(Reason::BitsOfFloats,
                    "if this is an array of integers, mark it pardiff_const",
                    &Store);
    if (!Load)
      Sources.insert(I->op_begin(), I->op_end());
  }
  return Error::success();
}

Error pardiff::checkCopies(const Function &F,
                           function_ref<bool(const Value *)> HasShadow) {
  for (const Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (Error E = checkBits(*Store, F, HasShadow))
        return E;
  return Error::success();
}
