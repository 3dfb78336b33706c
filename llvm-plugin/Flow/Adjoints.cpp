//===- Flow/Adjoints.cpp - One instruction backwards ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adjoint of an SSA value is an alloca that is zero at the end of the
// forward sweep. Uses add to it; the definition takes it, so that it is zero
// again when the definition's next earlier execution is reversed. Most values
// are used in the block of their definition only: their adjoints are values,
// not variables, which LLVM would take long to promote where blocks are large.
//
//===----------------------------------------------------------------------===//

#include "Emit/Emit.h"
#include "Flow/Heap.h"
#include "Flow/MemoryTypes.h"
#include "Flow/ReverseSweep.h"
#include "Flow/Transfers.h"
#include "Rules/Rules.h"
#include "Support/Accesses.h"
#include "Support/Library.h"
#include "Support/Reason.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

/// True for the result of a call that may read values with derivatives.
bool ReverseSweep::mayReadShadowed(const CallBase &Call) const {
  if (Call.doesNotAccessMemory() || isa<IntrinsicInst>(Call) ||
      isAllocation(Call) || isInactiveCall(Call))
    return false;
  return any_of(Call.args(), [&](const Value *V) {
    return V->getType()->isPointerTy() && Pointers.hasShadow(V);
  });
}

/// True if I depends on one of its operands that is active.
bool ReverseSweep::isVaried(const Instruction &I) const {
  if (isa<LoadInst, AtomicRMWInst>(I))
    return Pointers.hasShadow(getAccessPointer(I));
  if (const Rule *Found = findRule(I)) {
    const Instruction &Operation = getOperation(I);
    for (unsigned Op = 0; Op < Operation.getNumOperands(); ++Op)
      if (isActive(Operation.getOperand(Op)) && !isZeroPartial(*Found, I, Op))
        return true;
    return false;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && isInactiveCall(*Call))
    return false;
  return (Call && mayReadShadowed(*Call)) ||
         any_of(I.operands(), [&](Value *V) { return isActive(V); });
}

/// What is active depends on an active argument, and something with a
/// derivative depends on it: a value that is only compared needs no adjoint.
void ReverseSweep::findActive() {
  for (auto [I, Out] : enumerate(R.Out))
    if (Out)
      Active.insert(F.getArg(I));
  for (const PairedCall &P : R.Calls)
    if (P.Result && holdsFloats(P.Result->getType()))
      Active.insert(P.Result);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Instruction &I : instructions(F))
      if (holdsFloats(I.getType()) && !isActive(&I) && !Paired.count(&I) &&
          isVaried(I)) {
        Active.insert(&I);
        Changed = true;
      }
  }

  SmallSetVector<const Value *, 32> Useful;
  auto Use = [&](const Value *V) {
    if (isActive(V))
      Useful.insert(V);
  };
  if (R.Returned)
    Use(R.Returned);
  for (const Instruction &I : instructions(F))
    if (isa<StoreInst, BitCastInst>(I) || I.isAtomic() ||
        (isa<CallBase>(I) && !findRule(I) &&
         !isInactiveCall(cast<CallBase>(I))))
      for (const Value *V : I.operands())
        Use(V);
  for (unsigned N = 0; N < Useful.size(); ++N) {
    auto *I = dyn_cast<Instruction>(Useful[N]);
    if (!I || isa<LoadInst>(I))
      continue;
    const Rule *Found = findRule(*I);
    const Instruction &Operation = Found ? getOperation(*I) : *I;
    for (unsigned Op = 0; Op < Operation.getNumOperands(); ++Op)
      if (!Found || !isZeroPartial(*Found, *I, Op))
        Use(Operation.getOperand(Op));
  }
  SmallVector<const Value *, 16> Useless;
  for (const Value *V : Active)
    if (!Useful.contains(V))
      Useless.push_back(V);
  for (const Value *V : Useless)
    Active.erase(V);
}

AllocaInst *ReverseSweep::getAdjoint(Value *V) {
  AllocaInst *&Adjoint = Adjoints[{V, Lane}];
  if (!Adjoint)
    Adjoint = Tape.createVariable(V->getType(), V->getName() + ".adjoint");
  return Adjoint;
}

