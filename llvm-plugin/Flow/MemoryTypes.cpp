//===- Flow/MemoryTypes.cpp - What memory holds ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needed where memory is copied or filled without a type. Pointers are sorted
// into objects by unification (Steensgaard, "Points-to analysis in almost
// linear time"): whatever may point to the same object is united. Each pointer
// has an offset in its object, exact or modulo a stride (the size of an
// element, where an index is not constant).
//
// Evidence for what an object holds: loads and stores, the types of stack and
// global variables, and the structs that address computations name. A union has
// no evidence to give, and bytes have none. Evidence that contradicts itself,
// or is missing in memory that other functions can see, means that the layout
// is not known. (Memory that no other function sees and that is never accessed
// as floating point has no derivative.)
//
//===----------------------------------------------------------------------===//

#include "Flow/MemoryTypes.h"
#include "Flow/Heap.h"
#include "Rules/Rules.h"
#include "Support/Accesses.h"
#include "Support/Library.h"
#include "Support/Reason.h"
#include "Support/TypeTags.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;
using namespace pardiff;

/// Passes over a function after which the sorting of pointers is given up.
static constexpr unsigned MaxRounds = 50;
/// Places of an index that are told from each other.
static constexpr unsigned MaxPlaces = 64;

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

unsigned MemoryTypes::create() {
  Objects.push_back({unsigned(Objects.size()), {}, false, 0});
  return Objects.size() - 1;
}

unsigned MemoryTypes::find(unsigned Object) {
  while (Objects[Object].Parent != Object)
    Object = Objects[Object].Parent = Objects[Objects[Object].Parent].Parent;
  return Object;
}

bool MemoryTypes::unite(unsigned A, unsigned B) {
  A = find(A);
  B = find(B);
  if (A == B)
    return false;
  Objects[B].Parent = A;
  ++NumUnions;
  Objects[A].External |= Objects[B].External;
  Objects[A].Modulus = std::gcd(Objects[A].Modulus, Objects[B].Modulus);
  auto Contents = std::move(Objects[B].Contents);
  // Each of them may unite A with others.
  for (auto &[Key, From] : Contents) {
    Ref Into = Objects[find(A)].Contents[Key];
    join(Into, From);
    Objects[find(A)].Contents[Key] = Into;
  }
  return true;
}

/// Offsets modulo a stride are kept below it.
static uint64_t reduce(uint64_t Offset, uint64_t Stride) {
  return Stride ? Offset % Stride : Offset;
}

MemoryTypes::Ref MemoryTypes::Ref::flatten() const {
  Ref R = *this;
  if (Count == 1)
    return R;
  R.Stride = std::gcd(Stride, Step);
  R.Offset = reduce(Offset, R.Stride);
  R.Step = 0, R.Count = 1;
  return R;
}

/// An index that is not constant, of elements of Size bytes. NumElements: of
/// the array in its structure; 0: not known. (Arrays of one element may be
/// longer than their type says.)
void MemoryTypes::Ref::addIndex(uint64_t Size, uint64_t NumElements) {
  bool Bounded = NumElements > 1 && Count * NumElements <= MaxPlaces;
  if (Bounded && Count == 1 && !(Stride && Size % Stride == 0)) {
    Step = Size, Count = NumElements;
  } else if (Bounded && Step == Size * NumElements) { // a matrix
    Step = Size, Count *= NumElements;
  } else {
    *this = flatten();
    Stride = std::gcd(Stride, Size);
    Offset = reduce(Offset, Stride);
  }
}

/// What is at A in its object is, from now on, of the kind of what is at B.
void MemoryTypes::addModulus(const Ref &First, const Ref &Second) {
  Ref A = First.flatten(), B = Second.flatten();
  uint64_t Stride = std::gcd(A.Stride, B.Stride);
  uint64_t X = reduce(A.Offset, Stride), Y = reduce(B.Offset, Stride);
  uint64_t &Modulus = Objects[find(A.Object)].Modulus;
  if (X != Y)
    Modulus = std::gcd(std::gcd(Modulus, Stride), X > Y ? X - Y : Y - X);
}

bool MemoryTypes::uniteAt(const Ref &A, const Ref &B) {
  if (find(A.Object) == find(B.Object))
    return false;
  unite(A.Object, B.Object);
  addModulus(A, B);
  return true;
}

