//===- Prepare/DropMarkers.cpp - Drop markers that carry no value ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the clone these calls say nothing that the nest needs, and each would be a
// call that Polly refuses: lifetime markers, noalias.scope.decl (the
// !alias.scope and !noalias metadata of the accesses stays), assume with
// operand bundles, invariant.start, annotations, fake uses, pseudo probes,
// profile counters and the checks of the undefined behaviour sanitizer.
//
// Dropping lifetime markers makes a local array live longer, which refines the
// function. A scope declaration inside a cycle says that its scopes hold within
// one iteration only, so its scopes are taken off the accesses too; otherwise
// accesses of different iterations would count as disjoint.
//
// An addition whose overflow only the sanitizer looks at becomes one that does
// not overflow (nsw), as it is without the sanitizer.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

static bool isMarker(const IntrinsicInst &II) {
  switch (II.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::var_annotation:
  case Intrinsic::fake_use:
  case Intrinsic::pseudoprobe:
  case Intrinsic::prefetch:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::instrprof_cover:
  case Intrinsic::instrprof_increment:
  case Intrinsic::instrprof_increment_step:
  case Intrinsic::instrprof_callsite:
  case Intrinsic::instrprof_timestamp:
  case Intrinsic::instrprof_value_profile:
  case Intrinsic::instrprof_mcdc_parameters:
  case Intrinsic::instrprof_mcdc_tvbitmap_update:
    return true;
  case Intrinsic::invariant_start:
    return II.use_empty();
  case Intrinsic::assume:
    return II.hasOperandBundles();
  default:
    return false;
  }
}

/// Intrinsics whose value is that of their first operand.
static bool isTransparent(const IntrinsicInst &II) {
  switch (II.getIntrinsicID()) {
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::annotation:
  case Intrinsic::ptr_annotation:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ssa_copy:
    return true;
  default:
    return false;
  }
}

static bool isSanitizerCheck(const CallBase &Call) {
  if (Call.getIntrinsicID() == Intrinsic::ubsantrap)
    return true;
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName().starts_with("__ubsan_handle_");
}

/// True if V, a condition, decides only whether a block of Checks runs.
static bool onlyGuards(const Value *V,
                       const SmallPtrSetImpl<BasicBlock *> &Checks) {
  return all_of(V->users(), [&](const User *U) {
    if (const auto *Br = dyn_cast<BranchInst>(U))
      return any_of(Br->successors(),
                    [&](const BasicBlock *S) { return Checks.contains(S); });
    const auto *I = cast<Instruction>(U);
    return (I->isBitwiseLogicOp() || isa<SelectInst>(I)) &&
           onlyGuards(I, Checks);
  });
}

/// {sum, overflow} = a + b  ->  sum = a +nsw b, where only dropped checks ask
/// for the overflow.
static bool
simplifyCheckedArithmetic(WithOverflowInst &WO,
                          const SmallPtrSetImpl<BasicBlock *> &Checks) {
  SmallVector<ExtractValueInst *, 2> Extracts;
  for (User *U : WO.users()) {
    auto *EV = dyn_cast<ExtractValueInst>(U);
    if (!EV)
      return false;
    if (EV->getIndices()[0] == 1 && !onlyGuards(EV, Checks))
      return false;
    Extracts.push_back(EV);
  }
  IRBuilder<> B(&WO);
  Value *Sum = B.CreateBinOp(WO.getBinaryOp(), WO.getLHS(), WO.getRHS());
  if (auto *I = dyn_cast<Instruction>(Sum); I && WO.isSigned())
    I->setHasNoSignedWrap();
  for (ExtractValueInst *EV : Extracts) {
    EV->replaceAllUsesWith(EV->getIndices()[0] == 0
                               ? Sum
                               : ConstantInt::getFalse(EV->getContext()));
    EV->eraseFromParent();
  }
  WO.eraseFromParent();
  return true;
}

/// Drops the sanitizer's checks and the arithmetic that only they needed.
static bool dropSanitizerChecks(Function &F) {
  SmallVector<CallBase *, 16> Calls;
  SmallVector<WithOverflowInst *, 16> Arithmetic;
  SmallPtrSet<BasicBlock *, 16> Checks;
  for (Instruction &I : instructions(F)) {
    if (auto *WO = dyn_cast<WithOverflowInst>(&I))
      Arithmetic.push_back(WO);
    else if (auto *Call = dyn_cast<CallInst>(&I);
             Call && isSanitizerCheck(*Call)) {
      Calls.push_back(Call);
      Checks.insert(Call->getParent());
    }
  }
  if (Calls.empty())
    return false;
  for (WithOverflowInst *WO : Arithmetic)
    simplifyCheckedArithmetic(*WO, Checks);
  for (CallBase *Call : Calls)
    Call->eraseFromParent();
  return true;
}

/// Takes the scopes in Dead off the list of scopes that I carries under Kind.
static void removeScopes(Instruction &I, unsigned Kind,
                         const SmallPtrSetImpl<const Metadata *> &Dead) {
  MDNode *List = I.getMetadata(Kind);
  if (!List)
    return;
  SmallVector<Metadata *, 8> Kept;
  for (const MDOperand &Op : List->operands())
    if (!Dead.contains(Op.get()))
      Kept.push_back(Op.get());
  if (Kept.size() != List->getNumOperands())
    I.setMetadata(Kind,
                  Kept.empty() ? nullptr : MDNode::get(I.getContext(), Kept));
}

PreservedAnalyses DropMarkersPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  SmallVector<IntrinsicInst *, 16> Dead, Transparent;
  SmallVector<NoAliasScopeDeclInst *, 4> Scopes;
  for (Instruction &I : instructions(F)) {
    auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II)
      continue;
    if (auto *Decl = dyn_cast<NoAliasScopeDeclInst>(II))
      Scopes.push_back(Decl);
    if (isMarker(*II))
      Dead.push_back(II);
    else if (isTransparent(*II))
      Transparent.push_back(II);
  }

  SmallPtrSet<const Metadata *, 8> DeadScopes;
  if (!Scopes.empty()) {
    const CycleInfo &CI = FAM.getResult<CycleAnalysis>(F);
    for (NoAliasScopeDeclInst *Decl : Scopes)
      if (CI.getCycle(Decl->getParent()))
        for (const MDOperand &Op : Decl->getScopeList()->operands())
          DeadScopes.insert(Op.get());
  }
  if (!DeadScopes.empty())
    for (Instruction &I : instructions(F)) {
      removeScopes(I, LLVMContext::MD_alias_scope, DeadScopes);
      removeScopes(I, LLVMContext::MD_noalias, DeadScopes);
    }

  for (IntrinsicInst *II : Dead)
    II->eraseFromParent();
  for (IntrinsicInst *II : Transparent) {
    II->replaceAllUsesWith(II->getArgOperand(0));
    II->eraseFromParent();
  }
  bool Changed =
      dropSanitizerChecks(F) || !Dead.empty() || !Transparent.empty();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