void ReverseSweep::findLocal() {
  for (BasicBlock *BB : Blocks)
    for (Instruction *I : Original[BB])
      if (I->getType()->isFPOrFPVectorTy() && isActive(I) && !Paired.count(I) &&
          I != R.Returned && all_of(I->users(), [&](const User *U) {
            return !isa<PHINode>(U) && cast<Instruction>(U)->getParent() == BB;
          }))
        Local.insert(I);
}

GatedAdjoint ReverseSweep::takeGated(Value *V) {
  GatedAdjoint Taken;
  if (Local.contains(V)) {
    auto It = LocalAdjoints.find({V, Lane});
    if (It == LocalAdjoints.end()) {
      Taken.V = Constant::getNullValue(V->getType());
    } else {
      Taken = It->second;
      LocalAdjoints.erase(It);
    }
    return Taken;
  }
  AllocaInst *Adjoint = getAdjoint(V);
  Taken.V = B.CreateLoad(V->getType(), Adjoint);
  B.CreateStore(Constant::getNullValue(V->getType()), Adjoint);
  return Taken;
}

Value *ReverseSweep::takeAdjoint(Value *V) {
  return GatedArithmetic(B).finish(takeGated(V));
}

/// P += Value, field by field; only what is floating point. A: of P if V is no
/// structure, else that of its type.
static void addInto(Value *P, Value *V, IRBuilder<> &B,
                    MaybeAlign A = std::nullopt) {
  Type *Ty = V->getType();
  if (Ty->isFPOrFPVectorTy()) {
    Value *Sum = B.CreateFAdd(B.CreateAlignedLoad(Ty, P, A), V);
    B.CreateAlignedStore(Sum, P, A);
    return;
  }
  unsigned Count = 0;
  if (auto *Struct = dyn_cast<StructType>(Ty))
    Count = Struct->getNumElements();
  else if (auto *Array = dyn_cast<ArrayType>(Ty))
    Count = Array->getNumElements();
  for (unsigned I = 0; I < Count; ++I)
    addInto(B.CreateConstInBoundsGEP2_32(Ty, P, 0, I),
            B.CreateExtractValue(V, I), B);
}

void ReverseSweep::addGated(Value *V, const GatedAdjoint &Contribution) {
  if (!isActive(V))
    return;
  GatedArithmetic Arithmetic(B);
  if (!Local.contains(V))
    return addInto(getAdjoint(V), Arithmetic.finish(Contribution), B);
  auto [It, IsNew] = LocalAdjoints.try_emplace({V, Lane}, Contribution);
  if (!IsNew)
    It->second = Arithmetic.add(It->second, Contribution);
}

void ReverseSweep::addAdjoint(Value *V, Value *Contribution) {
  GatedAdjoint Always;
  Always.V = Contribution;
  if (Contribution)
    addGated(V, Always);
}

/// What an operation did not choose leaves no trace (Body/GatedAdjoint.h), as
/// far as it is computed in the block of the choice, where LLVM puts what it
/// computes ahead of one.
Error ReverseSweep::reverseByRule(Instruction &I) {
  const Rule *Found = findRule(I);
  if (!Found)
    return refuseWithoutRule(I);
  const GatedAdjoint Seed = takeGated(&I);
  auto ValueOf = [&](Value *V) { return getValue(V); };
  Value *Condition = nullptr;
  const Instruction &Operation = getOperation(I);
  for (unsigned Op = 0; Op < Operation.getNumOperands(); ++Op) {
    Value *Operand = Operation.getOperand(Op);
    if (!isActive(Operand) || isZeroPartial(*Found, I, Op))
      continue;
    GatedAdjoint A = Seed;
    if (isGate(*Found, I, Op)) {
      if (!Condition)
        Condition = emitGate(*Found, I, Op, B, ValueOf);
      A.When.push_back({Condition, isGateInverted(*Found, I, Op)});
    } else {
      A.V = emitAdjoint(*Found, I, Op, Seed.V, B, ValueOf);
    }
    if (A.V)
      addGated(Operand, A);
  }
  return Error::success();
}

/// The alignment of the shadow that belongs to an access: what is known of the
/// primal's memory beyond its type need not hold for it.
static Align getShadowAlign(const Instruction &Access) {
  Align OfType = Access.getDataLayout().getABITypeAlign(getAccessType(Access));
  return std::min(OfType, getAccessAlign(Access));
}

