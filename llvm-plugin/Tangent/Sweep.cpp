//===- Tangent/Sweep.cpp - Tangents of values -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks are visited so that every definition comes before its uses, but
// for those of phis, which are completed at the end. What a value's tangent is:
//   - phi, select, freeze and what moves elements of vectors and aggregates:
//     the same of the tangents
//   - an operation with a rule: what the rule says
//   - a pointer: the pointer into the shadow, by the same address arithmetic
// Integers have none.
//
//===----------------------------------------------------------------------===//

#include "Tangent/Sweep.h"
#include "Flow/Globals.h"
#include "Flow/Heap.h"
#include "Rules/Rules.h"
#include "Support/Accesses.h"
#include "Support/Reason.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace pardiff;

/// The request as the flow engine's analyses read it.
static FlowRequest describe(const TangentRequest &R) {
  FlowRequest Flow;
  Flow.F = R.F;
  Flow.IsSplit = R.MayBeNull;
  for (const Lanes &L : R.Params)
    Flow.Shadows.push_back(L);
  for (const TangentCall &T : R.Calls) {
    PairedCall P;
    P.Call = T.Call;
    P.PrimalTy = T.PrimalTy;
    P.IsIndirect = T.IsIndirect;
    P.Result = T.Result;
    Flow.Calls.push_back(P);
  }
  return Flow;
}

TangentSweep::TangentSweep(const TangentRequest &R, TangentScopes &Scopes)
    : R(R), F(*R.F), Flow(describe(R)), Pointers(Flow), Types(F, Flow.Calls),
      B(F.getContext()), Scopes(Scopes) {
  for (const TangentCall &T : R.Calls) {
    Derived[T.Call] = &T;
    if (T.Result)
      Derived[T.Result] = &T;
    for (Value *V : T.ResultTangents)
      Derived[V] = &T;
  }
}

void TangentSweep::findActive() {
  for (auto [I, L] : enumerate(R.Params))
    if (!L.empty() && holdsFloats(F.getArg(I)->getType()))
      Active.insert(F.getArg(I));
  for (const TangentCall &T : R.Calls)
    if (T.Result && holdsFloats(T.Result->getType()))
      Active.insert(T.Result);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Instruction &I : instructions(F)) {
      if (!holdsFloats(I.getType()) || isActive(&I) || Derived.contains(&I))
        continue;
      bool Now = false;
      if (isa<LoadInst, AtomicRMWInst>(I)) {
        Now = Pointers.hasShadow(getAccessPointer(I));
      } else if (const Rule *Found = findRule(I)) {
        const Instruction &Operation = getOperation(I);
        for (unsigned Op = 0; Op < Operation.getNumOperands(); ++Op)
          Now |= isActive(Operation.getOperand(Op)) &&
                 !isZeroPartial(*Found, I, Op);
      } else if (auto *Call = dyn_cast<CallBase>(&I);
                 !Call || !isInactiveCall(*Call)) {
        Now = any_of(I.operands(), [&](Value *V) { return isActive(V); });
      }
      if (Now)
        Active.insert(&I);
      Changed |= Now;
    }
  }
}

bool TangentSweep::carries(const Value *V) const {
  if (V->getType()->isPointerTy())
    return Pointers.hasShadow(V);
  return isActive(V);
}

Value *TangentSweep::get(Value *V, unsigned Lane) {
  if (auto *C = dyn_cast<Constant>(V); C && V->getType()->isPointerTy())
    if (Constant *Shadow = getGlobalShadow(*C))
      return Shadow;
  auto It = Tangents.find(V);
  return It == Tangents.end() ? Constant::getNullValue(V->getType())
                              : It->second[Lane];
}

void TangentSweep::define(Value &V, function_ref<Value *(unsigned Lane)> Emit) {
  Lanes All;
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    Value *Tangent = Emit(Lane);
    if (!Tangent)
      Tangent = Constant::getNullValue(V.getType());
    if (isa<Instruction>(Tangent) && !Tangent->hasName())
      Tangent->setName(V.getName() + ".tangent");
    All.push_back(Tangent);
  }
  Tangents[&V] = std::move(All);
}

void TangentSweep::createPhi(PHINode &Phi) {
  if (!carries(&Phi))
    return;
  define(Phi, [&](unsigned) {
    return PHINode::Create(Phi.getType(), Phi.getNumIncomingValues(), "",
                           Phi.getIterator());
  });
  Phis.push_back(&Phi);
}

void TangentSweep::completePhis() {
  for (PHINode *Phi : Phis)
    for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
      auto *Tangent = cast<PHINode>(Tangents[Phi][Lane]);
      for (auto [V, BB] : zip(Phi->incoming_values(), Phi->blocks()))
        Tangent->addIncoming(get(V, Lane), BB);
    }
}

