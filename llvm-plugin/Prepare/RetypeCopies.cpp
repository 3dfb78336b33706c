//===- Prepare/RetypeCopies.cpp - Copies of numbers as integers -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A floating-point value that is moved as an integer is moved as what it is:
//
//   %v = load i64, ptr %p               %v = load double, ptr %p
//   store i64 %v, ptr %q          ->    store double %v, ptr %q
//   store i64 0, ptr %r                 store double 0.0, ptr %r
//
// An integer that holds several values (a float complex as i64) becomes as many
// loads and stores. Changes of the sign bit become fneg and fabs. Atomic loads,
// stores and exchanges stay atomic.
//
// A copy of at most 128 bytes whose type is known is a copy of its fields, and
// a fill of them with zero likewise:
//
//   memcpy(%q, %p, 16)            ->   two loads and two stores of double
//
// The type is that of the structure assignment (tbaa.struct), or the one that
// source or destination were computed with.
//
// Conditions: the integers come from loads and constants and go, through merges
// and choices, into stores and floating-point values only; each place in memory
// that they come from or go to is known or not known to be of one
// floating-point type, and one is (MemoryContent.h). Everything else stays, and
// checkFloatBits decides whether that is harmless.
//
//===----------------------------------------------------------------------===//

#include "Prepare/MemoryContent.h"
#include "Prepare/Passes.h"
#include "Support/Accesses.h"
#include "Support/TypeTags.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

namespace {

using Parts = SmallVector<Value *, 2>;

/// Integers that are connected by being copies of each other.
class CopyWeb {
public:
  CopyWeb(Instruction &Root, MemoryContentAnalysis &Content)
      : Content(Content) {
    Members.insert(&Root);
  }

  /// Finds the web and its type; false if it is not one of copies.
  bool collect();
  void rewrite();

  ArrayRef<Instruction *> members() const { return Members.getArrayRef(); }

private:
  bool addMemory(Instruction &Access, Type *Ty);
  bool addOperand(Value *V);
  bool addUsers(Instruction &I);
  const Parts &get(Value *V);
  Parts rebuild(Instruction &I);

  MemoryContentAnalysis &Content;
  SmallSetVector<Instruction *, 8> Members;
  Type *IntTy = nullptr, *FloatTy = nullptr;
  unsigned NumParts = 1;
  DenseMap<Value *, Parts> New;
};

} // namespace

enum class SignChange { None, Negate, Clear, Set };

/// How I changes the sign bit of its first operand, and nothing else.
static SignChange getSignChange(const Instruction &I) {
  if (!I.getType()->isIntegerTy())
    return SignChange::None;
  if (match(&I, m_Xor(m_Value(), m_SignMask())))
    return SignChange::Negate;
  if (match(&I, m_Or(m_Value(), m_SignMask())))
    return SignChange::Set;
  if (match(&I, m_And(m_Value(), m_MaxSignedValue())))
    return SignChange::Clear;
  return SignChange::None;
}

static bool isExchange(const Instruction &I) {
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  return Update && Update->getOperation() == AtomicRMWInst::Xchg;
}

/// The part of an integer type that a copy moves.
static bool isCopiedType(Type *Ty) {
  if (!Ty->isIntOrIntVectorTy() || isa<ScalableVectorType>(Ty))
    return false;
  unsigned Bits = Ty->getPrimitiveSizeInBits();
  return Bits >= 16 && Bits <= 512 && isPowerOf2_32(Bits) &&
         Ty->getScalarSizeInBits() >= 8;
}

bool CopyWeb::addMemory(Instruction &Access, Type *Ty) {
  if (!IntTy)
    IntTy = Ty;
  if (Ty != IntTy || !isCopiedType(Ty) || Access.isVolatile())
    return false;
  MemoryContent C = Content.get(Access);
  if (C.What == MemoryContent::Integer ||
      (FloatTy && C.FloatTy && C.FloatTy != FloatTy))
    return false;
  if (C.What == MemoryContent::Float)
    FloatTy = C.FloatTy;
  return true;
}

bool CopyWeb::addOperand(Value *V) {
  if (isa<ConstantData>(V))
    return isa<ConstantInt, UndefValue, ConstantAggregateZero>(V) ||
           isa<ConstantDataVector>(V);
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  Members.insert(I);
  return true;
}

