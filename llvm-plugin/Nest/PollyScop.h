//===- Nest/PollyScop.h - Polly's view of a function's body -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs Polly's detection and modelling on one region that the caller names, the
// whole body of a prepared function, and turns what Polly objects to into a
// refusal.
//
// Polly changes the RegionInfo that it is given and its objects point into one
// another, so all of them are private to this object and die with it. Nothing
// of Polly's is registered with the analysis manager.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_POLLYSCOP_H
#define PARDIFF_NEST_POLLYSCOP_H

#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace pardiff {

/// Alias analysis for Polly: different base pointers never alias. The condition
/// of the nest (Conditions::MayAlias) makes that true, so Polly need not build
/// checks of its own, which have a hole (two pointers loaded from one object
/// are taken to be disjoint) and limits on their number.
class DisjointBasesAA : public llvm::AAResultBase {
public:
  llvm::AliasResult alias(const llvm::MemoryLocation &A,
                          const llvm::MemoryLocation &B, llvm::AAQueryInfo &,
                          const llvm::Instruction *) {
    return A.Ptr == B.Ptr ? llvm::AliasResult::MayAlias
                          : llvm::AliasResult::NoAlias;
  }
  llvm::MemoryEffects getMemoryEffects(const llvm::CallBase *Call,
                                       llvm::AAQueryInfo &) {
    return Call->getMemoryEffects();
  }
  llvm::MemoryEffects getMemoryEffects(const llvm::Function *F) {
    return F->getMemoryEffects();
  }
};

class PollyScop {
public:
  /// Models the blocks from Body up to, not including, Exit. Every edge into
  /// the region leads to Body, every edge out of it to Exit.
  static llvm::Expected<std::unique_ptr<PollyScop>>
  build(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
        llvm::BasicBlock &Body, llvm::BasicBlock &Exit);

  /// Null if the region has no effect that Polly models.
  polly::Scop *getScop() const { return S; }

  /// True if every assumption in the Scop's AssumedContext is that subscripts
  /// stay within inner dimensions.
  bool assumesOnlyBounds() const { return OnlyBounds; }

private:
  PollyScop(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  llvm::Region *addRegion(llvm::BasicBlock &Body, llvm::BasicBlock &Exit,
                          llvm::DominatorTree &DT);

  DisjointBasesAA Disjoint;
  llvm::AAResults AA;
  llvm::RegionInfo RI;
  std::unique_ptr<polly::ScopDetection> SD;
  std::unique_ptr<polly::ScopInfo> Info;
  polly::Scop *S = nullptr;
  bool OnlyBounds = false;
};

} // namespace pardiff

#endif // PARDIFF_NEST_POLLYSCOP_H
