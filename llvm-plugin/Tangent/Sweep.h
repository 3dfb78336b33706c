//===- Tangent/Sweep.h - The state of a forward mode sweep ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this component.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TANGENT_SWEEP_H
#define PARDIFF_TANGENT_SWEEP_H

#include "Flow/MemoryTypes.h"
#include "Flow/Pointers.h"
#include "Support/Library.h"
#include "Tangent/Tangent.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace pardiff {

class TangentSweep {
public:
  TangentSweep(const TangentRequest &R, TangentScopes &Scopes);
  llvm::Expected<Lanes> run();

private:
  // Sweep.cpp: values.
  void findActive();
  bool isActive(const llvm::Value *V) const { return Active.contains(V); }
  /// True if V is floating point that depends on an active argument, or a
  /// pointer to memory with a shadow.
  bool carries(const llvm::Value *V) const;
  /// The tangent of V in one lane; zero (null) if it carries none.
  llvm::Value *get(llvm::Value *V, unsigned Lane);
  /// Sets the tangents of V to what Emit makes for each lane.
  void define(llvm::Value &V,
              llvm::function_ref<llvm::Value *(unsigned Lane)> Emit);
  void createPhi(llvm::PHINode &Phi);
  void completePhis();
  llvm::Error emit(llvm::Instruction &I);
  llvm::Error emitValue(llvm::Instruction &I);
  llvm::Error emitByRule(llvm::Instruction &I);
  llvm::Value *emitSame(llvm::Instruction &I, unsigned Lane);

  // Disjoint.cpp: what aliases what.
  void findDisjoint();
  void copyScopes(const llvm::Instruction &From, const llvm::Value *Pointer,
                  llvm::Instruction &To);
  void declareDisjoint(llvm::ArrayRef<llvm::Instruction *> Primal);

  // Memory.cpp: memory and calls.
  bool isMaybe(const llvm::Value *P) const {
    return Pointers.getKind(P) == PointerKind::Maybe;
  }
  llvm::Value *orPrimal(llvm::Value *Shadow, llvm::Value *P,
                        llvm::Value *&IsNull);
  void emitAlloca(llvm::AllocaInst &I);
  void emitLoad(llvm::LoadInst &I);
  void emitGEP(llvm::GetElementPtrInst &I);
  llvm::Error emitStore(llvm::StoreInst &I);
  llvm::Error emitUpdate(llvm::AtomicRMWInst &I);
  llvm::Error emitTransfer(llvm::MemIntrinsic &I);
  llvm::Error emitFree(llvm::CallBase &I, llvm::Value *P);
  llvm::Error emitCall(llvm::CallBase &I);
  llvm::Error emitDerived(const TangentCall &Call);
  llvm::Error checkUnknown(llvm::CallBase &I);
  llvm::Error emitInput(llvm::CallBase &I, const InputFunction &Input);

  const TangentRequest &R;
  llvm::Function &F;
  FlowRequest Flow; ///< what the analyses of the flow engine read
  PointerAnalysis Pointers;
  MemoryTypes Types;
  llvm::IRBuilder<> B;
  llvm::SmallPtrSet<const llvm::Value *, 32> Active;
  llvm::DenseMap<const llvm::Value *, Lanes> Tangents;
  llvm::SmallVector<llvm::PHINode *, 16> Phis; ///< in the order of the sweep
  llvm::DenseMap<const llvm::Value *, const TangentCall *> Derived;
  /// Loads and stores of shadows that are there, with their lanes.
  llvm::SmallVector<std::pair<llvm::Instruction *, unsigned>, 32> Accesses;
  TangentScopes &Scopes;
};

} // namespace pardiff

#endif // PARDIFF_TANGENT_SWEEP_H
