//===- Flow/Pointers.cpp - Which pointers have shadows
//----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow/Pointers.h"
#include "Flow/Globals.h"
#include "Flow/Heap.h"
#include "Support/Accesses.h"
#include "Support/Reason.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace pardiff;

static PointerKind join(PointerKind X, PointerKind Y) {
  if (X == PointerKind::Unset || X == Y)
    return Y;
  if (Y == PointerKind::Unset)
    return X;
  if (X == PointerKind::Unknown || Y == PointerKind::Unknown)
    return PointerKind::Unknown;
  return PointerKind::Maybe;
}

PointerKind PointerAnalysis::getKind(const Value *P) const {
  if (auto *A = dyn_cast<Argument>(P)) {
    bool Has =
        A->getArgNo() < R.Shadows.size() && !R.Shadows[A->getArgNo()].empty();
    return !Has        ? PointerKind::Inactive
           : R.IsSplit ? PointerKind::Maybe
                       : PointerKind::Shadowed;
  }
  if (auto *C = dyn_cast<Constant>(P))
    return getGlobalShadow(*C) ? PointerKind::Shadowed : PointerKind::Inactive;
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
    auto *Variable = dyn_cast<GlobalVariable>(
        getUnderlyingObject(Load->getPointerOperand(), /*MaxLookup=*/0));
    if (Variable && Address == PointerKind::Inactive &&
        mayPointAnywhere(*Variable))
      return PointerKind::Unknown;
    return Address == PointerKind::Shadowed ? PointerKind::Maybe : Address;
  }
  if (auto *Call = dyn_cast<CallBase>(P)) {
    if (isAllocation(*Call))
      return PointerKind::Shadowed;
    if (isInactiveCall(*Call))
      return PointerKind::Inactive;
    if (isMirroredCall(*Call))
      return PointerKind::Maybe;
    if (isPointerCastCall(*Call)) {
      PointerKind K = getKind(Call->getArgOperand(0));
      return K == PointerKind::Shadowed ? PointerKind::Maybe : K;
    }
    // It may return any pointer that it gets.
    PointerKind K = PointerKind::Inactive;
    for (const Value *A : Call->args())
      if (A->getType()->isPointerTy() && getKind(A) != PointerKind::Inactive)
        K = getKind(A) == PointerKind::Unset ? K : PointerKind::Unknown;
    return K;
  }
  for (const PairedCall &Call : R.Calls)
    if (P == Call.Result)
      return PointerKind::Maybe;
  if (isa<IntToPtrInst>(P))
    return PointerKind::Inactive; // only called, see run()
  if (auto *Extract = dyn_cast<ExtractValueInst>(P))
    if (isa<LandingPadInst>(Extract->getAggregateOperand()))
      return PointerKind::Inactive;
  return PointerKind::Unknown;
}

/// True if nothing is done with pointer P but to call it: pointers to members
/// are integers.
static bool isOnlyCalled(const Instruction &P) {
  SmallSetVector<const Value *, 4> Work;
  Work.insert(&P);
  for (unsigned N = 0; N < Work.size(); ++N)
    for (const Use &U : Work[N]->uses()) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      // The first argument of the derivative of a call through a pointer.
      bool IsCall =
          Call && (Call->isCallee(&U) ||
                   (Call->isArgOperand(&U) && Call->getArgOperandNo(&U) == 0 &&
                    Call->getCalledFunction() &&
                    Call->getCalledFunction()->getName().starts_with(
                        "pardiff.forward.pointer.")));
      if (isa<PHINode, SelectInst, FreezeInst>(U.getUser()))
        Work.insert(U.getUser());
      else if (!IsCall && !isa<ICmpInst>(U.getUser()))
        return false;
    }
  return true;
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
    if (isa<IntToPtrInst>(I) && !isOnlyCalled(I))
      return refuse(Reason::PointerFromInteger, "", &I);
    if (I.getType()->isVectorTy() &&
        I.getType()->getScalarType()->isPointerTy())
      return refuse(Reason::PointerVector, "", &I);
    for (const Value *Op : I.operands())
      if (auto *C = dyn_cast<Constant>(Op);
          R.Width > 1 && C && getGlobalShadow(*C))
        return refuse(Reason::UnsupportedAccess,
                      "a global variable has one derivative; use a width of 1",
                      &I);
    for (const Value *Op : I.operands())
      if (isa<Constant>(Op) && Op->getType()->isPointerTy() &&
          isGlobalShadow(*Op))
        return refuse(Reason::UnsupportedAccess,
                      "the derivative of a global variable is differentiated "
                      "in turn",
                      &I);
    const Value *Address = getAccessPointer(I);
    if (!Address)
      continue;
    if (getKind(Address) == PointerKind::Unknown &&
        !getAccessType(I)->isIntOrIntVectorTy())
      return refuse(Reason::UnknownPointer, "", &I);
    auto *Variable =
        dyn_cast<GlobalVariable>(getUnderlyingObject(Address, /*MaxLookup=*/0));
    if (!isa<LoadInst>(I) && Variable && Variable->isThreadLocal() &&
        !getAccessType(I)->isIntOrIntVectorTy())
      return refuse(Reason::ThreadLocalWritten, Variable->getName(), &I);
  }
  return Error::success();
}

