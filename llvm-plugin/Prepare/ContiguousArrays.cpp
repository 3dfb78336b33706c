//===- Prepare/ContiguousArrays.cpp - Strides of Fortran's descriptors ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   real :: a(:,:)          address of a(i,j) = base + i*sm_1 + j*sm_2
//
// where the strides sm_d, in bytes, are loaded from a descriptor: no subscript
// can be read out of this. Required is
//
//   sm_1 = size of an element,    sm_d = sm_(d-1) * q_d,  q_d >= 0
//
// which holds for whole arrays and for sections of leading parts, and
// subscripts are expressed by the q_d, which are frozen and become the extents
// of the array. For a(::2) it does not hold, and the other side of the nest's
// condition runs.
//
// Strides are recognised by how they are used: 64-bit integers that the entry
// block loads from a descriptor's place for a dimension (24 bytes each, behind
// a head of 24), as factors of byte offsets. A stride that is only loaded if
// something holds is only required if that holds.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

// The layout of a descriptor (ISO_Fortran_binding.h): base, element length,
// version, rank, type, attribute, extra; then for each dimension lower bound,
// extent, stride.
static constexpr int64_t HeadBytes = 24, DimensionBytes = 24, StrideOffset = 16;

namespace {

/// A load of a stride.
struct Stride {
  LoadInst *Load;
  Value *Runs; ///< i1: the load's value is meant; null if always
  unsigned ElementBytes;
};

using Descriptor = std::map<unsigned, SmallVector<Stride, 2>>; ///< by dimension

} // namespace

/// The descriptor that Load reads and the offset in it; Runs as in Stride.
static std::pair<Value *, int64_t> getPlace(LoadInst &Load, Value *&Runs) {
  Value *Ptr = Load.getPointerOperand();
  Runs = nullptr;
  Value *Cond, *If;
  if (match(Ptr, m_Select(m_Value(Cond), m_Value(If), m_Constant()))) {
    Runs = Cond;
    Ptr = If;
  }
  const DataLayout &DL = Load.getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  Value *Base =
      Ptr->stripAndAccumulateConstantOffsets(DL, Offset, /*NonInbounds=*/true);
  return {Base, Offset.getSExtValue()};
}

/// The size of what is accessed at an address computed with V; 0 if nothing.
static unsigned findElement(Value *V, SmallPtrSetImpl<Value *> &Seen) {
  if (!Seen.insert(V).second)
    return 0;
  for (User *U : V->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I)
      continue;
    Value *Ptr = getLoadStorePointerOperand(I);
    if (Ptr == V && V->getType()->isPointerTy())
      return I->getDataLayout().getTypeAllocSize(getLoadStoreType(I));
    bool Follows = isa<GetElementPtrInst, PHINode>(I) ||
                   I->getOpcode() == Instruction::Add ||
                   I->getOpcode() == Instruction::Sub ||
                   I->getOpcode() == Instruction::Mul;
    if (Follows)
      if (unsigned Size = findElement(I, Seen))
        return Size;
  }
  return 0;
}

static void collect(LoadInst &Load, MapVector<Value *, Descriptor> &Found) {
  if (!Load.getType()->isIntegerTy(64) || !Load.isSimple() ||
      none_of(Load.users(),
              [](User *U) { return match(U, m_Mul(m_Value(), m_Value())); }))
    return;
  Value *Runs;
  auto [Base, Offset] = getPlace(Load, Runs);
  int64_t InDimension = Offset - HeadBytes - StrideOffset;
  if (InDimension < 0 || InDimension % DimensionBytes)
    return;
  SmallPtrSet<Value *, 16> Seen;
  if (unsigned Size = findElement(&Load, Seen))
    Found[Base][InDimension / DimensionBytes].push_back({&Load, Runs, Size});
}

/// Replaces the stride S by Size bytes or a multiple of Below, the stride of
/// the dimension below. Returns what replaces it.
static Value *replaceStride(const Stride &S, Value *Below) {
  BasicBlock *Entry = S.Load->getParent();
  Instruction *At = S.Load->getNextNode();
  if (auto *Def = dyn_cast_or_null<Instruction>(Below);
      Def && !Def->comesBefore(At))
    At = Def->getNextNode();
  IRBuilder<> B(At);
  Value *Here = B.getInt64(S.ElementBytes);
  if (Below) {
    Value *Divisor =
        B.CreateBinaryIntrinsic(Intrinsic::smax, Below, B.getInt64(1));
    Value *Extent =
        createParam(B, B.CreateSDiv(S.Load, Divisor), "extent.param");
    createRequire(B, B.CreateICmpSGE(Extent, B.getInt64(0)));
    Here = B.CreateNSWMul(Below, Extent);
  }
  // The product may be poison if something else that is required does not hold.
  Value *Holds = B.CreateFreeze(B.CreateICmpEQ(Here, S.Load));
  createRequire(B,
                S.Runs ? B.CreateLogicalOr(B.CreateNot(S.Runs), Holds) : Holds);
  // What was computed in the entry block may stand in front.
  S.Load->replaceUsesWithIf(Here, [&](const Use &U) {
    return cast<Instruction>(U.getUser())->getParent() != Entry;
  });
  return Here;
}

/// Puts the extents in place of the strides of one array.
static bool replaceStrides(const Descriptor &Strides) {
  Value *Below = nullptr;
  unsigned Next = 0;
  for (const auto &[Dimension, Loads] : Strides) {
    if (Dimension != Next++ || Loads.size() != 1)
      break;
    Below = replaceStride(Loads.front(), Below);
  }
  return Next > 0;
}

PreservedAnalyses ContiguousArraysPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  MapVector<Value *, Descriptor> Found;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Load = dyn_cast<LoadInst>(&I))
      collect(*Load, Found);
  bool Changed = false;
  for (auto &[Base, Strides] : Found)
    Changed |= replaceStrides(Strides);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
