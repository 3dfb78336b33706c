//===- Tangent/Disjoint.cpp - Which shadows are different memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is different memory has different shadows, if the shadows of arguments
// are different memory. So what the primal knows of its accesses (restrict, or
// the condition of a nest) holds for those of the tangents too, and the
// vectorizer needs it. Of arguments that are only read nobody minds if they
// share a shadow. Where one of them is written, and two different arguments
// have the same one, another version of the function runs.
//
// Nothing is taken from accesses by way of pointers that were loaded: their
// shadows are wherever the user has put them.
//
//===----------------------------------------------------------------------===//

#include "Tangent/Disjoint.h"
#include "Tangent/Sweep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace pardiff;

/// Comparisons that the choice of the version may cost.
static constexpr unsigned MaxComparisons = 256;

namespace {

/// Follows one pointer through a function and those that it calls.
class EffectFinder {
public:
  PointerEffect find(Value &Pointer);

private:
  PointerEffect get(const Use &U);
  PointerEffect getOfCall(const CallBase &Call, const Use &U);
  void follow(Value &V) {
    if (Seen.insert(&V).second)
      Work.push_back(&V);
  }

  SmallPtrSet<Value *, 32> Seen;
  SmallVector<Value *, 16> Work;
};

} // namespace

PointerEffect EffectFinder::getOfCall(const CallBase &Call, const Use &U) {
  if (auto *II = dyn_cast<IntrinsicInst>(&Call)) {
    if (II->isAssumeLikeIntrinsic())
      return PointerEffect::Read;
    if (auto *Mem = dyn_cast<AnyMemIntrinsic>(II))
      return Mem->getRawDest() == U.get() ? PointerEffect::Written
                                          : PointerEffect::Read;
    return PointerEffect::Unknown;
  }
  if (!Call.isArgOperand(&U))
    return PointerEffect::Unknown;
  unsigned I = Call.getArgOperandNo(&U);
  if (Call.isByValArgument(I))
    return PointerEffect::Read;
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isVarArg() || I >= Callee->arg_size() ||
      !Callee->hasExactDefinition())
    return PointerEffect::Unknown;
  follow(*Callee->getArg(I));
  return PointerEffect::Read;
}

/// What the user does; Read if it does nothing but pass the pointer on.
PointerEffect EffectFinder::get(const Use &U) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return PointerEffect::Unknown;
  if (isa<LoadInst, ICmpInst>(I))
    return PointerEffect::Read;
  if (auto *Store = dyn_cast<StoreInst>(I))
    return Store->getPointerOperand() == U.get() &&
                   Store->getValueOperand() != U.get()
               ? PointerEffect::Written
               : PointerEffect::Unknown;
  if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst>(I)) {
    follow(*I);
    return PointerEffect::Read;
  }
  // Addresses are compared. An address that becomes a pointer again is none
  // that has a shadow.
  if (isa<PtrToIntInst, PtrToAddrInst>(I))
    return PointerEffect::Read;
  if (auto *Call = dyn_cast<CallBase>(I))
    return getOfCall(*Call, U);
  return PointerEffect::Unknown;
}

PointerEffect EffectFinder::find(Value &Pointer) {
  PointerEffect Effect = PointerEffect::Read;
  follow(Pointer);
  while (!Work.empty())
    for (const Use &U : Work.pop_back_val()->uses())
      Effect = std::max(Effect, get(U));
  return Effect;
}

SmallVector<PointerEffect, 8> pardiff::getPointerEffects(Function &F) {
  SmallVector<PointerEffect, 8> Effects;
  for (Argument &A : F.args())
    Effects.push_back(A.getType()->isPointerTy() ? EffectFinder().find(A)
                                                 : PointerEffect::Read);
  return Effects;
}

static bool hasScopes(const Instruction &I) {
  return I.hasMetadata(LLVMContext::MD_alias_scope) ||
         I.hasMetadata(LLVMContext::MD_noalias);
}

/// Finds the pairs of arguments whose shadows must not be the same.
void TangentSweep::findDisjoint() {
  bool IsOfUse = false;
  SmallVector<unsigned, 8> Pointers;
  for (auto [I, Of] : enumerate(R.Params)) {
    Argument *A = F.getArg(I);
    if (A->hasByValAttr())
      return;
    if (Of.empty() || !A->getType()->isPointerTy())
      continue;
    Pointers.push_back(I);
    IsOfUse |= A->hasNoAliasAttr();
    if (I >= R.Effects.size() || R.Effects[I] == PointerEffect::Unknown)
      return;
  }
  for (Instruction &I : instructions(F))
    IsOfUse |= hasScopes(I);
  if (!IsOfUse)
    return;
  for (unsigned I = 0; I != Pointers.size(); ++I)
    for (unsigned J = I + 1; J != Pointers.size(); ++J)
      if (R.Effects[Pointers[I]] == PointerEffect::Written ||
          R.Effects[Pointers[J]] == PointerEffect::Written)
        Scopes.Apart.push_back({Pointers[I], Pointers[J]});
  Scopes.IsOfUse = Scopes.Apart.size() * R.Width <= MaxComparisons;
}

