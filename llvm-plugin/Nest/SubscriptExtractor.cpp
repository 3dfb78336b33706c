//===- Nest/SubscriptExtractor.cpp - Subscripts read from memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/SubscriptExtractor.h"
#include "Nest/Gather.h"
#include "Nest/Guard.h"
#include "Nest/LoopArrays.h"
#include "Nest/ScevEmitter.h"
#include "Nest/Storage.h"
#include "Support/IslUtils.h"
#include "Support/LoopFunctions.h"
#include "Support/Reason.h"
#include "Support/SourceName.h"
#include "polly/Support/ScopHelper.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "isl/map.h"

using namespace llvm;
using namespace pardiff;

static Error refuseSubscript(Value &Base, const Instruction &I) {
  StringRef Name = getSourceName(&Base);
  return refuse(Reason::IndirectSubscript,
                Name.empty() ? Twine("an array") : "array '" + Name + "'", &I);
}

isl::map ViewAccess::getRelation(const isl::set &Domain) const {
  isl::map Result = isl::manage(isl_map_reset_tuple_id(
      isl::map::identity(Domain.get_space().map_from_set()).release(),
      isl_dim_out));
  Result = Result.intersect_domain(Domain);
  for (unsigned D = dimOf(Domain, isl::dim::set); D-- > 0;)
    if (!is_contained(Indices, D))
      Result = Result.project_out(isl::dim::out, D, 1);
  if (Indices.empty())
    Result = Result.add_dims(isl::dim::out, 1).fix_si(isl::dim::out, 0, 0);
  return Result.set_tuple_id(isl::dim::out,
                             isl::id::alloc(Domain.ctx(), Arr->Name, nullptr));
}

Expected<Value *> SubscriptExtractor::emitLoad(LoadInst &Load,
                                               PendingView &View,
                                               IRBuilder<> &B) {
  polly::MemoryAccess *MA = Stmt.getArrayAccessOrNULLFor(&Load);
  if (!MA || !MA->isAffine() || hasGuard(Load))
    return refuseSubscript(*View.Arr->Base, Load);
  Expected<Array *> A = R.getArray(MA->getLatestScopArrayInfo(), &Load);
  if (!A)
    return A.takeError();
  Value *Base = (*A)->Base;
  if (!Base || (*A)->Kind == ArrayKind::Slot)
    return refuseSubscript(*View.Arr->Base, Load);
  ScalarEvolution &SE = R.getSE();
  const SCEV *Address =
      SE.getSCEVAtScope(Load.getPointerOperand(), Stmt.getSurroundingLoop());
  const SCEV *Distance = SE.getMinusSCEV(Address, SE.getSCEV(Base));
  Value *Offset =
      isa<SCEVCouldNotCompute>(Distance)
          ? nullptr
          : ScevEmitter(R, Stmt, View.Body, B, nullptr).emit(Distance);
  if (!Offset)
    return refuseSubscript(*View.Arr->Base, Load);
  View.Arrays.push_back(*A);
  Value *Start = View.Body.addArgument(View.Body.Reads, B.getPtrTy());
  return B.CreateAlignedLoad(Load.getType(), B.CreatePtrAdd(Start, Offset),
                             Load.getAlign());
}

Expected<Value *> SubscriptExtractor::emit(Value *V, PendingView &View,
                                           IRBuilder<> &B) {
  if (isa<ConstantData>(V))
    return V;
  if (Value *Old = Values.lookup(V))
    return Old;
  auto *I = dyn_cast<Instruction>(V);
  bool IsInside = I && R.getScop().contains(I);
  if (!IsInside || polly::canSynthesize(V, R.getScop(), &R.getSE(),
                                        Stmt.getSurroundingLoop())) {
    const SCEV *S = R.getSE().getSCEVAtScope(V, Stmt.getSurroundingLoop());
    Value *New = ScevEmitter(R, Stmt, View.Body, B, nullptr).emit(S);
    if (!New)
      return refuse(Reason::UnsupportedValue, "part of a subscript", I);
    return Values[V] = New;
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    Expected<Value *> New = emitLoad(*Load, View, B);
    if (New)
      Values[V] = *New;
    return New;
  }
  auto *Call = dyn_cast<IntrinsicInst>(I);
  if (isa<PHINode>(I) || I->mayReadOrWriteMemory() ||
      !I->getType()->isIntegerTy() || (isa<CallBase>(I) && !Call) ||
      I->getParent() != Stmt.getBasicBlock())
    return refuseSubscript(*View.Arr->Base, *I);
  SmallVector<Value *, 4> Ops;
  for (Value *Op : I->operands()) {
    if (Call && Op == Call->getCalledOperand()) {
      Ops.push_back(Intrinsic::getOrInsertDeclaration(
          R.getNest().Bodies.get(), Call->getIntrinsicID(), {I->getType()}));
      continue;
    }
    Expected<Value *> New = emit(Op, View, B);
    if (!New)
      return New;
    Ops.push_back(*New);
  }
  Instruction *New = I->clone();
  for (unsigned K = 0; K < Ops.size(); ++K)
    New->setOperand(K, Ops[K]);
  New->dropUnknownNonDebugMetadata();
  New->setDebugLoc(DebugLoc());
  B.Insert(New);
  return Values[V] = New;
}

