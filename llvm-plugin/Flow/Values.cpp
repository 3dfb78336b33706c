//===- Flow/Values.cpp - Values of the forward sweep in the reverse sweep
//---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shadow of a pointer is made in the forward sweep where the pointer is
// made, and is a value of the forward sweep like others (Kept.cpp): the reverse
// sweep asks for both by placeholders.
//
//===----------------------------------------------------------------------===//

#include "Flow/Globals.h"
#include "Flow/Heap.h"
#include "Flow/ReverseSweep.h"
#include "Flow/Transfers.h"
#include "Support/Reason.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

/// True if I may ever write to the object that P points to. Depends on that
/// object and on mayVary(P) only.
bool ReverseSweep::mayWrite(const Instruction &I, const Value *P) const {
  const PairedCall *Pair = Paired.lookup(&I);
  if (!Pair || !Pair->Part || !Pair->Part->onlyAccessesArgMemory())
    return mayEverWrite(I, P, AA, LI);
  return any_of(Pair->Part->args(), [&](const Argument &A) {
    return A.getType()->isPointerTy() && !A.onlyReadsMemory() &&
           mayEverWriteAt(
               Pair->Call->getArgOperand(Pair->getOperand(A.getArgNo())), P, AA,
               LI);
  });
}

/// Which loads the reverse sweep can do again. The forward sweep is as it was;
/// what is written on the way to an exception that leaves it does not matter.
void ReverseSweep::findReloadable() {
  SmallVector<const Instruction *, 16> Writers;
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      if (I.mayWriteToMemory())
        Writers.push_back(&I);
  // The answer is that for the whole object.
  DenseMap<std::pair<const Value *, unsigned>, bool> Known;
  SmallVector<LoadInst *, 16> Loads;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple())
        Loads.push_back(Load);
  for (LoadInst *Load : Loads) {
    const Value *P = Load->getPointerOperand();
    bool Is;
    if (R.IsSplit) {
      Is = AA.pointsToConstantMemory(MemoryLocation::get(Load));
    } else {
      auto [It, New] =
          Known.try_emplace({getUnderlyingObject(P, 0), mayVary(P, LI)}, false);
      if (New)
        It->second = none_of(
            Writers, [&](const Instruction *I) { return mayWrite(*I, P); });
      Is = It->second;
    }
    if (Is)
      Reloadable.insert(Load);
  }
}

bool ReverseSweep::isReloadable(LoadInst &L) const {
  // A pointer's shadow is there as long as the pointer itself is.
  if (LoadInst *Primal = ShadowLoads.lookup(&L))
    return Reloadable.contains(Primal);
  return Reloadable.contains(&L);
}

/// What a header phi adds in each iteration, if that is a constant: an add or
/// an address computation; else null.
static Instruction *getStep(const PHINode &Phi, const LoopInfo &LI) {
  const Loop *L = LI.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent())
    return nullptr;
  auto *Next =
      dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L->getLoopLatch()));
  if (auto *Add = dyn_cast_or_null<BinaryOperator>(Next))
    return Add->getOpcode() == Instruction::Add && Add->getOperand(0) == &Phi &&
                   isa<ConstantInt>(Add->getOperand(1))
               ? Next
               : nullptr;
  auto *GEP = dyn_cast_or_null<GetElementPtrInst>(Next);
  return GEP && GEP->getPointerOperand() == &Phi && GEP->getNumIndices() == 1 &&
                 isa<ConstantInt>(GEP->getOperand(1))
             ? Next
             : nullptr;
}

bool ReverseSweep::isInduction(const PHINode &Phi) const {
  return getStep(Phi, LI);
}

/// Start + step * k for an induction variable. Start: its value (or its
/// shadow's) before the loop.
Value *ReverseSweep::getInduction(PHINode &Phi, Value *Start) {
  Instruction *Next = getStep(Phi, LI);
  Value *K =
      B.CreateLoad(B.getInt64Ty(), getCounter(LI.getLoopFor(Phi.getParent())));
  if (isa<BinaryOperator>(Next))
    return B.CreateAdd(Start, B.CreateMul(B.CreateZExtOrTrunc(K, Phi.getType()),
                                          Next->getOperand(1)));
  auto *GEP = cast<GetElementPtrInst>(Next);
  int64_t Step = cast<ConstantInt>(GEP->getOperand(1))->getSExtValue();
  Value *Index = B.CreateMul(K, ConstantInt::getSigned(B.getInt64Ty(), Step));
  return B.CreateGEP(GEP->getSourceElementType(), Start, Index);
}

