//===- Prepare/OutlineLoops.cpp - Loops of unknown length as operations ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An inner loop whose number of iterations depends on data and that accesses no
// memory becomes a function, and a call of it:
//
//   for (i...) {                          for (i...) {
//     t = x[i];                             t = x[i];
//     while (|f(t)| > eps)          ->      t = pardiff.loop.F(t, eps);
//       t -= f(t) / f'(t);                  y[i] = t;
//     y[i] = t;                           }
//   }
//
// To the nest it is an operation like another (Support/LoopFunctions.h).
//
// Conditions: the loop is inside of another one; scalar evolution does not know
// its number of iterations, or knows it from a value that is computed in the
// loops around it; nothing in it accesses memory or has another effect, but for
// loads of one address in its first block, which are done in front of it; all
// that enters and leaves are numbers; it has one exit block; every operation on
// floating-point values has a derivative. In C and C++ such a loop ends. The
// branch around a loop that may be left at once is part of the function; what
// such a loop loads is loaded where the loop is entered (createWhere).
//
// Not attempted: loops that read arrays (sparse rows), several exit blocks.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Rules/Rules.h"
#include "Support/LoopFunctions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace pardiff;

static bool isNumber(const Type *Ty) {
  return Ty->isFloatingPointTy() || Ty->isIntegerTy();
}

/// True if the number of iterations cannot be a bound of a nest.
static bool dependsOnData(const Loop &L, ScalarEvolution &SE) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return true;
  return SCEVExprContains(Count, [&](const SCEV *S) {
    auto *Unknown = dyn_cast<SCEVUnknown>(S);
    auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return I && L.getOutermostLoop()->contains(I);
  });
}

/// Does loads of one address, and the computation of that address, in front of
/// the loop. In its first block they are done whenever the loop is entered.
static bool hoistLoads(Loop &L) {
  if (any_of(L.blocks(), [](const BasicBlock *BB) {
        return any_of(
            *BB, [](const Instruction &I) { return I.mayHaveSideEffects(); });
      }))
    return false;
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(*L.getHeader())) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (isa<GetElementPtrInst>(I)) {
      L.makeLoopInvariant(&I, Changed);
    } else if (Load && Load->isSimple() && L.hasLoopInvariantOperands(Load)) {
      Load->moveBefore(L.getLoopPreheader()->getTerminator()->getIterator());
      Changed = true;
    }
  }
  return Changed;
}

/// True if the loop is made of operations on numbers alone.
static bool isOperation(const Loop &L) {
  bool HasFloats = false;
  for (const BasicBlock *BB : L.blocks()) {
    if (!isa<BranchInst, SwitchInst>(BB->getTerminator()))
      return false;
    for (const Instruction &I : *BB) {
      if (I.isTerminator())
        continue;
      if (I.mayHaveSideEffects() || I.mayReadFromMemory() ||
          isa<AllocaInst>(I) || !isNumber(I.getType()))
        return false;
      if (!I.getType()->isFloatingPointTy())
        continue;
      HasFloats = true;
      if (!isa<PHINode>(I) && !findRule(I))
        return false;
    }
  }
  return HasFloats;
}

namespace {

/// A loop and the numbers that enter and leave it.
struct Candidate {
  Loop *L = nullptr;
  BasicBlock *Exit = nullptr;
  /// The branch that enters the loop, or goes where it leads to; null: it is
  /// always entered.
  BranchInst *Guard = nullptr;
  BasicBlock *Merge = nullptr;       ///< behind Guard, or Exit
  SmallVector<PHINode *, 4> Results; ///< in Merge
  SmallSetVector<Value *, 8> Inputs;

  BasicBlock *getEntrance() const {
    return Guard ? Guard->getParent() : L->getLoopPreheader();
  }
};

} // namespace

/// True if I may be done although the loop is not entered. What a load gives
/// then is of no interest, and it is done under the condition.
static bool mayMoveUp(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load ? Load->isSimple() : isSafeToSpeculativelyExecute(&I);
}

/// The branch around the loop, if there is nothing else between it and the
/// place where its two ways meet.
static BranchInst *findGuard(const Loop &L, const BasicBlock &Exit) {
  BasicBlock *Preheader = L.getLoopPreheader();
  BasicBlock *Before = Preheader->getSinglePredecessor();
  const BasicBlock *Merge = Exit.getSingleSuccessor();
  auto *Guard =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  bool Fits = Guard && Guard->isConditional() && Merge &&
              all_of(drop_end(*Preheader), mayMoveUp) &&
              Exit.getFirstNonPHIIt() == --Exit.end() &&
              is_contained(Guard->successors(), Merge) &&
              Merge->hasNPredecessors(2);
  return Fits ? Guard : nullptr;
}

static std::optional<Candidate> examine(Loop &L) {
  Candidate C;
  C.L = &L;
  C.Exit = L.getUniqueExitBlock();
  if (!L.isLoopSimplifyForm() || !C.Exit)
    return std::nullopt;
  C.Guard = findGuard(L, *C.Exit);
  C.Merge = C.Guard ? C.Exit->getSingleSuccessor() : C.Exit;
  for (PHINode &Phi : C.Merge->phis())
    C.Results.push_back(&Phi);
  auto AddInput = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    bool IsInside =
        I && (L.contains(I) || (C.Guard && I->getParent() == C.Exit));
    if (I ? !IsInside : isa<Argument>(V))
      C.Inputs.insert(V);
  };
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      for (Value *Op : I.operands())
        AddInput(Op);
  if (C.Guard) {
    AddInput(C.Guard->getCondition());
    for (PHINode *Phi : C.Results)
      AddInput(Phi->getIncomingValueForBlock(C.Guard->getParent()));
  }
  bool HasFloats = any_of(C.Results, [](const PHINode *Phi) {
    return Phi->getType()->isFloatingPointTy();
  });
  auto IsNumber = [](const Value *V) { return isNumber(V->getType()); };
  if (!HasFloats || !all_of(C.Results, IsNumber) || !all_of(C.Inputs, IsNumber))
    return std::nullopt;
  return C;
}

