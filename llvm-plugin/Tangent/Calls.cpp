//===- Tangent/Calls.cpp - Calls of derived functions in forward mode -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that is not inlined becomes one call of a function that computes the
// primal and its tangent together.
//
//===----------------------------------------------------------------------===//

#include "Flow/Heap.h"
#include "Flow/Vectors.h"
#include "Tangent/Tangent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;
using namespace pardiff;

bool pardiff::canHaveTangent(const Type *Ty) {
  return Ty->isPointerTy() || holdsFloats(Ty);
}

FunctionType *pardiff::getTangentType(FunctionType &Primal, unsigned Width,
                                      bool IsIndirect) {
  LLVMContext &C = Primal.getContext();
  SmallVector<Type *, 8> Params;
  if (IsIndirect)
    Params.push_back(PointerType::getUnqual(C));
  append_range(Params, Primal.params());
  for (Type *Param : Primal.params())
    if (canHaveTangent(Param))
      Params.append(Width, Param);
  Type *Returned = Primal.getReturnType();
  if (Returned->isVoidTy())
    return FunctionType::get(Returned, Params, false);
  SmallVector<Type *, 2> Fields = {Returned};
  if (canHaveTangent(Returned))
    Fields.append(Width, Returned);
  return FunctionType::get(StructType::get(C, Fields), Params, false);
}

/// Behind an invoke there is a place of its own for what belongs to its result.
static void splitInvokes(Function &F) {
  for (BasicBlock &BB : make_early_inc_range(F)) {
    auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator());
    if (!Invoke)
      continue;
    BasicBlock *Dest = Invoke->getNormalDest();
    BasicBlock *Place = BasicBlock::Create(F.getContext(), "invoked", &F, Dest);
    BranchInst::Create(Dest, Place)->setDebugLoc(Invoke->getDebugLoc());
    Invoke->setNormalDest(Place);
    Dest->replacePhiUsesWith(&BB, Place);
  }
}

void pardiff::prepareTangents(Function &F, FunctionAnalysisManager &FAM) {
  removeUnreachableBlocks(F);
  lowerAllocations(F);
  lowerReductions(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager FPM;
  FPM.addPass(ScalarizeMaskedMemIntrinPass());
  FPM.addPass(UnifyFunctionExitNodesPass());
  FPM.addPass(EarlyCSEPass());
  FPM.run(F, FAM);
  splitInvokes(F);
  FAM.invalidate(F, PreservedAnalyses::none());
}

static TangentCall replaceCall(CallBase &Old, Function &Tangent, unsigned Width,
                               bool IsIndirect) {
  TangentCall T;
  T.PrimalTy = Old.getFunctionType();
  T.IsIndirect = IsIndirect;
  SmallVector<Value *, 8> Args;
  if (IsIndirect)
    Args.push_back(Old.getCalledOperand());
  append_range(Args, Old.args());
  for (Value *A : Old.args())
    if (canHaveTangent(A->getType()))
      Args.append(Width, Constant::getNullValue(A->getType()));
  IRBuilder<> B(&Old);
  T.Call = emitDerivedCall(Old, Tangent, Args, B);
  if (!Old.getType()->isVoidTy()) {
    T.Result = cast<Instruction>(B.CreateExtractValue(T.Call, 0));
    T.Result->takeName(&Old);
    if (canHaveTangent(Old.getType()))
      for (unsigned Lane = 0; Lane != Width; ++Lane)
        T.ResultTangents.push_back(B.CreateExtractValue(T.Call, 1 + Lane));
    Old.replaceAllUsesWith(T.Result);
  }
  Old.eraseFromParent();
  return T;
}

Expected<SmallVector<TangentCall, 4>>
pardiff::deriveCalls(Function &F, unsigned Width, TangentProvider &Provider) {
  auto Calls = findDerivedCalls(F);
  if (!Calls)
    return Calls.takeError();
  SmallVector<TangentCall, 4> Result;
  for (auto [Call, Callee] : *Calls) {
    Expected<Function *> Tangent =
        Callee ? Provider.getTangent(*Callee, *Call)
               : Provider.getDispatch(*Call->getFunctionType(), *Call);
    if (!Tangent)
      return Tangent.takeError();
    Result.push_back(replaceCall(*Call, **Tangent, Width, !Callee));
  }
  return Result;
}
