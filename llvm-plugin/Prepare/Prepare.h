//===- Prepare/Prepare.h - Bring a function into the form that the nest engine
// reads -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on a clone; the primal itself is never changed. Afterwards the function
// is
//
//   entry:  allocas, allocations, descriptor loads, integer and pointer
//   arithmetic,
//           calls of @pardiff.require(i1), stores of by-value floating-point
//           arguments into their slots;       br label %guard
//   guard:  nothing but                       br i1 true, label %body, label
//   %exit body:   everything else; every way out of it is an edge to exit exit:
//   load of the slot of the result, frees, ret
//
// guard -> exit is one non-trivial region, whatever the body is: a single
// block, several nests in sequence. (The entry block of a function can never be
// in a Scop.) A constant condition is a valid branch for Polly and adds no
// parameter, so the domains are as if the guard were not there.
// getPreparedShape finds the four blocks; whoever is done with Polly replaces
// the guard's branch by `br label %body`.
//
// A slot is an alloca of one value in the entry block, mostly floating point;
// its metadata !pardiff.slot tells what it is:
//   !{!"scalar"}            a demoted scalar
//   !{!"arg", i32 N}        parameter N by value, stored in the entry block
//   !{!"result"}            the value returned, loaded in the exit block
// No floating-point SSA value crosses from one block to another inside the
// body, and none comes in from the entry block or leaves to the exit block.
//
// @pardiff.require(i1): a precondition that a pass relied on; the condition of
// the nest includes it. The calls are erased by whoever builds the condition.
//
// @pardiff.where(ptr P, i1 C): P. A load or store of this address only happens
// where C holds; where it does not, the loaded value is any value. The memory
// there may be out of bounds or constant. Whoever reads the function must take
// the calls away and keep what they say (Nest/Guard.h).
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_PREPARE_PREPARE_H
#define PARDIFF_PREPARE_PREPARE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace llvm {
class PassBuilder;
}

namespace pardiff {

inline constexpr llvm::StringLiteral SlotMetadata = "pardiff.slot";
inline constexpr llvm::StringLiteral RequireName = "pardiff.require";
inline constexpr llvm::StringLiteral WhereName = "pardiff.where";
inline constexpr llvm::StringLiteral ZerosName = "pardiff.zeros";

/// The blocks of a prepared function, see above.
struct PreparedShape {
  llvm::BasicBlock *Entry = nullptr;
  llvm::BasicBlock *Guard = nullptr;
  llvm::BasicBlock *Body = nullptr; ///< first block of the body
  llvm::BasicBlock *Exit = nullptr;
};

/// Nothing if F is not in prepared form.
std::optional<PreparedShape> getPreparedShape(llvm::Function &F);

/// A pointer that is only loaded through where something holds is
///   select i1 %c, ptr %p, ptr @pardiff.zeros
/// in the entry block. Returns %p, or null for all else.
llvm::Value *getGuardedPointer(llvm::Value *V);

/// The object behind a pointer of a prepared function, seen through address
/// arithmetic, through loads of pointers from memory, and through guards.
llvm::Value *getRootObject(llvm::Value *V);

/// True for a call of @pardiff.where.
bool isWhere(const llvm::Value &V);

/// True for a call of @pardiff.require.
bool isRequire(const llvm::Instruction &I);

/// Clones F, with everything that can be inlined inlined, as an internal
/// function "pardiff.primal.<name>" of the same type without optnone and
/// noinline, and brings it into the form above.
llvm::Expected<llvm::Function *> prepareClone(llvm::Function &F,
                                              llvm::ModuleAnalysisManager &MAM);

/// The same clone with variables in registers, but in no particular form: what
/// the flow engine begins with.
llvm::Expected<llvm::Function *> promoteClone(llvm::Function &F,
                                              llvm::ModuleAnalysisManager &MAM);

/// The canonicalisation alone, in place. Adds the passes to a pipeline.
llvm::Error prepareInPlace(llvm::Function &F, llvm::ModuleAnalysisManager &MAM);

/// Makes every pass of this component available to opt -passes=.
void registerPreparePasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_PREPARE_PREPARE_H
