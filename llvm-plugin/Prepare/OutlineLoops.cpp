//===- Prepare/OutlineLoops.cpp - Loops of unknown length as operations ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An inner loop whose number of iterations depends on data and that does not
// write to memory becomes a function, and a call of it:
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
// loops around it; nothing in it writes to memory or has another effect; all
// that leaves are numbers; it has one exit block; every operation on
// floating-point values has a derivative. In C and C++ such a loop ends. The
// branch around a loop that may be left at once is part of the function.
//
// What the loop loads from one address in any case is loaded in front of
// it, where the loop is entered (createWhere). Other loads are of arrays, whose
// addresses are known in front of all loops and are parameters of the function
// (rows of a sparse matrix). The function reads memory then, and it is for the
// reader of the nest to see that nobody writes to that memory.
//
// A sum that is kept in memory (`y[i] += x[k]`) becomes a variable first.
//
// Not attempted: other loops that write to memory, several exit blocks.
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
#include "llvm/IR/IntrinsicInst.h"
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

/// The value of an equal load that is done in front of the loop, with no write
/// behind it.
static LoadInst *findEqualLoad(const LoadInst &Load, const Loop &L) {
  BasicBlock *BB = L.getLoopPreheader();
  for (unsigned Blocks = 0; BB && Blocks < 2;
       ++Blocks, BB = BB->getSinglePredecessor())
    for (Instruction &I : reverse(*BB)) {
      if (I.mayWriteToMemory())
        return nullptr;
      auto *Other = dyn_cast<LoadInst>(&I);
      if (Other && Other->isSimple() && Other->getType() == Load.getType() &&
          Other->getPointerOperand() == Load.getPointerOperand())
        return Other;
    }
  return nullptr;
}

/// Does loads of one address, and the computation of that address, in front of
/// the loop, if they are done whenever the loop is entered: where it is left,
/// they have been done.
static bool hoistLoads(Loop &L, const DominatorTree &DT) {
  if (any_of(L.blocks(), [](const BasicBlock *BB) {
        return any_of(
            *BB, [](const Instruction &I) { return I.mayHaveSideEffects(); });
      }))
    return false;
  SmallVector<BasicBlock *, 2> Exiting;
  L.getExitingBlocks(Exiting);
  bool Changed = false;
  for (BasicBlock *BB : L.blocks()) {
    if (!all_of(Exiting, [&](auto *X) { return DT.dominates(BB, X); }))
      continue;
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (isa<GetElementPtrInst>(I) || isSafeToSpeculativelyExecute(&I)) {
        if (I.getType()->isIntOrPtrTy() && !isa<PHINode>(I))
          L.makeLoopInvariant(&I, Changed);
      } else if (Load && Load->isSimple() && L.hasLoopInvariantOperands(Load)) {
        if (LoadInst *Equal = findEqualLoad(*Load, L)) {
          Load->replaceAllUsesWith(Equal);
          Load->eraseFromParent();
          Changed = true;
          continue;
        }
        Load->moveBefore(L.getLoopPreheader()->getTerminator()->getIterator());
        Changed = true;
      }
    }
  }
  return Changed;
}

/// The address that Ptr is computed from by adding to it, if that is known in
/// front of all loops; else null.
static Value *getArray(Value *Ptr, const Loop &L) {
  while (auto *GEP = dyn_cast<GetElementPtrInst>(Ptr))
    Ptr = GEP->getPointerOperand();
  auto *I = dyn_cast<Instruction>(Ptr);
  bool IsKnown = I ? !L.getOutermostLoop()->contains(I)
                   : isa<Argument, GlobalVariable>(Ptr);
  return IsKnown && Ptr->getType()->getPointerAddressSpace() == 0 ? Ptr
                                                                  : nullptr;
}

/// True for a load of a number from an array.
static bool isArrayLoad(const Instruction &I, const Loop &L) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && isNumber(I.getType()) &&
         getArray(const_cast<Value *>(Load->getPointerOperand()), L);
}