/// The call Call on the shadows of its pointers.
Value *ReverseSweep::mirror(CallBase &Call, IRBuilder<> &At) {
  SmallVector<Value *, 4> Args;
  for (Value *A : Call.args())
    Args.push_back(A->getType()->isPointerTy() ? getForwardShadow(A) : A);
  return emitMirroredCall(Call, Args, At);
}

/// The shadow of pointer P in the forward sweep, created where P is.
Value *ReverseSweep::getForwardShadow(Value *P) {
  auto *PtrTy = PointerType::getUnqual(F.getContext());
  if (!Pointers.hasShadow(P))
    return ConstantPointerNull::get(PtrTy);
  if (auto *A = dyn_cast<Argument>(P))
    return R.Shadows[A->getArgNo()][Lane];
  if (auto *C = dyn_cast<Constant>(P))
    return getGlobalShadow(*C);
  if (const PairedCall *Pair = Paired.lookup(P))
    return Pair->ResultShadows[Lane];
  if (Value *Known = ForwardShadows.lookup({P, Lane}))
    return Known;
  auto *I = cast<Instruction>(P);
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    PHINode *Shadow =
        PHINode::Create(PtrTy, Phi->getNumIncomingValues(),
                        P->getName() + ".shadow", I->getIterator());
    ForwardShadows[{P, Lane}] = Shadow; // phis may go round in circles
    for (auto [V, BB] : zip(Phi->incoming_values(), Phi->blocks()))
      Shadow->addIncoming(getForwardShadow(V), BB);
    return Shadow;
  }
  IRBuilder<> After(&*I->getInsertionPointAfterDef().value());
  Value *Shadow = nullptr;
  if (auto *GEP = dyn_cast<GetElementPtrInst>(I)) {
    // A null shadow stays recognisable only without an offset.
    Value *Base = getForwardShadow(GEP->getPointerOperand());
    Instruction *Copy = GEP->clone();
    Copy->setOperand(0, Base);
    After.Insert(Copy);
    cast<GetElementPtrInst>(Copy)->setNoWrapFlags(GEPNoWrapFlags::none());
    Shadow = Copy;
    if (Pointers.getKind(P) == PointerKind::Maybe)
      Shadow = After.CreateSelect(After.CreateIsNull(Base),
                                  ConstantPointerNull::get(PtrTy), Copy);
  } else if (auto *Select = dyn_cast<SelectInst>(I)) {
    Shadow = After.CreateSelect(Select->getCondition(),
                                getForwardShadow(Select->getTrueValue()),
                                getForwardShadow(Select->getFalseValue()));
  } else if (isa<FreezeInst>(I)) {
    Shadow = getForwardShadow(I->getOperand(0));
  } else if (auto *Alloca = dyn_cast<AllocaInst>(I)) {
    // Beside the primal's, and zero when it comes to life.
    Instruction *Copy = Alloca->clone();
    After.Insert(Copy);
    Value *Size = After.CreateMul(
        After.CreateZExtOrTrunc(Alloca->getArraySize(), After.getInt64Ty()),
        After.getInt64(
            F.getDataLayout().getTypeAllocSize(Alloca->getAllocatedType())));
    After.CreateMemSet(Copy, After.getInt8(0), Size, Alloca->getAlign());
    Shadow = Copy;
  } else if (auto *Call = dyn_cast<CallBase>(I)) {
    if (isPointerCastCall(*Call)) {
      Shadow = emitCastShadow(*Call, getForwardShadow(Call->getArgOperand(0)),
                              After);
    } else {
      Shadow = isMirroredCall(*Call) ? mirror(*Call, After)
                                     : createShadowMemory(*Call, After);
    }
  } else if (auto *Load = dyn_cast<LoadInst>(I)) {
    // The shadow of memory that holds pointers holds their shadows.
    Value *Address = getForwardShadow(Load->getPointerOperand());
    if (Pointers.getKind(Load->getPointerOperand()) != PointerKind::Maybe) {
      LoadInst *Loaded = After.CreateLoad(PtrTy, Address);
      ShadowLoads[Loaded] = Load;
      Shadow = Loaded;
    } else {
      Value *Null = ConstantPointerNull::get(PtrTy);
      // Without a shadow read the primal pointer's own cell, and drop it.
      Value *IsNull = After.CreateIsNull(Address);
      Value *Readable =
          After.CreateSelect(IsNull, Load->getPointerOperand(), Address);
      LoadInst *Loaded = After.CreateLoad(PtrTy, Readable);
      ShadowLoads[Loaded] = Load;
      Shadow = After.CreateSelect(IsNull, Null, Loaded);
    }
  }
  Shadow->setName(P->getName() + ".shadow");
  return ForwardShadows[{P, Lane}] = Shadow;
}

