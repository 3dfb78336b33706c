//===- Flow/ReverseSweep.h - The state of a reverse sweep -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_REVERSESWEEP_H
#define PARDIFF_FLOW_REVERSESWEEP_H

#include "Body/GatedAdjoint.h"
#include "Flow/Flow.h"
#include "Flow/MemoryTypes.h"
#include "Flow/Pointers.h"
#include "Flow/Records.h"
#include "Support/Library.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

class ReverseSweep {
public:
  ReverseSweep(const FlowRequest &R, llvm::FunctionAnalysisManager &FAM);
  llvm::Expected<FlowResult> run();

private:
  // ReverseSweep.cpp: control flow.
  llvm::Error createBlocks();
  llvm::Error reverseBlock(llvm::BasicBlock &BB);
  llvm::Error reverseEdges(llvm::BasicBlock &BB);
  llvm::Error emitEdge(llvm::BasicBlock &Pred, llvm::BasicBlock &BB,
                       llvm::BasicBlock &Edge,
                       llvm::ArrayRef<std::pair<llvm::PHINode *, Lanes>> Phis);
  llvm::AllocaInst *getCounter(const llvm::Loop *L);
  void countIterations(const llvm::Loop *L);
  void findLastBlocks();
  void setCommonEnds();
  void findTrips();

  // Kept.cpp: values of the forward sweep, in the reverse sweep.
  bool isAvailable(const llvm::Value *V) const;
  /// V at B: itself, or a placeholder.
  llvm::Value *getValue(llvm::Value *V);
  bool canCompute(llvm::Instruction &I,
                  llvm::SmallVectorImpl<llvm::Value *> &From);
  uint64_t getWeight(const llvm::Value &V) const;
  void chooseKept();
  llvm::Value *emitAgain(llvm::Instruction &I);
  llvm::Value *findAgain(llvm::Value *V);
  /// Puts values in the place of all placeholders. Primal may be one.
  void fillPlaceholders(llvm::Value *&Primal);

  // Values.cpp: shadows of pointers, and what makes values easy to find again.
  llvm::Value *getShadow(llvm::Value *P);
  llvm::Value *getForwardShadow(llvm::Value *P);
  llvm::Value *mirror(llvm::CallBase &Call, llvm::IRBuilder<> &At);
  bool isInduction(const llvm::PHINode &Phi) const;
  llvm::Value *getInduction(llvm::PHINode &Phi, llvm::Value *Start);
  bool mayWrite(const llvm::Instruction &I, const llvm::Value *P) const;
  void findReloadable();
  bool isReloadable(llvm::LoadInst &L) const;
  llvm::Error mirrorPointers();
  llvm::Error mirrorCall(llvm::CallBase &I);
  /// A copy or fill of memory that concerns shadows.
  struct Transfer {
    llvm::Value *Dest, *Source, *Length; ///< Source: null for a fill
    bool ToShadow, FromShadow;
    bool IsFill = false; ///< and nothing but the shadow is unknown
    std::optional<MemoryLayout> Layout;
  };
  std::optional<Transfer> getTransfer(llvm::CallBase &I);

  // Adjoints.cpp: one instruction at a time.
  void findActive();
  bool isVaried(const llvm::Instruction &I) const;
  bool mayReadShadowed(const llvm::CallBase &Call) const;
  bool isActive(const llvm::Value *V) const { return Active.contains(V); }
  llvm::AllocaInst *getAdjoint(llvm::Value *V);
  void findLocal();
  llvm::Value *takeAdjoint(llvm::Value *V);
  GatedAdjoint takeGated(llvm::Value *V);
  void addAdjoint(llvm::Value *V, llvm::Value *Contribution);
  void addGated(llvm::Value *V, const GatedAdjoint &Contribution);
  llvm::Error reverseInLanes(llvm::Instruction &I);
  llvm::Error reverseInstruction(llvm::Instruction &I);
  llvm::Error reverseLoad(llvm::LoadInst &I);
  void emitWhereShadowed(llvm::Value *P, llvm::Value *Shadow, bool IsActive,
                         llvm::function_ref<void()> Emit);
  llvm::Error reverseStore(llvm::StoreInst &I);
  llvm::Error reverseUpdate(llvm::AtomicRMWInst &I);
  llvm::Error reverseCall(llvm::CallBase &I);
  llvm::Error reverseInput(llvm::CallBase &I, const InputFunction &Input);
  void reversePair(const PairedCall &P);
  llvm::Error reverseTransfer(llvm::CallInst &I);
  llvm::Error reverseByRule(llvm::Instruction &I);
  llvm::Error reverseVector(llvm::Instruction &I);

  const FlowRequest &R;
  llvm::Function &F;

  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  llvm::AAResults &AA;
  PointerAnalysis Pointers;
  MemoryTypes Types;
  Records Tape;
  llvm::IRBuilder<> B; ///< where the reverse sweep is being emitted

  llvm::SmallVector<llvm::BasicBlock *, 16> Blocks; ///< of the forward sweep
  BlockPairs Reverse;
  llvm::BasicBlock *Exit = nullptr; ///< end of the reverse sweep
  llvm::SmallPtrSet<const llvm::Value *, 32> Active;
  /// Of a value in a lane.
  using LaneValue = std::pair<llvm::Value *, unsigned>;
  unsigned Lane = 0; ///< in which shadows and adjoints are looked up
  /// Does Emit in each lane.
  void forEachLane(llvm::function_ref<void()> Emit) {
    for (Lane = 0; Lane != R.Width; ++Lane)
      Emit();
    Lane = 0;
  }
  llvm::DenseMap<LaneValue, llvm::AllocaInst *> Adjoints;
  /// Values that are used in their own block only, so that nothing of their
  /// adjoints is left at its ends, and these adjoints at the place of B.
  llvm::SmallPtrSet<const llvm::Value *, 32> Local;
  llvm::DenseMap<LaneValue, GatedAdjoint> LocalAdjoints;
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> Cells;
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> Counters;
  llvm::SmallVector<std::pair<const llvm::Loop *, llvm::BasicBlock *>, 4>
      LastBlocks;
  llvm::DenseMap<LaneValue, llvm::Value *> ForwardShadows;
  llvm::SmallPtrSet<const llvm::LoadInst *, 16> Reloadable;
  /// What stands for values of the forward sweep until all are known that are
  /// needed.
  llvm::MapVector<llvm::FreezeInst *, llvm::Value *> Placeholders;
  llvm::SmallPtrSet<const llvm::Value *, 32> Kept; ///< in cells
  /// Loads of shadows of pointers, and the loads of the pointers themselves.
  llvm::DenseMap<llvm::LoadInst *, llvm::LoadInst *> ShadowLoads;
  /// Values at the place of B, in the block that is being reversed.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Here;
  llvm::DenseMap<LaneValue, llvm::Value *> HereShadow;
  llvm::Instruction *Place = nullptr; ///< end of that block, for now
  /// What the blocks held before anything was added.
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<llvm::Instruction *, 16>>
      Original;
  llvm::Value *Arena = nullptr;     ///< for frames; null if there are none
  llvm::BranchInst *Turn = nullptr; ///< the jump into the reverse sweep
  llvm::SmallVector<llvm::Instruction *, 4> Erased; ///< at the end
  /// Calls of pairs, by the instructions that belong to them.
  llvm::DenseMap<const llvm::Value *, const PairedCall *> Paired;
};

} // namespace pardiff

#endif // PARDIFF_FLOW_REVERSESWEEP_H