/// True if the loop is made of operations on numbers, and loads of them. Sum: a
/// store that does not count.
static bool isOperation(const Loop &L, const StoreInst *Sum = nullptr) {
  bool HasFloats = false;
  for (const BasicBlock *BB : L.blocks()) {
    if (!isa<BranchInst, SwitchInst>(BB->getTerminator()))
      return false;
    for (const Instruction &I : *BB) {
      if (I.isTerminator())
        continue;
      if (isa<GetElementPtrInst>(I) || &I == Sum)
        continue; // of an array, if a load uses it
      if (I.mayHaveSideEffects() || isa<AllocaInst>(I) ||
          !isNumber(I.getType()) ||
          (I.mayReadFromMemory() && !isArrayLoad(I, L)))
        return false;
      if (!I.getType()->isFloatingPointTy())
        continue;
      HasFloats = true;
      if (!isa<PHINode, LoadInst>(I) && !findRule(I))
        return false;
    }
  }
  return HasFloats;
}

/// Computes the addresses of the loop's loads in the loop, from those of
/// arrays.
static bool sinkAddresses(Loop &L) {
  bool Changed = false;
  SmallVector<Instruction *, 8> Users;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (isa<LoadInst, GetElementPtrInst>(I))
        Users.push_back(&I);
  for (unsigned N = 0; N < Users.size(); ++N) {
    auto *GEP = dyn_cast<GetElementPtrInst>(Users[N]->getOperand(0));
    if (!GEP || L.contains(GEP))
      continue;
    Instruction *Copy = GEP->clone();
    Copy->insertBefore(Users[N]->getIterator());
    Copy->setName(GEP->getName());
    Users[N]->setOperand(0, Copy);
    Users.push_back(Copy);
    Changed = true;
  }
  return Changed;
}

namespace {

/// A loop, the numbers and arrays that enter it, and the numbers that leave it.
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

namespace {

/// A sum that is kept in memory, but could as well be a variable.
struct MemorySum {
  StoreInst *Store = nullptr;
  BranchInst *Guard = nullptr; ///< around the loop
  bool IsAccessed = false;     ///< also where the loop is not entered
};

} // namespace

/// The only store in the loop if it is of a sum, like `y[i] += x[k]` in a loop
/// over k: of one address, in each iteration, behind all loads of that address.
static std::optional<MemorySum> findSum(const Loop &L,
                                        const DominatorTree &DT) {
  MemorySum S;
  BasicBlock *Exit = L.getUniqueExitBlock();
  if (!Exit || !L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch())
    return std::nullopt;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store && S.Store)
        return std::nullopt;
      S.Store = Store ? Store : S.Store;
    }
  if (!S.Store || !S.Store->isSimple() ||
      !DT.dominates(S.Store->getParent(), L.getLoopLatch()))
    return std::nullopt;
  S.Guard = findGuard(L, *Exit);
  S.IsAccessed = !S.Guard;
  Value *Address = S.Store->getPointerOperand();
  Type *Ty = S.Store->getValueOperand()->getType();
  if (!Ty->isFloatingPointTy() || !L.isLoopInvariant(Address))
    return std::nullopt;
  for (const User *U : Address->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (I == S.Store || !I || getLoadStorePointerOperand(I) != Address)
      continue;
    if (L.contains(I) && (!DT.dominates(I, S.Store) || I->getType() != Ty))
      return std::nullopt;
    if (!L.contains(I) && S.Guard)
      S.IsAccessed |= L.getParentLoop()->contains(I) &&
                      DT.dominates(I->getParent(), S.Guard->getParent()) &&
                      getLoadStoreType(I) == Ty;
  }
  return isOperation(L, S.Store) ? std::optional(S) : std::nullopt;
}

