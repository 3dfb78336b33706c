//===- Emit/LoopGen.h - Loops and statements in LLVM IR ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_LOOPGEN_H
#define PARDIFF_EMIT_LOOPGEN_H

#include "Emit/Arrays.h"
#include "Emit/LoopAst.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

/// Puts everything behind B's insertion point into a block of its own, which is
/// returned; B points to the end of a block without terminator afterwards.
llvm::BasicBlock *openBlock(llvm::IRBuilder<> &B);
/// Moves B to the beginning of BB. Without this, B would take the debug
/// location of the instruction there, or none.
void setInsertPointKeepLoc(llvm::IRBuilder<> &B, llvm::BasicBlock *BB);
/// Ends the open block with a branch to Rest; B points to Rest's beginning.
void closeBlock(llvm::IRBuilder<> &B, llvm::BasicBlock *Rest);

/// For each array: the values of its extents behind the outermost.
using ExtentMap =
    llvm::DenseMap<const Array *, llvm::SmallVector<llvm::Value *, 4>>;

/// Emits the nodes of a LoopAst. B always points to the end of a block without
/// terminator ("open block").
class LoopGen {
public:
  LoopGen(llvm::IRBuilder<> &B, llvm::Function &F, const Nest &N,
          EmittedArrays &Arrays, const ExtentMap &Extents, unsigned NumVars);

  /// Emits a node that is marked parallel. Empty: as any other node.
  std::function<void(const AstNode &)> EmitParallel;
  /// Set while a parallel region is emitted: loops inside it are serial.
  bool InRegion = false;
  /// Number of loops around what is being emitted.
  unsigned Depth = 0;
  /// If set, calls become calls of this, with the values of their iterators.
  std::function<void(llvm::ArrayRef<llvm::Value *>)> EmitCall;
  /// Where the stack memory of what is emitted is allocated: in the entry
  /// block, or at the beginning of a region.
  llvm::IRBuilderBase::InsertPoint StackPoint;

  void emitNode(const AstNode &Node);
  llvm::Value *emitExpr(const AstExpr &E);
  /// How far behind the base of view A an element is; of a range, the first and
  /// the last.
  llvm::SmallVector<llvm::Value *, 4>
  emitDistance(const Array &A, llvm::ArrayRef<llvm::Value *> Index);
  void setVar(unsigned Var, llvm::Value *V) { Vars[Var] = V; }
  /// Emits the branches of an If; EmitChild emits what is inside.
  void emitIf(const AstNode &Node,
              llvm::function_ref<void(const AstNode &)> EmitChild);

private:
  llvm::IRBuilder<> &B;
  llvm::Function &F;
  const Nest &N;
  EmittedArrays &Arrays;
  const ExtentMap &Extents;
  std::vector<llvm::Value *> Vars;
  bool InRest = false;
  /// Of the statement that is emitted: what stands for elements of ranges, and
  /// the shadows of ranges that it accumulates into.
  llvm::SmallDenseMap<const llvm::Value *, const Array *> Ranges;
  llvm::SmallVector<const Array *, 4> RangeShadows;

  void emitFor(const AstNode &Node);
  void keepSmall(llvm::Instruction &BackEdge);
  void emitCall(const AstCall &Call);
  void emitLocals(llvm::ArrayRef<AstNode::Local> Locals);
  void emitAccumulate(const Array &A, llvm::Value *V, llvm::Value *Address);
  llvm::Value *emitElement(const Array &A, llvm::ArrayRef<AstExpr> Index);
  /// Values of guards, for one instance.
  using GuardValues =
      llvm::SmallDenseMap<const llvm::Function *, llvm::Value *>;
  llvm::Value *emitGuard(llvm::Function &Guard,
                         llvm::ArrayRef<llvm::Value *> Reads,
                         llvm::ArrayRef<llvm::Value *> Others,
                         GuardValues &Known);
  llvm::BasicBlock *openGuard(llvm::Value *Holds);
  llvm::SmallVector<llvm::Value *, 4>
  emitBody(llvm::Function &Body, llvm::ArrayRef<llvm::Value *> Args);
  void emitLoop(llvm::CallInst &Model);
  void emitWrite(const Access &W, llvm::ArrayRef<AstExpr> Index,
                 llvm::Value *V);
  llvm::Value *emitLoad(const Array &A, llvm::Value *Address);
  void emitStore(const Array &A, llvm::Value *V, llvm::Value *Address);
  llvm::DebugLoc getLoc(const Statement &S) const;
};

} // namespace pardiff

#endif // PARDIFF_EMIT_LOOPGEN_H
