//===- Prepare/Passes.h - The passes of the canonicalisation ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass is a function pass that can run alone (opt -passes=pardiff-...),
// keeps the meaning of the function bit for bit, and does nothing where its
// conditions do not hold. What each does and when stands at the head of its
// file.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_PREPARE_PASSES_H
#define PARDIFF_PREPARE_PASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class FreezeInst;
class Instruction;
class IRBuilderBase;
class Type;
class Value;
} // namespace llvm

namespace pardiff {

/// opt -passes=NAME, the class, in the order of the pipeline.
#define PARDIFF_PREPARE_PASSES(X)                                              \
  X("pardiff-drop-markers", DropMarkersPass)                                   \
  X("pardiff-note-integers", NoteIntegersPass)                                 \
  X("pardiff-math-no-errno", MathNoErrnoPass)                                  \
  X("pardiff-lower-math", LowerMathPass)                                       \
  X("pardiff-widen-indices", WidenIndicesPass)                                 \
  X("pardiff-mark-allocations", MarkAllocationsPass)                           \
  X("pardiff-drop-no-return", DropNoReturnPass)                                \
  X("pardiff-hoist-allocations", HoistAllocationsPass)                         \
  X("pardiff-expand-mem-intrinsics", ExpandMemIntrinsicsPass)                  \
  X("pardiff-float-bits", FloatBitsPass)                                       \
  X("pardiff-retype-copies", RetypeCopiesPass)                                 \
  X("pardiff-hoist-descriptors", HoistDescriptorsPass)                         \
  X("pardiff-pointer-walks", PointerWalksPass)                                 \
  X("pardiff-contiguous-arrays", ContiguousArraysPass)                         \
  X("pardiff-drop-max-zero", DropMaxZeroPass)                                  \
  X("pardiff-assume-nuw", AssumeNuwPass)                                       \
  X("pardiff-unroll-swap", UnrollSwapPass)                                     \
  X("pardiff-outline-loops", OutlineLoopsPass)                                 \
  X("pardiff-opaque-trip", OpaqueTripPass)                                     \
  X("pardiff-if-convert", IfConvertPass)                                       \
  X("pardiff-unlag-phis", UnlagPhisPass)                                       \
  X("pardiff-guard-accesses", GuardAccessesPass)                               \
  X("pardiff-prefer-sext", PreferSextPass)                                     \
  X("pardiff-widen-compares", WidenComparesPass)                               \
  X("pardiff-hoist-invariants", HoistInvariantsPass)                           \
  X("pardiff-opaque-params", OpaqueParamsPass)                                 \
  X("pardiff-opaque-strides", OpaqueStridesPass)                               \
  X("pardiff-shape", ShapePass)                                                \
  X("pardiff-demote", DemotePass)

#define PARDIFF_DECLARE_PASS(Name, Class)                                      \
  class Class : public llvm::PassInfoMixin<Class> {                            \
  public:                                                                      \
    llvm::PreservedAnalyses run(llvm::Function &F,                             \
                                llvm::FunctionAnalysisManager &FAM);           \
    static bool isRequired() { return true; }                                  \
  };
PARDIFF_PREPARE_PASSES(PARDIFF_DECLARE_PASS)
#undef PARDIFF_DECLARE_PASS

/// A slot (Prepare.h) at the front of the entry block. Kind: "scalar", "arg"
/// (then ArgNo is the parameter) or "result".
llvm::AllocaInst *createSlot(llvm::Function &F, llvm::Type *Ty,
                             llvm::StringRef Kind, const llvm::Twine &Name,
                             int ArgNo = -1);

/// Calls @pardiff.require(Cond) where B stands, which is in the entry block.
void createRequire(llvm::IRBuilderBase &B, llvm::Value *Cond);

/// Metadata of an instruction of the entry block whose value is a parameter of
/// the nest, whatever it is computed from.
inline constexpr llvm::StringLiteral ParamMetadata = "pardiff.param";

/// V as an opaque value: no expression is looked through it.
llvm::Value *createParam(llvm::IRBuilderBase &B, llvm::Value *V,
                         const llvm::Twine &Name);

/// P as the address of an access that only happens where Cond does (Prepare.h).
llvm::Value *createWhere(llvm::IRBuilderBase &B, llvm::Value *P,
                         llvm::Value *Cond);

/// Makes sums that counters are multiplied with opaque, as the pass
/// pardiff-opaque-strides does; returns the opaque values.
llvm::SmallVector<llvm::FreezeInst *, 4>
makeStridesOpaque(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// A value that exists in the entry block: an argument, a constant or an
/// instruction of that block.
bool isInEntryBlock(const llvm::Value *V);

/// True if V can be computed in the entry block by arithmetic that does no harm
/// there. Adds the instructions that have to move for it, operands first.
bool collectChain(llvm::Value *V,
                  llvm::SmallVectorImpl<llvm::Instruction *> &Chain);

/// Moves the instructions of a chain to the end of the entry block.
void moveToEntry(llvm::Function &F, llvm::ArrayRef<llvm::Instruction *> Chain);

} // namespace pardiff

#endif // PARDIFF_PREPARE_PASSES_H