bool MemoryTypes::join(Ref &Into, Ref From) {
  if (!From.isSet())
    return false;
  if (!Into.isSet()) {
    Into = From;
    return true;
  }
  bool Changed = uniteAt(Into, From);
  if (Into.Offset == From.Offset && Into.Stride == From.Stride &&
      Into.Step == From.Step && Into.Count == From.Count)
    return Changed;
  Changed |= Into.Count != 1;
  Into = Into.flatten();
  From = From.flatten();
  uint64_t Distance = Into.Offset > From.Offset ? Into.Offset - From.Offset
                                                : From.Offset - Into.Offset;
  uint64_t Stride = std::gcd(std::gcd(Into.Stride, From.Stride), Distance);
  uint64_t Offset = reduce(Into.Offset, Stride);
  Changed |= Stride != Into.Stride || Offset != Into.Offset;
  Into.Stride = Stride;
  Into.Offset = Offset;
  return Changed;
}

MemoryTypes::Ref MemoryTypes::computeGEP(const GEPOperator &GEP) {
  Ref R = getRef(GEP.getPointerOperand());
  if (!R.isSet())
    return R;
  int64_t Constant = 0;
  Type *Container = nullptr; // the first index is in none
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
       Container = It.getIndexedType(), ++It) {
    auto *Index = dyn_cast<ConstantInt>(It.getOperand());
    if (StructType *Struct = It.getStructTypeOrNull()) {
      Constant +=
          DL.getStructLayout(Struct)->getElementOffset(Index->getZExtValue());
      continue;
    }
    TypeSize Size = It.getSequentialElementStride(DL);
    if (Size.isScalable() || It.getOperand()->getType()->isVectorTy()) {
      R = R.flatten();
      R.Stride = 1;
      R.Offset = 0;
      return R;
    }
    auto *Array = dyn_cast_or_null<ArrayType>(Container);
    if (Index)
      Constant += Index->getSExtValue() * int64_t(Size.getFixedValue());
    else
      R.addIndex(Size, Array ? Array->getNumElements() : 0);
  }
  // A negative offset from an exact place leads to one in front of the object,
  // which is as good as not known.
  int64_t Offset = int64_t(R.Offset) + Constant;
  if (R.Stride)
    Offset = ((Offset % int64_t(R.Stride)) + R.Stride) % R.Stride;
  if (Offset < 0) {
    R = R.flatten();
    R.Stride = std::gcd<uint64_t>(8, uint64_t(-Offset));
    Offset = 0;
  }
  R.Offset = Offset;
  return R;
}

MemoryTypes::Ref MemoryTypes::getRef(const Value *P) {
  auto It = Refs.find(P);
  if (It != Refs.end()) {
    Ref R = It->second;
    if (R.isSet())
      R.Object = find(R.Object);
    return R;
  }
  if (auto *GEP = dyn_cast<GEPOperator>(P); GEP && isa<Constant>(P))
    return computeGEP(*GEP);
  if (isa<ConstantPointerNull, UndefValue>(P) || isa<Instruction>(P))
    return {};
  if (auto *A = dyn_cast<Argument>(P); A && PartParams.count(A))
    return {};
  // Arguments, globals and functions.
  Ref R;
  R.Object = create();
  Objects[R.Object].External = true;
  return Refs[P] = R;
}

/// The pointers that are stored where R points to, joined with Value.
MemoryTypes::Ref MemoryTypes::addContent(const Ref &Place, Ref Value,
                                         bool &Changed) {
  Ref R = Place.flatten();
  // Places that may be the same have the same contents.
  SmallVector<std::pair<uint64_t, uint64_t>, 4> Same;
  std::pair<uint64_t, uint64_t> Key = {R.Offset, R.Stride};
  Ref All = Value;
  auto &Contents = Objects[find(R.Object)].Contents;
  uint64_t Modulus = Objects[find(R.Object)].Modulus;
  for (auto &[Other, Content] : Contents) {
    uint64_t Stride = std::gcd(std::gcd(Other.second, R.Stride), Modulus);
    if (reduce(Other.first, Stride) == reduce(R.Offset, Stride))
      Same.push_back(Other);
  }
  if (!is_contained(Same, Key)) {
    Same.push_back(Key);
    Changed = true;
    if (Same.size() == 1 && !All.isSet()) {
      All.Object = create();
      Objects[All.Object].External = Objects[find(R.Object)].External;
    }
  }
  for (auto &Other : Same)
    join(All, Objects[find(R.Object)].Contents[Other]);
  for (auto &Other : Same) {
    Ref Content = Objects[find(R.Object)].Contents[Other];
    Changed |= join(Content, All);
    Objects[find(R.Object)].Contents[Other] = Content;
  }
  All.Object = find(All.Object);
  return All;
}

