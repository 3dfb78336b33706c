//===- Prepare/WidenIndices.cpp - Index arithmetic in the width of pointers
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves an extension to 64 bits in front of the arithmetic it extends:
//
//   sext i32 (add nsw (mul nsw %i, %m), %j)
//     ->  add nsw i64 (mul nsw (sext %i), (sext %m)), (sext %j)
//
// In C the subscript `i*m + j` is of type int and cannot overflow. That is
// known from the flag nsw of the instructions only; scalar evolution forgets it
// as soon as the expression is rewritten, and an extended sum is then opaque.
// So this runs before anything that moves or simplifies index arithmetic, and
// once more behind it.
//
// sext is moved over add, sub, mul, shl with nsw; zext over those with nuw; a
// zext with nneg counts as sext. Both go over signed or unsigned division by a
// positive constant, shifts to the right, minimum and maximum, disjoint or,
// not, masks and select. Each rewriting is exact.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

namespace {

class Widener {
public:
  Widener(Function &F, LoopInfo &LI)
      : F(F), LI(LI), I64(Type::getInt64Ty(F.getContext())) {}
  bool run(bool Compares);

private:
  void widenCompare(ICmpInst &Cmp);
  /// V extended to 64 bits, computed where V is; null if V is a leaf.
  Value *widen(Value *V, bool Signed);
  Value *extend(Value *V, bool Signed);
  bool isMovable(Instruction &I, bool Signed);
  bool isMovablePhi(PHINode &Phi, bool Signed);
  Value *widenPhi(PHINode &Phi, bool Signed);

  using Key = PointerIntPair<Value *, 1, bool>; // value, signed
  Function &F;
  LoopInfo &LI;
  Type *I64;
  DenseMap<Key, Value *> Done;
  DenseMap<Key, bool> MovablePhis;
  SmallVector<WeakTrackingVH, 16> Dead;
};

} // namespace

/// The operands of I that are extended when I is.
static SmallVector<Value *, 3> getValueOperands(Instruction &I) {
  if (auto *Sel = dyn_cast<SelectInst>(&I))
    return {Sel->getTrueValue(), Sel->getFalseValue()};
  if (isa<CallInst>(I))
    return {I.getOperand(0), I.getOperand(1)};
  return {I.op_begin(), I.op_end()};
}

static bool isConstant(const Value *V, bool (APInt::*Is)() const) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && (C->getValue().*Is)();
}

/// Follows the arithmetic that leads to Phi, through further phis.
bool Widener::isMovablePhi(PHINode &Phi, bool Signed) {
  auto [It, IsNew] = MovablePhis.insert({{&Phi, Signed}, true});
  if (!IsNew)
    return It->second;
  const Loop *L = LI.getLoopFor(Phi.getParent());
  bool IsHeader = L && L->getHeader() == Phi.getParent();
  SmallVector<Value *, 8> Work(Phi.incoming_values());
  SmallPtrSet<Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I == &Phi || !Seen.insert(I).second)
      continue;
    if (auto *Other = dyn_cast<PHINode>(I)) {
      Work.append(Other->op_begin(), Other->op_end());
    } else if (isMovable(*I, Signed)) {
      for (Value *Op : getValueOperands(*I))
        Work.push_back(Op);
    } else if (IsHeader && L->contains(I)) {
      return MovablePhis[{&Phi, Signed}] = false;
    }
  }
  return true;
}

bool Widener::isMovable(Instruction &I, bool Signed) {
  switch (I.getOpcode()) {
  case Instruction::PHI:
    return isMovablePhi(cast<PHINode>(I), Signed);
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return Signed ? I.hasNoSignedWrap() : I.hasNoUnsignedWrap();
  case Instruction::Shl:
    return isa<ConstantInt>(I.getOperand(1)) &&
           (Signed ? I.hasNoSignedWrap() : I.hasNoUnsignedWrap());
  case Instruction::SDiv:
  case Instruction::SRem:
    return Signed && isConstant(I.getOperand(1), &APInt::isStrictlyPositive);
  case Instruction::UDiv:
  case Instruction::URem:
    return !Signed && isConstant(I.getOperand(1), &APInt::isStrictlyPositive);
  case Instruction::LShr:
    return !Signed && isa<ConstantInt>(I.getOperand(1));
  case Instruction::AShr:
    return Signed && isa<ConstantInt>(I.getOperand(1));
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(I).isDisjoint();
  case Instruction::Xor:
    return Signed && isConstant(I.getOperand(1), &APInt::isAllOnes);
  case Instruction::And:
    return isConstant(I.getOperand(1), &APInt::isNonNegative);
  case Instruction::Select:
    return true;
  case Instruction::Call:
    switch (cast<CallInst>(I).getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
      return Signed;
    case Intrinsic::umin:
    case Intrinsic::umax:
      return !Signed;
    default:
      return false;
    }
  default:
    return false;
  }
}

Value *Widener::extend(Value *V, bool Signed) {
  if (Value *Wide = widen(V, Signed))
    return Wide;
  Value *&Ext = Done[{V, Signed}];
  if (Ext)
    return Ext;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return Ext = ConstantInt::get(F.getContext(), Signed
                                                      ? C->getValue().sext(64)
                                                      : C->getValue().zext(64));
  IRBuilder<> B(F.getContext());
  if (auto *I = dyn_cast<Instruction>(V)) {
    std::optional<BasicBlock::iterator> At = I->getInsertionPointAfterDef();
    B.SetInsertPoint(I->getParent(), *At);
    B.SetCurrentDebugLocation(I->getDebugLoc());
  } else {
    B.SetInsertPoint(&F.getEntryBlock(),
                     F.getEntryBlock().getFirstInsertionPt());
  }
  Ext = Signed ? B.CreateSExt(V, I64) : B.CreateZExt(V, I64);
  return Ext;
}

