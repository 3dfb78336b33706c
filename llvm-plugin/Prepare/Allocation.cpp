//===- Prepare/Allocation.cpp - Heap allocations and local objects ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also the pass pardiff-mark-allocations: states at each call of an allocation
// function that it touches no memory of the program. A failing malloc sets
// errno; the function that is prepared does not read it.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Allocation.h"
#include "Prepare/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

static std::optional<LibFunc> getLibFunc(const Value *V,
                                         const TargetLibraryInfo &TLI) {
  const auto *Call = dyn_cast<CallBase>(V);
  LibFunc Func;
  if (!Call || isa<IntrinsicInst>(Call) || Call->isNoBuiltin() ||
      !Call->getCalledFunction() ||
      !TLI.getLibFunc(*Call->getCalledFunction(), Func) || !TLI.has(Func))
    return std::nullopt;
  return Func;
}

bool pardiff::isHeapAllocation(const Value *V, const TargetLibraryInfo &TLI) {
  std::optional<LibFunc> Func = getLibFunc(V, TLI);
  if (!Func)
    return false;
  switch (*Func) {
  case LibFunc_malloc:
  case LibFunc_calloc:
  case LibFunc_aligned_alloc:
  case LibFunc_memalign:
  case LibFunc_Znwj:
  case LibFunc_ZnwjRKSt9nothrow_t:
  case LibFunc_Znwm:
  case LibFunc_ZnwmRKSt9nothrow_t:
  case LibFunc_ZnwmSt11align_val_t:
  case LibFunc_ZnwmSt11align_val_tRKSt9nothrow_t:
  case LibFunc_Znaj:
  case LibFunc_ZnajRKSt9nothrow_t:
  case LibFunc_Znam:
  case LibFunc_ZnamRKSt9nothrow_t:
  case LibFunc_ZnamSt11align_val_t:
  case LibFunc_ZnamSt11align_val_tRKSt9nothrow_t:
    return true;
  default:
    return false;
  }
}

bool pardiff::isZeroAllocation(const Value *V, const TargetLibraryInfo &TLI) {
  return getLibFunc(V, TLI) == LibFunc_calloc;
}

Value *pardiff::getHeapFreed(const Instruction &I,
                             const TargetLibraryInfo &TLI) {
  std::optional<LibFunc> Func = getLibFunc(&I, TLI);
  if (!Func)
    return nullptr;
  switch (*Func) {
  case LibFunc_free:
  case LibFunc_ZdlPv:
  case LibFunc_ZdlPvj:
  case LibFunc_ZdlPvm:
  case LibFunc_ZdlPvRKSt9nothrow_t:
  case LibFunc_ZdlPvSt11align_val_t:
  case LibFunc_ZdlPvmSt11align_val_t:
  case LibFunc_ZdlPvSt11align_val_tRKSt9nothrow_t:
  case LibFunc_ZdaPv:
  case LibFunc_ZdaPvj:
  case LibFunc_ZdaPvm:
  case LibFunc_ZdaPvRKSt9nothrow_t:
  case LibFunc_ZdaPvSt11align_val_t:
  case LibFunc_ZdaPvmSt11align_val_t:
  case LibFunc_ZdaPvSt11align_val_tRKSt9nothrow_t:
    return cast<CallBase>(I).getArgOperand(0);
  default:
    return nullptr;
  }
}

static bool isPrivateUse(const Use &U, const TargetLibraryInfo &TLI) {
  const auto *I = cast<Instruction>(U.getUser());
  if (isa<LoadInst>(I))
    return true;
  if (isa<StoreInst>(I))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (const auto *Cmp = dyn_cast<ICmpInst>(I))
    return isa<ConstantPointerNull>(Cmp->getOperand(0)) ||
           isa<ConstantPointerNull>(Cmp->getOperand(1));
  if (isa<MemIntrinsic>(I) || getHeapFreed(*I, TLI))
    return true;
  const auto *II = dyn_cast<IntrinsicInst>(I);
  return II && (II->isLifetimeStartOrEnd() || isa<AssumeInst>(II));
}