bool MemoryTypes::markExternal(const Ref &R) {
  if (!R.isSet())
    return false;
  SmallVector<unsigned, 8> Work = {find(R.Object)};
  bool Changed = false;
  SmallSetVector<unsigned, 8> Seen;
  while (!Work.empty()) {
    unsigned O = find(Work.pop_back_val());
    if (!Seen.insert(O))
      continue;
    Changed |= !Objects[O].External;
    Objects[O].External = true;
    for (auto &[Key, Content] : Objects[O].Contents)
      if (Content.isSet())
        Work.push_back(Content.Object);
  }
  return Changed;
}

bool MemoryTypes::visitCall(const CallBase &Call) {
  bool Changed = false;
  if (auto *Transfer = dyn_cast<MemTransferInst>(&Call)) {
    Ref Dest = getRef(Transfer->getRawDest());
    Ref Source = getRef(Transfer->getRawSource());
    if (Dest.isSet() && Source.isSet()) {
      uint64_t Before = Objects[find(Dest.Object)].Modulus;
      Changed |= uniteAt(Dest, Source);
      // Also within one object the fields may lie elsewhere behind a copy.
      addModulus(Dest, Source);
      Changed |= Objects[find(Dest.Object)].Modulus != Before;
    }
    return Changed;
  }
  if (isa<IntrinsicInst>(Call) || isInactiveCall(Call) || getFreed(Call) ||
      isAllocation(Call) || isPointerCastCall(Call))
    return false;
  if (const PairedCall *P = Paired.lookup(&Call); P && P->Part)
    return false;
  for (const Value *A : Call.args())
    if (A->getType()->isPointerTy())
      Changed |= markExternal(getRef(A));
  return Changed;
}

bool MemoryTypes::visit(const Instruction &I) {
  unsigned Before = NumUnions;
  return visitEffects(I) | (NumUnions != Before);
}

bool MemoryTypes::visitEffects(const Instruction &I) {
  bool Changed = false;
  if (auto *Call = dyn_cast<CallBase>(&I))
    Changed |= visitCall(*Call);
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (Store->getValueOperand()->getType()->isPointerTy()) {
      Ref Value = getRef(Store->getValueOperand());
      Ref Place = getRef(Store->getPointerOperand());
      if (Value.isSet() && Place.isSet()) {
        addContent(Place, Value, Changed);
        if (Objects[find(Place.Object)].External)
          Changed |= markExternal(Value);
      }
    }
    return Changed;
  }
  if (!I.getType()->isPointerTy())
    return Changed;
  Ref New;
  if (auto *GEP = dyn_cast<GEPOperator>(&I)) {
    New = computeGEP(*GEP);
  } else if (auto *Call = dyn_cast<CallBase>(&I);
             Call && isPointerCastCall(*Call)) {
    New = getRef(Call->getArgOperand(0));
    New.Offset = 0, New.Stride = 1;
    New.Step = 0, New.Count = 1;
  } else if (isa<PHINode, SelectInst, FreezeInst, BitCastInst>(I)) {
    for (const Value *V : I.operands())
      if (V->getType()->isPointerTy())
        join(New, getRef(V));
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Ref Place = getRef(Load->getPointerOperand());
    if (Place.isSet())
      New = addContent(Place, {}, Changed);
  } else if (!Refs.count(&I)) {
    New.Object = create();
    auto *Call = dyn_cast<CallBase>(&I);
    bool Fresh = isa<AllocaInst>(I) ||
                 (Call && Call->returnDoesNotAlias() && !Paired.count(Call));
    Objects[New.Object].External = !Fresh;
  }
  Ref &R = Refs[&I];
  return join(R, New) | Changed;
}

