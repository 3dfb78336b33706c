//===- Prepare/MemoryContent.cpp - What an integer access reads -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/MemoryContent.h"
#include "Support/Accesses.h"
#include "Support/Reason.h"
#include "Support/TypeTags.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <optional>

using namespace llvm;
using namespace pardiff;

//===----------------------------------------------------------------------===//
// Evidence
//===----------------------------------------------------------------------===//

MemoryContent pardiff::getContentByTBAA(const MDNode *Tag,
                                        LLVMContext &Context) {
  MemoryContent C;
  std::optional<Type *> Ty = getTypeByTBAA(Tag, Context);
  if (!Ty)
    return C;
  C.FloatTy = *Ty;
  C.What = C.FloatTy ? MemoryContent::Float : MemoryContent::Integer;
  C.IsDeclared = true;
  return C;
}

static MemoryContent getByTBAA(const Instruction &I) {
  return getContentByTBAA(I.getMetadata(LLVMContext::MD_tbaa), I.getContext());
}

/// By the type of the place that a pointer was computed for, Offset bytes
/// further.
static MemoryContent getByType(Type *Ty, uint64_t Offset,
                               const DataLayout &DL) {
  MemoryContent C;
  bool IsField = false;
  while (true) {
    if (!Ty->isSized() || Ty->isScalableTy())
      return C;
    uint64_t Size = DL.getTypeAllocSize(Ty);
    if (auto *Struct = dyn_cast<StructType>(Ty)) {
      if (Struct->getNumElements() == 0 || Size == 0 ||
          (Struct->hasName() && Struct->getName().starts_with("union.")))
        return C;
      Offset %= Size;
      const StructLayout *Layout = DL.getStructLayout(Struct);
      unsigned Field = Layout->getElementContainingOffset(Offset);
      Offset -= Layout->getElementOffset(Field);
      Ty = Struct->getElementType(Field);
      IsField = true;
    } else if (auto *Array = dyn_cast<ArrayType>(Ty)) {
      Ty = Array->getElementType();
      if (Ty->isIntegerTy(8)) { // an array of characters
        C.What = MemoryContent::Integer;
        return C;
      }
      uint64_t Each =
          Ty->isSized() ? DL.getTypeAllocSize(Ty).getFixedValue() : 0;
      if (Each == 0)
        return C;
      Offset %= Each;
    } else if (auto *Vector = dyn_cast<VectorType>(Ty)) {
      Ty = Vector->getElementType();
    } else {
      break;
    }
  }
  if (Ty->isFloatingPointTy()) {
    C.What = MemoryContent::Float;
    C.FloatTy = Ty;
  } else if (Ty->isPointerTy() ||
             (Ty->isIntegerTy() && (IsField || Ty->getIntegerBitWidth() > 8))) {
    // A byte may be part of anything, a field of one byte is one.
    C.What = MemoryContent::Integer;
    C.IsDeclared = IsField;
  }
  return C;
}

/// True if all of Ty is made of the same scalars.
static bool isUniform(Type *Ty) {
  if (auto *Array = dyn_cast<ArrayType>(Ty))
    return isUniform(Array->getElementType());
  if (auto *Struct = dyn_cast<StructType>(Ty))
    return Struct->getNumElements() != 0 && all_equal(Struct->elements()) &&
           !(Struct->hasName() && Struct->getName().starts_with("union.")) &&
           isUniform(Struct->getElementType(0));
  return true;
}

/// True if GEP names a field of a structure that is no union.
static bool isFieldAccess(const GEPOperator &GEP) {
  for (auto I = gep_type_begin(GEP), E = gep_type_end(GEP); I != E; ++I)
    if (StructType *Struct = I.getStructTypeOrNull())
      return !(Struct->hasName() && Struct->getName().starts_with("union."));
  return false;
}