/// Updates the shadow of what an atomic access accesses, atomically: other
/// threads may do so too, in whatever order. Returns what it was.
static Value *updateShadow(AtomicRMWInst::BinOp Op, Value *Shadow, Value *V,
                           IRBuilder<> &B, const Instruction &Access) {
  return B.CreateAtomicRMW(
      Op, Shadow, V, getShadowAlign(Access), AtomicOrdering::Monotonic,
      getAtomicSyncScopeID(&Access).value_or(SyncScope::System));
}

Error ReverseSweep::reverseLoad(LoadInst &I) {
  if (!holdsFloats(I.getType()) || !isActive(&I))
    return Error::success();
  if (!I.getType()->isFPOrFPVectorTy())
    return refuse(Reason::UnsupportedAccess, "", &I);
  Value *P = I.getPointerOperand();
  Value *Shadow = getShadow(P), *Adjoint = takeAdjoint(&I);
  bool Maybe = Pointers.getKind(P) == PointerKind::Maybe;
  uint64_t Size = I.getDataLayout().getTypeStoreSize(I.getType());
  if (R.IsAtomic && (Maybe || I.getType()->isVectorTy() ||
                     !isPowerOf2_64(Size) || getShadowAlign(I) < Size))
    return refuse(Reason::UnsupportedAccess, "", &I);
  if (Maybe)
    B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateIsNotNull(Shadow), Place,
                                               /*Unreachable=*/false));
  if (R.IsAtomic || I.isAtomic())
    updateShadow(AtomicRMWInst::FAdd, Shadow, Adjoint, B, I);
  else
    addInto(Shadow, Adjoint, B, getShadowAlign(I));
  if (Maybe)
    B.SetInsertPoint(Place);
  return Error::success();
}

/// Emits the adjoint of a write through P, if there is a shadow. That an active
/// value is written where none is ends the program: its derivative would be
/// lost.
void ReverseSweep::emitWhereShadowed(Value *P, Value *Shadow, bool IsActive,
                                     function_ref<void()> Emit) {
  if (Pointers.getKind(P) != PointerKind::Maybe)
    return Emit();
  Value *Exists = B.CreateIsNotNull(Shadow);
  if (IsActive) {
    emitStopUnless(Exists,
                   "an active value was stored in memory without a shadow", B);
    B.SetInsertPoint(Place);
  } else {
    B.SetInsertPoint(SplitBlockAndInsertIfThen(Exists, Place, false));
  }
  Emit();
  B.SetInsertPoint(Place);
}

Error ReverseSweep::reverseStore(StoreInst &I) {
  Value *V = I.getValueOperand(), *P = I.getPointerOperand();
  if (!holdsFloats(V->getType()))
    return Error::success();
  if (!V->getType()->isFPOrFPVectorTy())
    return refuse(Reason::UnsupportedAccess, "", &I);
  if (!Pointers.hasShadow(P)) {
    if (isActive(V))
      return refuse(Reason::InactiveMemory, "", &I);
    return Error::success();
  }
  Value *Shadow = getShadow(P), *Zero = Constant::getNullValue(V->getType());
  emitWhereShadowed(P, Shadow, isActive(V), [&] {
    Value *Adjoint;
    if (I.isAtomic()) {
      Adjoint = updateShadow(AtomicRMWInst::Xchg, Shadow, Zero, B, I);
    } else {
      Align A = getShadowAlign(I);
      Adjoint = B.CreateAlignedLoad(V->getType(), Shadow, A);
      B.CreateAlignedStore(Zero, Shadow, A);
    }
    addAdjoint(V, Adjoint);
  });
  return Error::success();
}

/// Atomic sums, differences and exchanges. To the value that was there before,
/// which is the result, they are loads.
Error ReverseSweep::reverseUpdate(AtomicRMWInst &I) {
  Value *V = I.getValOperand(), *P = I.getPointerOperand();
  if (!Pointers.hasShadow(P)) {
    if (isActive(V))
      return refuse(Reason::InactiveMemory, "", &I);
    return Error::success();
  }
  Value *Shadow = getShadow(P);
  Value *Before = isActive(&I) ? takeAdjoint(&I) : nullptr;
  emitWhereShadowed(P, Shadow, isActive(V), [&] {
    if (I.getOperation() == AtomicRMWInst::Xchg) {
      Value *With = Before ? Before : Constant::getNullValue(V->getType());
      addAdjoint(V, updateShadow(AtomicRMWInst::Xchg, Shadow, With, B, I));
      return;
    }
    if (isActive(V)) {
      LoadInst *Adjoint =
          B.CreateAlignedLoad(V->getType(), Shadow, getShadowAlign(I));
      Adjoint->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
      bool IsSum = I.getOperation() == AtomicRMWInst::FAdd;
      addAdjoint(V, IsSum ? Adjoint : B.CreateFNeg(Adjoint));
    }
    if (Before)
      updateShadow(AtomicRMWInst::FAdd, Shadow, Before, B, I);
  });
  return Error::success();
}