//===----------------------------------------------------------------------===//
// Evidence
//===----------------------------------------------------------------------===//

/// Calls Visit(offset, scalar) for each scalar of a type that says what it is.
static void forEachScalar(Type *Ty, uint64_t Offset, const DataLayout &DL,
                          function_ref<void(uint64_t, Type *)> Visit) {
  if (auto *Struct = dyn_cast<StructType>(Ty)) {
    if (Struct->isOpaque() ||
        (Struct->hasName() && Struct->getName().starts_with("union.")))
      return;
    const StructLayout *Layout = DL.getStructLayout(Struct);
    uint64_t End = 0;
    auto VisitPadding = [&](uint64_t Next) {
      if (Next > End)
        Visit(Offset + End,
              IntegerType::get(Ty->getContext(), 8 * (Next - End)));
    };
    for (unsigned I = 0; I < Struct->getNumElements(); ++I) {
      uint64_t Next = Layout->getElementOffset(I);
      VisitPadding(Next);
      forEachScalar(Struct->getElementType(I), Offset + Next, DL, Visit);
      End = Next + DL.getTypeAllocSize(Struct->getElementType(I));
    }
    VisitPadding(Layout->getSizeInBytes());
  } else if (auto *Array = dyn_cast<ArrayType>(Ty)) {
    // Long arrays are rather seen by their accesses.
    uint64_t Size = DL.getTypeAllocSize(Array->getElementType());
    for (uint64_t I = 0; I < std::min<uint64_t>(Array->getNumElements(), 64);
         ++I)
      forEachScalar(Array->getElementType(), Offset + I * Size, DL, Visit);
  } else if (auto *Vector = dyn_cast<FixedVectorType>(Ty)) {
    Type *Element = Vector->getElementType();
    for (unsigned I = 0; I < Vector->getNumElements(); ++I)
      Visit(Offset + I * DL.getTypeStoreSize(Element), Element);
  } else if (Ty->isFloatingPointTy() || Ty->isPointerTy() ||
             (Ty->isIntegerTy() && !Ty->isIntegerTy(8))) {
    Visit(Offset, Ty);
  }
}

void MemoryTypes::addEvidence(const Ref &R, Type *Ty) {
  if (!R.isSet())
    return;
  auto &List = Types[find(R.Object)];
  for (uint64_t K = 0; K != R.Count; ++K)
    forEachScalar(Ty, R.Offset + K * R.Step, DL,
                  [&](uint64_t Offset, Type *Scalar) {
                    List.push_back({reduce(Offset, R.Stride), R.Stride, Scalar,
                                    R.Count > 1});
                  });
}

void MemoryTypes::addTypes(const Instruction &I) {
  if (const Value *P = getAccessPointer(I)) {
    Type *Ty = getAccessType(I);
    addEvidence(getRef(P), Ty);
    // Whoever reads or writes one byte means a character.
    if (Ref R = getRef(P).flatten(); Ty->isIntegerTy(8) && R.isSet())
      Types[find(R.Object)].push_back({R.Offset, R.Stride, Ty});
  }
  if (auto *Alloca = dyn_cast<AllocaInst>(&I))
    addEvidence(getRef(Alloca), Alloca->getAllocatedType());
  if (auto *GEP = dyn_cast<GEPOperator>(&I)) {
    Type *Ty = GEP->getSourceElementType();
    if (Ty->isAggregateType()) {
      Ref R = getRef(GEP->getPointerOperand());
      // The first index steps over whole elements.
      if (R.isSet() && !isa<ConstantInt>(*GEP->idx_begin())) {
        R.Stride = std::gcd(R.Stride, DL.getTypeAllocSize(Ty).getFixedValue());
        R.Offset = reduce(R.Offset, R.Stride);
      }
      addEvidence(R, Ty);
    }
  }
}

