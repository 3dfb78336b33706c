//===- Flow/ReverseSweep.cpp - Control flow of the reverse sweep
//------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block of the forward sweep has a block that runs it backwards; an edge P
// -> Q of the forward sweep is an edge Q' -> P' of the reverse sweep:
//
//        P                    P'
//       / \                  ^  ^
//      Q   R      becomes    |  |        Q' and R' end in a jump, S' in a
//      choice
//       \ /                 Q'  R'
//        S                   ^  ^
//                             S'
//
// The choice is by what the forward sweep noted:
//   - at a loop header: the number of the iteration; 0 goes to the preheader,
//   others
//     to the latch. The counter counts up in the forward sweep, keeps its last
//     value behind the loop, and counts down in the reverse sweep
//   - at any other block with several predecessors: the number of the edge
// Counters and numbers of edges are cells of the loop around them (Records.h).
//
//===----------------------------------------------------------------------===//

#include "Flow/ReverseSweep.h"
#include "Flow/Chunks.h"
#include "Flow/Frames.h"
#include "Flow/Globals.h"
#include "Flow/Heap.h"
#include "Flow/LargeBlocks.h"
#include "Flow/Unwinding.h"
#include "Support/Reason.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace pardiff;

ReverseSweep::ReverseSweep(const FlowRequest &R, FunctionAnalysisManager &FAM)
    : R(R), F(*R.F), LI(FAM.getResult<LoopAnalysis>(F)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      AA(FAM.getResult<AAManager>(F)), Pointers(R), Types(F, R.Calls), Tape(F),
      B(F.getContext()) {}

AllocaInst *ReverseSweep::getCounter(const Loop *L) {
  AllocaInst *&Counter = Counters[L];
  if (!Counter)
    Counter = Tape.createCell(B.getInt64Ty(), L->getParentLoop(), "iteration");
  return Counter;
}

/// Loops whose numbers of iterations are known at their begin.
void ReverseSweep::findTrips() {
  SCEVExpander Expander(SE, "trips");
  for (const Loop *L : LI.getLoopsInPreorder()) {
    BasicBlock *Preheader = L->getLoopPreheader();
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (!Preheader || isa<SCEVCouldNotCompute>(Count) ||
        !Count->getType()->isIntegerTy() ||
        SE.getTypeSizeInBits(Count->getType()) > 64)
      continue;
    Instruction *Entry = Preheader->getTerminator();
    Count = SE.getNoopOrZeroExtend(Count, B.getInt64Ty());
    Count = SE.getAddExpr(Count, SE.getOne(Count->getType()));
    if (Expander.isSafeToExpandAt(Count, Entry))
      Tape.setTrips(L, Expander.expandCodeFor(Count, B.getInt64Ty(),
                                              Entry->getIterator()));
  }
}

/// Forward sweep: 0 in the preheader, plus 1 in the latch.
void ReverseSweep::countIterations(const Loop *L) {
  AllocaInst *Counter = getCounter(L);
  IRBuilder<> At(L->getLoopPreheader()->getTerminator());
  At.CreateStore(At.getInt64(0), Counter);
  At.SetInsertPoint(L->getLoopLatch()->getTerminator());
  At.CreateStore(
      At.CreateNUWAdd(At.CreateLoad(At.getInt64Ty(), Counter), At.getInt64(1)),
      Counter);
}

Error ReverseSweep::createBlocks() {
  // Blocks from which the end is never reached have nothing to reverse.
  ReturnInst *Ret = nullptr;
  for (BasicBlock &BB : F)
    if (auto *Found = dyn_cast<ReturnInst>(BB.getTerminator()))
      Ret = Found;
  if (!Ret)
    return refuse(Reason::NoReturn, "", getPlace(F));
  SmallSetVector<BasicBlock *, 16> Returning;
  Returning.insert(Ret->getParent());
  for (unsigned I = 0; I < Returning.size(); ++I)
    for (BasicBlock *Pred : predecessors(Returning[I]))
      Returning.insert(Pred);
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F)) {
    if (!Returning.contains(BB))
      continue;
    const Instruction *End = BB->getTerminator();
    if (!isa<BranchInst, ReturnInst, InvokeInst>(End))
      return refuse(Reason::UnsupportedControlFlow, End->getOpcodeName(), End);
    Blocks.push_back(BB);
  }
  for (Loop *L : LI.getLoopsInPreorder())
    if (!L->isLoopSimplifyForm())
      return refuse(Reason::UnsupportedControlFlow,
                    "loop that cannot be brought into a simple form",
                    L->getHeader()->getTerminator());
  for (BasicBlock *BB : Blocks)
    Reverse[BB] =
        BasicBlock::Create(F.getContext(), "reverse." + BB->getName(), &F);
  Exit = BasicBlock::Create(F.getContext(), "reverse.end", &F);
  BasicBlock *End = Ret->getParent();
  Ret->moveBefore(*Exit, Exit->end());
  Turn = BranchInst::Create(Reverse[End], End);
  return Error::success();
}