bool CopyWeb::addUsers(Instruction &I) {
  for (User *U : I.users()) {
    auto *User = dyn_cast<Instruction>(U);
    if (!User)
      return false;
    if (auto *Store = dyn_cast<StoreInst>(User);
        Store && Store->getValueOperand() != &I)
      return false;
    Members.insert(User);
  }
  return true;
}

bool CopyWeb::collect() {
  for (unsigned N = 0; N < Members.size(); ++N) {
    Instruction &I = *Members[N];
    if (N > 64)
      return false;
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!addMemory(I, Load->getType()) || !addUsers(I))
        return false;
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      Value *V = Store->getValueOperand();
      if (!addMemory(I, V->getType()) || !addOperand(V))
        return false;
    } else if (isExchange(I)) {
      if (!addMemory(I, I.getType()) || !addOperand(I.getOperand(1)) ||
          !addUsers(I))
        return false;
    } else if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
      // Between the web and a floating-point value.
      Type *From = Cast->getSrcTy(), *To = Cast->getDestTy();
      bool IsEnd = To->isFloatingPointTy(), IsStart = From->isFloatingPointTy();
      if (IsEnd == IsStart || (FloatTy && FloatTy != (IsEnd ? To : From)))
        return false;
      FloatTy = IsEnd ? To : From;
      if (IsEnd ? !addOperand(Cast->getOperand(0)) : !addUsers(I))
        return false;
    } else if (isa<PHINode, FreezeInst>(I) ||
               getSignChange(I) != SignChange::None) {
      for (Value *Op : I.operands())
        if (!addOperand(Op))
          return false;
      if (!addUsers(I))
        return false;
    } else if (auto *Select = dyn_cast<SelectInst>(&I)) {
      if (Members.contains(dyn_cast<Instruction>(Select->getCondition())) ||
          !addOperand(Select->getTrueValue()) ||
          !addOperand(Select->getFalseValue()) || !addUsers(I))
        return false;
    } else {
      return false;
    }
  }
  if (!FloatTy || !IntTy)
    return false;
  unsigned Bits = IntTy->getPrimitiveSizeInBits();
  unsigned Each = FloatTy->getPrimitiveSizeInBits();
  if (!isPowerOf2_32(Each) || Bits % Each != 0)
    return false;
  NumParts = Bits / Each;
  return NumParts == 1 || none_of(Members, [](Instruction *I) {
           return isa<BitCastInst>(I) || I->isAtomic() ||
                  getSignChange(*I) != SignChange::None;
         });
}

/// The values of V in the floating-point type, lowest address first.
const Parts &CopyWeb::get(Value *V) {
  auto It = New.find(V);
  if (It != New.end())
    return It->second;
  Parts P;
  if (auto *I = dyn_cast<Instruction>(V)) {
    P = rebuild(*I);
  } else if (isa<PoisonValue>(V)) {
    P.assign(NumParts, PoisonValue::get(FloatTy));
  } else {
    // Little-endian: vector elements and bytes in the order of addresses.
    unsigned Bits = IntTy->getPrimitiveSizeInBits(), Each = Bits / NumParts;
    APInt All(Bits, 0);
    if (auto *C = dyn_cast<ConstantInt>(V)) {
      All = C->getValue();
    } else if (auto *C = dyn_cast<ConstantDataVector>(V)) {
      unsigned Width = IntTy->getScalarSizeInBits();
      for (unsigned E = 0; E < C->getNumElements(); ++E)
        All.insertBits(C->getElementAsAPInt(E), E * Width);
    }
    for (unsigned K = 0; K < NumParts; ++K)
      P.push_back(
          ConstantFP::get(FloatTy, APFloat(FloatTy->getFltSemantics(),
                                           All.extractBits(Each, K * Each))));
  }
  return New[V] = P;
}

