//===- Nest/BodyExtractor.h - Statements as pure functions ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the instructions of a basic block into a body: loads become arguments,
// stores become results, loop counters used as values become arithmetic on the
// arguments for iterators and parameters.
//
// In our model all reads of an instance happen before all its writes. A load
// behind a store of the same block therefore
//   - takes the stored value, if both always access the same element;
//   - is an ordinary read, if they never do;
//   - otherwise the domain is split into the instances where they do and the
//   rest, if both are one polyhedron;
//   - or else the body selects one of the two values by comparing the
//   addresses.
// Of several stores that always hit the same element only the last one is a
// write.
//
// An access under a condition (Nest/Guard.h) gets a guard. A store under a
// condition stores the new or the old value; what a load finds behind it is
// selected by its condition.
//
// A gather (Nest/Gather.h) is a read of a view (Program.h).
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_BODYEXTRACTOR_H
#define PARDIFF_NEST_BODYEXTRACTOR_H

#include "Nest/PendingBody.h"
#include "Nest/ScopReader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace pardiff {

class BodyExtractor {
public:
  /// Out has its Name and Domain; the rest is filled in.
  BodyExtractor(ScopReader &R, polly::ScopStmt &Stmt, Statement &Out,
                const isl::id &Id, const isl::set &PollyDomain,
                const isl::set &Valid);

  /// Returns a part of the domain if the computation is not the same on all of
  /// it; the statement is then to be read again for that part and for the rest.
  llvm::Expected<std::optional<isl::set>> extract();

  std::unique_ptr<PendingBody> takeBody() { return std::move(Body); }

private:
  /// What is known of the memory at a point of the block.
  struct Known {
    Array *Arr;
    isl::map Relation;
    llvm::Value *V;
    const llvm::SCEV *Ptr;
    bool Stored;
    llvm::Value *Guard; ///< V is not known where this is false; null: always
  };

  void markNeeded();
  bool isSynthesizable(llvm::Value *V) const;
  llvm::Error visit(llvm::Instruction &I);
  llvm::Error visitLoad(llvm::Instruction &I, polly::MemoryAccess &MA);
  llvm::Expected<llvm::Value *> getContent(const llvm::Instruction &I, Array *A,
                                           const isl::map &Relation,
                                           llvm::Value *Guard);
  bool meetsGuarded(const Array *A, const isl::map &Relation,
                    bool IsGuarded) const;
  llvm::Expected<llvm::Value *> getGuard(const llvm::Instruction &I);
  llvm::Error visitStore(llvm::StoreInst &SI, polly::MemoryAccess &MA);
  llvm::Error addScalarWrites();
  llvm::Expected<llvm::Value *> readScalar(polly::MemoryAccess &MA,
                                           llvm::Value *V);
  llvm::Expected<std::pair<Array *, isl::map>>
  getAccess(polly::MemoryAccess &MA);
  llvm::Error checkElement(const llvm::Instruction &I, polly::MemoryAccess &MA,
                           const Array &A) const;
  llvm::Value *addRead(Array *A, const isl::map &Relation,
                       llvm::Value *Guard = nullptr);
  void addWrite(Array *A, const isl::map &Relation, llvm::Value *V,
                llvm::Value *Guard = nullptr);
  const llvm::SCEV *getAddress(const llvm::Instruction &I) const;
  bool isSimple(const isl::set &Part) const;
  llvm::Value *emitEqual(const llvm::SCEV *P, const llvm::SCEV *Q);

  llvm::Expected<llvm::Value *> getValue(llvm::Value *V);
  llvm::Expected<llvm::Value *> getOutside(llvm::Value *V);
  llvm::Expected<llvm::Value *> clone(llvm::Instruction &I);
  llvm::Value *emit(const llvm::SCEV *S);
  llvm::Error visitGather(llvm::CallInst &Call);
  llvm::Error visitScatter(llvm::CallInst &Call);
  llvm::Error visitLoop(llvm::CallInst &Call);

  ScopReader &R;
  polly::ScopStmt &Stmt;
  Statement &Out;
  isl::id Id;
  isl::set PollyDomain, Valid;
  std::unique_ptr<PendingBody> Body;
  llvm::IRBuilder<> B;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Values;
  llvm::SmallPtrSet<llvm::Instruction *, 16> Needed;
  llvm::SmallVector<Known, 8> Memory;
  std::optional<isl::set> Split;
};

} // namespace pardiff

#endif // PARDIFF_NEST_BODYEXTRACTOR_H
