//===- Support/LoopFunctions.cpp - Loops inside of a body -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/LoopFunctions.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// As many floating-point arguments are a matter for forward mode.
static constexpr unsigned MaxDirections = 4;

static bool isFloat(const Type *Ty) { return Ty->isFloatingPointTy(); }

bool pardiff::hasLoopJacobian(const Function &LoopFunction) {
  return count_if(LoopFunction.getFunctionType()->params(), isFloat) <=
         MaxDirections;
}

Function &pardiff::getLoopDerivative(Function &LoopFunction) {
  Module &M = *LoopFunction.getParent();
  bool IsJacobian = hasLoopJacobian(LoopFunction);
  std::string Name =
      (LoopFunction.getName() + (IsJacobian ? ".jacobian" : ".adjoint")).str();
  if (Function *Known = M.getFunction(Name))
    return *Known;
  SmallVector<Type *, 8> Params(LoopFunction.getFunctionType()->params());
  SmallVector<Type *, 8> Results;
  ArrayRef<Type *> Fields = LoopFunction.getReturnType()->subtypes();
  if (IsJacobian) {
    append_range(Results, Fields);
    for (Type *Field : Fields)
      if (isFloat(Field))
        Results.append(count_if(Params, isFloat), Field);
  } else {
    copy_if(Params, std::back_inserter(Results), isFloat);
    copy_if(Fields, std::back_inserter(Params), isFloat);
  }
  auto *Ty = FunctionType::get(StructType::get(M.getContext(), Results), Params,
                               /*isVarArg=*/false);
  Function *New = Function::Create(Ty, GlobalValue::ExternalLinkage, Name, M);
  New->addFnAttr(LoopDerivativeAttribute, LoopFunction.getName());
  New->setDoesNotAccessMemory();
  New->setDoesNotThrow();
  New->setWillReturn();
  return *New;
}
