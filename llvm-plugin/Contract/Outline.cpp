//===- Contract/Outline.cpp - Nests inside other control flow -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is no affine nest as a whole often has nests in it: the
// stencil in a loop that iterates until it converges. Each becomes a function,
// and its call one of a pair (Flow/Calls.h), which the nest engine builds.
//
// Whether a loop is a nest is tried on copies of the function: all outermost
// loops at first, then the loops inside of those that are none. Neighbours that
// are nests and have nothing but straight code between them are tried as one.
//
// The region that is moved consists of a new block in front of the first loop,
// with the address and integer arithmetic that feeds it (so that arrays are
// passed, not addresses of rows), the loops, and the values that leave them.
// Global variables that may be written are passed like arrays: their shadows
// are known to the flow engine.
//
// Not attempted: regions that begin or end inside a branch, and regions that
// pass on pointers.
//
//===----------------------------------------------------------------------===//

#include "Contract/Outline.h"
#include "Flow/Calls.h"
#include "Flow/Heap.h"
#include "Flow/Pointers.h"
#include "Nest/Recover.h"
#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace pardiff;

/// Iterations of a single loop of known length below which a pair is not worth
/// its frame.
static constexpr unsigned MinTrips = 16;
/// Loops of one function that are tried; each takes a fraction of a second.
static constexpr unsigned MaxTrials = 40;

namespace {

/// Neighbouring loops, by their headers.
using Run = SmallVector<BasicBlock *, 4>;

class Outliner {
public:
  Outliner(Function &F, ModuleAnalysisManager &MAM, bool IsSplit)
      : F(F), MAM(MAM),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent())
                .getManager()),
        IsSplit(IsSplit) {}

  SmallVector<OutlinedNest, 4> run();

private:
  LoopInfo &getLoops(Function &G) { return FAM.getResult<LoopAnalysis>(G); }
  void changed(Function &G) { FAM.invalidate(G, PreservedAnalyses::none()); }
  bool mayBeNest(const Loop &L);
  SmallVector<bool, 8> tryAll(ArrayRef<Run> Candidates);
  void select(SmallVector<Loop *, 8> Siblings);
  CallInst *extract(const Run &R, unsigned &NumInputs);
  bool lasts(const Value *Root, const CallInst &Call) const;

  Function &F;
  ModuleAnalysisManager &MAM;
  FunctionAnalysisManager &FAM;
  const bool IsSplit;
  unsigned NumTrials = 0;
  DenseMap<const BasicBlock *, unsigned> Position; ///< reverse post-order
  SmallVector<Run, 4> Chosen;
};

} // namespace

/// What cannot be in a nest, and what is not worth a pair.
bool Outliner::mayBeNest(const Loop &L) {
  if (!L.isLoopSimplifyForm() || !L.getExitBlock())
    return false;
  bool HasFloats = false;
  for (const BasicBlock *BB : L.blocks()) {
    if (!isa<BranchInst, SwitchInst>(BB->getTerminator()))
      return false;
    for (const Instruction &I : *BB) {
      HasFloats |=
          I.getType()->isFPOrFPVectorTy() ||
          (isa<StoreInst>(I) && I.getOperand(0)->getType()->isFPOrFPVectorTy());
      if (I.isVolatile() || I.isAtomic() || isa<AllocaInst>(I))
        return false;
      auto *Call = dyn_cast<CallBase>(&I);
      // A thread's own variables cannot be passed like others.
      if (Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address)
        return false;
      if (!Call || isa<IntrinsicInst>(Call))
        continue;
      if (!Call->getCalledFunction() || isAllocation(*Call) ||
          getFreed(*Call) || isInactiveCall(*Call))
        return false;
    }
  }
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  unsigned Trips = SE.getSmallConstantTripCount(&L);
  return HasFloats && !(L.isInnermost() && Trips && Trips < MinTrips);
}

