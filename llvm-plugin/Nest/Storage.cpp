//===- Nest/Storage.cpp - Where an array of the nest lives ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/Storage.h"
#include "Prepare/Allocation.h"
#include "Prepare/Prepare.h"
#include "Support/Reason.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

static bool isFree(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && (F->getName() == "free" || F->getName().starts_with("_ZdlPv") ||
               F->getName().starts_with("_ZdaPv"));
}

/// Walks over all that is derived from an address that was made in F. False if
/// it gets out of sight.
static bool walkUses(const Value *Ptr, const BasicBlock &Entry, Storage &St,
                     SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(Ptr).second)
    return true;
  for (const Use &U : Ptr->uses()) {
    const auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      return false;
    const BasicBlock *BB = I->getParent();
    if (isa<GetElementPtrInst, BitCastInst, PHINode>(I)) {
      if (!walkUses(I, Entry, St, Seen))
        return false;
    } else if (isa<LoadInst>(I)) {
      St.LiveOut |= isa<ReturnInst>(BB->getTerminator());
    } else if (isa<StoreInst>(I)) {
      if (U.getOperandNo() != StoreInst::getPointerOperandIndex())
        return false;
      St.LiveIn |= BB == &Entry;
    } else if (isa<MemIntrinsic>(I)) {
      St.LiveIn |= BB == &Entry;
    } else if (auto *Call = dyn_cast<CallBase>(I)) {
      if (!Call->isLifetimeStartOrEnd() && !Call->isDroppable() &&
          !isFree(*Call))
        return false;
    } else if (!isa<ICmpInst>(I)) {
      return false;
    }
  }
  return true;
}

Storage pardiff::classifyStorage(const Value *Base, const Function &F) {
  const BasicBlock &Entry = F.getEntryBlock();
  Storage St;
  const Value *Object = getUnderlyingObject(Base, 0);
  const auto *Alloca = dyn_cast<AllocaInst>(Object);
  if (!Alloca && !isNoAliasCall(Object))
    return St;
  Storage Own;
  SmallPtrSet<const Value *, 16> Seen;
  if (!walkUses(Object, Entry, Own, Seen))
    return St;
  Own.Kind = ArrayKind::Local;
  if (Alloca && Base == Alloca && !Alloca->isArrayAllocation() &&
      (Alloca->getAllocatedType()->isFloatingPointTy() ||
       Alloca->getAllocatedType()->isIntegerTy()))
    Own.Kind = ArrayKind::Slot;
  return Own;
}

/// True for a store or fill that puts nothing into memory that depends on the
/// differentiation variables: constants, or an argument into its slot.
static bool isHarmlessWrite(const Instruction &I) {
  if (auto *SI = dyn_cast<StoreInst>(&I)) {
    if (!isa<AllocaInst>(getUnderlyingObject(SI->getPointerOperand(), 0)))
      return false;
    const auto *Alloca = dyn_cast<AllocaInst>(SI->getPointerOperand());
    return isa<ConstantData>(SI->getValueOperand()) ||
           (Alloca && Alloca->hasMetadata(SlotMetadata) &&
            isa<Argument>(SI->getValueOperand()));
  }
  if (auto *MI = dyn_cast<MemIntrinsic>(&I)) {
    const Value *Dest = getUnderlyingObject(MI->getDest(), 0);
    if (!isa<AllocaInst>(Dest) && !isNoAliasCall(Dest))
      return false;
    if (isa<MemSetInst>(MI))
      return true;
    auto *G = dyn_cast<GlobalVariable>(
        getUnderlyingObject(cast<MemTransferInst>(MI)->getSource(), 0));
    return G && G->isConstant();
  }
  return false;
}

Error pardiff::checkEntryAndExit(const Function &F, const BasicBlock &Exit,
                                 const TargetLibraryInfo &TLI) {
  for (const BasicBlock *BB : {&F.getEntryBlock(), &Exit})
    for (const Instruction &I : *BB) {
      if (!I.mayWriteToMemory() || isHarmlessWrite(I))
        continue;
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        const Function *Callee = Call->getCalledFunction();
        if (Call->isLifetimeStartOrEnd() || Call->isDroppable() ||
            isHeapAllocation(Call, TLI) || getHeapFreed(*Call, TLI) ||
            isAllocationFn(Call, &TLI) || getFreedOperand(Call, &TLI) ||
            (Callee && Callee->getName() == RequireName))
          continue;
        if (auto *II = dyn_cast<IntrinsicInst>(Call))
          if (II->getIntrinsicID() == Intrinsic::stacksave ||
              II->getIntrinsicID() == Intrinsic::stackrestore)
            continue;
        return refuse(Reason::CallInNest,
                      Callee ? "call of '" + Callee->getName() + "'"
                             : Twine("call through a pointer"),
                      &I);
      }
      return refuse(Reason::NotPrepared,
                    "memory is written in front of or behind the nest", &I);
    }
  return Error::success();
}
