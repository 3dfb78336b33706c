//===- Prepare/ExpandMemIntrinsics.cpp - memset, memcpy and memmove as loops
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly takes memory intrinsics for accesses of bytes. Here they become loops
// over elements of floating-point type:
//
//   memset(p, 0, n*8)   ->   for (k < n) p[k] = 0
//   memcpy(p, q, n*8)   ->   for (k < n) p[k] = q[k]
//
// The type of the elements is that of all other accesses to the object. A size
// that is a product with parameters (n*m*8) becomes a nest in row-major order,
// so that it has the subscripts of the other accesses.
//
// Conditions: memset fills with zero; the size is a multiple of the element's;
// all accesses to the object, or the array that it is declared as, have one
// floating-point type; memmove is between different objects. Other intrinsics
// stay.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

namespace {

/// What one intrinsic becomes.
struct Expansion {
  MemIntrinsic *MI = nullptr;
  Type *ElemTy = nullptr;
  Value *Source = nullptr; ///< null: store zero
  SmallVector<Value *, 4> Counts;
};

class Expander {
public:
  Expander(Function &F, AAResults &AA) : F(F), AA(AA) {}
  bool run();

private:
  Type *getElementType(const Value *Ptr) const;
  bool splitSize(Value *Size, uint64_t Bytes, SmallVectorImpl<Value *> &Counts);
  std::optional<Expansion> plan(MemIntrinsic &MI);
  void emitLoops(const Expansion &E);

  Function &F;
  AAResults &AA;
};

} // namespace

static Type *getInnermostType(Type *Ty) {
  while (auto *AT = dyn_cast<ArrayType>(Ty))
    Ty = AT->getElementType();
  return Ty->isFloatingPointTy() ? Ty : nullptr;
}

/// The one floating-point type by which Ptr's object is accessed, or null.
Type *Expander::getElementType(const Value *Ptr) const {
  const Value *Object = getUnderlyingObject(Ptr, /*MaxLookup=*/0);
  Type *ElemTy = nullptr;
  for (const Instruction &I : instructions(F)) {
    const Value *P = getLoadStorePointerOperand(&I);
    if (!P || getUnderlyingObject(P, 0) != Object)
      continue;
    Type *Ty = getLoadStoreType(&I);
    if (!Ty->isFloatingPointTy() || (ElemTy && ElemTy != Ty))
      return nullptr;
    ElemTy = Ty;
  }
  if (ElemTy)
    return ElemTy;
  if (const auto *Alloca = dyn_cast<AllocaInst>(Object))
    return getInnermostType(Alloca->getAllocatedType());
  if (const auto *G = dyn_cast<GlobalVariable>(Object))
    return getInnermostType(G->getValueType());
  return nullptr;
}

/// Size = Bytes * (product of Counts), outermost count first. A constant factor
/// that is left over is a count as well.
bool Expander::splitSize(Value *Size, uint64_t Bytes,
                         SmallVectorImpl<Value *> &Counts) {
  uint64_t Constant = 1;
  SmallVector<Value *, 4> Work{Size};
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    Value *A, *B;
    uint64_t C;
    if (match(V, m_ConstantInt(C))) {
      if (C != 0 && Constant > UINT64_MAX / C)
        return false;
      Constant *= C;
    } else if (match(V, m_Mul(m_Value(A), m_Value(B)))) {
      Work.push_back(B);
      Work.push_back(A);
    } else if (match(V, m_Shl(m_Value(A), m_ConstantInt(C))) && C < 16 &&
               Constant <= UINT64_MAX >> 16) {
      Constant <<= C;
      Work.push_back(A);
    } else {
      Counts.push_back(V);
    }
  }
  if (Constant % Bytes != 0)
    return false;
  if (Constant != Bytes || Counts.empty())
    Counts.push_back(ConstantInt::get(Size->getType(), Constant / Bytes));
  return true;
}