/// For each loop the last block that all of its iterations run.
void ReverseSweep::findLastBlocks() {
  for (const Loop *L : LI.getLoopsInPreorder()) {
    BasicBlock *Last = L->getLoopLatch();
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    for (BasicBlock *BB : Exiting)
      if (Reverse.count(BB))
        Last = DT.findNearestCommonDominator(Last, BB);
    while (LI.getLoopFor(Last) != L)
      Last = DT.getNode(Last)->getIDom()->getBlock();
    if (Reverse.count(Last))
      LastBlocks.push_back({L, Last});
  }
}

/// Where iterations can be taken from the tape at once, however they ended.
void ReverseSweep::setCommonEnds() {
  for (auto [L, Last] : LastBlocks) {
    // A marker: what stands there may be erased yet.
    auto *Begin = new FreezeInst(B.getInt1(false), "",
                                 Reverse[Last]->getFirstInsertionPt());
    Tape.setCommonEnd(L, Last->getTerminator(), Begin);
  }
}

/// The edge Pred -> BB backwards: values of phis go to what came in by this
/// edge; iterations that end on this edge are taken from the tape.
Error ReverseSweep::emitEdge(BasicBlock &Pred, BasicBlock &BB, BasicBlock &Edge,
                             ArrayRef<std::pair<PHINode *, Lanes>> Phis) {
  B.SetInsertPoint(&Edge);
  Instruction *Jump = B.CreateBr(Reverse[&Pred]);
  B.SetInsertPoint(Jump);
  const Loop *From = LI.getLoopFor(&Pred);
  if (From && From->getLoopLatch() == &Pred && From->getHeader() == &BB) {
    AllocaInst *Counter = getCounter(From);
    Value *K = B.CreateLoad(B.getInt64Ty(), Counter);
    B.CreateStore(B.CreateSub(K, B.getInt64(1)), Counter);
    Tape.addIterationEnd(From, Pred.getTerminator(), Jump);
  }
  const Loop *To = LI.getLoopFor(&BB);
  if (To && To->getHeader() == &BB && To->getLoopPreheader() == &Pred)
    Tape.setEntry(To, Pred.getTerminator(), Jump);
  // Leaving loops, innermost first; backwards outermost first.
  SmallVector<const Loop *, 4> Left;
  for (const Loop *L = From; L && !L->contains(&BB); L = L->getParentLoop())
    Left.push_back(L);
  if (!Left.empty() && !BB.getSinglePredecessor())
    return refuse(Reason::UnsupportedControlFlow, "loop exit",
                  Pred.getTerminator());
  // The forward ends stand in one place: put the inner one in front each time.
  // The reverse ends likewise, outer in front of inner.
  Instruction *Forward = Left.empty() ? nullptr : &*BB.getFirstInsertionPt();
  SmallVector<std::pair<const Loop *, Instruction *>, 4> Ends;
  for (const Loop *L : Left) {
    // A marker instruction for each keeps the order when code is put in
    // between.
    Instruction *Mark =
        new FreezeInst(B.getInt1(false), "", Forward->getIterator());
    Ends.push_back({L, Mark});
  }
  for (auto [L, Mark] : reverse(Ends)) {
    Instruction *Back =
        new FreezeInst(B.getInt1(false), "", Jump->getIterator());
    Tape.addIterationEnd(L, Mark, Back);
  }
  for (const auto &[Phi, Adjoints] : Phis)
    forEachLane([&, In = Phi->getIncomingValueForBlock(&Pred), &Of = Adjoints] {
      addAdjoint(In, Of[Lane]);
    });
  return Error::success();
}

