//===- Flow/Vectors.cpp - Vector operations without a rule ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions of vectors become chains of scalar operations, in the order of the
// elements.
//
//===----------------------------------------------------------------------===//

#include "Flow/Vectors.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

/// Value op element, for the reduction Id.
static Value *combine(Intrinsic::ID Id, Value *Value, llvm::Value *Element,
                      IRBuilder<> &B) {
  switch (Id) {
  case Intrinsic::vector_reduce_fadd:
    return B.CreateFAdd(Value, Element);
  case Intrinsic::vector_reduce_fmul:
    return B.CreateFMul(Value, Element);
  case Intrinsic::vector_reduce_fmax:
    return B.CreateBinaryIntrinsic(Intrinsic::maxnum, Value, Element);
  case Intrinsic::vector_reduce_fmin:
    return B.CreateBinaryIntrinsic(Intrinsic::minnum, Value, Element);
  case Intrinsic::vector_reduce_fmaximum:
    return B.CreateBinaryIntrinsic(Intrinsic::maximum, Value, Element);
  case Intrinsic::vector_reduce_fminimum:
    return B.CreateBinaryIntrinsic(Intrinsic::minimum, Value, Element);
  default:
    return nullptr;
  }
}

void pardiff::lowerReductions(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || !Call->getType()->isFloatingPointTy() || Call->arg_empty())
      continue;
    Value *Vector = Call->getArgOperand(Call->arg_size() - 1);
    auto *Ty = dyn_cast<FixedVectorType>(Vector->getType());
    IRBuilder<> B(Call);
    Intrinsic::ID Id = Call->getIntrinsicID();
    if (!Ty ||
        !is_contained(
            {Intrinsic::vector_reduce_fadd, Intrinsic::vector_reduce_fmul,
             Intrinsic::vector_reduce_fmax, Intrinsic::vector_reduce_fmin,
             Intrinsic::vector_reduce_fmaximum,
             Intrinsic::vector_reduce_fminimum},
            Id))
      continue;
    B.setFastMathFlags(Call->getFastMathFlags());
    // Sums and products begin with a value of their own.
    Value *Result = Call->arg_size() == 2 ? Call->getArgOperand(0) : nullptr;
    for (unsigned Lane = 0; Lane < Ty->getNumElements(); ++Lane) {
      Value *Element = B.CreateExtractElement(Vector, Lane);
      Result = Result ? combine(Id, Result, Element, B) : Element;
    }
    Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}
