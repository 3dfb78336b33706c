//===- Prepare/Require.cpp - Preconditions and the entry block ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

bool pardiff::isRequire(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() &&
         Call->getCalledFunction()->getName() == RequireName;
}

void pardiff::createRequire(IRBuilderBase &B, Value *Cond) {
  if (auto *C = dyn_cast<ConstantInt>(Cond); C && C->isOne())
    return;
  Module *M = B.GetInsertBlock()->getModule();
  FunctionCallee Require =
      M->getOrInsertFunction(RequireName, B.getVoidTy(), B.getInt1Ty());
  if (auto *F = dyn_cast<Function>(Require.getCallee())) {
    // Not removed as dead, and no obstacle to any other access.
    F->setOnlyAccessesInaccessibleMemory();
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
    F->addFnAttr(Attribute::NoFree);
    F->addFnAttr(Attribute::NoSync);
  }
  B.CreateCall(Require, Cond);
}

bool pardiff::isWhere(const Value &V) {
  const auto *Call = dyn_cast<CallInst>(&V);
  return Call && Call->getCalledFunction() &&
         Call->getCalledFunction()->getName() == WhereName;
}

Value *pardiff::createWhere(IRBuilderBase &B, Value *P, Value *Cond) {
  Module *M = B.GetInsertBlock()->getModule();
  FunctionCallee Where = M->getOrInsertFunction(WhereName, P->getType(),
                                                P->getType(), B.getInt1Ty());
  if (auto *F = dyn_cast<Function>(Where.getCallee())) {
    // Analyses of addresses see through it. Instruction combining would remove
    // it: it does not run any more.
    F->addParamAttr(0, Attribute::Returned);
    F->setDoesNotAccessMemory();
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
    F->addFnAttr(Attribute::NoFree);
    F->addFnAttr(Attribute::NoSync);
  }
  return B.CreateCall(Where, {P, Cond});
}

bool pardiff::isInEntryBlock(const Value *V) {
  if (const auto *I = dyn_cast<Instruction>(V))
    return I->getParent()->isEntryBlock();
  return isa<Argument>(V) || isa<Constant>(V);
}

/// What may be computed in the entry block although it was not.
static bool isHarmless(const Instruction &I) {
  return !isa<PHINode>(I) && !isa<AllocaInst>(I) && !I.mayReadOrWriteMemory() &&
         isSafeToSpeculativelyExecute(&I);
}

bool pardiff::collectChain(Value *V, SmallVectorImpl<Instruction *> &Chain) {
  if (isInEntryBlock(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (is_contained(Chain, I))
    return true;
  if (Chain.size() > 32 || !isHarmless(*I))
    return false;
  for (Value *Op : I->operands())
    if (!isa<Function>(Op) && !collectChain(Op, Chain))
      return false;
  Chain.push_back(I);
  return true;
}

void pardiff::moveToEntry(Function &F, ArrayRef<Instruction *> Chain) {
  for (Instruction *I : Chain) {
    I->moveBefore(F.getEntryBlock().getTerminator()->getIterator());
    I->dropUBImplyingAttrsAndMetadata();
  }
}

Value *pardiff::createParam(IRBuilderBase &B, Value *V, const Twine &Name) {
  if (auto *I = dyn_cast<Instruction>(V))
    I->setMetadata(ParamMetadata, MDNode::get(I->getContext(), {}));
  return B.CreateFreeze(V, Name);
}