/// memset, memcpy, memmove.
Error ReverseSweep::reverseTransfer(CallInst &I) {
  std::optional<Transfer> T = getTransfer(I);
  if (!T)
    return Error::success();
  if (!T->Layout && T->IsFill) {
    // All that it may have been is overwritten. Shadows of pointers go as well:
    // the reverse sweep keeps those that it needs (isReloadable).
    emitGuardedZero(getShadow(T->Dest),
                    B.CreateZExtOrTrunc(getValue(T->Length), B.getInt64Ty()),
                    B);
    return Error::success();
  }
  if (!T->Layout)
    return refuse(Reason::UnknownMemoryType, "", &I);
  if (!T->Layout->holdsFloats())
    return Error::success();
  if (!T->ToShadow)
    return refuse(Reason::InactiveMemory, "", &I);
  Value *Length = B.CreateZExtOrTrunc(getValue(T->Length), B.getInt64Ty());
  Value *From = T->FromShadow ? getShadow(T->Source)
                              : ConstantPointerNull::get(B.getPtrTy());
  emitFloatTransfer(*T->Layout, getShadow(T->Dest), From, Length, B);
  return Error::success();
}

/// The call of a pair: its reverse half takes the adjoint of the result and the
/// frame, and gives the adjoints of the arguments.
void ReverseSweep::reversePair(const PairedCall &P) {
  SmallVector<Value *, 3> Args;
  if (P.IsIndirect)
    Args.push_back(getValue(P.Call->getArgOperand(0)));
  Args.push_back(getValue(P.Frame));
  if (P.Result && holdsFloats(P.Result->getType()))
    forEachLane([&] {
      Args.push_back(isActive(P.Result)
                         ? takeAdjoint(P.Result)
                         : Constant::getNullValue(P.Result->getType()));
    });
  Value *Adjoints = B.CreateCall(P.Pair.Reverse, Args);
  unsigned Field = 0;
  for (auto [I, Ty] : enumerate(P.PrimalTy->params()))
    if (holdsFloats(Ty))
      forEachLane([&, Operand = P.getOperand(I)] {
        addAdjoint(P.Call->getArgOperand(Operand),
                   B.CreateExtractValue(Adjoints, Field++));
      });
}

/// A value that is read from a stream replaces one with a derivative.
Error ReverseSweep::reverseInput(CallBase &I, const InputFunction &Input) {
  Value *P = I.getArgOperand(Input.Operand);
  if (!Pointers.hasShadow(P))
    return Pointers.getKind(P) == PointerKind::Unknown
               ? refuse(Reason::UnknownPointer, "", &I)
               : Error::success();
  Value *Shadow = getShadow(P);
  bool Maybe = Pointers.getKind(P) == PointerKind::Maybe;
  if (Maybe)
    B.SetInsertPoint(
        SplitBlockAndInsertIfThen(B.CreateIsNotNull(Shadow), Place, false));
  B.CreateStore(Constant::getNullValue(Input.Ty), Shadow);
  if (Maybe)
    B.SetInsertPoint(Place);
  return Error::success();
}

Error ReverseSweep::reverseCall(CallBase &I) {
  if (isa<MemIntrinsic>(I))
    return reverseTransfer(cast<CallInst>(I));
  if (isAllocation(I) || getFreed(I) || isMirroredCall(I) ||
      isPointerCastCall(I))
    return Error::success();
  const Function *Callee = I.getCalledFunction();
  if (isInactiveCall(I))
    return checkText(I, Types,
                     [&](const Value *P) { return Pointers.hasShadow(P); });
  if (auto Input = Callee ? getInput(*Callee) : std::nullopt)
    return reverseInput(I, *Input);
  if (isActive(&I))
    return reverseByRule(I);
  if (Callee && isReadingFunction(*Callee))
    return Error::success();
  bool TouchesShadows = !I.onlyReadsMemory() && any_of(I.args(), [&](Value *V) {
    return V->getType()->isPointerTy() && Pointers.hasShadow(V);
  });
  if (isa<IntrinsicInst>(I) ? TouchesShadows : !I.onlyReadsMemory())
    return refuse(Reason::UnknownCall, describeOperation(I), &I);
  return Error::success();
}

