//===- Driver/Diagnose.h - Tell the user about refusals -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_DRIVER_DIAGNOSE_H
#define PARDIFF_DRIVER_DIAGNOSE_H

#include "Support/Report.h"
#include "llvm/IR/Function.h"

namespace pardiff {

/// Reports R.Error, which a request in Caller ran into, as one compile error.
/// Primal is the function to differentiate, null if it is not known. Notes
/// follow: what to do, the calls that lead to the place at fault, innermost
/// first, and the request. NotesInText: they are part of the error, for tools
/// that end at the first one.
///
/// With debug locations the message stands at the place at fault. Without,
/// clang can only show a function, flang and opt nothing: then the message
/// names function and call itself.
void reportError(const RequestReport &R, const llvm::Function &Caller,
                 const llvm::Function *Primal, bool NotesInText);

/// Reports an error that belongs to no place in the source.
void reportError(llvm::LLVMContext &C, const llvm::Twine &Message);

/// Emits the optimisation remarks of a request that was served: -Rpass=pardiff
/// tells what was recovered and the scheme of each loop, -Rpass-missed=pardiff
/// what was not, -Rpass-analysis=pardiff conditions and tapes.
void emitRemarks(const RequestReport &R, llvm::Function &Primal);

} // namespace pardiff

#endif // PARDIFF_DRIVER_DIAGNOSE_H