/// I with tangents in the place of those operands that carry some type of
/// value: for what only moves values.
Value *TangentSweep::emitSame(Instruction &I, unsigned Lane) {
  Instruction *Copy = I.clone();
  for (Use &Op : Copy->operands())
    if (holdsFloats(Op->getType()) || Op->getType()->isPointerTy())
      Op.set(get(Op, Lane));
  Copy->dropUnknownNonDebugMetadata();
  return B.Insert(Copy);
}

Error TangentSweep::emitByRule(Instruction &I) {
  const Rule *Found = findRule(I);
  if (!Found)
    return refuseWithoutRule(I);
  // What returns several results has no tangent itself: its fields have.
  if (isa<CallBase>(I) && I.getType()->isStructTy())
    return Error::success();
  const Instruction &Operation = getOperation(I);
  define(I, [&](unsigned Lane) {
    SmallVector<Value *, 4> OperandTangents;
    for (auto [Op, V] : enumerate(Operation.operands()))
      OperandTangents.push_back(isActive(V) && !isZeroPartial(*Found, I, Op)
                                    ? get(V, Lane)
                                    : nullptr);
    return emitTangent(*Found, I, OperandTangents, B,
                       [](Value *V) { return V; });
  });
  return Error::success();
}

Error TangentSweep::emitValue(Instruction &I) {
  // Bits of an active value that are more than looked at.
  if (isa<BitCastInst>(I) && isActive(I.getOperand(0)) && !I.use_empty())
    return refuse(Reason::BitsOfFloats, "", &I);
  if (!carries(&I) || isa<PHINode>(I))
    return Error::success();
  bool Moves = isa<FreezeInst, ExtractElementInst, InsertElementInst,
                   ShuffleVectorInst, InsertValueInst>(I) ||
               (isa<SelectInst>(I) && I.getType()->isPointerTy()) ||
               (isa<ExtractValueInst>(I) && !findRule(I));
  if (!Moves)
    return emitByRule(I);
  define(I, [&](unsigned Lane) { return emitSame(I, Lane); });
  return Error::success();
}

Error TangentSweep::emit(Instruction &I) {
  if (const TangentCall *T = Derived.lookup(&I))
    return &I == T->Call ? emitDerived(*T) : Error::success();
  if (auto *Call = dyn_cast<CallBase>(&I))
    return emitCall(*Call);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return emitStore(*Store);
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I);
      Update && holdsFloats(I.getType()))
    return emitUpdate(*Update);
  if (I.isTerminator() || isa<LandingPadInst>(I))
    return Error::success();
  // Counts of references and the like.
  bool IsLoad = isa<LoadInst>(I);
  if ((isa<AtomicRMWInst, FenceInst, AtomicCmpXchgInst>(I) ||
       (IsLoad && I.isAtomic())) &&
      !holdsFloats(I.getType()) && !I.getType()->isPointerTy())
    return Error::success();
  if ((I.isAtomic() && !IsLoad) || I.isEHPad() || isa<VAArgInst>(I))
    return refuse(Reason::UnsupportedAccess, I.getOpcodeName(), &I);
  B.SetInsertPoint(&*I.getInsertionPointAfterDef().value());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  if (auto *Alloca = dyn_cast<AllocaInst>(&I)) {
    emitAlloca(*Alloca);
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (carries(Load))
      emitLoad(*Load);
  } else if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    if (carries(GEP))
      emitGEP(*GEP);
  } else {
    return emitValue(I);
  }
  return Error::success();
}

Expected<Lanes> TangentSweep::run() {
  if (Error E = Pointers.run())
    return std::move(E);
  if (Error E = checkCopies(
          F, Types, [&](const Value *P) { return Pointers.hasShadow(P); }))
    return std::move(E);
  if (R.Width > 1)
    for (Instruction &I : instructions(F))
      for (Value *Op : I.operands())
        if (auto *C = dyn_cast<Constant>(Op); C && getGlobalShadow(*C))
          return refuse(Reason::UnsupportedAccess,
                        "a global variable has one tangent; use a width of 1",
                        &I);
  findActive();
  findDisjoint();
  for (auto [I, L] : enumerate(R.Params))
    if (!L.empty())
      Tangents[F.getArg(I)] = L;
  for (const TangentCall &T : R.Calls)
    if (T.Result && !T.ResultTangents.empty())
      Tangents[T.Result] = T.ResultTangents;
  SmallVector<Instruction *, 64> All;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *BB)
      All.push_back(&I);
  for (Instruction *I : All)
    if (auto *Phi = dyn_cast<PHINode>(I))
      createPhi(*Phi);
  for (Instruction *I : All)
    if (Error E = emit(*I))
      return std::move(E);
  completePhis();
  declareDisjoint(All);
  Lanes Result;
  for (unsigned Lane = 0; R.Returned && Lane != R.Width; ++Lane)
    Result.push_back(get(R.Returned, Lane));
  return Result;
}

Expected<Lanes> pardiff::emitTangents(const TangentRequest &R,
                                      TangentScopes &Scopes) {
  return TangentSweep(R, Scopes).run();
}
