//===- Prepare/Prepare.h - Bring a function into the form that the nest engine reads -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on a clone; the primal itself is never changed. Afterwards the function is
//
//   entry:  allocas, allocations, descriptor loads, integer and pointer arithmetic,
//           calls of @pardiff.require(i1), stores of by-value floating-point
//           arguments into their slots; branch to the body, never around it
//   body:   everything else, one region with one entering edge
//   exit:   loads of the slot of the result, frees, ret
//
// A slot is an alloca of one floating-point value in the entry block; its
// metadata !pardiff.slot tells what it is:
//   !{!"scalar"}            a demoted scalar
//   !{!"arg", i32 N}        parameter N by value, stored in the entry block
//   !{!"result"}            the value returned, loaded in the exit block
// No floating-point SSA value crosses from one block to another inside the body.
//
// @pardiff.require(i1): a precondition that a pass relied on; the condition of the
// nest includes it. The calls are erased by whoever builds the condition.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_PREPARE_PREPARE_H
#define PARDIFF_PREPARE_PREPARE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace llvm {
class PassBuilder;
}

namespace pardiff {

inline constexpr llvm::StringLiteral SlotMetadata = "pardiff.slot";
inline constexpr llvm::StringLiteral RequireName = "pardiff.require";

/// Clones F, with everything that can be inlined inlined, as an internal function
/// "pardiff.primal.<name>" of the same type without optnone and noinline, and brings
/// it into the form above.
llvm::Expected<llvm::Function *> prepareClone(llvm::Function &F,
                                              llvm::ModuleAnalysisManager &MAM);

/// The canonicalisation alone, in place. Adds the passes to a pipeline.
llvm::Error prepareInPlace(llvm::Function &F, llvm::ModuleAnalysisManager &MAM);

/// Makes every pass of this component available to opt -passes=.
void registerPreparePasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_PREPARE_PREPARE_H
