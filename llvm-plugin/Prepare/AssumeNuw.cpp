//===- Prepare/AssumeNuw.cpp - Unsigned 32-bit subscripts do not wrap ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   unsigned i, k, m;   A[i*m + k]
//
// wraps at 2^32 by the rules of C, and is then not affine. For sums and
// products that become subscripts by zero extension, the largest value that
// they take in the loops around them is computed in the entry block; that it
// fits into 32 bits is required, and the instructions get the flag nuw.
//
// Conditions: the expression is made by addition and multiplication of
// parameters and of counters that grow by what is not negative; the trip counts
// of the loops are known in the entry block, or are bounded in the same way. An
// expression with a negative constant is left alone: it wraps on purpose.
//
// Runs before loops are rotated, when the trip count of an empty loop is zero.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// An upper bound, computed without overflow.
struct Bound {
  Value *V = nullptr; ///< i128; null if there is none
  unsigned Bits = 0;  ///< it is less than 2^Bits
};

class NuwAssumer {
public:
  NuwAssumer(Function &F, ScalarEvolution &SE)
      : F(F), SE(SE), Expander(SE, "bound"),
        B(F.getEntryBlock().getTerminator()) {}
  bool run();

private:
  void collect(Value *V);
  Bound getBound(const SCEV *S, unsigned Depth = 0);
  Bound add(Bound X, Bound Y);
  Bound multiply(Bound X, Bound Y);

  Function &F;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  IRBuilder<> B;
  SetVector<Instruction *> Sums; ///< without nuw, in subscripts
};

} // namespace

/// Adds the additions and multiplications that V is made of.
void NuwAssumer::collect(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || (I->getOpcode() != Instruction::Add &&
             I->getOpcode() != Instruction::Mul))
    return;
  if (!I->hasNoUnsignedWrap() && !Sums.insert(I))
    return;
  collect(I->getOperand(0));
  collect(I->getOperand(1));
}

Bound NuwAssumer::add(Bound X, Bound Y) {
  if (!X.V || !Y.V || std::max(X.Bits, Y.Bits) >= 126)
    return {};
  return {B.CreateAdd(X.V, Y.V), std::max(X.Bits, Y.Bits) + 1};
}

Bound NuwAssumer::multiply(Bound X, Bound Y) {
  if (!X.V || !Y.V || X.Bits + Y.Bits >= 126)
    return {};
  return {B.CreateMul(X.V, Y.V), X.Bits + Y.Bits};
}

/// The largest value of S, an expression of 32 bits taken without sign.
Bound NuwAssumer::getBound(const SCEV *S, unsigned Depth) {
  if (Depth > 16 || isa<SCEVCouldNotCompute>(S) ||
      S->getType()->isPointerTy() || SE.getTypeSizeInBits(S->getType()) > 32)
    return {};
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    if (C->getAPInt().isNegative())
      return {};
  Instruction *At = F.getEntryBlock().getTerminator();
  if (SE.dominates(S, &F.getEntryBlock()) && Expander.isSafeToExpandAt(S, At)) {
    Value *V = Expander.expandCodeFor(S, S->getType(), At->getIterator());
    return {B.CreateZExt(V, B.getInt128Ty()), 32};
  }
  if (const auto *AR = dyn_cast<SCEVAddRecExpr>(S)) {
    if (!AR->isAffine())
      return {};
    Bound Trips = getBound(SE.getBackedgeTakenCount(AR->getLoop()), Depth + 1);
    Bound Step = getBound(AR->getStepRecurrence(SE), Depth + 1);
    return add(getBound(AR->getStart(), Depth + 1), multiply(Step, Trips));
  }
  if (isa<SCEVAddExpr>(S) || isa<SCEVMulExpr>(S)) {
    ArrayRef<const SCEV *> Ops = cast<SCEVNAryExpr>(S)->operands();
    Bound Total = getBound(Ops.front(), Depth + 1);
    for (const SCEV *Op : Ops.drop_front()) {
      Bound X = getBound(Op, Depth + 1);
      Total = isa<SCEVAddExpr>(S) ? add(Total, X) : multiply(Total, X);
    }
    return Total;
  }
  if (const auto *Div = dyn_cast<SCEVUDivExpr>(S))
    return isa<SCEVConstant>(Div->getRHS()) ? getBound(Div->getLHS(), Depth + 1)
                                            : Bound();
  return {};
}

bool NuwAssumer::run() {
  for (Instruction &I : instructions(F))
    if (isa<ZExtInst>(I) && !I.hasNonNeg() &&
        I.getOperand(0)->getType()->isIntegerTy(32) &&
        any_of(I.users(), [](User *U) { return isa<GetElementPtrInst>(U); }))
      collect(I.getOperand(0));
  // All bounds first: they are of the function as it is.
  SmallVector<std::pair<Instruction *, Value *>, 16> Bounded;
  for (Instruction *I : Sums)
    if (Bound X = getBound(SE.getSCEV(I)); X.V)
      Bounded.push_back({I, X.V});
  SmallSetVector<Value *, 16> Required;
  for (auto [I, V] : Bounded) {
    I->setHasNoUnsignedWrap();
    if (Required.insert(V))
      createRequire(
          B, B.CreateICmpULE(V, ConstantInt::get(V->getType(), UINT32_MAX)));
  }
  return !Bounded.empty();
}

PreservedAnalyses AssumeNuwPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  return NuwAssumer(F, SE).run() ? PreservedAnalyses::none()
                                 : PreservedAnalyses::all();
}
