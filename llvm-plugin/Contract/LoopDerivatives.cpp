//===- Contract/LoopDerivatives.cpp - Derivatives of loops in bodies ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With few arguments it is the loop in forward mode, in the direction of each
// argument: no tape. With more it is the gradient that the flow engine makes of
// a function without memory; what its reverse sweep needs is on a tape of its
// own.
//
//===----------------------------------------------------------------------===//

#include "Contract/LoopDerivatives.h"
#include "Contract/Shell.h"
#include "Flow/Flow.h"
#include "Support/LoopFunctions.h"
#include "Support/Reason.h"
#include "Tangent/Tangent.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace pardiff;

static FunctionAnalysisManager &getFAM(Module &M, ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

using Fields = SmallVector<Value *, 8>;

static bool isActive(const Argument &A) {
  return A.getType()->isFloatingPointTy();
}

/// The result, and its derivatives by forward mode.
static Expected<Fields> emitForward(const GradientShell &Shell,
                                    const Function &Primal) {
  Function &G = *Shell.G;
  TangentRequest R;
  R.F = &G;
  R.Returned = Shell.Returned;
  R.Width = count_if(Primal.args(), isActive);
  unsigned Direction = 0;
  for (const Argument &A : Primal.args()) {
    Lanes &Of = R.Params.emplace_back();
    if (!isActive(A))
      continue;
    for (unsigned Lane = 0; Lane != R.Width; ++Lane)
      Of.push_back(ConstantFP::get(A.getType(), Lane == Direction));
    ++Direction;
  }
  TangentScopes None;
  auto Tangents = emitTangents(R, None);
  if (!Tangents)
    return Tangents.takeError();
  auto End = find_if(G, [](const BasicBlock &BB) {
    return isa<ReturnInst>(BB.getTerminator());
  });
  IRBuilder<> B(End->getTerminator());
  Fields Result;
  ArrayRef<Type *> Types = Primal.getReturnType()->subtypes();
  for (unsigned I = 0; I < Types.size(); ++I)
    Result.push_back(B.CreateExtractValue(Shell.Returned, I));
  for (unsigned I = 0; I < Types.size(); ++I)
    if (Types[I]->isFloatingPointTy())
      for (Value *Tangent : *Tangents)
        Result.push_back(B.CreateExtractValue(Tangent, I));
  return Result;
}

/// By reverse mode. The seeds, arguments behind those of the primal, are one
/// struct to it, with zeros for integers.
static Expected<Fields> emitReverse(const GradientShell &Shell,
                                    const Function &Primal,
                                    FunctionAnalysisManager &FAM) {
  Function &G = *Shell.G;
  FlowRequest R;
  R.F = &G;
  R.Returned = Shell.Returned;
  R.Shadows = Shell.ShadowsOf;
  for (const Argument &A : Primal.args())
    R.Out.push_back(isActive(A));
  IRBuilder<> B(&G.getEntryBlock(), G.getEntryBlock().getFirstInsertionPt());
  Value *Seeds = Constant::getNullValue(Primal.getReturnType());
  unsigned Seed = Primal.arg_size();
  for (auto [I, Field] : enumerate(Primal.getReturnType()->subtypes()))
    if (Field->isFloatingPointTy())
      Seeds = B.CreateInsertValue(Seeds, G.getArg(Seed++), I);
  R.Seeds.push_back(Seeds);
  auto Done = appendReverseSweep(R, FAM);
  if (!Done)
    return Done.takeError();
  finishFlow(G, *Done);
  return Fields(Done->Adjoints.begin(), Done->Adjoints.end());
}

static Error define(Function &Declared, Function &Primal,
                    FunctionAnalysisManager &FAM) {
  bool IsForward = hasLoopJacobian(Primal);
  ValueToValueMapTy Map;
  Function *Clone = CloneFunction(&Primal, Map);
  Clone->removeFnAttr(LoopFunctionAttribute);
  if (IsForward)
    prepareTangents(*Clone, FAM);
  else
    prepareFlow(*Clone, FAM, /*IsSplit=*/false);
  SmallVector<unsigned, 8> NoShadows(Primal.arg_size(), 0);
  auto Seeds =
      Declared.getFunctionType()->params().drop_front(NoShadows.size());
  auto Results = cast<StructType>(Declared.getReturnType())->elements();
  GradientShell Shell =
      makeShell(*Clone, NoShadows, Seeds, Results, "pardiff.derived.loop", FAM);
  Function &G = *Shell.G;
  auto Done =
      IsForward ? emitForward(Shell, Primal) : emitReverse(Shell, Primal, FAM);
  FAM.clear(G, G.getName());
  Error Failed = Error::success();
  if (!Done)
    Failed = Done.takeError();
  else if (!setResults(G, *Done))
    Failed = refuse(Reason::NoResult, Primal.getName());
  if (Failed) {
    G.eraseFromParent();
    return Failed;
  }
  // Statements that need an adjoint each share the call: it must be seen as
  // one.
  G.addFnAttr(Attribute::NoInline);
  G.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  G.setDoesNotThrow();
  G.setWillReturn();
  std::string Name = Declared.getName().str();
  Declared.replaceAllUsesWith(&G);
  Declared.eraseFromParent();
  G.setName(Name);
  return Error::success();
}

Error pardiff::defineLoopDerivatives(Module &M, ModuleAnalysisManager &MAM) {
  SmallVector<Function *, 4> Declared;
  for (Function &F : M)
    if (F.isDeclaration() && F.hasFnAttribute(LoopDerivativeAttribute))
      Declared.push_back(&F);
  for (Function *Derivative : Declared) {
    Function *Primal = M.getFunction(
        Derivative->getFnAttribute(LoopDerivativeAttribute).getValueAsString());
    if (Error E = define(*Derivative, *Primal, getFAM(M, MAM)))
      return E;
  }
  return Error::success();
}

void pardiff::eraseUnusedLoops(Module &M, ModuleAnalysisManager &MAM) {
  for (Function &F : make_early_inc_range(M))
    if (F.use_empty() && (F.hasFnAttribute(LoopFunctionAttribute) ||
                          F.hasFnAttribute(LoopDerivativeAttribute))) {
      getFAM(M, MAM).clear(F, F.getName());
      F.eraseFromParent();
    }
}