Parts CopyWeb::rebuild(Instruction &I) {
  Parts P;
  IRBuilder<> B(&I);
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    for (unsigned K = 0; K < NumParts; ++K)
      P.push_back(B.CreatePHI(FloatTy, Phi->getNumIncomingValues()));
    New[&I] = P; // phis go round in circles
    for (auto [V, BB] : zip(Phi->incoming_values(), Phi->blocks())) {
      Parts In = get(V);
      for (unsigned K = 0; K < NumParts; ++K)
        cast<PHINode>(P[K])->addIncoming(In[K], BB);
    }
    return P;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    uint64_t Size = FloatTy->getPrimitiveSizeInBits() / 8;
    for (unsigned K = 0; K < NumParts; ++K) {
      Value *At = K ? B.CreateInBoundsGEP(FloatTy, Load->getPointerOperand(),
                                          B.getInt64(K))
                    : Load->getPointerOperand();
      LoadInst *Part = B.CreateAlignedLoad(
          FloatTy, At, commonAlignment(Load->getAlign(), K * Size));
      if (NumParts == 1)
        Part->setAAMetadata(Load->getAAMetadata());
      if (Load->isAtomic())
        Part->setAtomic(Load->getOrdering(), Load->getSyncScopeID());
      P.push_back(Part);
    }
    return P;
  }
  if (isExchange(I)) {
    auto &Old = cast<AtomicRMWInst>(I);
    AtomicRMWInst *Exchange =
        B.CreateAtomicRMW(AtomicRMWInst::Xchg, Old.getPointerOperand(),
                          get(Old.getValOperand())[0], Old.getAlign(),
                          Old.getOrdering(), Old.getSyncScopeID());
    Exchange->setAAMetadata(Old.getAAMetadata());
    P.push_back(Exchange);
    return P;
  }
  if (isa<BitCastInst>(I)) { // from a floating-point value
    P.push_back(I.getOperand(0));
    return P;
  }
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Parts T = get(Select->getTrueValue()), F = get(Select->getFalseValue());
    for (unsigned K = 0; K < NumParts; ++K)
      P.push_back(B.CreateSelect(Select->getCondition(), T[K], F[K]));
    return P;
  }
  Parts Of = get(I.getOperand(0));
  for (Value *V : Of) {
    switch (getSignChange(I)) {
    case SignChange::None:
      P.push_back(B.CreateFreeze(V));
      break;
    case SignChange::Negate:
      P.push_back(B.CreateFNeg(V));
      break;
    case SignChange::Clear:
      P.push_back(B.CreateUnaryIntrinsic(Intrinsic::fabs, V));
      break;
    case SignChange::Set:
      P.push_back(B.CreateFNeg(B.CreateUnaryIntrinsic(Intrinsic::fabs, V)));
      break;
    }
  }
  return P;
}

void CopyWeb::rewrite() {
  for (Instruction *I : Members) {
    IRBuilder<> B(I);
    if (auto *Store = dyn_cast<StoreInst>(I)) {
      uint64_t Size = FloatTy->getPrimitiveSizeInBits() / 8;
      Parts V = get(Store->getValueOperand());
      for (unsigned K = 0; K < NumParts; ++K) {
        Value *At = K ? B.CreateInBoundsGEP(FloatTy, Store->getPointerOperand(),
                                            B.getInt64(K))
                      : Store->getPointerOperand();
        StoreInst *Part = B.CreateAlignedStore(
            V[K], At, commonAlignment(Store->getAlign(), K * Size));
        if (NumParts == 1)
          Part->setAAMetadata(Store->getAAMetadata());
        if (Store->isAtomic())
          Part->setAtomic(Store->getOrdering(), Store->getSyncScopeID());
      }
    } else if (isa<BitCastInst>(I) && I->getType()->isFloatingPointTy()) {
      I->replaceAllUsesWith(get(I->getOperand(0))[0]);
    } else {
      get(I);
    }
  }
}

//===----------------------------------------------------------------------===//
// Small copies and fills
//===----------------------------------------------------------------------===//

namespace {

/// A scalar of a structure.
struct Field {
  uint64_t Offset;
  Type *Ty;
};
using Fields = SmallVector<Field, 8>;

} // namespace

static constexpr uint64_t MaxSmallBytes = 128;

