//===- Prepare/FloatBits.cpp - Bit masks on floating-point values ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector code flips, clears and chooses values by masks on their bits:
//
//   bitcast(xor(bitcast x, sign))                 ->   fneg x
//   bitcast(and(bitcast x, all but the sign))     ->   fabs x
//   bitcast(or(bitcast x, sign))                  ->   -fabs x
//   bitcast(and(bitcast x, sext c))               ->   select c, x, 0
//   bitcast(and(bitcast x, not sext c))           ->   select c, 0, x
//   bitcast(or(and(x, sext c), and(y, not sext c)))    select c, x, y
//
// each for every element of a vector: a constant mask may have zeros, the sign
// and all ones side by side. Condition: from one bitcast to the other only such
// operations. Everything else stays, and checkFloatBits refuses it.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

static constexpr unsigned MaxDepth = 8;

/// V without casts from integers to floating-point values and back, and between
/// shapes of integers.
static Value *dropCasts(Value *V) {
  while (auto *Cast = dyn_cast<BitCastInst>(V)) {
    auto *Inner = dyn_cast<BitCastInst>(Cast->getOperand(0));
    if (Cast->getType()->isIntOrIntVectorTy() &&
        Cast->getSrcTy()->isIntOrIntVectorTy())
      V = Cast->getOperand(0);
    else if (Inner && Inner->getSrcTy()->isIntOrIntVectorTy() &&
             Cast->getType()->isIntOrIntVectorTy())
      V = Inner->getOperand(0);
    else
      break;
  }
  return V;
}

namespace {

/// Finds the floating-point value of type Ty whose bits an integer has.
class FloatOfBits {
public:
  FloatOfBits(Type *Ty, IRBuilder<> &B) : Ty(Ty), B(B) {}
  /// Null if it is not known. Without Emit nothing is emitted, and what comes
  /// back is only null or not.
  Value *get(Value *Bits, bool Emit, unsigned Depth = 0);

private:
  Value *getMasked(BinaryOperator &I, bool Emit, unsigned Depth);
  Value *getByConstant(unsigned Opcode, Value *X, const Constant &Mask,
                       bool Emit);
  Value *getCondition(Value *Mask, bool &Inverted);

  Type *Ty;
  IRBuilder<> &B;
};

} // namespace

/// The condition whose sign extension Mask is, or the complement of.
Value *FloatOfBits::getCondition(Value *Mask, bool &Inverted) {
  Mask = dropCasts(Mask);
  Inverted = match(Mask, m_Not(m_Value()));
  if (Inverted)
    Mask = dropCasts(cast<Instruction>(Mask)->getOperand(
        isa<Constant>(cast<Instruction>(Mask)->getOperand(0))));
  Value *Condition = nullptr;
  if (!match(Mask, m_SExt(m_Value(Condition))) ||
      !Condition->getType()->isIntOrIntVectorTy(1))
    return nullptr;
  auto *Of = dyn_cast<VectorType>(Condition->getType());
  auto *To = dyn_cast<VectorType>(Ty);
  bool SameShape =
      Of && To ? Of->getElementCount() == To->getElementCount() : !Of && !To;
  return SameShape ? Condition : nullptr;
}

Value *FloatOfBits::getByConstant(unsigned Opcode, Value *X,
                                  const Constant &Mask, bool Emit) {
  // What happens to each element.
  enum Change { Same, Negated, Cleared, Set, Zero };
  auto Classify = [&](const Constant *C) -> std::optional<Change> {
    auto *Int = dyn_cast_or_null<ConstantInt>(C);
    if (!Int)
      return std::nullopt;
    const APInt &M = Int->getValue();
    if (Opcode == Instruction::And)
      return M.isAllOnes()          ? std::optional(Same)
             : M.isMaxSignedValue() ? std::optional(Cleared)
             : M.isZero()           ? std::optional(Zero)
                                    : std::nullopt;
    if (M.isZero())
      return Same;
    if (!M.isSignMask())
      return std::nullopt;
    return Opcode == Instruction::Xor ? Negated : Set;
  };
  SmallVector<Change, 8> Changes;
  if (auto *Vector = dyn_cast<FixedVectorType>(Ty)) {
    for (unsigned I = 0; I < Vector->getNumElements(); ++I) {
      std::optional<Change> C = Classify(Mask.getAggregateElement(I));
      if (!C)
        return nullptr;
      Changes.push_back(*C);
    }
  } else {
    std::optional<Change> C = Classify(&Mask);
    if (!C)
      return nullptr;
    Changes.push_back(*C);
  }
  if (!Emit)
    return X;
  Value *Result = X;
  for (Change Of : {Negated, Cleared, Set, Zero}) {
    if (!is_contained(Changes, Of))
      continue;
    Value *All = X;
    if (Of == Zero)
      All = Constant::getNullValue(Ty);
    if (Of == Cleared || Of == Set)
      All = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
    if (Of == Negated || Of == Set)
      All = B.CreateFNeg(All);
    if (all_equal(Changes))
      return All;
    SmallVector<Constant *, 8> Here;
    for (Change C : Changes)
      Here.push_back(B.getInt1(C == Of));
    Result = B.CreateSelect(ConstantVector::get(Here), All, Result);
  }
  return Result;
}