/// True for an address as a number that only tells frees how much they free.
static bool isOnlyFreedSize(const Instruction &I, const TargetLibraryInfo &TLI,
                            unsigned Depth = 0) {
  return Depth < 8 &&
         all_of(
             I.uses(),
             [&](const Use &U) {
               const auto *UI = cast<Instruction>(U.getUser());
               if (getHeapFreed(*UI, TLI))
                 return U.getOperandNo() == 1;
               return (isa<BinaryOperator>(UI) || isa<CastInst>(UI)) &&
                      isOnlyFreedSize(*UI, TLI, Depth + 1);
             });
}

namespace {

/// Follows an address through a function.
class AddressWalk {
public:
  AddressWalk(Instruction &Object, const TargetLibraryInfo &TLI,
              SmallVectorImpl<PHINode *> *OrNull)
      : Object(Object), TLI(TLI), OrNull(OrNull) {}
  bool isPrivate();

private:
  bool visitPhi(PHINode &Phi);
  bool visitUse(const Use &U);

  Instruction &Object;
  const TargetLibraryInfo &TLI;
  SmallVectorImpl<PHINode *> *OrNull;
  SmallSetVector<Instruction *, 8> Derived; ///< addresses in the object
};

} // namespace

bool AddressWalk::visitPhi(PHINode &Phi) {
  if (!OrNull)
    return false;
  if (all_of(Phi.incoming_values(),
             [&](const Use &In) {
               return In == &Object || isa<ConstantPointerNull>(In);
             }) &&
      !is_contained(*OrNull, &Phi))
    OrNull->push_back(&Phi);
  Derived.insert(&Phi);
  return true;
}

bool AddressWalk::visitUse(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Phi = dyn_cast<PHINode>(I))
    return visitPhi(*Phi);
  if (isa<GetElementPtrInst>(I)) {
    Derived.insert(I);
    return true;
  }
  if (isa<PtrToIntInst, PtrToAddrInst>(I))
    return isOnlyFreedSize(*I, TLI);
  if (isa<ICmpInst>(I) && OrNull) // judged when all addresses are known
    return true;
  return isPrivateUse(U, TLI);
}

bool AddressWalk::isPrivate() {
  Derived.insert(&Object);
  for (unsigned K = 0; K < Derived.size(); ++K)
    for (const Use &U : Derived[K]->uses())
      if (!visitUse(U))
        return false;
  if (!OrNull)
    return true;
  auto IsDerived = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && Derived.contains(const_cast<Instruction *>(I));
  };
  for (Instruction *I : Derived) {
    auto *Phi = dyn_cast<PHINode>(I);
    bool MayBeObject = I == &Object || (Phi && is_contained(*OrNull, Phi));
    if (Phi && !MayBeObject && !all_of(Phi->incoming_values(), IsDerived))
      return false;
    for (User *U : I->users())
      if (auto *Cmp = dyn_cast<ICmpInst>(U)) {
        Value *Other = Cmp->getOperand(Cmp->getOperand(0) == I);
        if (!IsDerived(Other) && !(MayBeObject && Cmp->isEquality() &&
                                   isa<ConstantPointerNull>(Other)))
          return false;
      }
  }
  return true;
}

bool pardiff::isPrivateObject(Instruction &Object, const TargetLibraryInfo &TLI,
                              SmallVectorImpl<PHINode *> *OrNull) {
  return AddressWalk(Object, TLI, OrNull).isPrivate();
}

PreservedAnalyses MarkAllocationsPass::run(Function &F,
                                           FunctionAnalysisManager &FAM) {
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    bool Allocates = isHeapAllocation(Call, TLI);
    if (!Allocates && !getHeapFreed(I, TLI))
      continue;
    Call->setMemoryEffects(Allocates
                               ? MemoryEffects::inaccessibleMemOnly()
                               : MemoryEffects::inaccessibleOrArgMemOnly());
    Call->setDoesNotThrow();
    Call->addFnAttr(Attribute::WillReturn);
    if (Allocates)
      Call->addRetAttr(Attribute::NoAlias);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