MemoryTypes::MemoryTypes(const Function &F, ArrayRef<PairedCall> Calls)
    : DL(F.getDataLayout()) {
  for (const PairedCall &Call : Calls)
    for (const Value *V : {static_cast<const Value *>(Call.Call),
                           static_cast<const Value *>(Call.Result)})
      if (V)
        Paired[V] = &Call;
  auto AddBlocks = [&](const Function &G) {
    ReversePostOrderTraversal<const Function *> Order(&G);
    append_range(Blocks, Order);
  };
  AddBlocks(F);
  for (const PairedCall &Call : Calls) {
    if (!Call.Part)
      continue;
    AddBlocks(*Call.Part);
    for (const Argument &A : Call.Part->args())
      if (A.getType()->isPointerTy())
        PartParams[&A] = Call.Call->getArgOperand(A.getArgNo());
  }
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round < MaxRounds; ++Round) {
    Changed = false;
    for (auto [Param, Passed] : PartParams) {
      unsigned Before = NumUnions;
      Ref New = getRef(Passed);
      Changed |= join(Refs[Param], New) || NumUnions != Before;
    }
    for (const BasicBlock *BB : Blocks)
      for (const Instruction &I : *BB)
        Changed |= visit(I);
    for (unsigned O = 0; O < Objects.size(); ++O)
      if (find(O) == O && Objects[O].External)
        Changed |= [&] {
          bool Any = false;
          for (auto &[Key, Content] : Objects[O].Contents)
            if (Content.isSet() && !Objects[find(Content.Object)].External)
              Any = Objects[find(Content.Object)].External = true;
          return Any;
        }();
  }
  if (Changed) {
    // Given up: all is one object of which nothing is known.
    for (unsigned O = 1; O < Objects.size(); ++O)
      Objects[find(O)].Parent = 0;
    if (!Objects.empty())
      Objects[0] = {0, {}, /*External=*/true, /*Modulus=*/1};
  }
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      addTypes(I);
  for (auto &[V, R] : Refs)
    if (auto *Variable = dyn_cast<GlobalVariable>(V))
      addEvidence(getRef(Variable), Variable->getValueType());
  for (auto &[O, List] : Types) {
    llvm::sort(List, [](const Evidence &A, const Evidence &B) {
      return std::tuple(A.Offset, A.Stride, A.Ty->getTypeID()) <
             std::tuple(B.Offset, B.Stride, B.Ty->getTypeID());
    });
    List.erase(std::unique(List.begin(), List.end(),
                           [](const Evidence &A, const Evidence &B) {
                             return A.Offset == B.Offset &&
                                    A.Stride == B.Stride && A.Ty == B.Ty;
                           }),
               List.end());
  }
}

bool MemoryTypes::holdsFloats(const Value *P) {
  Ref R = getRef(P);
  if (!R.isSet())
    return false;
  auto It = Types.find(find(R.Object));
  return It != Types.end() && any_of(It->second, [](const Evidence &E) {
           return E.Ty->isFloatingPointTy();
         });
}

/// True if some of the Size bytes at R may be floating-point values that are
/// read or written as such.
bool MemoryTypes::mayHoldFloats(Ref R, uint64_t Size) {
  if (R.Count > 1) {
    Ref One = R;
    One.Count = 1;
    for (uint64_t K = 0; K != R.Count; ++K, One.Offset += R.Step)
      if (mayHoldFloats(One, Size))
        return true;
    return false;
  }
  uint64_t Modulus = Objects[find(R.Object)].Modulus;
  return any_of(Types[find(R.Object)], [&](const Evidence &E) {
    if (!E.Ty->isFloatingPointTy())
      return false;
    uint64_t Stride = std::gcd(std::gcd(E.Stride, R.Stride), Modulus);
    uint64_t FloatSize = DL.getTypeStoreSize(E.Ty);
    if (Stride && Stride <= std::max(Size, FloatSize))
      return true;
    if (!Stride)
      return E.Offset < R.Offset + Size && R.Offset < E.Offset + FloatSize;
    // The distance from one to the next other one, both ways round.
    uint64_t X = reduce(R.Offset, Stride), Y = reduce(E.Offset, Stride);
    return (Y + Stride - X) % Stride < Size ||
           (X + Stride - Y) % Stride < FloatSize;
  });
}

bool MemoryTypes::hasDirectEvidence(const Value *P) const {
  const Value *Object = getUnderlyingObject(P, 0);
  if (isa<AllocaInst, GlobalVariable>(Object))
    return true;
  return any_of(Blocks, [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      const Value *Other = getAccessPointer(I);
      if (!Other)
        return false;
      Other = getUnderlyingObject(Other, 0);
      auto *Param = dyn_cast<Argument>(Other);
      auto Passed = Param ? PartParams.find(Param) : PartParams.end();
      if (Passed != PartParams.end())
        Other = getUnderlyingObject(Passed->second, 0);
      return Other == Object;
    });
  });
}

