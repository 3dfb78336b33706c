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

PreservedAnalyses OpaqueParamsPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
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
  for (auto &[V, E] : Params) {
    bool Both = !E.Signed.empty() && !E.Unsigned.empty();
    if (Both)
      E.Signed.append(E.Unsigned);
    Value *Param =
        replaceByParam(F, V, E.Signed.empty() ? E.Unsigned : E.Signed);
    if (Both) {
      IRBuilder<> B(&F.getEntryBlock(),
                    std::next(cast<Instruction>(Param)->getIterator()));
      createRequire(B, B.CreateICmpSGE(Param, B.getInt64(0)));
    }
  }
  return Params.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
