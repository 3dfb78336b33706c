//===- Prepare/OpaqueParams.cpp - Each integer parameter is one 64-bit value
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An extension of a value that is available in the entry block moves there,
// once for each value, and becomes opaque to scalar evolution:
//
//   %n.param = freeze i64 (sext i32 %n)
//
// Polly takes the shape of an array apart by looking for factors that are such
// atoms. A factor `sext i32 %n` is none: in the subscript 40 + 48 * (sext %n)
// it finds the constant 48 as a size and gives up.
//
// A value that is extended both with and without sign (int n; double A[n][n])
// becomes one parameter, extended with sign: required is then that it is not
// negative.
//
// The extension of a sum is the sum of extensions: sext (n - 1) becomes
// n.param - 1, and not an unrelated parameter. Where the 32-bit operations may
// wrap, it is required that they did not.
//
// Distances of pointers and extents that other passes computed (createParam)
// are frozen again where a freeze was simplified away.
//
// A frozen value that was poison is some value instead: a refinement.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// The extensions of one value.
struct Extensions {
  SmallVector<CastInst *, 4> Signed, Unsigned;
};

} // namespace

/// An extension of V in the entry block, frozen, in place of all of Exts.
static Value *replaceByParam(Function &F, Value *V, ArrayRef<CastInst *> Exts) {
  BasicBlock &Entry = F.getEntryBlock();
  auto *Def = dyn_cast<Instruction>(V);
  BasicBlock::iterator At =
      Def ? *Def->getInsertionPointAfterDef() : Entry.getFirstInsertionPt();
  CastInst *Ext = Exts.front();
  if (&*At != Ext)
    Ext->moveBefore(At);
  Ext->dropPoisonGeneratingFlags();
  IRBuilder<> B(&Entry, std::next(Ext->getIterator()));
  Value *Param = B.CreateFreeze(Ext, V->getName() + ".param");
  for (CastInst *Other : Exts) {
    Other->replaceUsesWithIf(
        Param, [&](const Use &U) { return U.getUser() != Param; });
    if (Other != Ext)
      Other->eraseFromParent();
  }
  return Param;
}

/// True if V is computed in the entry block from other values by operations
/// that extension distributes over as long as nothing wraps.
static bool isLinear(const Value *V) {
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op || !isInEntryBlock(const_cast<BinaryOperator *>(Op)))
    return false;
  switch (Op->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return true;
  case Instruction::Mul:
    return isa<ConstantInt>(Op->getOperand(1));
  default:
    return false;
  }
}

static void findLeaves(Value *V, SmallVectorImpl<Value *> &Leaves) {
  if (!isLinear(V)) {
    if (!isa<Constant>(V))
      Leaves.push_back(V);
    return;
  }
  for (Value *Op : cast<BinaryOperator>(V)->operands())
    findLeaves(Op, Leaves);
}

/// The sign extension of V from the parameters of its leaves.
static Value *buildSum(Value *V, const MapVector<Value *, Value *> &ParamOf,
                       IRBuilder<> &B, bool &MayWrap) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return B.getInt(C->getValue().sext(64));
  if (!isLinear(V))
    return ParamOf.lookup(V);
  auto *Op = cast<BinaryOperator>(V);
  MayWrap |= !Op->hasNoSignedWrap();
  Value *LHS = buildSum(Op->getOperand(0), ParamOf, B, MayWrap);
  Value *RHS = buildSum(Op->getOperand(1), ParamOf, B, MayWrap);
  if (!LHS || !RHS)
    return nullptr;
  return B.Insert(BinaryOperator::CreateNSW(Op->getOpcode(), LHS, RHS),
                  Op->getName() + ".param");
}

/// Replaces the extensions of a sum by the sum of its leaves' parameters.
static void replaceBySum(BinaryOperator *V, ArrayRef<CastInst *> Exts,
                         const MapVector<Value *, Value *> &ParamOf) {
  IRBuilder<> B(V->getParent(), std::next(V->getIterator()));
  bool MayWrap = false;
  Value *Sum = buildSum(V, ParamOf, B, MayWrap);
  if (!Sum)
    return;
  if (MayWrap)
    createRequire(B, B.CreateICmpEQ(Sum, B.CreateSExt(V, B.getInt64Ty())));
  for (CastInst *Ext : Exts) {
    Ext->replaceAllUsesWith(Sum);
    Ext->eraseFromParent();
  }
}

/// A freeze does not stay if the value cannot be poison.
static bool freezeParams(BasicBlock &Entry) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(Entry)) {
    if (!I.hasMetadata(ParamMetadata) ||
        any_of(I.users(), [](User *U) { return isa<FreezeInst>(U); }))
      continue;
    IRBuilder<> B(&Entry, std::next(I.getIterator()));
    Value *Param = B.CreateFreeze(&I, "param");
    I.replaceUsesWithIf(Param,
                        [&](const Use &U) { return U.getUser() != Param; });
    Changed = true;
  }
  return Changed;
}

PreservedAnalyses OpaqueParamsPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  bool Frozen = freezeParams(F.getEntryBlock());
  MapVector<Value *, Extensions> Params;
  for (Instruction &I : instructions(F)) {
    auto *Ext = dyn_cast<CastInst>(&I);
    if (!Ext || !(isa<SExtInst>(Ext) || isa<ZExtInst>(Ext)) ||
        !Ext->getType()->isIntegerTy(64) || Ext->getSrcTy()->isIntegerTy(1) ||
        !isInEntryBlock(Ext->getOperand(0)) ||
        isa<Constant>(Ext->getOperand(0)))
      continue;
    Extensions &E = Params[Ext->getOperand(0)];
    (isa<SExtInst>(Ext) ? E.Signed : E.Unsigned).push_back(Ext);
  }

  SmallVector<std::pair<BinaryOperator *, Extensions>, 4> Sums;
  for (auto &[V, E] : Params)
    if (isLinear(V) && E.Unsigned.empty())
      Sums.push_back({cast<BinaryOperator>(V), E});
  for (auto &[V, E] : Sums) {
    Params.erase(V);
    SmallVector<Value *, 4> Leaves;
    findLeaves(V, Leaves);
    for (Value *Leaf : Leaves)
      if (Params[Leaf].Signed.empty())
        Params[Leaf].Signed.push_back(new SExtInst(
            Leaf, Type::getInt64Ty(F.getContext()), "", V->getIterator()));
  }

  MapVector<Value *, Value *> ParamOf;
  for (auto &[V, E] : Params) {
    bool Both = !E.Signed.empty() && !E.Unsigned.empty();
    if (Both)
      E.Signed.append(E.Unsigned);
    Value *Param =
        replaceByParam(F, V, E.Signed.empty() ? E.Unsigned : E.Signed);
    ParamOf[V] = Param;
    if (Both) {
      IRBuilder<> B(&F.getEntryBlock(),
                    std::next(cast<Instruction>(Param)->getIterator()));
      createRequire(B, B.CreateICmpSGE(Param, B.getInt64(0)));
    }
  }
  for (auto &[V, E] : Sums)
    replaceBySum(V, E.Signed, ParamOf);
  return Params.empty() && !Frozen ? PreservedAnalyses::all()
                                   : PreservedAnalyses::none();
}
