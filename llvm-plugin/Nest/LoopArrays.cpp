//===- Nest/LoopArrays.cpp - Arrays that loops in bodies read -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/LoopArrays.h"
#include "Nest/Gather.h"
#include "Nest/Guard.h"
#include "Support/LoopFunctions.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace pardiff;

static std::string nameRange(const Function &Loop, unsigned Param) {
  return (Loop.getName() + ".range." + Twine(Param)).str();
}

Function *pardiff::getLoopRange(const Function &Loop, unsigned Param) {
  return const_cast<Module *>(Loop.getParent())
      ->getFunction(nameRange(Loop, Param));
}

unsigned pardiff::getRangeLevel(const Array &A) {
  if (!isRange(A))
    return 0;
  unsigned Level = 0;
  for (const Array *Other : A.View->Arrays)
    Level = std::max(Level, getRangeLevel(*Other));
  return Level + 1;
}

/// The distances of the first and of the last element that Load reads in its
/// innermost loop, in front of that loop, where it does so in each iteration
/// and at equal steps; nulls where it does not.
static std::pair<Value *, Value *> emitEnds(LoadInst &Load, Argument &Array,
                                            FunctionAnalysisManager &FAM) {
  Function &F = *Load.getFunction();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Load.getParent());
  if (!L || !L->getLoopPreheader() || !L->getLoopLatch() ||
      L->getExitingBlock() != L->getLoopLatch() ||
      !DT.dominates(Load.getParent(), L->getLoopLatch()))
    return {};
  auto *Distance = dyn_cast<SCEVAddRecExpr>(SE.getMinusSCEV(
      SE.getSCEV(Load.getPointerOperand()), SE.getSCEV(&Array)));
  const SCEV *Count = SE.getBackedgeTakenCount(L);
  if (!Distance || Distance->getLoop() != L || !Distance->isAffine() ||
      isa<SCEVCouldNotCompute>(Count) || !Distance->getType()->isIntegerTy(64))
    return {};
  Instruction *At = L->getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, "pardiff");
  const SCEV *Ends[] = {Distance->getStart(),
                        Distance->evaluateAtIteration(Count, SE)};
  if (!all_of(Ends, [&](const SCEV *S) {
        return SE.isLoopInvariant(S, L) && Expander.isSafeToExpandAt(S, At);
      }))
    return {};
  Type *Ty = Distance->getType();
  return {Expander.expandCodeFor(Ends[0], Ty, At->getIterator()),
          Expander.expandCodeFor(Ends[1], Ty, At->getIterator())};
}

/// Puts in front of each load from Array in F the update of two variables, and
/// returns their values. False if an address cannot be computed.
static bool insertUpdates(Function &F, Argument &Array,
                          FunctionAnalysisManager &FAM) {
  IRBuilder<> Top(&F.getEntryBlock(), F.getEntryBlock().begin());
  Type *I64 = Top.getInt64Ty();
  AllocaInst *Min = Top.CreateAlloca(I64), *Max = Top.CreateAlloca(I64);
  Top.CreateStore(Top.getInt64(INT64_MAX), Min);
  Top.CreateStore(Top.getInt64(INT64_MIN), Max);
  SmallVector<Instruction *, 8> Loads, Returns;
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Load && getUnderlyingObject(Load->getPointerOperand(), 0) == &Array)
      Loads.push_back(Load);
    else if (isa<ReturnInst>(I))
      Returns.push_back(&I);
  }
  // Values of all loads first: what follows is not known to the analyses.
  SmallVector<std::pair<Value *, Value *>, 8> Ends;
  for (Instruction *Load : Loads)
    Ends.push_back(emitEnds(cast<LoadInst>(*Load), Array, FAM));
  for (auto [Load, End] : zip(Loads, Ends)) {
    IRBuilder<> B(Load);
    auto Update = [&](Intrinsic::ID Id, Value *Slot, Value *By) {
      Value *Old = B.CreateLoad(I64, Slot);
      B.CreateStore(B.CreateBinaryIntrinsic(Id, Old, By), Slot);
    };
    if (End.first) {
      const Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(
          cast<LoadInst>(Load)->getParent());
      B.SetInsertPoint(L->getLoopPreheader()->getTerminator());
      for (Value *V : {End.first, End.second}) {
        Update(Intrinsic::smin, Min, V);
        Update(Intrinsic::smax, Max, V);
      }
      continue;
    }
    Value *Distance = emitDistance(cast<LoadInst>(Load)->getPointerOperand(),
                                   &Array, B, F.getDataLayout());
    if (!Distance)
      return false;
    Update(Intrinsic::smin, Min, Distance);
    Update(Intrinsic::smax, Max, Distance);
  }
  for (Instruction *Ret : Returns) {
    IRBuilder<> B(Ret);
    Value *Struct = PoisonValue::get(F.getReturnType());
    Struct = B.CreateInsertValue(Struct, B.CreateLoad(I64, Min), 0);
    Struct = B.CreateInsertValue(Struct, B.CreateLoad(I64, Max), 1);
    B.CreateRet(Struct);
    Ret->eraseFromParent();
  }
  return true;
}

