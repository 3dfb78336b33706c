//===- Request/Conversion.cpp - From a call's arguments to parameters -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Request/Conversion.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace pardiff;

static bool isFloatOrDouble(const Type *T) {
  return T->isFloatTy() || T->isDoubleTy();
}

/// An integer wider than what was passed: only where the sign cannot matter.
static bool canWiden(const Value *V) {
  auto *C = dyn_cast<ConstantInt>(V);
  return C && !C->isNegative();
}

/// NULL is a plain 0 in C++.
static bool isNull(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  return C && C->isNullValue();
}

bool pardiff::canConvertArgument(const Value *V, Type *To,
                                 const DataLayout &DL) {
  Type *From = V->getType();
  if (From == To)
    return true;
  if (From->isPointerTy() && To->isPointerTy())
    return true;
  if (isFloatOrDouble(From) && isFloatOrDouble(To))
    return true;
  if (!From->isIntegerTy())
    return false;
  if (To->isIntegerTy())
    return From->getIntegerBitWidth() > To->getIntegerBitWidth() || canWiden(V);
  return To->isPointerTy() && isNull(V) &&
         From->getIntegerBitWidth() == DL.getPointerTypeSizeInBits(To);
}

Value *pardiff::convertArgument(Value *V, Type *To, IRBuilder<> &B) {
  if (V->getType() == To)
    return V;
  if (To->isPointerTy())
    return V->getType()->isPointerTy()
               ? B.CreatePointerBitCastOrAddrSpaceCast(V, To)
               : Constant::getNullValue(To);
  if (To->isFloatingPointTy())
    return B.CreateFPCast(V, To);
  // A C _Bool is true for every value but 0.
  if (To->isIntegerTy(1))
    return B.CreateIsNotNull(V);
  return B.CreateZExtOrTrunc(V, To);
}
