//===- Nest/Gather.h - Loads whose subscript is read from memory *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly does not model x[at[i]]. Where a function has such loads of
// floating-point values, they are hidden from it: each becomes a call
//
//   v = pardiff.gather.<type>(address of x, distance in bytes)
//
// of a function that is said to access no memory, with all that its distance is
// computed from in front of it, in its block. That is only right where nobody
// writes to x and at: the reader of the model checks it, and where it is not so
// the loads are put back.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_GATHER_H
#define PARDIFF_NEST_GATHER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

/// Hides the gathers and scattered sums in the blocks other than entry and
/// Exit. True if there are any.
bool hideGathers(llvm::Function &F, const llvm::BasicBlock &Exit,
                 llvm::FunctionAnalysisManager &FAM);

/// Computes arguments of calls in F, as far as they depend on loads of indices
/// elsewhere, in the blocks of the calls. Only right where nobody writes to
/// these indices. Moved sees each such argument, and what took its place.
void moveIndices(
    llvm::Function &F, llvm::ArrayRef<llvm::Use *> Arguments,
    llvm::FunctionAnalysisManager &FAM,
    llvm::function_ref<void(llvm::BasicBlock &, llvm::Value *, llvm::Value *)>
        Moved);

/// The sum of the offsets from Base to Ptr; null if there is something else
/// than address arithmetic between.
llvm::Value *emitDistance(llvm::Value *Ptr, const llvm::Value *Base,
                          llvm::IRBuilder<> &B, const llvm::DataLayout &DL);

/// Puts the loads and sums back.
void restoreGathers(llvm::Function &F);

/// Erases declarations that are not used any more, of @pardiff.where as well.
void dropGatherDeclarations(llvm::Module &M);

bool isGather(const llvm::Instruction &I);
/// A value that is added to the element that the first two operands tell, as
/// for a gather; the next instruction stores it to a place of no importance.
bool isScatter(const llvm::Instruction &I);
inline llvm::Value *getScatteredValue(const llvm::CallInst &Scatter) {
  return Scatter.getArgOperand(2);
}
inline llvm::Value *getGatherBase(const llvm::CallInst &Gather) {
  return Gather.getArgOperand(0);
}
inline llvm::Value *getGatherDistance(const llvm::CallInst &Gather) {
  return Gather.getArgOperand(1);
}

/// The loads that the distance is computed from.
llvm::SmallVector<llvm::LoadInst *, 2> getIndexLoads(llvm::CallInst &Gather);

} // namespace pardiff

#endif // PARDIFF_NEST_GATHER_H
