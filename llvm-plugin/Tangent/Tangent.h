//===- Tangent/Tangent.h - Forward mode over any control flow ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forward mode keeps the function as it is: beside each value stands its
// tangent, beside each pointer the pointer to the shadow of its memory, whose
// contents are the tangents of what the memory holds. No tape, no change of the
// control flow. What has tangents is decided by the flow engine's analyses, the
// tangents of operations come from the rule table.
//
// A request of width W has W tangents of each value, and W shadows of each
// memory: lanes, which know nothing of each other.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TANGENT_TANGENT_H
#define PARDIFF_TANGENT_TANGENT_H

#include "Flow/Calls.h"
#include "Tangent/Disjoint.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// A call of a derived function. Its result is a struct of the primal's result
/// (if it has one) and the lanes of its tangent (if it can have one).
struct TangentCall {
  llvm::CallBase *Call = nullptr;
  llvm::FunctionType *PrimalTy = nullptr;
  bool IsIndirect = false; ///< Call's first argument is the function
  llvm::Instruction *Result = nullptr; ///< null if there is none
  Lanes ResultTangents;                ///< empty if there is none
};

/// True for types of parameters and results that can have a tangent: what
/// holds floating-point values, and pointers.
bool canHaveTangent(const llvm::Type *Ty);

/// The type of the function that derives a function of type Primal: its
/// parameters, then the lanes of each that can have a tangent. IsIndirect: with
/// the function itself in front.
llvm::FunctionType *getTangentType(llvm::FunctionType &Primal, unsigned Width,
                                   bool IsIndirect);

/// Where derived functions come from. Their bodies may come later.
class TangentProvider {
public:
  virtual ~TangentProvider() = default;
  virtual llvm::Expected<llvm::Function *>
  getTangent(llvm::Function &Callee, const llvm::Instruction &At) = 0;
  /// Of whatever function of this type a pointer points to.
  virtual llvm::Expected<llvm::Function *>
  getDispatch(llvm::FunctionType &Ty, const llvm::Instruction &At) = 0;
};

/// Brings a promoted clone into the form that the sweep reads: one return.
void prepareTangents(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces each call in F of a function that has a derivative of its own by a
/// call of that derivative. The tangents passed are zero until the sweep.
llvm::Expected<llvm::SmallVector<TangentCall, 4>>
deriveCalls(llvm::Function &F, unsigned Width, TangentProvider &Provider);

/// What the sweep is told of a function.
struct TangentRequest {
  llvm::Function *F = nullptr;
  unsigned Width = 1;
  /// For each parameter of the primal its tangents; empty: it has none.
  llvm::SmallVector<Lanes, 8> Params;
  /// Shadows of parameters may be null: then the memory has none.
  bool MayBeNull = false;
  /// For each parameter what the primal does to the memory it points to; empty:
  /// not known.
  llvm::SmallVector<PointerEffect, 8> Effects;
  llvm::Value *Returned = nullptr; ///< what the primal returns
  llvm::SmallVector<TangentCall, 4> Calls;
};

/// What is known of the tangents' accesses if no two arguments that are
/// different memory have the same shadow.
struct TangentScopes {
  struct Access {
    llvm::Instruction *I;
    llvm::MDNode *Scope, *NoAlias; ///< null: there are none
  };
  llvm::SmallVector<Access, 32> Accesses;
  /// Parameters whose shadows must not be the same: one of them is written.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 16> Apart;
  bool IsOfUse = false;
};

/// Adds the tangents. Returns those of Returned, available where F returns;
/// empty if it returns nothing.
llvm::Expected<Lanes> emitTangents(const TangentRequest &R,
                                   TangentScopes &Scopes);

/// Adds Scopes to the completed function. Where they do not hold, a copy
/// without them runs.
void addScopes(const TangentRequest &R, const TangentScopes &Scopes);

} // namespace pardiff

#endif // PARDIFF_TANGENT_TANGENT_H