/// From the reversed block to the reversed predecessors.
Error ReverseSweep::reverseEdges(BasicBlock &BB) {
  SmallVector<std::pair<PHINode *, Lanes>, 4> Phis;
  for (Instruction *I : Original[&BB])
    if (auto *Phi = dyn_cast<PHINode>(I); Phi && isActive(Phi)) {
      Lanes &Adjoints = Phis.emplace_back(Phi, Lanes()).second;
      forEachLane([&] { Adjoints.push_back(takeAdjoint(Phi)); });
    }
  BasicBlock *Tail = Place->getParent();
  Place->eraseFromParent();
  B.SetInsertPoint(Tail);
  if (&BB == &F.getEntryBlock()) {
    B.CreateBr(Exit);
    return Error::success();
  }
  auto CreateEdge = [&](BasicBlock *Pred) {
    return BasicBlock::Create(F.getContext(), "edge." + Pred->getName(), &F);
  };
  SmallVector<BasicBlock *, 4> Preds;
  for (BasicBlock *Pred : predecessors(&BB))
    if (Reverse.count(Pred) && !is_contained(Preds, Pred))
      Preds.push_back(Pred);
  SmallVector<BasicBlock *, 4> Edges;
  for (BasicBlock *Pred : Preds)
    Edges.push_back(CreateEdge(Pred));

  const Loop *L = LI.getLoopFor(&BB);
  if (Preds.size() == 1) {
    B.CreateBr(Edges[0]);
  } else if (L && L->getHeader() == &BB) {
    Value *K = B.CreateLoad(B.getInt64Ty(), getCounter(L));
    unsigned Latch = Preds[0] == L->getLoopLatch() ? 0 : 1;
    B.CreateCondBr(B.CreateICmpEQ(K, B.getInt64(0)), Edges[1 - Latch],
                   Edges[Latch]);
  } else {
    auto *Ty = Preds.size() <= 256 ? B.getInt8Ty() : B.getInt32Ty();
    AllocaInst *Number = Tape.createCell(Ty, L, "edge.number");
    for (auto [I, Pred] : enumerate(Preds))
      new StoreInst(ConstantInt::get(Ty, I), Number,
                    Pred->getTerminator()->getIterator());
    SwitchInst *Choice =
        B.CreateSwitch(B.CreateLoad(Ty, Number), Edges[0], Preds.size());
    for (unsigned I = 1; I < Preds.size(); ++I)
      Choice->addCase(ConstantInt::get(Ty, I), Edges[I]);
  }
  for (auto [Pred, Edge] : zip(Preds, Edges))
    if (Error E = emitEdge(*Pred, BB, *Edge, Phis))
      return E;
  return Error::success();
}

Error ReverseSweep::reverseBlock(BasicBlock &BB) {
  Here.clear();
  HereShadow.clear();
  Place = new UnreachableInst(F.getContext(), Reverse[&BB]);
  B.SetInsertPoint(Place);
  for (Instruction *I : reverse(Original[&BB])) {
    if (isa<PHINode>(I) || (I->isTerminator() && !isa<InvokeInst>(I)))
      continue;
    B.SetCurrentDebugLocation(I->getDebugLoc());
    if (Error E = reverseInLanes(*I))
      return E;
  }
  return reverseEdges(BB);
}

