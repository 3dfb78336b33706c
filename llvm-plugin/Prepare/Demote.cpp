//===- Prepare/Demote.cpp - Floating-point scalars become slots ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No floating-point value of the body crosses from one block to another in a
// register: it is stored into a slot (an alloca of the entry block) and loaded
// where it is needed. Polly then sees array accesses where it would see scalar
// and phi dependences.
//
// This is the way out of SSA form with coalescing: a phi and the values that
// come into it share one slot as long as no two of them are live at the same
// time, so `s += x[i]` becomes load, add, store of one slot, with no copies.
// Where a value comes into a phi over a critical edge, the copy gets a block of
// its own: the slot may be in use on the other way out of the predecessor.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Prepare/Prepare.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// Blocks that a value is live into and out of, by number.
struct LiveRange {
  BitVector In, Out;
};

class Demoter {
public:
  explicit Demoter(Function &F) : F(F) {}
  bool run();

private:
  // Which values share a slot.
  void collect();
  void coalesce();
  bool interfere(unsigned A, unsigned B);
  bool isLiveAtDefOf(unsigned A, unsigned B);
  LiveRange &getRange(unsigned V);

  // The rewriting.
  void rewrite();
  void storeIncoming(PHINode &Phi, AllocaInst *Slot);
  BasicBlock *getBlockOnEdge(BasicBlock *From, BasicBlock *To);
  void loadUses(Instruction &V, AllocaInst *Slot);

  bool needsSlot(const Instruction &I) const;
  unsigned getClass(const Instruction *I) const {
    return Classes[Number.lookup(I)];
  }

  Function &F;
  DenseMap<const BasicBlock *, unsigned> BlockNumber;
  SmallVector<Instruction *, 32> Values; ///< those that get a slot
  DenseMap<const Instruction *, unsigned> Number;
  SmallVector<LiveRange, 0> Ranges;
  IntEqClasses Classes;

  struct Copy {
    Value *V;
    Instruction *Before;
    AllocaInst *Slot;
  };
  SmallVector<Copy, 32> Copies;
  MapVector<std::pair<BasicBlock *, BasicBlock *>, BasicBlock *> EdgeBlocks;
};

} // namespace

bool Demoter::needsSlot(const Instruction &I) const {
  if (!I.getType()->isFloatingPointTy())
    return false;
  if (isa<PHINode>(I))
    return true;
  return any_of(I.users(), [&](const User *U) {
    const auto *UI = cast<Instruction>(U);
    return UI->getParent() != I.getParent() || isa<PHINode>(UI);
  });
}

void Demoter::collect() {
  for (BasicBlock &BB : F) {
    BlockNumber[&BB] = BlockNumber.size();
    for (Instruction &I : BB)
      if (needsSlot(I)) {
        Number[&I] = Values.size();
        Values.push_back(&I);
      }
  }
}

LiveRange &Demoter::getRange(unsigned N) {
  LiveRange &R = Ranges[N];
  if (!R.In.empty())
    return R;
  R.In.resize(BlockNumber.size());
  R.Out.resize(BlockNumber.size());
  Instruction *V = Values[N];
  SmallVector<BasicBlock *, 16> Work;
  auto AddIn = [&](BasicBlock *BB) {
    unsigned B = BlockNumber.lookup(BB);
    if (BB == V->getParent() || R.In.test(B))
      return;
    R.In.set(B);
    Work.push_back(BB);
  };
  auto AddOut = [&](BasicBlock *BB) {
    R.Out.set(BlockNumber.lookup(BB));
    AddIn(BB);
  };
  for (Use &U : V->uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (auto *Phi = dyn_cast<PHINode>(I))
      AddOut(Phi->getIncomingBlock(U));
    else if (I->getParent() != V->getParent())
      AddIn(I->getParent());
  }
  while (!Work.empty())
    for (BasicBlock *Pred : predecessors(Work.pop_back_val()))
      AddOut(Pred);
  return R;
}

/// Is value A live directly behind the definition of value B?
bool Demoter::isLiveAtDefOf(unsigned A, unsigned B) {
  const Instruction *VA = Values[A], *VB = Values[B];
  const BasicBlock *BB = VB->getParent();
  const LiveRange &R = getRange(A);
  unsigned N = BlockNumber.lookup(BB);
  if (isa<PHINode>(VB)) // defined at the start of the block
    return R.In.test(N) || (VA->getParent() == BB && isa<PHINode>(VA));
  bool Before = VA->getParent() == BB ? VA->comesBefore(VB) : R.In.test(N);
  if (!Before)
    return false;
  return R.Out.test(N) || any_of(VA->users(), [&](const User *U) {
           const auto *I = cast<Instruction>(U);
           return !isa<PHINode>(I) && I->getParent() == BB &&
                  VB->comesBefore(I);
         });
}