/// The scalars of Ty; false if it has a union or parts that are no scalars.
static bool addFields(Type *Ty, uint64_t Offset, const DataLayout &DL,
                      Fields &Out) {
  if (auto *Struct = dyn_cast<StructType>(Ty)) {
    if (Struct->isOpaque() ||
        (Struct->hasName() && Struct->getName().starts_with("union.")))
      return false;
    const StructLayout *Layout = DL.getStructLayout(Struct);
    for (auto [N, Element] : enumerate(Struct->elements()))
      if (!addFields(Element, Offset + Layout->getElementOffset(N), DL, Out))
        return false;
    return true;
  }
  if (auto *Array = dyn_cast<ArrayType>(Ty)) {
    uint64_t Size = DL.getTypeAllocSize(Array->getElementType());
    for (uint64_t N = 0; N < Array->getNumElements(); ++N)
      if (Out.size() > MaxSmallBytes ||
          !addFields(Array->getElementType(), Offset + N * Size, DL, Out))
        return false;
    return true;
  }
  if (!Ty->isFloatingPointTy() && !Ty->isIntegerTy() && !Ty->isPointerTy())
    return false;
  Out.push_back({Offset, Ty});
  return true;
}

/// The fields of the type that P was computed with, if that has Size bytes or
/// divides them.
static Fields getFieldsByAddress(const Value *P, uint64_t Size,
                                 const DataLayout &DL) {
  Type *Ty = nullptr;
  if (auto *GEP = dyn_cast<GEPOperator>(P))
    Ty = GEP->getResultElementType();
  else if (auto *Alloca = dyn_cast<AllocaInst>(P))
    Ty = Alloca->getAllocatedType();
  else if (auto *Global = dyn_cast<GlobalVariable>(P))
    Ty = Global->getValueType();
  Fields Out, One;
  if (!Ty || !Ty->isSized() || Ty->isIntegerTy(8) ||
      isa<ScalableVectorType>(Ty) || !addFields(Ty, 0, DL, One))
    return Out;
  uint64_t Each = DL.getTypeAllocSize(Ty);
  if (Each == 0 || Size % Each != 0)
    return Out;
  for (uint64_t At = 0; At < Size; At += Each)
    for (Field F : One)
      Out.push_back({At + F.Offset, F.Ty});
  return Out;
}

/// The fields of a structure assignment.
static Fields getFieldsByTBAA(const Instruction &I, uint64_t Size) {
  Fields Out;
  MDNode *MD = I.getMetadata(LLVMContext::MD_tbaa_struct);
  LLVMContext &C = I.getContext();
  for (unsigned N = 0; MD && N + 2 < MD->getNumOperands(); N += 3) {
    auto *Offset = mdconst::dyn_extract<ConstantInt>(MD->getOperand(N));
    auto *Length = mdconst::dyn_extract<ConstantInt>(MD->getOperand(N + 1));
    auto *Tag = dyn_cast<MDNode>(MD->getOperand(N + 2));
    if (!Offset || !Length || !Tag ||
        Offset->getZExtValue() + Length->getZExtValue() > Size)
      return {};
    uint64_t Bytes = Length->getZExtValue();
    MemoryContent Content = getContentByTBAA(Tag, C);
    Type *Ty = Content.FloatTy;
    if (Content.What == MemoryContent::Integer && Bytes <= 8 &&
        isPowerOf2_64(Bytes))
      Ty = Type::getIntNTy(C, Bytes * 8);
    if (!Ty || Ty->getPrimitiveSizeInBits() != Bytes * 8)
      return {};
    Out.push_back({Offset->getZExtValue(), Ty});
  }
  return Out;
}

/// Pointers among the fields must be known as such: shadows go with them.
static bool hasPointerTag(const MemIntrinsic &MI) {
  MDNode *MD = MI.getMetadata(LLVMContext::MD_tbaa_struct);
  for (unsigned N = 2; MD && N < MD->getNumOperands(); N += 3) {
    auto *Tag = dyn_cast<MDNode>(MD->getOperand(N));
    auto *Node = Tag && Tag->getNumOperands() > 1
                     ? dyn_cast<MDNode>(Tag->getOperand(1))
                     : nullptr;
    auto *Name = Node && Node->getNumOperands()
                     ? dyn_cast<MDString>(Node->getOperand(0))
                     : nullptr;
    if (Name && (Name->getString().contains("pointer") ||
                 Name->getString().starts_with("p")))
      return true;
  }
  return false;
}

