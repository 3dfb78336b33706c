//===- Flow/Values.cpp - Values of the forward sweep in the reverse sweep
//---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the forward sweep is found again, in this order, as
//   - itself: constants, parameters, allocas of the entry block
//   - an induction variable: start + step * (iteration that is being reversed)
//   - computed again from its operands, if that is integer or address
//   arithmetic,
//     a comparison or a conversion
//   - loaded again, if nothing in the function may ever write to that memory
//   - its cell (Records.h)
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

bool ReverseSweep::isCheap(const Instruction &I) const {
  if (isa<CastInst, GetElementPtrInst, CmpInst, ExtractElementInst>(I) ||
      I.getOpcode() == Instruction::FNeg)
    return true;
  if (isa<SelectInst>(I))
    return !I.getType()->isFPOrFPVectorTy();
  return isa<BinaryOperator>(I) && I.getType()->isIntOrIntVectorTy();
}

bool ReverseSweep::isReloadable(LoadInst &L) {
  // A pointer's shadow is there as long as the pointer itself is.
  if (LoadInst *Primal = ShadowLoads.lookup(&L))
    return isReloadable(*Primal);
  auto [It, New] = Reloadable.try_emplace(&L, false);
  if (New)
    It->second = L.isSimple() &&
                 (R.IsSplit ? AA.pointsToConstantMemory(MemoryLocation::get(&L))
                            : isNeverWritten(L.getPointerOperand(), F, AA, LI));
  return Reloadable[&L];
}

Value *ReverseSweep::recompute(Instruction &I) {
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I.operands())
    Operands.push_back(getValue(Operand));
  Instruction *Copy = I.clone();
  for (auto [N, Operand] : enumerate(Operands))
    Copy->setOperand(N, Operand);
  // Facts about the forward sweep's place need not hold here.
  Copy->dropUnknownNonDebugMetadata();
  B.Insert(Copy, I.getName());
  return Copy;
}

/// start + step * k for a header phi that adds a constant in each iteration;
/// null if Phi is none. Start: its value (or its shadow's) before the loop.
Value *ReverseSweep::getInduction(PHINode &Phi, Value *Start) {
  const Loop *L = LI.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent())
    return nullptr;
  Value *K = nullptr;
  auto *Next =
      dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L->getLoopLatch()));
  if (!Next)
    return nullptr;
  auto Count = [&](Type *Ty) {
    K = B.CreateLoad(B.getInt64Ty(), getCounter(L));
    return B.CreateZExtOrTrunc(K, Ty);
  };
  if (auto *Add = dyn_cast<BinaryOperator>(Next)) {
    if (Add->getOpcode() != Instruction::Add || Add->getOperand(0) != &Phi ||
        !isa<ConstantInt>(Add->getOperand(1)))
      return nullptr;
    return B.CreateAdd(getValue(Start),
                       B.CreateMul(Count(Phi.getType()), Add->getOperand(1)));
  }
  if (auto *GEP = dyn_cast<GetElementPtrInst>(Next)) {
    if (GEP->getPointerOperand() != &Phi || GEP->getNumIndices() != 1 ||
        !isa<ConstantInt>(GEP->getOperand(1)))
      return nullptr;
    int64_t Step = cast<ConstantInt>(GEP->getOperand(1))->getSExtValue();
    Value *Index = B.CreateMul(Count(B.getInt64Ty()),
                               ConstantInt::getSigned(B.getInt64Ty(), Step));
    return B.CreateGEP(GEP->getSourceElementType(), Start, Index);
  }
  return nullptr;
}

Value *ReverseSweep::getValue(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  if (isa<AllocaInst>(I) && I->getParent() == &F.getEntryBlock())
    return I;
  if (Value *Known = Here.lookup(V))
    return Known;
  Value *Found = nullptr;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    const Loop *L = LI.getLoopFor(I->getParent());
    if (L && L->getHeader() == I->getParent() && I->getType()->isIntegerTy())
      Found = getInduction(
          *Phi, Phi->getIncomingValueForBlock(L->getLoopPreheader()));
  } else if (isCheap(*I)) {
    Found = recompute(*I);
  } else if (auto *Load = dyn_cast<LoadInst>(I); Load && isReloadable(*Load)) {
    Found = recompute(*I);
  }
  if (!Found) {
    AllocaInst *&Cell = Cells[V];
    if (!Cell) {
      Cell = Tape.createCell(V->getType(), LI.getLoopFor(I->getParent()),
                             I->getName() + ".kept");
      IRBuilder<> After(&*I->getInsertionPointAfterDef().value());
      After.CreateStore(I, Cell);
    }
    Found = B.CreateLoad(V->getType(), Cell);
  }
  Here[V] = Found;
  return Found;
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
      if (Start &&
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
