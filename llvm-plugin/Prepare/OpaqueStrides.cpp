//===- Prepare/OpaqueStrides.cpp - Row lengths that are sums --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum in the entry block that counters are multiplied with, the length of a
// row, becomes a value that scalar evolution cannot look into:
//
//   %row = add i64 %n, 8                %row = freeze i64 (add i64 %n, 8)
//   ... mul i64 %i, %row                ... mul i64 %i, %row
//
// For double x[][n + 8] scalar evolution writes the offset of x[5][i] as
// 40 + 5 n + i, and Polly does not find five rows in it. With an opaque row it
// is 5 row + i. What is lost is how the row's length depends on n: that i stays
// within a row is a condition at run time then. So this is for functions that
// cannot be modelled without it.
//
// Only multiplications and addresses read the opaque value. A frozen value that
// was poison is some value instead: a refinement.
//
// Rows of constant number have lost their factor to instruction combining:
// element i of row 5 is 40 + 5 n + i elements behind x. To such an address
// 5 (row - 8 - n) is added, which is zero, and scalar evolution sees 5 row + i.
// Condition: what is added to the row stays positive, so that no index
// like n - 1 - i is taken for one in the row behind.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

/// True if V is a sum that is computed in the entry block.
static bool isSum(Value *V) {
  auto *Op = dyn_cast<BinaryOperator>(V);
  return Op && Op->getType()->isIntegerTy(64) && isInEntryBlock(Op) &&
         (Op->getOpcode() == Instruction::Add ||
          Op->getOpcode() == Instruction::Sub);
}

namespace {

/// A row's length N + Extra, and the same as an opaque value.
struct Row {
  BinaryOperator *Sum;
  FreezeInst *Opaque;
  int64_t Extra; ///< 0: addresses are not to be looked into
};

} // namespace

/// What an address starts with, where all counters are zero.
static const SCEV *getStart(const SCEV *S) {
  while (auto *AddRec = dyn_cast<SCEVAddRecExpr>(S))
    S = AddRec->getStart();
  return S;
}

/// C if the address of Access begins with C * N bytes, and if these are a
/// number of rows of N + Extra elements and something behind it. Otherwise 0.
static int64_t getFactor(Instruction &Access, const SCEV *N, int64_t Extra,
                         ScalarEvolution &SE) {
  Value *P = const_cast<Value *>(getLoadStorePointerOperand(&Access));
  auto *Start = dyn_cast<SCEVAddExpr>(getStart(SE.getSCEV(P)));
  if (!Start)
    return 0;
  int64_t Factor = 0, Rest = 0;
  for (const SCEV *Op : Start->operands()) {
    auto *Mul = dyn_cast<SCEVMulExpr>(Op);
    auto *C = dyn_cast<SCEVConstant>(Mul ? Mul->getOperand(0) : Op);
    if (!C || C->getAPInt().getSignificantBits() > 32)
      continue;
    if (!Mul)
      Rest = C->getAPInt().getSExtValue();
    else if (Mul->getNumOperands() == 2 && Mul->getOperand(1) == N)
      Factor = C->getAPInt().getSExtValue();
  }
  int64_t Size = Access.getDataLayout()
                     .getTypeAllocSize(getLoadStoreType(&Access))
                     .getKnownMinValue();
  bool AreRows = Factor > 0 && Factor % Size == 0 && Rest / Factor >= Extra;
  return AreRows ? Factor : 0;
}

static SmallVector<Row, 4> findRows(Function &F) {
  SmallSetVector<BinaryOperator *, 8> Sums;
  for (Instruction &I : instructions(F))
    if (I.getOpcode() == Instruction::Mul)
      for (unsigned K = 0; K < 2; ++K)
        if (isSum(I.getOperand(K)) && !isa<Constant>(I.getOperand(1 - K)))
          Sums.insert(cast<BinaryOperator>(I.getOperand(K)));
  SmallVector<Row, 4> Rows;
  for (BinaryOperator *Sum : Sums) {
    auto *Extra = dyn_cast<ConstantInt>(Sum->getOperand(1));
    // With two lengths it is not clear which one is meant.
    bool IsOnly = none_of(Sums, [&](const BinaryOperator *Other) {
      return Other != Sum && Other->getOperand(0) == Sum->getOperand(0);
    });
    bool IsKnown = IsOnly && Extra && Sum->getOpcode() == Instruction::Add &&
                   Extra->getValue().isSignedIntN(16) && !Extra->isNegative();
    Rows.push_back({Sum, nullptr, IsKnown ? Extra->getSExtValue() : 0});
  }
  return Rows;
}

/// Adds Factor * (row - Extra - N) = 0 bytes to the address.
static void addNothing(Instruction &Access, int64_t Factor, const Row &R) {
  IRBuilder<> B(&Access);
  auto *P = const_cast<Value *>(getLoadStorePointerOperand(&Access));
  Value *Zero = B.CreateSub(B.CreateSub(R.Opaque, B.getInt64(R.Extra)),
                            R.Sum->getOperand(0));
  Access.replaceUsesOfWith(
      P, B.CreatePtrAdd(P, B.CreateMul(Zero, B.getInt64(Factor))));
}

SmallVector<FreezeInst *, 4>
pardiff::makeStridesOpaque(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<Row, 4> Rows = findRows(F);
  SmallVector<FreezeInst *, 4> Opaque;
  for (Row &R : Rows) {
    // It is N + Extra whether it overflows or not.
    R.Sum->dropPoisonGeneratingFlags();
    R.Opaque = new FreezeInst(R.Sum, R.Sum->getName() + ".row",
                              std::next(R.Sum->getIterator()));
    Opaque.push_back(R.Opaque);
    R.Sum->replaceUsesWithIf(R.Opaque, [&](const Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      return User->getOpcode() == Instruction::Mul ||
             User->getOpcode() == Instruction::Shl ||
             isa<GetElementPtrInst>(User);
    });
  }
  auto Invalidate = [&] {
    PreservedAnalyses PA;
    PA.preserveSet<CFGAnalyses>();
    FAM.invalidate(F, PA);
  };
  Invalidate();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<std::tuple<Instruction *, int64_t, const Row *>, 8> Found;
  for (const Row &R : Rows) {
    if (!R.Extra)
      continue;
    const SCEV *N = SE.getSCEV(R.Sum->getOperand(0));
    for (Instruction &I : instructions(F))
      if (getLoadStorePointerOperand(&I))
        if (int64_t Factor = getFactor(I, N, R.Extra, SE))
          Found.push_back({&I, Factor, &R});
  }
  for (auto [Access, Factor, R] : Found)
    addNothing(*Access, Factor, *R);
  Invalidate();
  return Opaque;
}

PreservedAnalyses OpaqueStridesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  if (makeStridesOpaque(F, FAM).empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
