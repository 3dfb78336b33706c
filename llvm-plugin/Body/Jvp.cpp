//===- Body/Jvp.cpp - The Jacobian-vector product of a body ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forward mode over one block: every operation computes its tangent behind
// itself from those of its operands. A select chooses between tangents, so what
// it does not choose leaves no trace.
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Body/Differentiable.h"
#include "Rules/Rules.h"
#include "Support/Reason.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

namespace {

class JvpBuilder {
public:
  JvpBuilder(Function &Body, ArrayRef<unsigned> ActiveReads)
      : Body(Body), ActiveReads(ActiveReads), B(Body.getContext()) {}

  Expected<Function *> build();

private:
  void findUseful();
  void createFunction();
  Error emitOperation(Instruction &I);
  void createReturn();

  Value *valueOf(Value *V) const {
    auto It = Primal.find(V);
    return It == Primal.end() ? V : It->second;
  }

  Function &Body;
  ArrayRef<unsigned> ActiveReads;
  SmallPtrSet<const Value *, 16> Useful; ///< a derivative of a result sees it
  Function *New = nullptr;
  IRBuilder<> B;
  DenseMap<const Value *, Value *> Primal, Tangents; ///< of Body, in New
};

} // namespace

void JvpBuilder::findUseful() {
  for (unsigned W = 0, E = getNumResults(Body); W != E; ++W)
    Useful.insert(getResult(Body, W));
  for (Instruction &I : reverse(Body.front()))
    if (Useful.contains(&I))
      forEachDifferentiable(I, [&](const Value *Op) { Useful.insert(Op); });
}

void JvpBuilder::createFunction() {
  SmallVector<Type *, 16> ArgTypes(Body.getFunctionType()->params());
  for (unsigned K : ActiveReads)
    ArgTypes.push_back(Body.getArg(K)->getType());
  auto *Ty = FunctionType::get(Body.getReturnType(), ArgTypes, false);
  New = Function::Create(Ty, GlobalValue::InternalLinkage,
                         Body.getName() + ".jvp", Body.getParent());
  for (Argument &A : Body.args()) {
    New->getArg(A.getArgNo())->setName(A.getName());
    Primal[&A] = New->getArg(A.getArgNo());
  }
  for (auto [Place, K] : enumerate(ActiveReads)) {
    Argument *Tangent = New->getArg(Body.arg_size() + Place);
    Tangent->setName(Body.getArg(K)->getName() + ".tangent");
    Tangents[Body.getArg(K)] = Tangent;
  }
  B.SetInsertPoint(BasicBlock::Create(Body.getContext(), "entry", New));
}

/// Emits I and its tangent.
Error JvpBuilder::emitOperation(Instruction &I) {
  Instruction *Clone = I.clone();
  Clone->dropUnknownNonDebugMetadata();
  Clone->setDebugLoc(DebugLoc());
  SmallVector<Value *, 4> OperandTangents;
  bool IsActive = false;
  const Rule *R = findRule(I);
  for (auto [Op, Use] : enumerate(getOperation(I).operands())) {
    bool IsZero = R && isZeroPartial(*R, I, Op);
    OperandTangents.push_back(IsZero ? nullptr : Tangents.lookup(Use.get()));
    IsActive |= OperandTangents.back() != nullptr;
  }
  for (Use &Op : Clone->operands())
    Op.set(valueOf(Op.get()));
  Primal[&I] = B.Insert(Clone, I.getName());
  if (!IsActive || !Useful.contains(&I))
    return Error::success();
  if (!R || !I.getType()->isFPOrFPVectorTy())
    return refuse(Reason::NoRule, describeOperation(I), &I);
  auto value = [&](Value *V) { return valueOf(V); };
  if (Value *T = emitTangent(*R, I, OperandTangents, B, value))
    Tangents[&I] = T;
  return Error::success();
}

void JvpBuilder::createReturn() {
  Value *Struct = PoisonValue::get(New->getReturnType());
  for (unsigned W = 0, E = getNumResults(Body); W != E; ++W) {
    Value *Result = getResult(Body, W);
    Value *Tangent = Tangents.lookup(Result);
    if (!Tangent)
      Tangent = Constant::getNullValue(Result->getType());
    Struct = B.CreateInsertValue(Struct, Tangent, W);
  }
  B.CreateRet(Struct);
}

Expected<Function *> JvpBuilder::build() {
  findUseful();
  createFunction();
  for (Instruction &I : Body.front()) {
    if (I.isTerminator())
      break;
    if (Error E = emitOperation(I)) {
      New->eraseFromParent();
      return E;
    }
  }
  createReturn();
  simplifyBody(*New);
  return New;
}

Expected<Function *> pardiff::buildJvp(Function &Body,
                                       ArrayRef<unsigned> ActiveReads) {
  return JvpBuilder(Body, ActiveReads).build();
}
