//===- Contract/LoopDerivatives.cpp - Derivatives of loops in bodies ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With few arguments it is the loop in forward mode, in the direction of each
// argument: no tape. With more it is the gradient that the flow engine makes of
// a function without memory; what its reverse sweep needs is on a tape of its
// own. So it is for loops that read arrays: nobody writes to these, so the
// reverse sweep reads them again, and adds to their shadows.
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
                                    const Function &Primal, unsigned FirstSeed,
                                    bool IsAtomic,
                                    FunctionAnalysisManager &FAM) {
  Function &G = *Shell.G;
  FlowRequest R;
  R.F = &G;
  R.Returned = Shell.Returned;
  R.Shadows = Shell.ShadowsOf;
  R.IsAtomic = IsAtomic;
  for (const Argument &A : Primal.args())
    R.Out.push_back(isActive(A));
  IRBuilder<> B(&G.getEntryBlock(), G.getEntryBlock().getFirstInsertionPt());
  Value *Seeds = Constant::getNullValue(Primal.getReturnType());
  unsigned Seed = FirstSeed;
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

/// Parameters of the arrays whose shadows a derivative adds to.
static SmallVector<unsigned, 8> getShadows(const Function &Derivative,
                                           const Function &Primal) {
  SmallVector<unsigned, 8> NumShadows(Primal.arg_size(), 0);
  StringRef Text =
      Derivative.getFnAttribute(LoopShadowsAttribute).getValueAsString();
  SmallVector<StringRef, 4> Numbers;
  Text.split(Numbers, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Number : Numbers)
    NumShadows[std::stoul(Number.str())] = 1;
  return NumShadows;
}

/// Where all seeds are zero nothing is done, as what depends on the loop's
/// results may not have been chosen.
static void returnIfZero(Function &G, unsigned FirstSeed) {
  BasicBlock &Old = G.getEntryBlock();
  LLVMContext &C = G.getContext();
  BasicBlock *Entry = BasicBlock::Create(C, "entry", &G, &Old);
  BasicBlock *Zero = BasicBlock::Create(C, "zero", &G);
  for (Instruction &I : make_early_inc_range(Old))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && isa<ConstantInt>(Alloca->getArraySize()))
      Alloca->moveBefore(*Entry, Entry->end());
  IRBuilder<> B(Entry);
  Value *AllZero = B.getTrue();
  for (unsigned I = FirstSeed; I < G.arg_size(); ++I)
    AllZero = B.CreateAnd(
        AllZero, B.CreateFCmpOEQ(G.getArg(I), Constant::getNullValue(
                                                  G.getArg(I)->getType())));
  B.CreateCondBr(AllZero, Zero, &Old);
  B.SetInsertPoint(Zero);
  if (G.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Constant::getNullValue(G.getReturnType()));
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
  bool ReadsArrays = readsArrays(Primal);
  bool IsAtomic = Declared.hasFnAttribute(LoopAtomicAttribute);
  SmallVector<unsigned, 8> Shadows = getShadows(Declared, Primal);
  unsigned FirstSeed = Primal.arg_size() + count(Shadows, 1);
  auto Seeds = Declared.getFunctionType()->params().drop_front(FirstSeed);
  ArrayRef<Type *> Results;
  if (auto *Struct = dyn_cast<StructType>(Declared.getReturnType()))
    Results = Struct->elements();
  GradientShell Shell =
      makeShell(*Clone, Shadows, Seeds, Results, "pardiff.derived.loop", FAM);
  Function &G = *Shell.G;
  auto Done = IsForward ? emitForward(Shell, Primal)
                        : emitReverse(Shell, Primal, FirstSeed, IsAtomic, FAM);
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
  if (ReadsArrays) {
    returnIfZero(G, FirstSeed);
    G.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  } else {
    // Statements that need an adjoint each share the call: it must be seen as
    // one.
    G.addFnAttr(Attribute::NoInline);
    G.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  }
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
                          F.hasFnAttribute(LoopDerivativeAttribute) ||
                          F.hasFnAttribute(LoopRangeAttribute))) {
      getFAM(M, MAM).clear(F, F.getName());
      F.eraseFromParent();
    }
}