/// The blocks between two loops, exit of the first one to preheader of the
/// second one, if all paths from the one lead to the other and nothing else.
static std::optional<SmallVector<BasicBlock *, 4>>
getBetween(const Loop &First, const Loop &Second) {
  SmallVector<BasicBlock *, 4> Blocks;
  for (BasicBlock *BB = First.getExitBlock(); BB;
       BB = BB->getSingleSuccessor()) {
    if (BB == Second.getHeader())
      return Blocks;
    if (!Blocks.empty() && !BB->getSinglePredecessor())
      return std::nullopt;
    Blocks.push_back(BB);
  }
  return std::nullopt;
}

/// Integer and address arithmetic that may be done again elsewhere.
static bool isAddressArithmetic(const Value *V) {
  if (isa<GetElementPtrInst, CastInst>(V))
    return !V->getType()->isFPOrFPVectorTy() &&
           !isa<PtrToIntInst, IntToPtrInst, FPToSIInst, FPToUIInst,
                BitCastInst>(V);
  auto *Op = dyn_cast<BinaryOperator>(V);
  return Op && Op->getType()->isIntegerTy() && !Op->isIntDivRem();
}

/// Does again in Entry, which belongs to the region, what outside of the region
/// computes addresses and integers for it.
static void sinkArithmetic(BasicBlock &Entry,
                           const SmallSetVector<BasicBlock *, 16> &Region) {
  DenseMap<Instruction *, Instruction *> Copies;
  std::function<Value *(Value *, unsigned)> Sink = [&](Value *V,
                                                       unsigned Depth) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Region.contains(I->getParent()) || !isAddressArithmetic(I) ||
        Depth > 8)
      return V;
    if (Instruction *Known = Copies.lookup(I))
      return static_cast<Value *>(Known);
    Instruction *Copy = I->clone();
    for (Use &U : Copy->operands())
      U.set(Sink(U.get(), Depth + 1));
    Copy->insertBefore(Entry.getTerminator()->getIterator());
    Copy->setName(I->getName());
    Copies[I] = Copy;
    return static_cast<Value *>(Copy);
  };
  for (BasicBlock *BB : Region)
    for (Instruction &I : make_early_inc_range(*BB))
      if (BB != &Entry || I.isTerminator())
        for (Use &U : I.operands())
          if (!isa<BasicBlock>(U.get()))
            U.set(Sink(U.get(), 0));
}

/// Passes global variables that may be written to the region as values.
static void passGlobals(Instruction &Before,
                        const SmallSetVector<BasicBlock *, 16> &Region) {
  SmallSetVector<GlobalVariable *, 8> Globals;
  std::function<void(Value *)> Collect = [&](Value *V) {
    if (auto *Variable = dyn_cast<GlobalVariable>(V)) {
      if (!Variable->isConstant())
        Globals.insert(Variable);
    } else if (auto *Expr = dyn_cast<ConstantExpr>(V)) {
      for (Value *Op : Expr->operands())
        Collect(Op);
    }
  };
  for (BasicBlock *BB : Region)
    for (Instruction &I : *BB)
      for (Value *Op : I.operands())
        Collect(Op);
  for (GlobalVariable *Variable : Globals) {
    convertUsersOfConstantsToInstructions({Variable}, Before.getFunction());
    Value *Passed =
        new FreezeInst(Variable, Variable->getName(), Before.getIterator());
    Variable->replaceUsesWithIf(Passed, [&](Use &U) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      return User && Region.contains(User->getParent());
    });
  }
}