/// Elements and fields of vectors and aggregates.
Error ReverseSweep::reverseVector(Instruction &I) {
  Value *Adjoint = takeAdjoint(&I);
  if (auto *Extract = dyn_cast<ExtractElementInst>(&I)) {
    Value *Zero = Constant::getNullValue(Extract->getVectorOperandType());
    addAdjoint(Extract->getVectorOperand(),
               B.CreateInsertElement(Zero, Adjoint,
                                     getValue(Extract->getIndexOperand())));
  } else if (auto *Insert = dyn_cast<InsertElementInst>(&I)) {
    Value *Index = getValue(Insert->getOperand(2));
    Value *Element = B.CreateExtractElement(Adjoint, Index);
    addAdjoint(Insert->getOperand(1), Element);
    addAdjoint(Insert->getOperand(0),
               B.CreateInsertElement(
                   Adjoint, Constant::getNullValue(Element->getType()), Index));
  } else if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    // Each element of the result goes back to where it was taken from.
    auto *Ty = cast<FixedVectorType>(Shuffle->getOperand(0)->getType());
    int Count = Ty->getNumElements();
    Value *Zero = Constant::getNullValue(Ty), *Sides[] = {Zero, Zero};
    for (auto [Lane, From] : enumerate(Shuffle->getShuffleMask())) {
      if (From < 0)
        continue;
      Value *&Side = Sides[From >= Count];
      Value *Sum = B.CreateFAdd(B.CreateExtractElement(Side, From % Count),
                                B.CreateExtractElement(Adjoint, Lane));
      Side = B.CreateInsertElement(Side, Sum, From % Count);
    }
    addAdjoint(Shuffle->getOperand(0), Sides[0]);
    addAdjoint(Shuffle->getOperand(1), Sides[1]);
  } else if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    Value *Zero =
        Constant::getNullValue(Extract->getAggregateOperand()->getType());
    addAdjoint(Extract->getAggregateOperand(),
               B.CreateInsertValue(Zero, Adjoint, Extract->getIndices()));
  } else {
    auto &Inserted = cast<InsertValueInst>(I);
    Value *Field = B.CreateExtractValue(Adjoint, Inserted.getIndices());
    addAdjoint(Inserted.getInsertedValueOperand(), Field);
    addAdjoint(Inserted.getAggregateOperand(),
               B.CreateInsertValue(Adjoint,
                                   Constant::getNullValue(Field->getType()),
                                   Inserted.getIndices()));
  }
  return Error::success();
}

/// Lane by lane; what a pair is called with is of all lanes.
Error ReverseSweep::reverseInLanes(Instruction &I) {
  if (const PairedCall *P = Paired.lookup(&I)) {
    if (&I == P->Call)
      reversePair(*P);
    return Error::success();
  }
  for (Lane = 0; Lane != R.Width; ++Lane)
    if (Error E = reverseInstruction(I))
      return E;
  Lane = 0;
  return Error::success();
}

Error ReverseSweep::reverseInstruction(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return reverseLoad(*Load);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return reverseStore(*Store);
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I);
      Update && holdsFloats(I.getType()))
    return reverseUpdate(*Update);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return reverseCall(*Call);
  if (isa<LandingPadInst>(I))
    return Error::success();
  if (I.isAtomic() && !holdsFloats(I.getType()))
    return Error::success(); // of integers, see checkSource
  if (I.isAtomic() || I.isEHPad() || isa<VAArgInst>(I))
    return refuse(Reason::UnsupportedAccess, I.getOpcodeName(), &I);
  // Bits of an active value that are more than looked at.
  if (isa<BitCastInst>(I) && isActive(I.getOperand(0)) && !I.use_empty())
    return refuse(Reason::BitsOfFloats, "", &I);
  if (!isActive(&I))
    return Error::success();
  if (isa<ExtractElementInst, InsertElementInst, InsertValueInst>(I) ||
      isa<ShuffleVectorInst>(I) || (isa<ExtractValueInst>(I) && !findRule(I)))
    return reverseVector(I);
  return reverseByRule(I);
}