/// Writes the subscript function, and leaves in Indices and the arguments what
/// it depends on.
Error SubscriptExtractor::fill(PendingView &V, CallInst &Gather) {
  LLVMContext &C = Gather.getContext();
  IRBuilder<> B(V.Body.BB);
  auto &Iterators = V.Body.Iterators;
  for (unsigned D = 0; D < Stmt.getNumIterators(); ++D)
    V.Body.addArgument(Iterators, Type::getInt64Ty(C));
  Expected<Value *> Distance = emit(getGatherDistance(Gather), V, B);
  if (!Distance)
    return Distance.takeError();
  V.Body.Results.push_back(*Distance);
  SmallVector<Argument *, 4> Used;
  for (unsigned D = 0; D < Stmt.getNumIterators(); ++D) {
    if (Iterators[D]->use_empty() && Iterators[D] != *Distance)
      continue;
    V.Indices.push_back(D);
    Used.push_back(Iterators[D]);
  }
  Iterators.assign(Used.begin(), Used.end());
  if (Iterators.empty())
    V.Body.addArgument(Iterators, Type::getInt64Ty(C));
  return Error::success();
}

Expected<ViewAccess> SubscriptExtractor::extract(CallInst &Gather) {
  PendingView &V = R.getView(Gather);
  if (!V.Arr) {
    Value *Base = getGatherBase(Gather);
    Storage St = classifyStorage(Base, *Gather.getFunction());
    if (St.Kind != ArrayKind::Memory)
      return refuseSubscript(*Base, Gather);
    V.Arr = R.addView(Base, Gather.getType());
    if (Error E = fill(V, Gather))
      return std::move(E);
    V.Arr->Shape.resize(V.Body.Iterators.size());
  }
  return ViewAccess{V.Arr, V.Indices};
}

/// Calls the range function with the integers and arrays that it uses.
Error SubscriptExtractor::fillRange(PendingView &V, CallInst &Call,
                                    Function &Range) {
  LLVMContext &C = Call.getContext();
  IRBuilder<> B(V.Body.BB);
  unsigned NumIterators = std::max(Stmt.getNumIterators(), 1u);
  for (unsigned D = 0; D < NumIterators; ++D)
    V.Body.addArgument(V.Body.Iterators, Type::getInt64Ty(C));
  for (unsigned D = 0; D < Stmt.getNumIterators(); ++D)
    V.Indices.push_back(D);
  SmallVector<Value *, 8> Args;
  for (auto [Formal, Actual] : zip(Range.args(), Call.args())) {
    Type *Ty = Formal.getType();
    if (Formal.use_empty()) {
      Args.push_back(PoisonValue::get(Ty));
    } else if (Ty->isPointerTy()) {
      Args.push_back(nullptr);
    } else {
      Expected<Value *> Arg = emit(Actual.get(), V, B);
      if (!Arg)
        return Arg.takeError();
      if ((*Arg)->getType() != Ty)
        return refuseSubscript(*V.Arr->Base, Call);
      Args.push_back(*Arg);
    }
  }
  for (auto [I, Arg] : enumerate(Args)) {
    if (Arg)
      continue;
    Expected<ViewAccess> Other =
        SubscriptExtractor(R, Stmt).extractRange(Call, I);
    if (!Other)
      return Other.takeError();
    V.Arrays.push_back(Other->Arr);
    Args[I] = V.Body.addArgument(V.Body.Reads, B.getPtrTy());
  }
  FunctionCallee Callee = R.getNest().Bodies->getOrInsertFunction(
      Range.getName(), Range.getFunctionType(), Range.getAttributes());
  CallInst *Both = B.CreateCall(Callee, Args);
  for (unsigned I = 0; I < 2; ++I)
    V.Body.Results.push_back(B.CreateExtractValue(Both, I));
  return Error::success();
}

Expected<ViewAccess> SubscriptExtractor::extractRange(CallInst &Call,
                                                      unsigned Param) {
  PendingView &V = R.getView(Call, Param);
  if (V.Arr)
    return ViewAccess{V.Arr, V.Indices};
  Value *Base = Call.getArgOperand(Param);
  const Function &Loop = *Call.getCalledFunction();
  StringRef Name = getSourceName(Base);
  std::string Text = Name.empty() ? "an array" : ("array '" + Name + "'").str();
  Function *Range = getLoopRange(Loop, Param);
  if (!Range)
    return refuse(Reason::UnknownTripCount,
                  "what it reads of " + Text + " is not known in front of it",
                  &Call);
  // Of others there is no atomic addition.
  Type *Ty = getLoopElementType(Loop, Param);
  if (Ty->isFloatingPointTy() && !Ty->isFloatTy() && !Ty->isDoubleTy())
    return refuse(Reason::UnsupportedValue, Text, &Call);
  auto *I = dyn_cast<Instruction>(Base);
  if ((I && I->getParent() != &Call.getFunction()->getEntryBlock()) ||
      classifyStorage(Base, *Call.getFunction()).Kind != ArrayKind::Memory)
    return refuse(Reason::UnknownTripCount,
                  "it reads " + Text + ", which is not outside of the nest",
                  &Call);
  V.Arr = R.addView(Base, Ty);
  if (Error E = fillRange(V, Call, *Range))
    return std::move(E);
  V.Arr->Shape.resize(V.Body.Iterators.size());
  return ViewAccess{V.Arr, V.Indices};
}
