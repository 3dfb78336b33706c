//===- Support/UserRules.h - What users say of their functions --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registrations (Request/Register.h) become marks on functions for as long as
// requests are served. Functions of this plugin may have such marks too.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_USERRULES_H
#define PARDIFF_SUPPORT_USERRULES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Metadata.h"

namespace pardiff {

/// Attribute: what a call means is known, so it is not inlined.
inline constexpr llvm::StringLiteral KeepCallAttr = "pardiff-keep-call";
/// Attribute: calls have no derivative.
inline constexpr llvm::StringLiteral UserInactiveAttr = "pardiff-inactive";
/// Attribute: the function of math.h that it is like.
inline constexpr llvm::StringLiteral UserMathAttr = "pardiff-math";
/// Attributes: allocates as many bytes as its parameter of that number says;
/// frees its parameter of that number.
inline constexpr llvm::StringLiteral UserAllocatesAttr = "pardiff-allocates";
inline constexpr llvm::StringLiteral UserFreesAttr = "pardiff-frees";
/// Metadata: the functions that make up its derivative.
inline constexpr llvm::StringLiteral UserDerivativeName = "pardiff.derivative";
inline constexpr llvm::StringLiteral UserGradientName = "pardiff.gradient";
/// Metadata on a function that allocates: the one that frees.
inline constexpr llvm::StringLiteral UserFreeName = "pardiff.free";

/// Function I of the derivative of F that was registered under Name, or null.
inline llvm::Function *getUserFunction(const llvm::Function &F,
                                       llvm::StringRef Name, unsigned I = 0) {
  llvm::MDNode *Node = F.getMetadata(Name);
  if (!Node || I >= Node->getNumOperands())
    return nullptr;
  return llvm::mdconst::dyn_extract_or_null<llvm::Function>(
      Node->getOperand(I));
}

/// The value of an attribute of the function that Call calls; an invalid one if
/// that is not known.
inline llvm::Attribute getUserAttribute(const llvm::CallBase &Call,
                                        llvm::StringRef Name) {
  const llvm::Function *F = Call.getCalledFunction();
  return F ? F->getFnAttribute(Name) : llvm::Attribute();
}

} // namespace pardiff

#endif // PARDIFF_SUPPORT_USERRULES_H