bool Demoter::interfere(unsigned A, unsigned B) {
  return isLiveAtDefOf(A, B) || isLiveAtDefOf(B, A);
}

/// Puts a phi and what comes into it into one class where their ranges are
/// apart.
void Demoter::coalesce() {
  constexpr size_t MaxPairs = 1
                              << 14; // bounds the time; a copy more is harmless
  Ranges.resize(Values.size());
  Classes.grow(Values.size());
  SmallVector<SmallVector<unsigned, 4>, 0> Members(Values.size());
  for (unsigned N = 0; N < Values.size(); ++N)
    Members[N].push_back(N);
  for (unsigned N = 0; N < Values.size(); ++N) {
    auto *Phi = dyn_cast<PHINode>(Values[N]);
    if (!Phi)
      continue;
    for (Value *In : Phi->incoming_values()) {
      auto It = Number.find(dyn_cast<Instruction>(In));
      if (It == Number.end())
        continue;
      unsigned A = Classes.findLeader(N), B = Classes.findLeader(It->second);
      if (A == B || Members[A].size() * Members[B].size() > MaxPairs)
        continue;
      if (any_of(Members[A], [&](unsigned X) {
            return any_of(Members[B],
                          [&](unsigned Y) { return interfere(X, Y); });
          }))
        continue;
      unsigned Leader = Classes.join(A, B);
      unsigned Other = Leader == A ? B : A;
      Members[Leader].append(Members[Other]);
      Members[Other].clear();
    }
  }
  Classes.compress();
}

BasicBlock *Demoter::getBlockOnEdge(BasicBlock *From, BasicBlock *To) {
  BasicBlock *&Mid = EdgeBlocks[{From, To}];
  if (Mid)
    return Mid;
  Instruction *Term = From->getTerminator();
  for (unsigned S = 0; S < Term->getNumSuccessors(); ++S)
    if (Term->getSuccessor(S) == To) {
      Mid = SplitCriticalEdge(
          Term, S, CriticalEdgeSplittingOptions().setMergeIdenticalEdges());
      break;
    }
  return Mid;
}

void Demoter::storeIncoming(PHINode &Phi, AllocaInst *Slot) {
  for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K) {
    Value *V = Phi.getIncomingValue(K);
    if (isa<UndefValue>(V))
      continue; // whatever the slot holds will do
    auto It = Number.find(dyn_cast<Instruction>(V));
    if (It != Number.end() && Classes[It->second] == getClass(&Phi))
      continue;
    BasicBlock *Pred = Phi.getIncomingBlock(K);
    if (!Pred->getSingleSuccessor())
      Pred = getBlockOnEdge(Pred, Phi.getParent());
    Copies.push_back({V, Pred->getTerminator(), Slot});
  }
}

/// Uses of V in other blocks, and by phis that stay, read the slot: one load at
/// the start of each block.
void Demoter::loadUses(Instruction &V, AllocaInst *Slot) {
  DenseMap<BasicBlock *, LoadInst *> Loads;
  for (Use &U : make_early_inc_range(V.uses())) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<PHINode>(I))
      continue; // a phi of floating-point type: about to go
    BasicBlock *BB = I->getParent();
    if (BB == V.getParent() && !isa<PHINode>(V))
      continue;
    LoadInst *&Load = Loads[BB];
    if (!Load) {
      IRBuilder<> B(BB, BB->getFirstInsertionPt());
      Load = B.CreateLoad(V.getType(), Slot, V.getName());
    }
    U.set(Load);
  }
}

void Demoter::rewrite() {
  SmallVector<AllocaInst *, 16> Slots(Classes.getNumClasses());
  for (Instruction *V : Values) {
    AllocaInst *&Slot = Slots[getClass(V)];
    if (!Slot)
      Slot = createSlot(F, V->getType(), "scalar", "slot");
  }
  // All copies first, while they name the original values.
  for (Instruction *V : Values) {
    AllocaInst *Slot = Slots[getClass(V)];
    if (auto *Phi = dyn_cast<PHINode>(V))
      storeIncoming(*Phi, Slot);
    else
      Copies.push_back({V, &*std::next(V->getIterator()), Slot});
  }
  for (const Copy &C : Copies)
    new StoreInst(C.V, C.Slot, C.Before->getIterator());
  for (Instruction *V : Values)
    loadUses(*V, Slots[getClass(V)]);
  for (Instruction *V : Values)
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      Phi->replaceAllUsesWith(PoisonValue::get(Phi->getType()));
      Phi->eraseFromParent();
    }
}

bool Demoter::run() {
  collect();
  if (Values.empty())
    return false;
  coalesce();
  rewrite();
  return true;
}

PreservedAnalyses DemotePass::run(Function &F, FunctionAnalysisManager &FAM) {
  return Demoter(F).run() ? PreservedAnalyses::none()
                          : PreservedAnalyses::all();
}
