//===- Prepare/DropMaxZero.cpp - Extents max(0, n) become n -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An extent that is clamped at zero (Fortran: real a(n); C: double a[n > 0 ? n
// : 0]) is no atom by which a subscript could be divided. Where smax(n, 0) is a
// factor of a product it becomes n, and n >= 0 is required.
//
// Condition: n is available in the entry block.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

/// n, if V is smax(n, 0) with n in the entry block.
static Value *getClamped(Instruction &I) {
  Value *N;
  if (match(&I, m_SMax(m_Value(N), m_Zero())) && isInEntryBlock(N) &&
      N->getType()->isIntegerTy())
    return N;
  return nullptr;
}

static bool isFactor(const Instruction &I) {
  return any_of(I.users(), [](const User *U) {
    const auto *UI = cast<Instruction>(U);
    return UI->getOpcode() == Instruction::Mul ||
           (isa<CastInst>(UI) && isFactor(*UI));
  });
}

PreservedAnalyses DropMaxZeroPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  SmallVector<std::pair<Instruction *, Value *>, 8> Work;
  SmallSetVector<Value *, 8> Extents;
  for (Instruction &I : instructions(F))
    if (Value *N = getClamped(I); N && isFactor(I)) {
      Work.push_back({&I, N});
      Extents.insert(N);
    }
  for (auto [I, N] : Work) {
    I->replaceAllUsesWith(N);
    I->eraseFromParent();
  }
  IRBuilder<> B(F.getEntryBlock().getTerminator());
  for (Value *N : Extents)
    createRequire(B, B.CreateICmpSGE(N, ConstantInt::get(N->getType(), 0)));
  if (Work.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