/// Moves the loops of R into a function; its parameters behind the first
/// NumInputs are variables that take results. Null if that cannot be done; the
/// function still means the same then.
CallInst *Outliner::extract(const Run &R, unsigned &NumInputs) {
  Function &G = *R.front()->getParent();
  SmallVector<Loop *, 4> Loops;
  for (BasicBlock *Header : R)
    Loops.push_back(getLoops(G).getLoopFor(Header));
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(G);
  for (Loop *L : Loops) {
    formLCSSARecursively(*L, DT, &getLoops(G), nullptr);
    if (!L->getLoopPreheader() || !L->getExitBlock())
      return nullptr;
  }
  // What leaves the last loop does so in a block that belongs to the region.
  BasicBlock *Last = Loops.back()->getExitBlock();
  SplitBlock(Last, Last->getFirstNonPHIIt());
  BasicBlock *Preheader = Loops.front()->getLoopPreheader();
  BasicBlock *Entry = SplitBlock(Preheader, Preheader->getTerminator());
  SmallSetVector<BasicBlock *, 16> Region;
  Region.insert(Entry);
  for (unsigned I = 0; I < Loops.size(); ++I) {
    Region.insert(Loops[I]->block_begin(), Loops[I]->block_end());
    if (I + 1 == Loops.size())
      continue;
    auto Between = getBetween(*Loops[I], *Loops[I + 1]);
    if (!Between)
      return nullptr;
    Region.insert(Between->begin(), Between->end());
  }
  Region.insert(Last);
  passGlobals(*Preheader->getTerminator(), Region);
  sinkArithmetic(*Entry, Region);
  changed(G);

  CodeExtractorAnalysisCache Cache(G);
  CodeExtractor Extractor(Region.getArrayRef(),
                          &FAM.getResult<DominatorTreeAnalysis>(G),
                          /*AggregateArgs=*/false, nullptr, nullptr,
                          &FAM.getResult<AssumptionAnalysis>(G));
  if (!Extractor.isEligible())
    return nullptr;
  SetVector<Value *> Inputs, Outputs, Allocas;
  Extractor.findInputsOutputs(Inputs, Outputs, Allocas);
  auto IsScalar = [](const Value *V) {
    return V->getType()->isIntegerTy() || V->getType()->isFloatingPointTy();
  };
  if (!all_of(Outputs, IsScalar) || !all_of(Inputs, [&](const Value *V) {
        return IsScalar(V) || V->getType()->isPointerTy();
      }))
    return nullptr;
  Function *Part = Extractor.extractCodeRegion(Cache, Inputs, Outputs);
  NumInputs = Inputs.size();
  changed(G);
  if (!Part)
    return nullptr;
  Part->setName("pardiff.nest." + F.getName());
  Part->setLinkage(GlobalValue::InternalLinkage);
  auto *Call =
      Part->hasOneUse() ? dyn_cast<CallInst>(Part->user_back()) : nullptr;
  if (!Call || !Part->getReturnType()->isVoidTy())
    return nullptr;
  // It stays the only one.
  Call->addFnAttr(Attribute::NoDuplicate);
  return Call;
}

/// Says of a part what memory it accesses, so that its call is no reason to
/// distrust everything else.
static void addPromises(Function &Part) {
  SmallPtrSet<const Value *, 8> Written;
  for (const Instruction &I : instructions(Part)) {
    if (!I.mayReadOrWriteMemory())
      continue;
    const Value *P = getLoadStorePointerOperand(&I);
    if (!P || I.getOperand(0)->getType()->isPointerTy() != isa<LoadInst>(I) ||
        I.getType()->isPointerTy())
      return; // something else, or pointers in memory
    SmallVector<const Value *, 2> Objects;
    getUnderlyingObjects(P, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
    for (const Value *Object : Objects) {
      auto *Variable = dyn_cast<GlobalVariable>(Object);
      if (!isa<Argument>(Object) && !(Variable && Variable->isConstant()))
        return;
      if (isa<StoreInst>(I))
        Written.insert(Object);
    }
  }
  Part.setMemoryEffects(MemoryEffects::argMemOnly());
  for (Argument &A : Part.args()) {
    if (!A.getType()->isPointerTy())
      continue;
    A.addAttr(
        Attribute::getWithCaptureInfo(Part.getContext(), CaptureInfo::none()));
    if (!Written.contains(&A))
      A.addAttr(Attribute::ReadOnly);
  }
}

/// Which of the candidates are nests: all are moved out of one copy of F.
SmallVector<bool, 8> Outliner::tryAll(ArrayRef<Run> Candidates) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  SmallVector<bool, 8> Verdicts;
  for (const Run &R : Candidates) {
    Verdicts.push_back(false);
    if (++NumTrials > MaxTrials)
      continue;
    Run Mapped;
    for (BasicBlock *Header : R)
      Mapped.push_back(cast<BasicBlock>(Map[Header]));
    unsigned NumInputs;
    CallInst *Call = extract(Mapped, NumInputs);
    if (!Call)
      continue;
    auto Prepared = prepareClone(*Call->getCalledFunction(), MAM);
    if (!Prepared) {
      consumeError(Prepared.takeError());
      continue;
    }
    {
      auto Nest = recoverNest(**Prepared, FAM);
      Verdicts.back() = bool(Nest);
      if (!Nest)
        consumeError(Nest.takeError());
    }
    FAM.clear(**Prepared, (*Prepared)->getName());
    (*Prepared)->eraseFromParent();
  }
  SmallVector<Function *, 8> Parts;
  for (Instruction &I : instructions(*Copy))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName().starts_with("pardiff.nest."))
        Parts.push_back(Callee);
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  for (Function *Part : Parts)
    if (Part->use_empty()) {
      FAM.clear(*Part, Part->getName());
      Part->eraseFromParent();
    }
  return Verdicts;
}

