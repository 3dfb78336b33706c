//===- Flow/Globals.h - Shadows of global variables -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_GLOBALS_H
#define PARDIFF_FLOW_GLOBALS_H

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace pardiff {

/// True if G may hold values with derivatives, or pointers to them: something
/// in the module may write them there.
bool isActiveGlobal(const llvm::GlobalVariable &G);

/// True if other modules may have put pointers into G that are not known here.
bool mayPointAnywhere(const llvm::GlobalVariable &G);

/// True for an address in the shadow of a global variable. There is one shadow,
/// so where derivatives are differentiated in turn two would share it.
bool isGlobalShadow(const llvm::Value &Address);

/// The shadow of a constant address in an active global variable; null for any
/// other constant.
llvm::Constant *getGlobalShadow(const llvm::Constant &Address);

/// Emits at End the reset of all shadows of global variables in the module to
/// zero: the derivatives with respect to what they held at first are nobody's.
/// Shadows that hold pointers stay.
void resetGlobalShadows(llvm::Instruction *End);

} // namespace pardiff

#endif // PARDIFF_FLOW_GLOBALS_H