static bool expandSmall(MemIntrinsic &MI, const DataLayout &DL) {
  auto *Length = dyn_cast<ConstantInt>(MI.getLength());
  if (!Length || MI.isVolatile() || Length->getValue().ugt(MaxSmallBytes) ||
      Length->isZero())
    return false;
  uint64_t Size = Length->getZExtValue();
  Value *To = MI.getRawDest(), *From = nullptr;
  if (auto *Transfer = dyn_cast<MemTransferInst>(&MI))
    From = Transfer->getRawSource();
  else if (!match(cast<MemSetInst>(MI).getValue(), m_Zero()))
    return false;

  Fields List = getFieldsByAddress(To, Size, DL);
  if (List.empty() && From)
    List = getFieldsByAddress(From, Size, DL);
  if (List.empty() && !hasPointerTag(MI))
    List = getFieldsByTBAA(MI, Size);
  // Copies without numbers may stay as they are.
  if (none_of(List, [](Field F) { return F.Ty->isFloatingPointTy(); }))
    return false;
  IRBuilder<> B(&MI);
  auto At = [&](Value *P, uint64_t Offset) {
    return Offset ? B.CreateInBoundsPtrAdd(P, B.getInt64(Offset)) : P;
  };
  // Integers are marked as such, or they could be bits of anything.
  MDNode *IntTag = getIntegerTag(MI.getContext());
  SmallVector<Value *, 8> Values;
  for (Field F : List) {
    if (!From) {
      Values.push_back(Constant::getNullValue(F.Ty));
      continue;
    }
    MaybeAlign A = cast<MemTransferInst>(MI).getSourceAlign();
    LoadInst *Load = B.CreateAlignedLoad(
        F.Ty, At(From, F.Offset), commonAlignment(A.valueOrOne(), F.Offset));
    if (F.Ty->isIntegerTy())
      Load->setMetadata(LLVMContext::MD_tbaa, IntTag);
    Values.push_back(Load);
  }
  for (auto [F, V] : zip_equal(List, Values)) {
    StoreInst *Store = B.CreateAlignedStore(
        V, At(To, F.Offset),
        commonAlignment(MI.getDestAlign().valueOrOne(), F.Offset));
    if (F.Ty->isIntegerTy())
      Store->setMetadata(LLVMContext::MD_tbaa, IntTag);
  }
  return true;
}

static bool expandSmallTransfers(Function &F) {
  SmallVector<MemIntrinsic *, 8> Done;
  for (Instruction &I : instructions(F))
    if (auto *MI = dyn_cast<MemIntrinsic>(&I))
      if (expandSmall(*MI, F.getDataLayout()))
        Done.push_back(MI);
  for (MemIntrinsic *MI : Done)
    MI->eraseFromParent();
  return !Done.empty();
}

PreservedAnalyses RetypeCopiesPass::run(Function &F,
                                        FunctionAnalysisManager &) {
  bool Expanded = expandSmallTransfers(F);
  if (F.getDataLayout().isBigEndian())
    return Expanded ? PreservedAnalyses::none() : PreservedAnalyses::all();
  MemoryContentAnalysis Content(F);
  SmallVector<Instruction *, 16> Roots;
  for (Instruction &I : instructions(F))
    if ((isa<LoadInst, StoreInst>(I) || isExchange(I)) &&
        getAccessType(I)->isIntOrIntVectorTy())
      Roots.push_back(&I);
  SmallPtrSet<Instruction *, 16> Done;
  SmallVector<Instruction *, 16> Order;
  for (Instruction *Root : Roots) {
    if (Done.contains(Root))
      continue;
    CopyWeb Web(*Root, Content);
    bool IsCopy = Web.collect();
    Done.insert(Root);
    if (!IsCopy)
      continue;
    Done.insert(Web.members().begin(), Web.members().end());
    Web.rewrite();
    append_range(Order, Web.members());
  }
  for (Instruction *I : Order)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Order)
    I->eraseFromParent();
  return Order.empty() && !Expanded ? PreservedAnalyses::all()
                                    : PreservedAnalyses::none();
}