/// Inputs -> { Results }, without a body.
static Function &declareFunction(const Candidate &C, Function &F) {
  LLVMContext &Context = F.getContext();
  SmallVector<Type *, 8> Params, Results;
  for (const Value *Input : C.Inputs)
    Params.push_back(Input->getType());
  for (const PHINode *Phi : C.Results)
    Results.push_back(Phi->getType());
  auto *Ty = FunctionType::get(StructType::get(Context, Results), Params,
                               /*isVarArg=*/false);
  Function *New =
      Function::Create(Ty, GlobalValue::InternalLinkage,
                       "pardiff.loop." + F.getName(), F.getParent());
  New->addFnAttrs(AttrBuilder(Context, F.getAttributes().getFnAttrs()));
  New->setMemoryEffects(MemoryEffects::none());
  New->setDoesNotThrow();
  New->setWillReturn();
  New->addFnAttr(LoopFunctionAttribute);
  // Equal calls of several statements are one, if they are seen as calls.
  New->addFnAttr(Attribute::NoInline);
  return *New;
}

/// Copies the loop, and the branch in front of it, into New.
static void fillFunction(const Candidate &C, Function &New) {
  ValueToValueMapTy Map;
  for (auto [Input, Arg] : zip(C.Inputs, New.args()))
    Map[Input] = &Arg;
  BasicBlock *Entry = BasicBlock::Create(New.getContext(), "entry", &New);
  Map[C.L->getLoopPreheader()] = Entry;
  Map[C.getEntrance()] = Entry;
  SmallVector<BasicBlock *, 8> Blocks;
  auto Clone = [&](BasicBlock *BB) {
    Blocks.push_back(CloneBasicBlock(BB, Map, "", &New));
    Map[BB] = Blocks.back();
  };
  for (BasicBlock *BB : C.L->blocks())
    Clone(BB);
  if (C.Guard)
    Clone(C.Exit);
  BasicBlock *End = BasicBlock::Create(New.getContext(), "end", &New);
  Map[C.Merge] = End;
  Blocks.push_back(End);
  IRBuilder<> B(End);
  SmallVector<Value *, 4> Values;
  for (PHINode *Phi : C.Results)
    Values.push_back(B.Insert(Phi->clone()));
  Value *Struct = PoisonValue::get(New.getReturnType());
  for (auto [I, V] : enumerate(Values))
    Struct = B.CreateInsertValue(Struct, V, I);
  B.CreateRet(Struct);
  B.SetInsertPoint(Entry);
  auto *Header = cast<BasicBlock>(Map[C.L->getHeader()]);
  if (C.Guard) {
    bool SkipsIfTrue = C.Guard->getSuccessor(0) == C.Merge;
    B.CreateCondBr(MapValue(C.Guard->getCondition(), Map),
                   SkipsIfTrue ? End : Header, SkipsIfTrue ? Header : End);
  } else {
    B.CreateBr(Header);
  }
  remapInstructionsInBlocks(Blocks, Map);
  for (Instruction &I : instructions(New))
    I.setDebugLoc(DebugLoc());
}

/// Does what is done in front of the loop in front of the branch around it.
static void moveUp(const Candidate &C) {
  IRBuilder<> B(C.Guard);
  Value *Enters = C.Guard->getCondition();
  if (C.Guard->getSuccessor(0) == C.Merge)
    Enters = B.CreateNot(Enters);
  for (Instruction &I :
       make_early_inc_range(drop_end(*C.L->getLoopPreheader()))) {
    I.moveBefore(C.Guard->getIterator());
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      B.SetInsertPoint(Load);
      Load->setOperand(0, createWhere(B, Load->getPointerOperand(), Enters));
      Load->dropUnknownNonDebugMetadata(LLVMContext::MD_tbaa);
    }
  }
}

/// Puts a call of a new function in the place of the loop.
static void outline(Candidate &C, Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Function &New = declareFunction(C, F);
  fillFunction(C, New);
  if (C.Guard)
    moveUp(C);
  IRBuilder<> B(C.getEntrance()->getTerminator());
  B.SetCurrentDebugLocation(C.L->getStartLoc());
  CallInst *Call = B.CreateCall(&New, C.Inputs.getArrayRef());
  for (auto [I, Phi] : enumerate(C.Results)) {
    Value *V = B.CreateExtractValue(Call, I);
    SE.forgetValue(Phi);
    Phi->replaceAllUsesWith(V);
    V->takeName(Phi);
    Phi->eraseFromParent();
  }
  for (PHINode &Phi : make_early_inc_range(C.Exit->phis()))
    Phi.eraseFromParent();
  deleteDeadLoop(C.L, &DT, &SE, &LI);
}

PreservedAnalyses OutlineLoopsPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  // Outermost ones first: what is inside of them goes with them.
  SmallVector<Loop *, 4> Found;
  for (Loop *L : LI.getLoopsInPreorder())
    if (L->getParentLoop() && L->isLoopSimplifyForm() &&
        dependsOnData(*L, SE) &&
        none_of(Found, [&](const Loop *Outer) { return Outer->contains(L); }))
      Found.push_back(L);
  bool Changed = false;
  for (Loop *L : Found) {
    Changed |= hoistLoads(*L);
    if (!isOperation(*L))
      continue;
    Changed |= formLCSSARecursively(*L, DT, &LI, &SE);
    std::optional<Candidate> C = examine(*L);
    if (!C)
      continue;
    outline(*C, F, FAM);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
