//===- Contract/Shell.cpp - The signature of a gradient -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract/Shell.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

/// The attributes that a primal's parameter or body may have and that its
/// gradient must not: what they promise of memory does not hold for the reverse
/// sweep.
static void dropMemoryPromises(Function &F) {
  AttributeMask OfParam, OfFunction;
  for (Attribute::AttrKind K :
       {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly,
        Attribute::Initializes, Attribute::DeadOnUnwind, Attribute::Returned,
        Attribute::NoFree})
    OfParam.addAttribute(K);
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
        Attribute::WillReturn, Attribute::Speculatable, Attribute::NoRecurse})
    OfFunction.addAttribute(K);
  for (Argument &A : F.args())
    A.removeAttrs(OfParam);
  F.removeFnAttrs(OfFunction);
}

GradientShell pardiff::makeShell(Function &Clone, const Request &R,
                                 const Twine &Name,
                                 FunctionAnalysisManager &FAM) {
  SmallVector<unsigned, 8> NumShadows;
  for (const RequestArg &A : R.Args)
    NumShadows.push_back(A.Shadows.size());
  return makeShell(Clone, NumShadows, {}, R.getResultTypes(), Name, FAM);
}

GradientShell pardiff::makeShell(Function &Clone, ArrayRef<unsigned> NumShadows,
                                 ArrayRef<Type *> Extra,
                                 ArrayRef<Type *> Results, const Twine &Name,
                                 FunctionAnalysisManager &FAM) {
  GradientShell Shell;
  Module &M = *Clone.getParent();
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 8> Params(Clone.getFunctionType()->params());
  for (unsigned Number : NumShadows)
    Params.append(Number, PointerType::getUnqual(C));
  append_range(Params, Extra);
  Type *ResultTy = Type::getVoidTy(C);
  if (!Results.empty())
    ResultTy = StructType::get(C, Results);
  Function *G = Function::Create(FunctionType::get(ResultTy, Params, false),
                                 GlobalValue::InternalLinkage,
                                 Clone.getAddressSpace(), Name, &M);
  G->copyAttributesFrom(&Clone);
  G->setLinkage(GlobalValue::InternalLinkage);
  G->setVisibility(GlobalValue::DefaultVisibility);
  G->setComdat(nullptr);
  // Attributes of the result speak of another type now.
  G->setAttributes(G->getAttributes().removeAttributesAtIndex(
      C, AttributeList::ReturnIndex));
  dropMemoryPromises(*G);
  G->setSubprogram(Clone.getSubprogram());
  Clone.setSubprogram(nullptr);
  G->splice(G->begin(), &Clone);
  for (Argument &A : Clone.args()) {
    Argument *Replacement = G->getArg(A.getArgNo());
    A.replaceAllUsesWith(Replacement);
    Replacement->takeName(&A);
  }
  unsigned Next = Clone.arg_size();
  for (const auto &[I, Number] : enumerate(NumShadows)) {
    Lanes &Shadows = Shell.ShadowsOf.emplace_back();
    for (unsigned Lane = 0; Lane != Number; ++Lane) {
      Shadows.push_back(G->getArg(Next++));
      Shadows.back()->setName("d_" + G->getArg(I)->getName());
    }
  }
  FAM.clear(Clone, Clone.getName());
  FAM.clear(*G, G->getName());
  Clone.eraseFromParent();
  for (BasicBlock &BB : *G)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator())) {
      Shell.Returned = Ret->getReturnValue();
      IRBuilder<> B(Ret);
      if (Results.empty())
        B.CreateRetVoid();
      else
        B.CreateRet(PoisonValue::get(ResultTy));
      Ret->eraseFromParent();
    }
  Shell.G = G;
  return Shell;
}

bool pardiff::setResults(Function &G, ArrayRef<Value *> Results) {
  if (G.getReturnType()->isVoidTy())
    return Results.empty();
  if (Results.size() != G.getReturnType()->getStructNumElements())
    return false;
  for (BasicBlock &BB : G)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator());
        Ret && isa<PoisonValue>(Ret->getReturnValue())) {
      IRBuilder<> B(Ret);
      Value *Aggregate = Ret->getReturnValue();
      for (const auto &[I, V] : enumerate(Results))
        Aggregate = B.CreateInsertValue(Aggregate, V, I);
      Ret->setOperand(0, Aggregate);
    }
  return true;
}