/// Chooses among loops that have the same parent, and the loops in them.
void Outliner::select(SmallVector<Loop *, 8> Siblings) {
  llvm::sort(Siblings, [&](const Loop *A, const Loop *B) {
    return Position.lookup(A->getHeader()) < Position.lookup(B->getHeader());
  });
  SmallVector<Run, 8> Singles;
  SmallVector<Loop *, 8> Tried;
  for (Loop *L : Siblings)
    if (mayBeNest(*L)) {
      Singles.push_back({L->getHeader()});
      Tried.push_back(L);
    }
  SmallVector<bool, 8> Verdicts;
  if (!Singles.empty())
    Verdicts = tryAll(Singles);
  SmallVector<Loop *, 8> Nests;
  for (auto [L, IsNest] : zip(Tried, Verdicts))
    if (IsNest)
      Nests.push_back(L);
  // Runs of neighbours.
  SmallVector<Run, 4> Runs;
  Loop *Before = nullptr;
  for (Loop *L : Nests) {
    if (Before && getBetween(*Before, *L))
      Runs.back().push_back(L->getHeader());
    else
      Runs.push_back({L->getHeader()});
    Before = L;
  }
  SmallVector<Run, 4> Long;
  copy_if(Runs, std::back_inserter(Long),
          [](const Run &R) { return R.size() > 1; });
  SmallVector<bool, 8> Together;
  if (!Long.empty())
    Together = tryAll(Long);
  unsigned Next = 0;
  for (const Run &R : Runs) {
    if (R.size() == 1 || Together[Next++])
      Chosen.push_back(R);
    else
      for (BasicBlock *Header : R)
        Chosen.push_back({Header});
  }
  for (Loop *L : Siblings)
    if (!is_contained(Nests, L))
      select(SmallVector<Loop *, 8>(L->begin(), L->end()));
}

/// True if each execution of a part's call accesses the same memory.
static bool repeats(const CallInst &Call, const LoopInfo &LI) {
  const Loop *L = LI.getLoopFor(Call.getParent());
  while (L && L->getParentLoop())
    L = L->getParentLoop();
  // Integers and pointers in memory may be others the next time.
  bool LoadsAddresses =
      any_of(instructions(*Call.getCalledFunction()), [](const auto &I) {
        return isa<LoadInst>(I) && !I.getType()->isFPOrFPVectorTy();
      });
  return !L || (!LoadsAddresses && all_of(Call.args(), [&](const Value *A) {
    return A->getType()->isFloatingPointTy() || L->isLoopInvariant(A);
  }));
}