Value *ReverseSweep::getShadow(Value *P) {
  if (Value *Known = HereShadow.lookup({P, Lane}))
    return Known;
  Value *Found = nullptr;
  auto *I = dyn_cast<Instruction>(P);
  if (I && Pointers.getKind(P) == PointerKind::Shadowed) {
    if (auto *GEP = dyn_cast<GetElementPtrInst>(I)) {
      Value *Base = getShadow(GEP->getPointerOperand());
      SmallVector<Value *, 4> Indices;
      for (Value *Index : GEP->indices())
        Indices.push_back(getValue(Index));
      Found = B.CreateGEP(GEP->getSourceElementType(), Base, Indices);
    } else if (auto *Phi = dyn_cast<PHINode>(I)) {
      const Loop *L = LI.getLoopFor(I->getParent());
      Value *Start = L && L->getHeader() == I->getParent()
                         ? Phi->getIncomingValueForBlock(L->getLoopPreheader())
                         : nullptr;
      if (Start && isInduction(*Phi) &&
          (isa<Argument>(Start) ||
           cast<Instruction>(Start)->getParent() == &F.getEntryBlock()))
        Found = getInduction(*Phi, getShadow(Start));
    }
  }
  if (!Found)
    Found = getValue(getForwardShadow(P));
  HereShadow[{P, Lane}] = Found;
  return Found;
}

/// Instructions between an allocation and its first use.
static constexpr unsigned MaxSteps = 100;

/// True if Fill sets memory to zero that nothing has touched since it was
/// allocated: its shadow is zero, and what it was before does not matter.
static bool isFirstFill(const MemIntrinsic &Fill) {
  auto *Set = dyn_cast<MemSetInst>(&Fill);
  auto *Object = dyn_cast<CallBase>(getUnderlyingObject(Fill.getRawDest(), 0));
  if (!Set || !Object || !isAllocation(*Object) ||
      !match(Set->getValue(), m_Zero()))
    return false;
  auto Touches = [&](const Instruction &I) {
    return !isa<GetElementPtrInst>(I) && any_of(I.operands(), [&](Value *V) {
      return V->getType()->isPointerTy() && getUnderlyingObject(V, 0) == Object;
    });
  };
  const BasicBlock *BB = Fill.getParent();
  const Instruction *I = Fill.getPrevNode();
  for (unsigned Steps = 0; Steps < MaxSteps; ++Steps) {
    if (I == Object)
      return true;
    if (I && Touches(*I))
      return false;
    if (I) {
      I = I->getPrevNode();
      continue;
    }
    BB = BB->getSinglePredecessor();
    if (!BB || BB == Fill.getParent())
      return false;
    I = BB->getTerminator();
  }
  return false;
}

std::optional<ReverseSweep::Transfer> ReverseSweep::getTransfer(CallBase &I) {
  auto *Mem = dyn_cast<MemIntrinsic>(&I);
  if (!Mem || isFirstFill(*Mem))
    return std::nullopt;
  Transfer T;
  T.Dest = Mem->getRawDest();
  auto *Copy = dyn_cast<MemTransferInst>(Mem);
  T.Source = Copy ? Copy->getRawSource() : nullptr;
  T.Length = Mem->getLength();
  T.ToShadow = Pointers.hasShadow(T.Dest);
  T.FromShadow = T.Source && Pointers.hasShadow(T.Source);
  auto IsUnknown = [&](Value *P) {
    return P && Pointers.getKind(P) == PointerKind::Unknown;
  };
  if (IsUnknown(T.Dest) || IsUnknown(T.Source))
    return T; // no layout
  if (!T.ToShadow && !T.FromShadow)
    return std::nullopt;
  // What is set is a constant whatever it is.
  T.IsFill = !T.Source;
  std::optional<uint64_t> Length;
  if (auto *Constant = dyn_cast<ConstantInt>(T.Length))
    Length = Constant->getZExtValue();
  T.Layout = T.FromShadow ? Types.getCopyLayout(T.Dest, T.Source, Length)
                          : Types.getLayout(T.Dest, Length);
  return T;
}

