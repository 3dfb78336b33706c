//===- Emit/Emit.h - From a program to loops in LLVM IR ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_EMIT_H
#define PARDIFF_EMIT_EMIT_H

#include "Emit/Cost.h"
#include "Nest/Program.h"
#include "Nest/Recover.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace llvm {
class PassBuilder;
}

namespace pardiff {

struct EmitOptions {
  bool Parallel = false; ///< emit marked loops with OpenMP
};

/// Emits programs of one nest into one function. Use: set Array::Base of every
/// array that is not allocated here, allocateArrays, then emitProgram for each
/// program, then finalize once.
class NestEmitter {
public:
  NestEmitter(Nest &N, llvm::Function &F, const EmitOptions &O);
  ~NestEmitter();

  /// The nest's condition as an i1 at B's insertion point: parameters in
  /// Cond.Valid, all requirements, pairs of ranges disjoint. Ranges come from
  /// P; Pairs may name shadows (their range is that of the primal array). No
  /// side effects.
  llvm::Expected<llvm::Value *>
  emitCondition(const Conditions &Cond, const Program &P, llvm::IRBuilder<> &B);

  /// Value of an isl expression over the parameters, as i64.
  llvm::Expected<llvm::Value *> emitExpr(const isl::pw_aff &E,
                                         llvm::IRBuilder<> &B);

  /// Allocates an array (a tape, the shadow of a local) at B's insertion point:
  /// on the stack if it has a small constant size, else with calloc / malloc,
  /// checked (stops with "pardiff: stopped: out of memory ..."). Zero: filled
  /// with zeros. Returns the number of bytes as i64; sets Base.
  llvm::Expected<llvm::Value *> allocate(Array &A, bool Zero,
                                         llvm::IRBuilder<> &B);
  /// Frees what allocate took from the heap.
  void free(Array &A, llvm::IRBuilder<> &B);

  /// Emits the loops of P (its Tree, or its Order if there is no tree) at B's
  /// insertion point; B points behind them afterwards. Cost: what they cost, if
  /// it is asked for, in formulas of getFormulas().
  llvm::Error emitProgram(const Program &P, llvm::IRBuilder<> &B,
                          SweepCost *Cost = nullptr);
  Formulas &getFormulas();

  /// Bases of arrays that were emitted before are different memory from here
  /// on: nothing is known of how the two lie to each other.
  void forgetBases();

  /// Outlines the parallel regions. Call once, after all programs.
  void finalize();

  struct Impl;

private:
  std::unique_ptr<Impl> I;
};

/// Emits a branch to a block that prints "pardiff: stopped: <Message>" on
/// stderr and aborts if Ok is false; B points to the block where it is true
/// afterwards.
void emitStopUnless(llvm::Value *Ok, llvm::StringRef Message,
                    llvm::IRBuilder<> &B);

/// opt -passes=pardiff-roundtrip: emits prepared functions again from their
/// models.
void registerEmitPasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_EMIT_EMIT_H