Expected<FlowResult> ReverseSweep::run() {
  for (const PairedCall &P : R.Calls) {
    SmallVector<Value *, 4> All = {P.Call, P.Frame};
    if (P.Result)
      All.push_back(P.Result);
    append_range(All, P.ResultShadows);
    for (Value *V : All)
      Paired[V] = &P;
  }
  if (Error E = Pointers.run())
    return std::move(E);
  if (Error E = checkCopies(
          F, Types, [&](const Value *P) { return Pointers.hasShadow(P); }))
    return std::move(E);
  // What the forward sweep was before anything is added to it.
  findActive();
  findTrips();
  if (Error E = createBlocks())
    return std::move(E);
  findReloadable();
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      Original[BB].push_back(&I);
  findLocal();
  findLastBlocks();
  FlowResult Result;
  Result.End = Exit->getTerminator();
  bool OwnsArena = !R.Arena && !R.Calls.empty();
  Arena = OwnsArena ? Tape.createVariable(getArenaType(F.getContext()), "arena")
                    : R.Arena;
  if (Error E = mirrorPointers())
    return std::move(E);
  for (Loop *L : LI.getLoopsInPreorder())
    countIterations(L);

  if (R.Returned && isActive(R.Returned)) {
    B.SetInsertPoint(
        new UnreachableInst(F.getContext(), Reverse[Turn->getParent()]));
    forEachLane([&] {
      addAdjoint(R.Returned, !R.Seeds.empty()
                                 ? R.Seeds[Lane]
                                 : ConstantFP::get(R.Returned->getType(), 1.0));
    });
    B.GetInsertPoint()->eraseFromParent();
  }
  if (R.IsSplit && R.Returned && R.Returned->getType()->isPointerTy())
    forEachLane(
        [&] { Result.ResultShadows.push_back(getForwardShadow(R.Returned)); });
  for (BasicBlock *BB : reverse(Blocks))
    if (Error E = reverseBlock(*BB))
      return std::move(E);

  B.SetInsertPoint(Result.End);
  Here.clear();
  Result.Turn = Turn;
  Result.ReverseOf = Reverse;
  Result.Primal = R.NeedPrimal && R.Returned ? getValue(R.Returned) : nullptr;
  for (auto [I, Out] : enumerate(R.Out))
    if (Out) {
      Argument *A = F.getArg(I);
      forEachLane([&] {
        Value *Adjoint = Constant::getNullValue(A->getType());
        if (isActive(A))
          Adjoint = B.CreateLoad(A->getType(), getAdjoint(A));
        Result.Adjoints.push_back(Adjoint);
      });
    }
  setCommonEnds();
  fillPlaceholders(Result.Primal);
  Tape.emit(*Turn->getSuccessor(0));
  for (Instruction *I : Erased)
    I->eraseFromParent();
  catchExceptions(F, *Turn);
  beforeResumes(F, [&](IRBuilder<> &At) {
    Tape.emitFree(At);
    if (OwnsArena)
      emitFreeChunks(emitLastChunk(Arena, At), At);
  });
  if (OwnsArena) {
    B.SetInsertPoint(Result.End);
    emitFreeChunks(emitLastChunk(Arena, B), B);
  }
  splitLargeBlocks(F);
  return Result;
}

void pardiff::finishFlow(Function &G, const FlowResult &Result) {
  SmallVector<Instruction *, 4> Ends = {Result.End};
  beforeResumes(G,
                [&](IRBuilder<> &B) { Ends.push_back(&*B.GetInsertPoint()); });
  releaseDeferred(&*G.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), Ends);
  resetGlobalShadows(Result.End);
}

Expected<FlowResult> pardiff::appendReverseSweep(const FlowRequest &R,
                                                 FunctionAnalysisManager &FAM) {
  return ReverseSweep(R, FAM).run();
}