/// What is known of an access holds for that of the shadow.
void TangentSweep::copyScopes(const Instruction &From, const Value *Pointer,
                              Instruction &To) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  if (Scopes.IsOfUse && hasScopes(From) &&
      (isa<Argument>(Object) || isIdentifiedObject(Object)))
    Scopes.Accesses.push_back({&To,
                               From.getMetadata(LLVMContext::MD_alias_scope),
                               From.getMetadata(LLVMContext::MD_noalias)});
}

/// True if two arguments that are different memory have the same shadow.
static Value *emitAnySame(const TangentRequest &R, Function &F,
                          const TangentScopes &Scopes, IRBuilder<> &B) {
  Value *Any = B.getFalse();
  for (auto [I, J] : Scopes.Apart)
    for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
      Value *Shadow = R.Params[I][Lane];
      Value *Same = B.CreateAnd(B.CreateICmpEQ(Shadow, R.Params[J][Lane]),
                                B.CreateICmpNE(F.getArg(I), F.getArg(J)));
      if (R.MayBeNull)
        Same = B.CreateAnd(Same, B.CreateIsNotNull(Shadow));
      Any = B.CreateOr(Any, Same);
    }
  return Any;
}

void pardiff::addScopes(const TangentRequest &R, const TangentScopes &Scopes) {
  Function &F = *R.F;
  if (!Scopes.IsOfUse)
    return;
  ValueToValueMapTy Map;
  Function *Other = CloneFunction(&F, Map);
  Other->setName("pardiff.shared." + F.getName());
  Other->setLinkage(GlobalValue::InternalLinkage);
  for (Attribute::AttrKind K :
       {Attribute::Cold, Attribute::NoInline, Attribute::OptimizeForSize})
    Other->addFnAttr(K);
  LLVMContext &C = F.getContext();
  for (const TangentScopes::Access &A : Scopes.Accesses)
    for (auto [Kind, Of] :
         {std::pair(unsigned(LLVMContext::MD_alias_scope), A.Scope),
          std::pair(unsigned(LLVMContext::MD_noalias), A.NoAlias)})
      if (Of)
        A.I->setMetadata(Kind, MDNode::concatenate(A.I->getMetadata(Kind), Of));
  for (auto [I, Of] : enumerate(R.Params))
    if (F.getArg(I)->hasNoAliasAttr() && !R.MayBeNull)
      for (Value *Shadow : Of)
        if (auto *Param = dyn_cast<Argument>(Shadow))
          Param->addAttr(Attribute::NoAlias);
  IRBuilder<> B(C);
  B.SetInsertPoint(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *AnySame = emitAnySame(R, F, Scopes, B);
  Instruction *Then = SplitBlockAndInsertIfThen(
      AnySame, B.GetInsertPoint(), /*Unreachable=*/true,
      MDBuilder(C).createUnlikelyBranchWeights());
  B.SetInsertPoint(Then);
  SmallVector<Value *, 16> Args;
  for (Argument &A : F.args())
    Args.push_back(&A);
  CallInst *Call = B.CreateCall(Other, Args);
  Call->getType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
  Then->eraseFromParent();
}

/// Tells the vectorizer that the shadows of each lane are other memory than the
/// primal's and other lanes': the user must see to that.
void TangentSweep::declareDisjoint(ArrayRef<Instruction *> Primal) {
  LLVMContext &C = F.getContext();
  MDBuilder Builder(C);
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain("pardiff.tangent");
  SmallVector<MDNode *, 2> OfLanes; // the primal's is the last one
  B.SetInsertPoint(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (unsigned Lane = 0; Lane != R.Width + 1; ++Lane) {
    OfLanes.push_back(Builder.createAnonymousAliasScope(Domain));
    B.CreateNoAliasScopeDeclaration(MDNode::get(C, {OfLanes.back()}));
  }
  auto Add = [&](Instruction &I, unsigned Kind, Metadata *Scope) {
    I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind),
                                            MDNode::get(C, {Scope})));
  };
  auto Mark = [&](Instruction &I, unsigned Of) {
    for (unsigned Lane = 0; Lane != OfLanes.size(); ++Lane)
      Add(I, Lane == Of ? LLVMContext::MD_alias_scope : LLVMContext::MD_noalias,
          OfLanes[Lane]);
  };
  for (Instruction *I : Primal)
    if (isa<LoadInst, StoreInst>(I))
      Mark(*I, R.Width);
  for (auto [I, Lane] : Accesses)
    Mark(*I, Lane);
}
