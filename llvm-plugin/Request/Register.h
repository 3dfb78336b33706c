//===- Request/Register.h - Rules that users register -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global variable whose name contains one of the following (or the same with
// __enzyme_) tells something of the function that its initial value begins
// with:
//
//   __pardiff_register_derivative_   {f, derivative}           forward mode
//   __pardiff_register_gradient_     {f, augmented, reverse}   reverse mode
//   __pardiff_inactivefn_            {f} or f                  no derivative
//   __pardiff_function_like_         {f, "log1p"}              as in math.h
//   __pardiff_allocation_like_       {f, index of the size, "index", free}
//
// docs/modes.md says which types the functions must have.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_REGISTER_H
#define PARDIFF_REQUEST_REGISTER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include <string>

namespace pardiff {

/// True if M registers anything.
bool hasRegistrations(const llvm::Module &M);

/// Marks the functions of M that are registered (Support/UserRules.h). Returns
/// what is wrong, a message for each.
llvm::SmallVector<std::string, 2> markRegistered(llvm::Module &M);

/// Takes the marks off. KeepCalls: no later pass may inline the functions,
/// until this is called without.
void unmarkRegistered(llvm::Module &M, bool KeepCalls);

/// Erases the registrations that no other file can see, when they are of no
/// use any more, and the functions that only they used: a header may register
/// more than a file needs. Forget is called in front of each function that is
/// erased.
void eraseRegistrations(llvm::Module &M,
                        llvm::function_ref<void(llvm::Function &)> Forget);

/// The arguments that a registered function gets for a function of type Primal:
/// each parameter, and behind it its shadow (gradients: pointers only) or its
/// tangent (derivatives: pointers and floating point).
llvm::SmallVector<llvm::Type *, 8>
getRuleParams(const llvm::FunctionType &Primal, bool IsGradient);

/// What F returns, also through a hidden pointer.
llvm::Type *getReturned(const llvm::Function &F);

/// The types of what a registered function returns: the fields of a structure,
/// or the elements of a vector of two; none for void.
llvm::SmallVector<llvm::Type *, 4> getReturnedFields(const llvm::Function &F);

} // namespace pardiff

#endif // PARDIFF_REQUEST_REGISTER_H
