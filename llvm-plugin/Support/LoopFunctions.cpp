//===- Support/LoopFunctions.cpp - Loops inside of a body -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/LoopFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// As many floating-point arguments are a matter for forward mode.
static constexpr unsigned MaxDirections = 4;

static bool isFloat(const Type *Ty) { return Ty->isFloatingPointTy(); }

static constexpr StringLiteral ModelSuffix = ".model";

bool pardiff::readsArrays(const Function &LoopFunction) {
  return any_of(seq<unsigned>(0, LoopFunction.arg_size()),
                [&](unsigned I) { return isLoopArray(LoopFunction, I); });
}

Type *pardiff::getLoopElementType(const Function &LoopFunction, unsigned I) {
  Type *Ty = nullptr;
  for (const Instruction &Inst : instructions(LoopFunction)) {
    auto *Load = dyn_cast<LoadInst>(&Inst);
    if (!Load || getUnderlyingObject(Load->getPointerOperand(), 0) !=
                     LoopFunction.getArg(I))
      continue;
    if (Ty && Ty != Load->getType())
      return nullptr;
    Ty = Load->getType();
  }
  return Ty;
}

Function *pardiff::declareLoopModel(const Function &LoopFunction, Module &M) {
  std::string Name = (LoopFunction.getName() + ModelSuffix).str();
  if (Function *Known = M.getFunction(Name))
    return Known;
  SmallVector<Type *, 8> Params;
  for (const Argument &A : LoopFunction.args())
    Params.push_back(isLoopArray(LoopFunction, A.getArgNo())
                         ? getLoopElementType(LoopFunction, A.getArgNo())
                         : A.getType());
  auto *Ty = FunctionType::get(LoopFunction.getReturnType(), Params,
                               /*isVarArg=*/false);
  Function *New = Function::Create(Ty, GlobalValue::ExternalLinkage, Name, M);
  for (unsigned I = 0; I < Params.size(); ++I)
    for (StringRef Name : {LoopArrayAttribute, LoopSummandAttribute})
      if (Attribute A = LoopFunction.getAttributes().getParamAttr(I, Name);
          A.isValid())
        New->addParamAttr(I, A);
  New->addFnAttr(LoopFunctionAttribute);
  New->addFnAttr(LoopModelAttribute, LoopFunction.getName());
  New->setDoesNotAccessMemory();
  New->setDoesNotThrow();
  New->setWillReturn();
  return New;
}

Function *pardiff::findModelled(const Function &Model, Module &M) {
  return M.getFunction(
      Model.getFnAttribute(LoopModelAttribute).getValueAsString());
}

Function &pardiff::getLoopDerivative(Function &LoopFunction,
                                     const SmallBitVector &WithShadow,
                                     bool IsAtomic) {
  Module &M = *LoopFunction.getParent();
  std::string Shadows;
  for (unsigned I : WithShadow.set_bits())
    Shadows += std::to_string(I) + " ";
  std::string Name = (LoopFunction.getName() + ".adjoint").str();
  for (unsigned I : WithShadow.set_bits())
    Name += "." + std::to_string(I);
  if (IsAtomic)
    Name += ".atomic";
  if (Function *Known = M.getFunction(Name))
    return *Known;
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 8> Params(LoopFunction.getFunctionType()->params());
  SmallVector<Type *, 8> Results;
  copy_if(Params, std::back_inserter(Results), isFloat);
  Params.append(WithShadow.count(), PointerType::getUnqual(C));
  copy_if(LoopFunction.getReturnType()->subtypes(), std::back_inserter(Params),
          isFloat);
  Type *ResultTy = Type::getVoidTy(C);
  if (!Results.empty())
    ResultTy = StructType::get(C, Results);
  Function *New = Function::Create(FunctionType::get(ResultTy, Params, false),
                                   GlobalValue::ExternalLinkage, Name, M);
  New->addFnAttr(LoopDerivativeAttribute, LoopFunction.getName());
  New->addFnAttr(LoopShadowsAttribute, Shadows);
  if (IsAtomic)
    New->addFnAttr(LoopAtomicAttribute);
  return *New;
}

bool pardiff::hasLoopJacobian(const Function &LoopFunction) {
  return !readsArrays(LoopFunction) &&
         count_if(LoopFunction.getFunctionType()->params(), isFloat) <=
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
  if (isLoopModel(LoopFunction))
    New->addFnAttr(LoopFunction.getFnAttribute(LoopModelAttribute));
  New->setDoesNotAccessMemory();
  New->setDoesNotThrow();
  New->setWillReturn();
  return *New;
}