/// True if F computes with integers alone; what floating-point values decide
/// must be the same in the copy of the loop, so they may be compared as they
/// are in memory. Reads: parameters of the arrays that it reads.
static bool isInspector(const Function &F, SmallBitVector &Reads) {
  for (const Argument &A : F.args())
    if (A.getType()->isFloatingPointTy() && !A.use_empty())
      return false;
  for (const Instruction &I : instructions(F)) {
    if ((I.getType()->isFPOrFPVectorTy() && !isa<LoadInst>(I)) ||
        (isa<ICmpInst>(I) && I.getOperand(0)->getType()->isPointerTy()) ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
      return false;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load)
      continue;
    auto *Array =
        dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand(), 0));
    if (!Array)
      return false;
    Reads.set(Array->getArgNo());
  }
  return true;
}

/// The range function of array Param, or null. Reads: what it reads.
static Function *buildRange(Function &Loop, unsigned Param,
                            SmallBitVector &Reads,
                            FunctionAnalysisManager &FAM) {
  LLVMContext &C = Loop.getContext();
  Type *I64 = Type::getInt64Ty(C);
  auto *Ty = FunctionType::get(StructType::get(I64, I64),
                               Loop.getFunctionType()->params(), false);
  Function *F = Function::Create(Ty, GlobalValue::InternalLinkage,
                                 nameRange(Loop, Param), Loop.getParent());
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip(Loop.args(), F->args()))
    Map[&Old] = &New;
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(F, &Loop, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  F->setLinkage(GlobalValue::InternalLinkage);
  F->removeFnAttr(LoopFunctionAttribute);
  F->addFnAttr(LoopRangeAttribute);
  for (ReturnInst *Ret : Returns) {
    ReturnInst::Create(C, PoisonValue::get(Ty->getReturnType()),
                       Ret->getIterator());
    Ret->eraseFromParent();
  }
  FunctionPassManager Before;
  Before.addPass(LoopSimplifyPass());
  Before.run(*F, FAM);
  FAM.invalidate(*F, PreservedAnalyses::none());
  bool Ok = insertUpdates(*F, *F->getArg(Param), FAM);
  FAM.invalidate(*F, PreservedAnalyses::none());
  if (Ok) {
    FunctionPassManager FPM;
    FPM.addPass(PromotePass());
    FPM.addPass(EarlyCSEPass());
    FPM.addPass(ADCEPass());
    FPM.addPass(LoopSimplifyPass());
    FPM.addPass(LCSSAPass());
    FPM.addPass(createFunctionToLoopPassAdaptor(LoopDeletionPass()));
    FPM.addPass(SimplifyCFGPass());
    FPM.addPass(EarlyCSEPass());
    FPM.addPass(ADCEPass());
    FPM.run(*F, FAM);
    Ok = isInspector(*F, Reads);
  }
  FAM.clear(*F, F->getName());
  if (Ok)
    return F;
  F->eraseFromParent();
  return nullptr;
}

/// Makes the range functions of all arrays of Loop. An array that is read to
/// find elements of its own has none, nor what depends on it.
static void buildRanges(Function &Loop, FunctionAnalysisManager &FAM) {
  unsigned NumParams = Loop.arg_size();
  SmallVector<Function *, 4> Ranges(NumParams);
  SmallVector<SmallBitVector, 4> Reads(NumParams, SmallBitVector(NumParams));
  SmallBitVector Done(NumParams);
  for (unsigned I = 0; I < NumParams; ++I)
    if (isLoopArray(Loop, I))
      Ranges[I] = buildRange(Loop, I, Reads[I], FAM);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = 0; I < NumParams; ++I)
      if (Ranges[I] && !Done[I] &&
          !SmallBitVector(Reads[I]).reset(Done).any()) {
        Done.set(I);
        Changed = true;
      }
  }
  for (unsigned I = 0; I < NumParams; ++I)
    if (Ranges[I] && !Done[I])
      Ranges[I]->eraseFromParent();
}

/// True if the range of an array depends on parameter I.
static bool isUsedByRange(const Function &Loop, unsigned I) {
  return any_of(Loop.args(), [&](const Argument &A) {
    Function *Range = getLoopRange(Loop, A.getArgNo());
    return Range && !Range->getArg(I)->use_empty();
  });
}

bool pardiff::hideLoops(Function &F, const BasicBlock &Exit,
                        AccessGuards &Guards, FunctionAnalysisManager &FAM) {
  SmallVector<CallInst *, 4> Calls;
  for (BasicBlock &BB : F)
    if (&BB != &F.getEntryBlock() && &BB != &Exit)
      for (Instruction &I : BB)
        if (Function *Loop = getLoopFunction(&I); Loop && readsArrays(*Loop))
          Calls.push_back(cast<CallInst>(&I));
  if (Calls.empty())
    return false;
  for (CallInst *Call : Calls) {
    Function &Loop = *Call->getCalledFunction();
    bool Known = any_of(Loop.args(), [&](const Argument &A) {
      return getLoopRange(Loop, A.getArgNo()) != nullptr;
    });
    if (!Known)
      buildRanges(Loop, FAM);
  }
  // That nobody writes to the indices is checked for what ranges depend on.
  SmallVector<Use *, 8> Arguments;
  for (CallInst *Call : Calls)
    for (Use &U : Call->args())
      if (U->getType()->isIntegerTy() &&
          isUsedByRange(*Call->getCalledFunction(), Call->getArgOperandNo(&U)))
        Arguments.push_back(&U);
  moveIndices(F, Arguments, FAM, [&](BasicBlock &BB, Value *Old, Value *New) {
    Guards.replace(BB, Old, New);
  });
  for (CallInst *Call : Calls)
    Call->setDoesNotAccessMemory();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, PA);
  return true;
}
