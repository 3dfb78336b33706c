//===- Flow/Pointers.cpp - Which pointers have shadows
//----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow/Pointers.h"
#include "Support/Reason.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace pardiff;

static PointerKind join(PointerKind X, PointerKind Y) {
  if (X == PointerKind::Unset || X == Y)
    return Y;
  if (Y == PointerKind::Unset)
    return X;
  return PointerKind::Maybe;
}

PointerKind PointerAnalysis::getKind(const Value *P) const {
  if (auto *A = dyn_cast<Argument>(P))
    return A->getArgNo() < R.Shadows.size() && R.Shadows[A->getArgNo()]
               ? PointerKind::Shadowed
               : PointerKind::Inactive;
  if (isa<Constant>(P))
    return PointerKind::Inactive;
  auto It = Kinds.find(P);
  return It == Kinds.end() ? PointerKind::Unset : It->second;
}

PointerKind PointerAnalysis::compute(const Value *P) {
  if (isa<AllocaInst>(P))
    return PointerKind::Shadowed;
  if (auto *GEP = dyn_cast<GEPOperator>(P))
    return getKind(GEP->getPointerOperand());
  if (auto *Phi = dyn_cast<PHINode>(P)) {
    PointerKind K = PointerKind::Unset;
    for (const Value *V : Phi->incoming_values())
      K = join(K, getKind(V));
    return K;
  }
  if (auto *Select = dyn_cast<SelectInst>(P))
    return join(getKind(Select->getTrueValue()),
                getKind(Select->getFalseValue()));
  if (isa<FreezeInst>(P))
    return getKind(cast<User>(P)->getOperand(0));
  // What a pointer in memory points to is known at run time only.
  if (auto *Load = dyn_cast<LoadInst>(P)) {
    PointerKind Address = getKind(Load->getPointerOperand());
    return Address == PointerKind::Shadowed ? PointerKind::Maybe : Address;
  }
  if (auto *Call = dyn_cast<CallBase>(P))
    if (isAllocationFn(Call, &TLI))
      return PointerKind::Shadowed;
  return PointerKind::Inactive;
}

Error PointerAnalysis::run() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Instruction &I : instructions(*R.F)) {
      if (!I.getType()->isPointerTy())
        continue;
      PointerKind New = join(getKind(&I), compute(&I));
      Changed |= New != getKind(&I);
      Kinds[&I] = New;
    }
  }
  for (Instruction &I : instructions(*R.F)) {
    if (isa<IntToPtrInst>(I))
      return refuse(Reason::PointerFromInteger, "", &I);
    if (I.getType()->isVectorTy() &&
        I.getType()->getScalarType()->isPointerTy())
      return refuse(Reason::PointerVector, "", &I);
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      const Value *Object =
          getUnderlyingObject(Store->getPointerOperand(), /*MaxLookup=*/0);
      if (isa<GlobalVariable>(Object) &&
          !Store->getValueOperand()->getType()->isIntegerTy())
        return refuse(Reason::GlobalWritten, Object->getName(), &I);
    }
  }
  return Error::success();
}

bool pardiff::isNeverWritten(const Value *P, const Function &F, AAResults &AA) {
  // The whole object at any time: an answer about one address in one iteration
  // says nothing about other iterations.
  MemoryLocation Object =
      MemoryLocation::getBeforeOrAfter(getUnderlyingObject(P, 0));
  for (const Instruction &I : instructions(F))
    if (I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Object)))
      return false;
  return true;
}