bool MemoryTypes::isInteger(const Instruction &Access) {
  const Value *P = getAccessPointer(Access);
  if (!P)
    return false;
  Ref R = getRef(P);
  if (!R.isSet() ||
      mayHoldFloats(R, DL.getTypeStoreSize(getAccessType(Access))))
    return false;
  auto *Store = dyn_cast<StoreInst>(&Access);
  auto *Stored =
      Store ? dyn_cast<ConstantInt>(Store->getValueOperand()) : nullptr;
  bool IsSmall = Stored && Stored->getValue().abs().ult(1 << 20);
  return IsSmall || !Objects[find(R.Object)].External || holdsFloats(P);
}

/// 2: floating point, 1: pointer, 0: neither.
static int getKind(Type *Ty) {
  return Ty->isFloatingPointTy() ? 2 : Ty->isPointerTy() ? 1 : 0;
}

/// Fields repeated up to Length bytes, as one region.
static bool unroll(MemoryLayout &L, uint64_t Length) {
  if (Length / L.Period * L.Fields.size() > 256)
    return false;
  auto Fields = std::move(L.Fields);
  L.Fields.clear();
  for (uint64_t Start = 0; Start < Length; Start += L.Period)
    for (auto [Offset, Ty] : Fields)
      L.Fields.push_back({Start + Offset, Ty});
  L.Period = 0;
  return true;
}

std::optional<MemoryLayout>
MemoryTypes::getLayout(const Value *P, std::optional<uint64_t> Length) {
  MemoryLayout Result;
  Ref R = getRef(P).flatten();
  if (!R.isSet())
    return std::nullopt;
  const Object &O = Objects[find(R.Object)];
  const std::vector<Evidence> &All = Types[find(R.Object)];
  Result.IsExternal = O.External;
  Type *Only = nullptr;
  bool Floats = false, Pointers = false, One = true;
  for (const Evidence &E : All) {
    Floats |= getKind(E.Ty) == 2;
    Pointers |= getKind(E.Ty) == 1;
    if (!getKind(E.Ty))
      continue;
    One &= !Only || Only == E.Ty;
    Only = E.Ty;
  }
  // Never accessed as floating point, and by no other function.
  if (!Floats && !Pointers && !O.External)
    return Result;
  // Floats and integers, or pointers alone: the shadows of integers are zero,
  // so it does no harm to take them for floats. Pointers and integers in
  // one structure are no array of pointers, though.
  bool Integers = any_of(All, [](const Evidence &E) { return !getKind(E.Ty); });
  if (Only && One && (Floats || !Integers)) {
    Result.Period = DL.getTypeAllocSize(Only);
    Result.Fields.push_back({0, Only});
    return Result;
  }
  // All of it, modulo the greatest common divisor of all strides.
  uint64_t Period = std::gcd(R.Stride, O.Modulus);
  for (const Evidence &E : All)
    Period = std::gcd(Period, E.Stride);
  if (!Period && !Length)
    return std::nullopt;
  std::map<uint64_t, Type *> At;
  for (const Evidence &E : All) {
    Type *&Ty = At[reduce(E.Offset, Period)];
    if (Ty && Ty != E.Ty && (getKind(Ty) || getKind(E.Ty)))
      return std::nullopt;
    if (!Ty || DL.getTypeStoreSize(E.Ty) > DL.getTypeStoreSize(Ty))
      Ty = E.Ty;
  }
  // No two of them overlap, and where others may write there is no hole.
  uint64_t Begin = Period ? 0 : R.Offset;
  uint64_t Limit = Period ? Period : R.Offset + *Length;
  uint64_t End = Begin;
  Type *Last = nullptr;
  auto IsHole = [&](uint64_t Next) {
    return O.External && Next > End && Next - End >= 4;
  };
  for (auto [Offset, Ty] : At) {
    uint64_t Next = Offset + DL.getTypeStoreSize(Ty);
    if (Next <= Begin || Offset >= Limit)
      continue;
    if (Offset < End && Last && (getKind(Ty) || getKind(Last)))
      return std::nullopt;
    if (IsHole(Offset))
      return std::nullopt;
    End = std::max(End, Next);
    Last = Ty;
  }
  // The last array of a structure may be longer than its type says.
  bool MayBeLonger = !Period && Limit >= End + 8 &&
                     any_of(All, [](const Evidence &E) { return E.Bounded; });
  if (IsHole(Limit) || MayBeLonger || (Period && End > Period))
    return std::nullopt;

  Result.Period = Period;
  for (auto [Offset, Ty] : At) {
    if (!getKind(Ty) || (!Period && Offset < R.Offset))
      continue;
    uint64_t FromP = Period ? (Offset + Period - R.Offset % Period) % Period
                            : Offset - R.Offset;
    Result.Fields.push_back({FromP, Ty});
  }
  llvm::sort(Result.Fields, llvm::less_first());
  if (Period && Length && *Length % Period && !unroll(Result, *Length))
    return std::nullopt;
  if (!Result.Period)
    erase_if(Result.Fields, [&](auto &Field) {
      return Field.first + DL.getTypeStoreSize(Field.second) > *Length;
    });
  return Result;
}