Value *FloatOfBits::getMasked(BinaryOperator &I, bool Emit, unsigned Depth) {
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  unsigned Opcode = I.getOpcode();
  if (isa<Constant>(L))
    std::swap(L, R);
  if (isa<Constant>(R)) {
    auto *Mask = dyn_cast_or_null<Constant>(ConstantFoldCastOperand(
        Instruction::BitCast, cast<Constant>(R),
        Ty->getWithNewType(
            IntegerType::get(Ty->getContext(), Ty->getScalarSizeInBits())),
        I.getDataLayout()));
    if (!Mask)
      return nullptr;
    Value *X = get(L, Emit, Depth + 1);
    return X ? getByConstant(Opcode, X, *Mask, Emit) : nullptr;
  }
  if (Opcode == Instruction::And) {
    for (auto [Mask, Bits] : {std::pair(L, R), std::pair(R, L)}) {
      bool Inverted = false;
      Value *Condition = getCondition(Mask, Inverted);
      Value *X = Condition ? get(Bits, Emit, Depth + 1) : nullptr;
      if (!X)
        continue;
      Value *Zero = Constant::getNullValue(Ty);
      if (!Emit)
        return X;
      return Inverted ? B.CreateSelect(Condition, Zero, X)
                      : B.CreateSelect(Condition, X, Zero);
    }
    return nullptr;
  }
  if (Opcode != Instruction::Or)
    return nullptr;
  // Two choices that exclude each other.
  auto *And1 = dyn_cast<BinaryOperator>(dropCasts(L));
  auto *And2 = dyn_cast<BinaryOperator>(dropCasts(R));
  if (!And1 || !And2 || And1->getOpcode() != Instruction::And ||
      And2->getOpcode() != Instruction::And)
    return nullptr;
  for (unsigned M1 : {0, 1})
    for (unsigned M2 : {0, 1}) {
      bool Inverted1 = false, Inverted2 = false;
      Value *C1 = getCondition(And1->getOperand(M1), Inverted1);
      Value *C2 = getCondition(And2->getOperand(M2), Inverted2);
      if (!C1 || C1 != C2 || Inverted1 == Inverted2)
        continue;
      Value *X = get(And1->getOperand(1 - M1), Emit, Depth + 1);
      Value *Y = X ? get(And2->getOperand(1 - M2), Emit, Depth + 1) : nullptr;
      if (!X || !Y)
        continue;
      if (!Emit)
        return X;
      return Inverted1 ? B.CreateSelect(C1, Y, X) : B.CreateSelect(C1, X, Y);
    }
  return nullptr;
}

Value *FloatOfBits::get(Value *Bits, bool Emit, unsigned Depth) {
  if (Depth > MaxDepth)
    return nullptr;
  Bits = dropCasts(Bits);
  if (auto *C = dyn_cast<Constant>(Bits)) {
    if (!isa<ConstantData>(C))
      return nullptr;
    return ConstantExpr::getBitCast(C, Ty);
  }
  if (auto *Cast = dyn_cast<BitCastInst>(Bits))
    return Cast->getSrcTy() == Ty ? Cast->getOperand(0) : nullptr;
  auto *I = dyn_cast<BinaryOperator>(Bits);
  if (!I || !I->isBitwiseLogicOp())
    return nullptr;
  return getMasked(*I, Emit, Depth);
}

PreservedAnalyses FloatBitsPass::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<WeakTrackingVH, 8> Dead;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cast = dyn_cast<BitCastInst>(&I);
    if (!Cast || !Cast->getType()->isFPOrFPVectorTy() ||
        !isa<BinaryOperator>(dropCasts(Cast->getOperand(0))))
      continue;
    IRBuilder<> B(Cast);
    FloatOfBits Value(Cast->getType(), B);
    if (!Value.get(Cast->getOperand(0), /*Emit=*/false))
      continue;
    Cast->replaceAllUsesWith(Value.get(Cast->getOperand(0), /*Emit=*/true));
    Dead.push_back(Cast);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  return Dead.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