/// By how the address was computed, through loops and choices of pointers.
static MemoryContent getByAddress(const Value *P, const DataLayout &DL) {
  MemoryContent Found;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(P);
  // Behind an offset in bytes that is not known only a type helps that is the
  // same everywhere.
  std::optional<uint64_t> Offset = 0;
  auto GetByType = [&](Type *Ty) {
    return Offset || isUniform(Ty) ? getByType(Ty, Offset.value_or(0), DL)
                                   : MemoryContent();
  };
  for (unsigned N = 0; N < Work.size() && N < 32; ++N) {
    const Value *V = Work[N];
    MemoryContent C;
    if (auto *GEP = dyn_cast<GEPOperator>(V)) {
      C = GetByType(GEP->getResultElementType());
      if (C.What == MemoryContent::Integer ||
          (isFieldAccess(*GEP) && N == 0 &&
           GEP->getResultElementType()->isIntegerTy())) {
        C.What = MemoryContent::Integer;
        C.IsDeclared |= isFieldAccess(*GEP);
      }
      if (C.What == MemoryContent::Unknown &&
          GEP->getResultElementType()->isIntegerTy(8)) {
        APInt Step(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        bool IsConstant = GEP->accumulateConstantOffset(DL, Step);
        if (Offset && IsConstant && !Step.isNegative() && Work.size() == N + 1)
          *Offset += Step.getZExtValue();
        else
          Offset = std::nullopt;
        Work.insert(GEP->getPointerOperand());
      }
    } else if (auto *Phi = dyn_cast<PHINode>(V)) {
      Work.insert(Phi->op_begin(), Phi->op_end());
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Work.insert(Select->getTrueValue());
      Work.insert(Select->getFalseValue());
    } else if (auto *Alloca = dyn_cast<AllocaInst>(V)) {
      if (isUniform(Alloca->getAllocatedType()))
        C = getByType(Alloca->getAllocatedType(), 0, DL);
    } else if (auto *Global = dyn_cast<GlobalVariable>(V)) {
      if (isUniform(Global->getValueType()))
        C = getByType(Global->getValueType(), 0, DL);
    }
    if (C.What == MemoryContent::Unknown)
      continue;
    if (Found.What != MemoryContent::Unknown &&
        (Found.What != C.What || Found.FloatTy != C.FloatTy))
      return MemoryContent();
    Found = C;
  }
  return Found;
}

/// By the other accesses to the object.
MemoryContent MemoryContentAnalysis::getOfObject(const Value *Object) {
  auto [It, New] = Objects.try_emplace(Object);
  if (!New)
    return It->second;
  MemoryContent C;
  bool Mixed = false;
  for (const Instruction &I : instructions(F)) {
    const Value *P = getAccessPointer(I);
    if (!P || getUnderlyingObject(P, 0) != Object)
      continue;
    Type *Ty = getAccessType(I)->getScalarType();
    MemoryContent Here = getByTBAA(I);
    if (Here.What == MemoryContent::Unknown)
      Here = getByAddress(P, F.getDataLayout());
    if (Ty->isFloatingPointTy()) {
      Here.What = MemoryContent::Float;
      Here.FloatTy = Ty;
    }
    C.NearFloats |= Here.What == MemoryContent::Float;
    if (Here.What == MemoryContent::Unknown)
      continue;
    Mixed |= C.What != MemoryContent::Unknown &&
             (C.What != Here.What || C.FloatTy != Here.FloatTy);
    C.What = Here.What;
    C.FloatTy = Here.FloatTy;
  }
  // Integers elsewhere in the object say nothing about this place.
  if (Mixed || C.What == MemoryContent::Integer) {
    C.What = MemoryContent::Unknown;
    C.FloatTy = nullptr;
  }
  return Objects[Object] = C;
}

MemoryContent MemoryContentAnalysis::get(const Instruction &Access) {
  const Value *P = getAccessPointer(Access);
  MemoryContent Object = getOfObject(getUnderlyingObject(P, 0));
  MemoryContent ByAddress = getByAddress(P, F.getDataLayout());
  MemoryContent C = getByTBAA(Access);
  // An integer type that was put on the address of a floating-point variable.
  if (C.What == MemoryContent::Unknown ||
      (C.What == MemoryContent::Integer &&
       ByAddress.What == MemoryContent::Float))
    C = ByAddress;
  if (C.What == MemoryContent::Unknown)
    return Object;
  C.NearFloats = Object.NearFloats;
  return C;
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

/// Memory that comes from outside the function, with a shadow of the user's.
static bool isUserMemory(const Value *P) {
  return isa<Argument, LoadInst>(getUnderlyingObject(P, 0));
}

namespace {

class FloatBitsCheck {
public:
  FloatBitsCheck(const Function &F, function_ref<bool(unsigned)> HasShadow,
                 function_ref<bool(const Instruction &)> IsInteger)
      : F(F), HasShadow(HasShadow), IsInteger(IsInteger), Content(F) {}

  Error run();

private:
  bool mayHaveShadow(const Value *P) const;
  MemoryContent getContent(const Instruction &Access);
  Error checkUses(const Instruction &Source, MemoryContent Of);
  Error checkUse(const Instruction &Source, MemoryContent Of, const Value *V,
                 const Instruction &User);
  Error checkStore(const StoreInst &Store);
  Error no(const Instruction &I) {
    return refuse(Reason::BitsOfFloats, "", &I);
  }

  const Function &F;
  function_ref<bool(unsigned)> HasShadow;
  function_ref<bool(const Instruction &)> IsInteger;
  MemoryContentAnalysis Content;
  SmallSetVector<const Value *, 16> Bits; ///< made of the source's bits
};

} // namespace

/// True if the memory behind P may carry derivatives: that of active parameters
/// and all that is not the caller's.
bool FloatBitsCheck::mayHaveShadow(const Value *P) const {
  const Value *Object = getUnderlyingObject(P, 0);
  while (auto *Load = dyn_cast<LoadInst>(Object))
    Object = getUnderlyingObject(Load->getPointerOperand(), 0);
  if (auto *Param = dyn_cast<Argument>(Object))
    return HasShadow(Param->getArgNo());
  auto *Global = dyn_cast<GlobalVariable>(Object);
  return !Global || !Global->isConstant();
}

MemoryContent FloatBitsCheck::getContent(const Instruction &Access) {
  MemoryContent C = Content.get(Access);
  if (!C.IsDeclared && IsInteger && IsInteger(Access)) {
    C.What = MemoryContent::Integer;
    C.IsDeclared = true;
  }
  return C;
}

/// V holds bits of Source, whose memory holds Of. What does User do with them?
Error FloatBitsCheck::checkUse(const Instruction &Source, MemoryContent Of,
                               const Value *V, const Instruction &User) {
  bool Certain = Of.What == MemoryContent::Float;
  if (auto *Store = dyn_cast<StoreInst>(&User)) {
    if (Store->getValueOperand() != V)
      return Error::success();
    // Bits of a value in a register, or of memory that holds such values.
    if (Certain)
      return no(*Store);
    if (!mayHaveShadow(Store->getPointerOperand()))
      return Error::success();
    MemoryContent To = getContent(*Store);
    bool IsCopyOfIntegers =
        To.What == MemoryContent::Integer &&
        (Of.What != MemoryContent::Integer || To.IsDeclared ||
         !isUserMemory(Store->getPointerOperand()));
    return IsCopyOfIntegers ? Error::success()
                            : refuse(Reason::BitsOfFloats,
                                     "if this is an array of integers, mark it "
                                     "pardiff_const",
                                     Store);
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(User))
    return Of.What == MemoryContent::Integer ? Error::success() : no(Source);
  if (isa<CmpInst, GetElementPtrInst>(User) || User.isTerminator())
    return isa<ReturnInst>(User) ? no(Source) : Error::success();
  Type *Ty = User.getType();
  if (isa<BitCastInst>(User) && Ty->isFPOrFPVectorTy())
    return no(Source);
  if (Of.What == MemoryContent::Integer && !isa<PHINode, SelectInst>(User) &&
      !isa<FreezeInst, BitCastInst>(User))
    return Error::success(); // computed with: an integer
  if (isa<SIToFPInst, UIToFPInst>(User))
    return Certain ? no(Source) : Error::success();
  if (isa<IntToPtrInst>(User))
    return no(Source);
  if (auto *Select = dyn_cast<SelectInst>(&User);
      Select && Select->getCondition() == V && Select->getTrueValue() != V &&
      Select->getFalseValue() != V)
    return Error::success();
  if (isa<CallBase>(User) && !Ty->isIntOrIntVectorTy())
    return Certain && !isa<DbgInfoIntrinsic, AssumeInst>(User)
               ? no(Source)
               : Error::success();
  if (Ty->isIntOrIntVectorTy())
    Bits.insert(&User);
  return Error::success();
}

Error FloatBitsCheck::checkUses(const Instruction &Source, MemoryContent Of) {
  Bits.clear();
  Bits.insert(&Source);
  for (unsigned N = 0; N < Bits.size(); ++N) {
    const Value *V = Bits[N];
    if (V->getType()->isIntOrIntVectorTy(1))
      continue; // a decision
    for (const User *U : V->users())
      if (auto *I = dyn_cast<Instruction>(U))
        if (Error E = checkUse(Source, Of, V, *I))
          return E;
  }
  return Error::success();
}

/// Integers that overwrite floating-point values.
Error FloatBitsCheck::checkStore(const StoreInst &Store) {
  const Value *V = Store.getValueOperand();
  if (!V->getType()->isIntOrIntVectorTy() ||
      !mayHaveShadow(Store.getPointerOperand()))
    return Error::success();
  MemoryContent To = getContent(Store);
  if (To.What == MemoryContent::Integer)
    return Error::success();
  if (To.What == MemoryContent::Float || To.NearFloats ||
      (isa<Constant>(V) && V->getType()->getPrimitiveSizeInBits() >= 32))
    return no(Store);
  return Error::success();
}

Error FloatBitsCheck::run() {
  for (const Instruction &I : instructions(F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Error E = checkStore(*Store))
        return E;
      continue;
    }
    if (!I.getType()->isIntOrIntVectorTy())
      continue;
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (!mayHaveShadow(Load->getPointerOperand()))
        continue;
      MemoryContent Of = getContent(I);
      // Of the user's arrays only a cast may say that they hold integers.
      if (Of.What == MemoryContent::Integer &&
          (Of.IsDeclared || !isUserMemory(Load->getPointerOperand())))
        continue;
      if (Error E = checkUses(I, Of))
        return E;
    } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
      MemoryContent Of;
      if (IsInteger && IsInteger(I))
        Of.What = MemoryContent::Integer;
      else if (Update->getOperation() == AtomicRMWInst::Xchg &&
               I.getType()->getIntegerBitWidth() >= 16)
        return no(I); // whatever is stored, a number may be overwritten
      if (Error E = checkUses(I, Of))
        return E;
    } else if (isa<BitCastInst>(I) && !isa<Constant>(I.getOperand(0)) &&
               I.getOperand(0)->getType()->isFPOrFPVectorTy()) {
      MemoryContent Of;
      Of.What = MemoryContent::Float;
      if (Error E = checkUses(I, Of))
        return E;
    }
  }
  return Error::success();
}

Error pardiff::checkFloatBits(
    const Function &F, function_ref<bool(unsigned)> HasShadow,
    function_ref<bool(const Instruction &)> IsInteger) {
  return FloatBitsCheck(F, HasShadow, IsInteger).run();
}
