//===- Nest/LoopArrays.h - Arrays that loops in bodies read -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that Prepare made an operation of (Support/LoopFunctions.h) may read
// arrays. Polly is told that it does not; that is only right where nobody
// writes to them, which the reader of the model checks, as for gathers.
//
// To a statement, what the loop reads of an array is one element of a view, a
// range: the subscript function of such a view (Nest/Program.h) returns two
// distances, of the first and of the last byte position that the loop reads an
// element at, the first one being the larger one if it reads none. It calls
//
//   { i64, i64 } NAME.range.<parameter>(arguments of the loop's function)
//
// the loop without all that the addresses in one array do not depend on. It may
// read arrays of its own (the columns of a sparse row, to find the elements of
// the vector): it must not run before it is known that nobody writes to these.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_LOOPARRAYS_H
#define PARDIFF_NEST_LOOPARRAYS_H

#include "Nest/Program.h"
#include "llvm/IR/PassManager.h"

namespace pardiff {

class AccessGuards;

/// Hides what the loops called in F read, and makes their range functions. True
/// if there are any.
bool hideLoops(llvm::Function &F, const llvm::BasicBlock &Exit,
               AccessGuards &Guards, llvm::FunctionAnalysisManager &FAM);

/// The range function of array Param; null if there is none: what the loop
/// reads of the array depends on floating-point values, or on elements that are
/// found by others of the same array.
llvm::Function *getLoopRange(const llvm::Function &Loop, unsigned Param);

/// True if the elements of a view are ranges.
inline bool isRange(const Array &A) {
  return A.View && A.View->Fn->getReturnType()->getStructNumElements() == 2;
}

/// How many other ranges must be known to be disjoint from what is written
/// before that of A can be looked at, one after the other; 0 if A is no range.
unsigned getRangeLevel(const Array &A);

} // namespace pardiff

#endif // PARDIFF_NEST_LOOPARRAYS_H