/// Makes a variable of a sum. Right where what the loop reads elsewhere is not
/// where the sum is: the reader of the nest and its condition see to that, as
/// to them this memory is written in the nest, and the other read by the loop.
static bool promoteSum(const MemorySum &S, Loop &L, const DominatorTree &DT) {
  Value *Address = S.Store->getPointerOperand();
  Value *Next = S.Store->getValueOperand();
  Type *Ty = Next->getType();
  BasicBlock *Exit = L.getUniqueExitBlock(), *Merge = Exit;
  BasicBlock *Preheader = L.getLoopPreheader(), *Entrance = Preheader;
  if (S.Guard) {
    Merge = Exit->getSingleSuccessor();
    Entrance = S.Guard->getParent();
    for (Instruction &I : make_early_inc_range(drop_end(*Preheader)))
      if (isSafeToSpeculativelyExecute(&I) && !isa<PHINode>(I) &&
          all_of(I.operands(),
                 [&](const Use &U) { return DT.dominates(U.get(), S.Guard); }))
        I.moveBefore(S.Guard->getIterator());
    if (!DT.dominates(Address, S.Guard))
      return true;
  }
  SmallVector<LoadInst *, 2> Loads;
  for (User *U : Address->users())
    if (auto *Load = dyn_cast<LoadInst>(U); Load && L.contains(Load))
      Loads.push_back(Load);
  // Where the loop is not entered nothing is accessed that was not.
  IRBuilder<> B(S.IsAccessed ? Entrance->getTerminator()
                             : Preheader->getTerminator());
  Value *Start = B.CreateAlignedLoad(Ty, Address, S.Store->getAlign());
  auto AddPhi = [&](BasicBlock *BB) {
    PHINode *Phi = PHINode::Create(Ty, 2, "sum");
    Phi->insertBefore(BB->begin());
    return Phi;
  };
  PHINode *Phi = AddPhi(L.getHeader()), *Last = AddPhi(Exit);
  Phi->addIncoming(Start, Preheader);
  Phi->addIncoming(Next, L.getLoopLatch());
  for (BasicBlock *Pred : predecessors(Exit))
    Last->addIncoming(Next, Pred);
  for (LoadInst *Load : Loads) {
    if (Next == Load)
      Next = Phi;
    Load->replaceAllUsesWith(Phi);
    Load->eraseFromParent();
  }
  if (S.Guard) {
    PHINode *Both = AddPhi(Merge);
    Both->addIncoming(S.IsAccessed ? Start : PoisonValue::get(Ty), Entrance);
    Both->addIncoming(Last, Exit);
    Last = Both;
  }
  B.SetInsertPoint(Merge, Merge->getFirstInsertionPt());
  B.SetCurrentDebugLocation(S.Store->getDebugLoc());
  if (!S.IsAccessed) {
    Value *Enters = S.Guard->getCondition();
    if (S.Guard->getSuccessor(0) == Merge)
      Enters = B.CreateNot(Enters);
    Address = createWhere(B, Address, Enters);
  }
  B.CreateAlignedStore(Last, Address, S.Store->getAlign());
  S.Store->eraseFromParent();
  return true;
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
    if (I ? !IsInside : isa<Argument, GlobalVariable>(V))
      C.Inputs.insert(V);
  };
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      for (Value *Op : I.operands())
        AddInput(Op);
  if (C.Guard)
    AddInput(C.Guard->getCondition());
  for (PHINode *Phi : C.Results)
    for (Value *V : Phi->incoming_values())
      AddInput(V);
  for (PHINode &Phi : C.Exit->phis())
    for (Value *V : Phi.incoming_values())
      AddInput(V);
  bool HasFloats = any_of(C.Results, [](const PHINode *Phi) {
    return Phi->getType()->isFloatingPointTy();
  });
  auto IsNumber = [](const Value *V) { return isNumber(V->getType()); };
  auto IsInput = [&](Value *V) {
    return IsNumber(V) || (V->getType()->isPointerTy() && getArray(V, L) == V);
  };
  if (!HasFloats || !all_of(C.Results, IsNumber) || !all_of(C.Inputs, IsInput))
    return std::nullopt;
  return C;
}

