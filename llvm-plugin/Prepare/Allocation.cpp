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

bool pardiff::isPrivateObject(const Instruction &Object,
                              const TargetLibraryInfo &TLI) {
  SmallVector<const Instruction *, 8> Work{&Object};
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    for (const Use &U : I->uses()) {
      if (auto *GEP = dyn_cast<GetElementPtrInst>(U.getUser()))
        Work.push_back(GEP);
      else if (!isPrivateUse(U, TLI))
        return false;
    }
  }
  return true;
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