/// True if Root is passed to the part's call only where the part reads.
static bool isOnlyRead(const CallInst &Call, const Value *Root) {
  return all_of(enumerate(Call.args()), [&](const auto &A) {
    return A.value() != Root || Call.getCalledFunction()->hasParamAttribute(
                                    A.index(), Attribute::ReadOnly);
  });
}

/// True if nothing that may run between the call and the reverse sweep writes
/// the memory that Root points to.
bool Outliner::lasts(const Value *Root, const CallInst &Call) const {
  auto &AA = FAM.getResult<AAManager>(F);
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  if (AA.pointsToConstantMemory(
          MemoryLocation::getBeforeOrAfter(getUnderlyingObject(Root, 0))))
    return true;
  if (IsSplit)
    return false;
  SmallSetVector<const BasicBlock *, 16> Behind;
  // That the call's own arrays are disjoint is part of the nest's condition, so
  // repetitions of the call do no harm to what it only reads.
  bool OwnWritesMatter = !repeats(Call, LI) || !isOnlyRead(Call, Root);
  auto Writes = [&](auto Begin, auto End) {
    return any_of(make_range(Begin, End), [&](const Instruction &J) {
      return (&J != &Call || OwnWritesMatter) && mayEverWrite(J, Root, AA, LI);
    });
  };
  if (Writes(std::next(Call.getIterator()), Call.getParent()->end()))
    return false;
  for (const BasicBlock *Next : successors(Call.getParent()))
    Behind.insert(Next);
  for (unsigned N = 0; N < Behind.size(); ++N) {
    if (Writes(Behind[N]->begin(), Behind[N]->end()))
      return false;
    for (const BasicBlock *Next : successors(Behind[N]))
      Behind.insert(Next);
  }
  return true;
}

SmallVector<OutlinedNest, 4> Outliner::run() {
  TimeTraceScope Trace("pardiff: look for nests", F.getName());
  changed(F);
  FunctionPassManager FPM;
  FPM.addPass(LoopSimplifyPass());
  FPM.run(F, FAM);
  changed(F);
  for (const BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    Position.insert({BB, Position.size()});
  LoopInfo &LI = getLoops(F);
  select(SmallVector<Loop *, 8>(LI.begin(), LI.end()));
  struct Moved {
    CallInst *Call;
    unsigned NumInputs;
    DebugLoc Loc; ///< names the user's function, not a clone
  };
  SmallVector<Moved, 4> Calls;
  for (const Run &R : Chosen) {
    DebugLoc Loc = getLoops(F).getLoopFor(R.front())->getStartLoc();
    unsigned NumInputs = 0;
    if (CallInst *Call = extract(R, NumInputs)) {
      addPromises(*Call->getCalledFunction());
      Calls.push_back({Call, NumInputs, Loc});
    }
  }
  changed(F);
  // The ends of the lives of the variables that results are returned in.
  FunctionPassManager Markers;
  Markers.addPass(DropMarkersPass());
  Markers.run(F, FAM);
  changed(F);
  SmallVector<OutlinedNest, 4> Result;
  for (auto [Call, NumInputs, Loc] : Calls) {
    OutlinedNest &Nest = Result.emplace_back();
    Nest.F = Call->getCalledFunction();
    Nest.Loc = Loc;
    StringRef Name = F.getName();
    Name.consume_front("pardiff.primal.");
    Nest.Function = Name.str();
    for (const auto &[I, A] : enumerate(Call->args())) {
      OutlinedNest::Param &P = Nest.Params.emplace_back();
      P.Lasts = !A->getType()->isPointerTy() || lasts(A, *Call);
      // Behind the inputs come the variables that take the results.
      auto *Variable = I >= NumInputs ? dyn_cast<AllocaInst>(A.get()) : nullptr;
      P.IsIntegerResult =
          Variable && Variable->getAllocatedType()->isIntegerTy();
    }
  }
  return Result;
}

SmallVector<OutlinedNest, 4>
pardiff::outlineNests(Function &F, ModuleAnalysisManager &MAM, bool IsSplit) {
  return Outliner(F, MAM, IsSplit).run();
}