Value *Widener::widenPhi(PHINode &Phi, bool Signed) {
  auto *Wide = PHINode::Create(I64, Phi.getNumIncomingValues(),
                               Phi.getName() + ".wide", Phi.getIterator());
  Wide->setDebugLoc(Phi.getDebugLoc());
  Done[{&Phi, Signed}] = Wide; // it may lead back to itself
  for (auto [BB, V] : zip(Phi.blocks(), Phi.incoming_values()))
    Wide->addIncoming(extend(V, Signed), BB);
  return Wide;
}

Value *Widener::widen(Value *V, bool Signed) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isMovable(*I, Signed))
    return nullptr;
  if (Value *Known = Done.lookup({V, Signed}))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return widenPhi(*Phi, Signed);
  // Operands first: they insert code of their own.
  SmallVector<Value *, 3> Ops;
  for (Value *Op : getValueOperands(*I))
    Ops.push_back(extend(Op, Signed));
  IRBuilder<> B(I);
  Value *Wide;
  if (auto *Sel = dyn_cast<SelectInst>(I)) {
    Wide = B.CreateSelect(Sel->getCondition(), Ops[0], Ops[1]);
  } else if (auto *Call = dyn_cast<CallInst>(I)) {
    Wide = B.CreateBinaryIntrinsic(Call->getIntrinsicID(), Ops[0], Ops[1]);
  } else {
    auto Opcode = cast<BinaryOperator>(I)->getOpcode();
    if (Opcode == Instruction::Or) // of disjoint bits: the same as a sum
      Opcode = Instruction::Add;
    Wide = B.CreateBinOp(Opcode, Ops[0], Ops[1]);
    auto *WI = dyn_cast<Instruction>(Wide);
    if (WI && isa<OverflowingBinaryOperator>(WI)) {
      // 32 bits extended without sign are not negative in 64.
      WI->setHasNoSignedWrap();
      WI->setHasNoUnsignedWrap(!Signed);
    }
  }
  Done[{V, Signed}] = Wide;
  return Wide;
}

/// True if V is used as an unsigned number: it is extended without sign only.
static bool isExtendedUnsigned(const Value *V) {
  if (isa<Constant>(V))
    return false;
  bool HasZExt = false;
  for (const User *U : V->users()) {
    if (isa<SExtInst>(U))
      return false;
    HasZExt |= isa<ZExtInst>(U);
    if (const auto *Cmp = dyn_cast<ICmpInst>(U)) {
      if (Cmp->isSigned())
        return false;
      HasZExt |= Cmp->isUnsigned();
    }
  }
  return HasZExt;
}

/// icmp i32 -> icmp i64 of the extended operands.
void Widener::widenCompare(ICmpInst &Cmp) {
  if (Cmp.hasSameSign()) {
    Cmp.setPredicate(Cmp.getSignedPredicate());
    Cmp.setSameSign(false);
  }
  bool Signed = Cmp.isEquality() ? !isExtendedUnsigned(Cmp.getOperand(0)) &&
                                       !isExtendedUnsigned(Cmp.getOperand(1))
                                 : Cmp.isSigned();
  Value *Wide[] = {extend(Cmp.getOperand(0), Signed),
                   extend(Cmp.getOperand(1), Signed)};
  for (unsigned Op : {0, 1}) {
    Dead.push_back(Cmp.getOperand(Op));
    Cmp.setOperand(Op, Wide[Op]);
  }
}

bool Widener::run(bool Compares) {
  SmallVector<CastInst *, 32> Casts;
  SmallVector<ICmpInst *, 32> Work;
  for (Instruction &I : instructions(F)) {
    if (auto *Cast = dyn_cast<CastInst>(&I)) {
      if ((isa<SExtInst>(Cast) || isa<ZExtInst>(Cast)) &&
          Cast->getType() == I64 && Cast->getSrcTy()->isIntegerTy(32))
        Casts.push_back(Cast);
    } else if (auto *Cmp = dyn_cast<ICmpInst>(&I)) {
      if (Compares && Cmp->getOperand(0)->getType()->isIntegerTy(32))
        Work.push_back(Cmp);
    }
  }
  for (CastInst *Ext : Casts) {
    bool Signed = isa<SExtInst>(Ext) || Ext->hasNonNeg();
    Value *Wide = widen(Ext->getOperand(0), Signed);
    if (!Wide)
      continue;
    Ext->replaceAllUsesWith(Wide);
    Dead.push_back(Ext);
  }
  for (ICmpInst *Cmp : Work)
    widenCompare(*Cmp);
  bool Changed = !Dead.empty();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  return Changed;
}

static PreservedAnalyses widen(Function &F, FunctionAnalysisManager &FAM,
                               bool Compares) {
  if (!Widener(F, FAM.getResult<LoopAnalysis>(F)).run(Compares))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

PreservedAnalyses WidenIndicesPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  return widen(F, FAM, /*Compares=*/false);
}

PreservedAnalyses WidenComparesPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  return widen(F, FAM, /*Compares=*/true);
}