//===----------------------------------------------------------------------===//
// Bits of floating-point values
//===----------------------------------------------------------------------===//

/// True if P points into an argument with a shadow that the function accesses
/// as integers only: these may be bits of floating-point values.
static bool mayHoldBits(const Value *P, MemoryTypes &Types,
                        function_ref<bool(const Value *)> HasShadow) {
  return isa<Argument>(getUnderlyingObject(P, 0)) && HasShadow(P) &&
         !Types.holdsFloats(P);
}

/// Integers that are computed from memory with a shadow and stored in such
/// memory again.
static Error checkBits(const StoreInst &Store, MemoryTypes &Types,
                       function_ref<bool(const Value *)> HasShadow) {
  const Value *Stored = Store.getValueOperand();
  std::optional<Type *> Declared = getTypeByTBAA(
      Store.getMetadata(LLVMContext::MD_tbaa), Store.getContext());
  if (Declared && !*Declared)
    return Error::success();
  if (!Stored->getType()->isIntOrIntVectorTy() ||
      Stored->getType()->getPrimitiveSizeInBits() < 16 ||
      !mayHoldBits(Store.getPointerOperand(), Types, HasShadow))
    return Error::success();
  SmallSetVector<const Value *, 8> Sources;
  Sources.insert(Stored);
  for (unsigned N = 0; N < Sources.size(); ++N) {
    auto *I = dyn_cast<Instruction>(Sources[N]);
    if (!I || !I->getType()->isIntOrIntVectorTy())
      continue;
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load && mayHoldBits(Load->getPointerOperand(), Types, HasShadow))
      return refuse(Reason::BitsOfFloats,
                    "if this is an array of integers, mark it pardiff_const",
                    &Store);
    if (!Load)
      Sources.insert(I->op_begin(), I->op_end());
  }
  return Error::success();
}

Error pardiff::checkCopies(const Function &F, MemoryTypes &Types,
                           function_ref<bool(const Value *)> HasShadow) {
  for (const Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (Error E = checkBits(*Store, Types, HasShadow))
        return E;
  return Error::success();
}

std::optional<MemoryLayout>
MemoryTypes::getCopyLayout(const Value *Dest, const Value *Source,
                           std::optional<uint64_t> Length) {
  std::optional<MemoryLayout> Layout = getLayout(Dest, Length);
  // That one side is used as integers says nothing about the other one.
  if (Layout && Layout->Fields.empty() && Layout->IsExternal &&
      !(hasDirectEvidence(Dest) && hasDirectEvidence(Source)))
    return std::nullopt;
  return Layout;
}

Error pardiff::checkText(const CallBase &Call, MemoryTypes &Types,
                         function_ref<bool(const Value *)> HasShadow) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !isTextFunction(*Callee))
    return Error::success();
  for (const Value *A : drop_begin(Call.args(), !Call.arg_empty()))
    if (A->getType()->isPointerTy() && HasShadow(A) && Types.mayHoldFloatsAt(A))
      return refuse(Reason::BitsOfFloats, describeOperation(Call), &Call);
  return Error::success();
}