bool pardiff::mayVary(const Value *P, const LoopInfo &LI) {
  auto *Object = dyn_cast<Instruction>(getUnderlyingObject(P, 0));
  return Object && LI.getLoopFor(Object->getParent()) != nullptr;
}

/// What P may point into: allocations and variables of the function by the
/// place where they are made, however many there are of each. Empty if it may
/// be something else; then From is set if it is one parameter or global
/// variable.
static SmallPtrSet<const Value *, 4> getPlaces(const Value *P,
                                               const Value *&From) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(P, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  SmallPtrSet<const Value *, 4> Places;
  From = Objects.size() == 1 && isa<Argument, GlobalVariable>(Objects[0])
             ? Objects[0]
             : nullptr;
  for (const Value *Object : Objects)
    if (isa<AllocaInst>(Object) || isNoAliasCall(Object))
      Places.insert(Object);
    else if (!isa<ConstantPointerNull, UndefValue>(Object))
      return {};
  return Places;
}

/// True if P and Other never point into the same object, at any time.
static bool areApart(const Value *P, const Value *Other) {
  const Value *From, *OtherFrom;
  auto Places = getPlaces(P, From), Others = getPlaces(Other, OtherFrom);
  if (Places.empty() && Others.empty())
    return false;
  if (Places.empty() || Others.empty())
    return From || OtherFrom; // what is there before the function begins
  return none_of(Places, [&](const Value *V) { return Others.contains(V); });
}

bool pardiff::mayEverWriteAt(const Value *Q, const Value *P, AAResults &AA,
                             const LoopInfo &LI) {
  if (areApart(P, Q))
    return false;
  return !AA.isNoAlias(
             MemoryLocation::getBeforeOrAfter(getUnderlyingObject(P, 0)),
             MemoryLocation::getBeforeOrAfter(getUnderlyingObject(Q, 0))) ||
         (mayVary(P, LI) && mayVary(Q, LI));
}

bool pardiff::mayEverWrite(const Instruction &I, const Value *P, AAResults &AA,
                           const LoopInfo &LI) {
  if (!I.mayWriteToMemory())
    return false;
  // What is freed stays until the reverse sweep has run.
  if (auto *Call = dyn_cast<CallBase>(&I);
      Call && (isAllocation(*Call) || getFreed(*Call)))
    return false;
  const Value *Written = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    Written = Store->getPointerOperand();
  else if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    Written = Mem->getRawDest();
  if (Written && areApart(P, Written))
    return false;
  // The whole object at any time: an answer about one address in one iteration
  // says nothing about other iterations. Of two pointers that both vary
  // (swapped buffers) it says nothing at all.
  MemoryLocation Object =
      MemoryLocation::getBeforeOrAfter(getUnderlyingObject(P, 0));
  if (isModSet(AA.getModRefInfo(&I, Object)))
    return true;
  return mayVary(P, LI) && any_of(I.operands(), [&](const Value *Op) {
           return Op->getType()->isPointerTy() && mayVary(Op, LI);
         });
}
