//===- Prepare/Check.cpp - What can be prepared at all ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/Check.h"
#include "Prepare/Allocation.h"
#include "Prepare/Prepare.h"
#include "Support/LoopFunctions.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

/// True for an access to an integer, like a count of references: it
/// has nothing to do with derivatives. (An exchange may be one of
/// floating-point values; then RetypeCopies makes it one, or checkFloatBits
/// refuses it. A conditional exchange of 16 bits or more is refused here.)
static bool isIntegerAccess(const Instruction &I) {
  if (isa<FenceInst>(I))
    return true;
  if (isa<LoadInst, StoreInst>(I))
    return getLoadStoreType(&I)->isIntegerTy();
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return Update->getType()->isIntegerTy();
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  return Exchange && Exchange->getNewValOperand()->getType()->isIntegerTy() &&
         Exchange->getNewValOperand()->getType()->getIntegerBitWidth() < 16;
}

/// True for an atomic access to a number whose derivative is one again.
static bool isNumberAccess(const Instruction &I) {
  if (isa<LoadInst, StoreInst>(I))
    return getLoadStoreType(&I)->isFloatingPointTy();
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  return Update && Update->getType()->isFloatingPointTy() &&
         (Update->getOperation() == AtomicRMWInst::FAdd ||
          Update->getOperation() == AtomicRMWInst::FSub ||
          Update->getOperation() == AtomicRMWInst::Xchg);
}

static Error checkAccess(const Instruction &I) {
  // Integers are computed once, in the forward sweep, as ever.
  if (I.isVolatile() && !isIntegerAccess(I))
    return refuse(Reason::VolatileAccess, "", &I);
  if (I.isAtomic() && !isIntegerAccess(I) && !isNumberAccess(I))
    return refuse(Reason::AtomicAccess, "", &I);
  return Error::success();
}

static Error checkCall(const CallBase &Call) {
  if (Call.isInlineAsm())
    return refuse(Reason::InlineAssembly, "", &Call);
  if (isa<CallBrInst>(Call))
    return refuse(Reason::IndirectBranch, "", &Call);
  if (Call.isMustTailCall())
    return refuse(Reason::MustTailCall, "", &Call);
  if (Call.hasFnAttr(Attribute::ReturnsTwice))
    return refuse(Reason::ReturnsTwice, "", &Call);
  if (isa<ConstrainedFPIntrinsic>(Call) || Call.isStrictFP())
    return refuse(Reason::ConstrainedFloatingPoint, "", &Call);
  switch (Call.getIntrinsicID()) {
  case Intrinsic::vastart:
  case Intrinsic::vacopy:
  case Intrinsic::vaend:
    return refuse(Reason::VariadicBody, "", &Call);
  default:
    return Error::success();
  }
}

static Error checkInstruction(const Instruction &I) {
  if (isa<IndirectBrInst>(I))
    return refuse(Reason::IndirectBranch, "", &I);
  if (isa<VAArgInst>(I))
    return refuse(Reason::VariadicBody, "", &I);
  if (isa<ScalableVectorType>(I.getType()))
    return refuse(Reason::ScalableVector, "", &I);
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return checkCall(*Call);
  return checkAccess(I);
}

Error pardiff::checkSource(const Function &F) {
  if (F.isPresplitCoroutine())
    return refuse(Reason::Coroutine, getReadableName(F), getPlace(F));
  if (F.hasFnAttribute(Attribute::Naked))
    return refuse(Reason::InlineAssembly, getReadableName(F), getPlace(F));
  if (F.hasFnAttribute(Attribute::StrictFP))
    return refuse(Reason::ConstrainedFloatingPoint, getReadableName(F),
                  getPlace(F));
  for (const Instruction &I : instructions(F))
    if (Error E = checkInstruction(I))
      return E;
  return Error::success();
}

/// A call that may stay in a prepared function.
static bool mayStay(const CallInst &Call, const TargetLibraryInfo &TLI) {
  if (isa<IntrinsicInst>(Call) || isRequire(Call))
    return true;
  return Call.doesNotAccessMemory() || getLoopFunction(&Call) ||
         isHeapAllocation(&Call, TLI) || getHeapFreed(Call, TLI);
}

Error pardiff::checkPrepared(const Function &F, const TargetLibraryInfo &TLI) {
  bool Returns = false;
  for (const Instruction &I : instructions(F)) {
    Returns |= isa<ReturnInst>(I);
    if (I.isEHPad() || isa<InvokeInst>(I) || isa<ResumeInst>(I))
      return refuse(Reason::Exceptions, "", &I);
    if (I.isVolatile())
      return refuse(Reason::VolatileAccess, "", &I);
    if (I.isAtomic())
      return refuse(Reason::AtomicAccess, "", &I);
    if (isa<MemIntrinsic>(I))
      return refuse(Reason::MemoryIntrinsic, "", &I);
    const auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || mayStay(*Call, TLI))
      continue;
    const Function *Callee = Call->getCalledFunction();
    if (!Callee)
      return refuse(Reason::IndirectCall, "", &I);
    return refuse(Reason::UnknownCall, getReadableName(*Callee), &I);
  }
  return Returns ? Error::success() : refuse(Reason::NoReturn, "", getPlace(F));
}
