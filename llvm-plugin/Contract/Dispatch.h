//===- Contract/Dispatch.h - Derived functions by the pointer ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call through a pointer goes to a dispatch: it compares the pointer with
// every function of that type whose address is taken in the module, and calls
// the derived function of the one it is. A function that cannot be
// differentiated stops the program when it is called, with the reason, and so
// does one that is not known here (it comes from another module). Both modes
// use this, and the clone that both of them begin with.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_DISPATCH_H
#define PARDIFF_CONTRACT_DISPATCH_H

#include "Support/Reason.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace pardiff {

/// A name for a type of functions, unique in a module.
std::string nameFunctionType(llvm::FunctionType &Ty);

/// A function that a pointer may point to, and the one to be differentiated in
/// its place: itself, or, if it is declared only but has a rule, one that calls
/// it.
struct DispatchTarget {
  llvm::Function *Pointee = nullptr;
  llvm::Function *Primal = nullptr;
};

/// All of them of type Ty in M, in the order of the module.
llvm::SmallVector<DispatchTarget, 8> findTargets(llvm::FunctionType &Ty,
                                                 llvm::Module &M);

/// Gives Dispatch, whose first parameter is the pointer, its body. Cases: a
/// pointee, and the function that is called with the other parameters.
void defineDispatch(
    llvm::Function &Dispatch,
    llvm::ArrayRef<std::pair<llvm::Function *, llvm::Function *>> Cases);

/// The calls that lead to a function that has a derivative of its own, when At
/// calls it. Around: those that lead to the function that contains At.
CallChain extendCalls(const llvm::Function &Callee, const llvm::Instruction &At,
                      bool ByPointer, const CallChain &Around);

/// Gives Derived a body that stops the program: it may be called through a
/// pointer, and Why says why it has no derivative. Why knows the calls up to
/// the function that the pointer points to.
void defineRefused(llvm::Function &Derived, const Refusal &Why);

/// A promoted clone of F (Prepare/Prepare.h) in which no floating-point values
/// are hidden in integers. HasShadow: tells it of the parameters.
llvm::Expected<llvm::Function *>
promoteChecked(llvm::Function &F, llvm::function_ref<bool(unsigned)> HasShadow,
               llvm::ModuleAnalysisManager &MAM);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_DISPATCH_H
