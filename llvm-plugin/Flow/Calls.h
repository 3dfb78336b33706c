//===- Flow/Calls.h - Calls of derived functions ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that is not inlined runs as two functions: the forward sweep calls the
// first and keeps the frame that it returns, the reverse sweep calls the second
// with it.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_CALLS_H
#define PARDIFF_FLOW_CALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// One value for each direction or seed of a derivative.
using Lanes = llvm::SmallVector<llvm::Value *, 1>;

/// The two halves of the derivative of a function T f(args):
///
///   { ptr frame, T result, ptr shadow of the result }
///       forward(args, shadow of each pointer among args, ptr arena)
///   { adjoint of each argument that holds floating-point values }
///       reverse(ptr frame, adjoint of the result)
///
/// In a pair of width W there are W of each shadow and each adjoint, behind
/// each other. Without a result, a pointer result, a result with floating-point
/// values or such arguments the fields and parameters for them are absent. The
/// shadow of an inactive pointer is null. The frame lies in the arena
/// (Frames.h), which has to be there until reverse has run.
struct FlowPair {
  llvm::Function *Forward = nullptr;
  llvm::Function *Reverse = nullptr;
};

/// The result type of a pair's forward half, and that of its reverse half (void
/// or a struct).
llvm::StructType *getForwardResult(llvm::FunctionType &Primal, unsigned Width);
llvm::Type *getReverseResult(llvm::FunctionType &Primal, unsigned Width);

/// Where pairs come from.
class PairProvider {
public:
  virtual ~PairProvider() = default;
  /// The pair of a function with a definition. Its bodies may come later.
  virtual llvm::Expected<FlowPair> getPair(llvm::Function &Callee,
                                           const llvm::Instruction &At) = 0;
  /// True if Callee was a part of the function that calls it.
  virtual bool isPart(const llvm::Function &Callee) const = 0;
  /// The pair of whatever function of this type a pointer points to: both
  /// halves take the pointer in front of their other parameters.
  virtual llvm::Expected<FlowPair> getDispatch(llvm::FunctionType &Ty,
                                               const llvm::Instruction &At) = 0;
};

/// A call of a pair's forward half, in the forward sweep.
struct PairedCall {
  FlowPair Pair;
  llvm::CallBase *Call = nullptr;
  llvm::FunctionType *PrimalTy = nullptr;
  bool IsIndirect = false; ///< Call's first argument is the function
  /// A function that is called nowhere else and whose body is part of the
  /// caller, as it were; null for others.
  llvm::Function *Part = nullptr;
  llvm::Instruction *Frame = nullptr;
  llvm::Instruction *Result = nullptr; ///< null if there is none
  Lanes ResultShadows;                 ///< empty if it is no pointer

  /// The operand of Call that is the arena.
  unsigned getArena() const { return Call->arg_size() - 1; }
  /// The operand of Call that is the primal's argument I.
  unsigned getOperand(unsigned I) const { return I + IsIndirect; }
};

/// True for floating-point values and aggregates or vectors that hold some.
bool holdsFloats(const llvm::Type *Ty);

/// True for a call of an inactive library function, a mirrored one, and a
/// cast of pointers (Support/Library.h).
bool isInactiveCall(const llvm::CallBase &Call);
bool isMirroredCall(const llvm::CallBase &Call);
bool isPointerCastCall(const llvm::CallBase &Call);

/// Emits the same call with other arguments, unless one of them is a null
/// pointer: then its result is null.
llvm::Value *emitMirroredCall(llvm::CallBase &Call,
                              llvm::ArrayRef<llvm::Value *> Args,
                              llvm::IRBuilder<> &B);

/// Emits the shadow of the result of a cast of pointers: as far from Base, the
/// shadow of its argument, as the result is from the argument; null if one of
/// them is.
llvm::Value *emitCastShadow(llvm::CallBase &Call, llvm::Value *Base,
                            llvm::IRBuilder<> &B);

/// Emits a call of Derived in front of Old, an invoke if Old is one. B stands
/// afterwards where what it returns can be taken apart.
llvm::CallBase *emitDerivedCall(llvm::CallBase &Old, llvm::Function &Derived,
                                llvm::ArrayRef<llvm::Value *> Args,
                                llvm::IRBuilder<> &B);

/// A call of a function that has a derivative of its own: it is neither inlined
/// nor known to the engine.
struct DerivedCall {
  llvm::CallBase *Call = nullptr;
  llvm::Function *Callee = nullptr; ///< null: a call through a pointer
};

/// All such calls in F. Refuses signatures that have no derivative.
llvm::Expected<llvm::SmallVector<DerivedCall, 8>>
findDerivedCalls(llvm::Function &F);

/// Replaces each call in F that needs a pair by a call of its forward half. The
/// shadows and the arena that it passes are null until the reverse sweep is
/// built.
llvm::Expected<llvm::SmallVector<PairedCall, 4>>
pairCalls(llvm::Function &F, unsigned Width, PairProvider &Pairs);

} // namespace pardiff

#endif // PARDIFF_FLOW_CALLS_H
