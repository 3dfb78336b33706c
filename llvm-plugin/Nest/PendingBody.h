//===- Nest/PendingBody.h - A body that is being written --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nest's parameters, a body's last arguments, are only known when all
// statements have been read. Until then a body is a block with arguments that
// belong to no function.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_PENDINGBODY_H
#define PARDIFF_NEST_PENDINGBODY_H

#include "Nest/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/BasicBlock.h"
#include <memory>
#include <vector>

namespace pardiff {

class PendingBody {
public:
  explicit PendingBody(llvm::LLVMContext &C);
  ~PendingBody();
  PendingBody(const PendingBody &) = delete;
  PendingBody &operator=(const PendingBody &) = delete;

  llvm::Argument *addArgument(llvm::SmallVectorImpl<llvm::Argument *> &Group,
                              llvm::Type *Ty);
  llvm::Argument *getParam(unsigned Index, llvm::Type *Ty);

  /// Index of a guard with this value; negative if it holds always.
  int addGuard(llvm::Value *V);

  /// Makes the function. To be called once.
  llvm::Function *finish(Nest &N, llvm::StringRef Name);

  /// Makes the body of S, which has the accesses already, and their guards. To
  /// be called once.
  void finish(Nest &N, Statement &S);

  llvm::BasicBlock *BB;
  llvm::SmallVector<llvm::Argument *, 8> Reads, Iterators;
  llvm::SmallVector<llvm::Value *, 4> Results;
  llvm::SmallVector<llvm::Value *, 2> Guards;
  /// Guards of the statement's reads and writes; negative: none.
  llvm::SmallVector<int, 8> ReadGuards, WriteGuards;

private:
  std::vector<std::unique_ptr<llvm::Argument>> Owned;
  llvm::DenseMap<unsigned, llvm::Argument *> Params;
};

} // namespace pardiff

#endif // PARDIFF_NEST_PENDINGBODY_H