/// for (k0 < Counts[0]) for (k1 < Counts[1]) ... Dest[(k0*Counts[1] + k1)...] =
/// ...
void Expander::emitLoops(const Expansion &E) {
  MemIntrinsic &MI = *E.MI;
  Type *ElemTy = E.ElemTy;
  IRBuilder<> B(&MI);
  Value *Dest = MI.getRawDest();
  Type *I64 = B.getInt64Ty();
  Value *Index = nullptr;
  Instruction *At = &MI;
  for (Value *Count : E.Counts) {
    B.SetInsertPoint(At);
    Count = B.CreateZExtOrTrunc(Count, I64);
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateICmpSGT(Count, B.getInt64(0)), At, /*Unreachable=*/false);
    auto [Body, IV] =
        SplitBlockAndInsertSimpleForLoop(Count, Then->getIterator());
    At = &*Body;
    B.SetInsertPoint(At);
    Index = Index ? B.CreateNSWAdd(B.CreateNSWMul(Index, Count), IV) : IV;
  }
  const DataLayout &DL = F.getDataLayout();
  Align A = commonAlignment(MI.getDestAlign().valueOrOne(),
                            DL.getTypeStoreSize(ElemTy).getFixedValue());
  Value *V = Constant::getNullValue(ElemTy);
  if (E.Source) {
    Align SA =
        commonAlignment(cast<MemTransferInst>(MI).getSourceAlign().valueOrOne(),
                        DL.getTypeStoreSize(ElemTy).getFixedValue());
    LoadInst *Load = B.CreateAlignedLoad(
        ElemTy, B.CreateInBoundsGEP(ElemTy, E.Source, Index), SA);
    Load->setAAMetadata(MI.getAAMetadata());
    V = Load;
  }
  StoreInst *Store =
      B.CreateAlignedStore(V, B.CreateInBoundsGEP(ElemTy, Dest, Index), A);
  Store->setAAMetadata(MI.getAAMetadata());
}

std::optional<Expansion> Expander::plan(MemIntrinsic &MI) {
  Expansion E;
  E.MI = &MI;
  if (MI.isVolatile() || !MI.getLength()->getType()->isIntegerTy(64))
    return std::nullopt;
  if (auto *Set = dyn_cast<MemSetInst>(&MI)) {
    if (!match(Set->getValue(), m_Zero()))
      return std::nullopt;
  } else {
    auto &Transfer = cast<MemTransferInst>(MI);
    E.Source = Transfer.getRawSource();
    if (isa<MemMoveInst>(MI) &&
        !AA.isNoAlias(MemoryLocation::getBeforeOrAfter(MI.getRawDest()),
                      MemoryLocation::getBeforeOrAfter(E.Source)))
      return std::nullopt;
  }
  E.ElemTy = getElementType(MI.getRawDest());
  Type *SourceTy = E.Source ? getElementType(E.Source) : E.ElemTy;
  if (!E.ElemTy)
    E.ElemTy = SourceTy;
  if (!E.ElemTy || (SourceTy && SourceTy != E.ElemTy))
    return std::nullopt;
  uint64_t Bytes = F.getDataLayout().getTypeAllocSize(E.ElemTy).getFixedValue();
  if (!splitSize(MI.getLength(), Bytes, E.Counts))
    return std::nullopt;
  return E;
}

bool Expander::run() {
  SmallVector<Expansion, 8> Work;
  for (Instruction &I : instructions(F))
    if (auto *MI = dyn_cast<MemIntrinsic>(&I))
      if (std::optional<Expansion> E = plan(*MI))
        Work.push_back(std::move(*E));
  for (const Expansion &E : Work) {
    emitLoops(E);
    E.MI->eraseFromParent();
  }
  return !Work.empty();
}

PreservedAnalyses ExpandMemIntrinsicsPass::run(Function &F,
                                               FunctionAnalysisManager &FAM) {
  auto &AA = FAM.getResult<AAManager>(F);
  return Expander(F, AA).run() ? PreservedAnalyses::none()
                               : PreservedAnalyses::all();
}