/// Marks the parameters that are arrays. False if one of them is read as
/// several types, or not at all.
static bool markArrays(Function &New) {
  LLVMContext &C = New.getContext();
  bool Reads = false;
  for (Argument &A : New.args()) {
    if (!A.getType()->isPointerTy())
      continue;
    if (!getLoopElementType(New, A.getArgNo()))
      return false;
    A.addAttr(Attribute::get(C, LoopArrayAttribute));
    A.addAttr(Attribute::ReadOnly);
    A.addAttr(Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
    Reads = true;
  }
  if (!Reads)
    return true;
  New.setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref));
  New.removeFnAttr(Attribute::NoInline);
  return true;
}

/// The field of New's result that is a sum beginning with A: then its
/// derivative by A is 1. Negative if there is none.
static int findSummed(const Argument &A) {
  SmallSetVector<const Value *, 8> Sums;
  Sums.insert(&A);
  int Field = -1;
  auto IsSum = [&](const Value *V) { return Sums.contains(V); };
  for (unsigned N = 0; N < Sums.size(); ++N)
    for (const User *U : Sums[N]->users()) {
      auto *Insert = dyn_cast<InsertValueInst>(U);
      if (!Insert)
        Sums.insert(U);
      else if (Field >= 0)
        return -1;
      else
        Field = Insert->getIndices().front();
    }
  auto IsKept = [&](const Value *V) {
    if (auto *Phi = dyn_cast<PHINode>(V))
      return all_of(Phi->incoming_values(), [&](const Value *In) {
        return IsSum(In) || isa<PoisonValue>(In);
      });
    if (auto *Select = dyn_cast<SelectInst>(V))
      return !IsSum(Select->getCondition()) && IsSum(Select->getTrueValue()) &&
             IsSum(Select->getFalseValue());
    if (auto *Op = dyn_cast<BinaryOperator>(V))
      return (Op->getOpcode() == Instruction::FAdd &&
              IsSum(Op->getOperand(0)) != IsSum(Op->getOperand(1))) ||
             (Op->getOpcode() == Instruction::FSub &&
              !IsSum(Op->getOperand(1)));
    auto *Call = dyn_cast<IntrinsicInst>(V);
    return Call &&
           (Call->getIntrinsicID() == Intrinsic::fmuladd ||
            Call->getIntrinsicID() == Intrinsic::fma) &&
           !IsSum(Call->getArgOperand(0)) && !IsSum(Call->getArgOperand(1));
  };
  return all_of(drop_begin(Sums), IsKept) ? Field : -1;
}

static void markSummands(Function &New) {
  for (Argument &A : New.args())
    if (int Field = A.getType()->isFloatingPointTy() ? findSummed(A) : -1;
        Field >= 0)
      A.addAttr(Attribute::get(New.getContext(), LoopSummandAttribute,
                               std::to_string(Field)));
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

/// Puts a call of a new function in the place of the loop, if that can be.
static bool outline(Candidate &C, Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Function &New = declareFunction(C, F);
  fillFunction(C, New);
  if (!markArrays(New)) {
    New.eraseFromParent();
    return false;
  }
  markSummands(New);
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
  return true;
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
    for (BasicBlock *BB : L->blocks())
      for (Instruction &I : make_early_inc_range(*BB))
        if (isa<GetElementPtrInst>(I))
          L->makeLoopInvariant(&I, Changed);
    if (std::optional<MemorySum> Sum = findSum(*L, DT)) {
      Changed |= promoteSum(*Sum, *L, DT);
      SE.forgetLoop(L);
    }
    Changed |= hoistLoads(*L, DT);
    if (!isOperation(*L))
      continue;
    Changed |= formLCSSARecursively(*L, DT, &LI, &SE);
    Changed |= sinkAddresses(*L);
    std::optional<Candidate> C = examine(*L);
    if (C)
      Changed |= outline(*C, F, FAM);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