/// Forward sweep: calls of pairs get the shadows of their arguments, and
/// nothing that the reverse sweep reads is freed.
Error ReverseSweep::mirrorCall(CallBase &I) {
  if (const PairedCall *P = Paired.lookup(&I)) {
    unsigned Next = P->getOperand(P->PrimalTy->getNumParams());
    for (unsigned A = 0; A < P->PrimalTy->getNumParams(); ++A)
      if (P->PrimalTy->getParamType(A)->isPointerTy()) {
        Value *Pointer = I.getArgOperand(P->getOperand(A));
        if (Pointers.getKind(Pointer) == PointerKind::Unknown)
          return refuse(Reason::UnknownPointer, "", &I);
        forEachLane(
            [&] { I.setArgOperand(Next++, getForwardShadow(Pointer)); });
      }
    I.setArgOperand(P->getArena(), Arena);
    return Error::success();
  }
  if (isMirroredCall(I)) {
    for (Value *A : I.args())
      if (Pointers.getKind(A) == PointerKind::Unknown)
        return refuse(Reason::UnknownPointer, "", &I);
    // One that returns a pointer runs where its shadow is asked for.
    IRBuilder<> After(&*I.getInsertionPointAfterDef().value());
    forEachLane([&] {
      if (I.getType()->isPointerTy())
        getForwardShadow(&I);
      else
        mirror(I, After);
    });
    return Error::success();
  }
  if (std::optional<Transfer> T = getTransfer(I);
      T && T->Layout && T->Layout->holdsPointers()) {
    IRBuilder<> At(&I);
    Value *Null = ConstantPointerNull::get(At.getPtrTy());
    Value *Length = At.CreateZExtOrTrunc(T->Length, At.getInt64Ty());
    forEachLane([&] {
      emitPointerTransfer(
          *T->Layout, T->ToShadow ? getForwardShadow(T->Dest) : Null,
          T->FromShadow ? getForwardShadow(T->Source) : Null, Length, At);
    });
    return Error::success();
  }
  if (Value *P = getFreed(I)) {
    if (isa<InvokeInst>(I) || Pointers.getKind(P) == PointerKind::Unknown)
      return refuse(Reason::FreedUnknown, "", &I);
    // The shadow of a null pointer may be left from another pointer.
    IRBuilder<> At(&I);
    Lanes Shadows;
    forEachLane([&] {
      Value *Shadow = getForwardShadow(P);
      if (!isa<ConstantPointerNull>(Shadow))
        Shadows.push_back(
            At.CreateSelect(At.CreateIsNull(P),
                            ConstantPointerNull::get(At.getPtrTy()), Shadow));
    });
    if (Error E = deferFree(I, Shadows))
      return E;
    Erased.push_back(&I);
  } else if (I.getIntrinsicID() == Intrinsic::stackrestore) {
    Erased.push_back(&I); // the reverse sweep reads what was on the stack
  }
  return Error::success();
}

/// Forward sweep: shadows of pointers go where the pointers go in memory.
Error ReverseSweep::mirrorPointers() {
  SmallVector<Instruction *, 16> All;
  for (BasicBlock *BB : Blocks)
    append_range(All, Original[BB]);
  for (Instruction *I : All) {
    if (auto *Call = dyn_cast<CallBase>(I))
      if (Error E = mirrorCall(*Call))
        return E;
    auto *Store = dyn_cast<StoreInst>(I);
    if (!Store)
      continue;
    Value *P = Store->getPointerOperand();
    if (!Store->getValueOperand()->getType()->isPointerTy() ||
        !Pointers.hasShadow(P))
      continue;
    if (Pointers.getKind(Store->getValueOperand()) == PointerKind::Unknown)
      return refuse(Reason::UnknownPointer, "", I);
    IRBuilder<> At(Store);
    forEachLane([&] {
      Value *Shadow = getForwardShadow(Store->getValueOperand());
      Value *Address = getForwardShadow(P);
      // No shadow: store the primal pointer once more.
      if (Pointers.getKind(P) == PointerKind::Maybe) {
        Value *IsNull = At.CreateIsNull(Address);
        Shadow = At.CreateSelect(IsNull, Store->getValueOperand(), Shadow);
        Address = At.CreateSelect(IsNull, P, Address);
      }
      At.CreateStore(Shadow, Address);
    });
  }
  return Error::success();
}
