//===- Contract/UserRules.h - Registered rules as derived functions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_USERRULES_H
#define PARDIFF_CONTRACT_USERRULES_H

#include "Flow/Calls.h"
#include "Request/Request.h"

namespace pardiff {

/// Gives Pair, declared for F with Width, bodies that call the registered
/// gradient of F. Refuses several lanes if F has pointers: what it does to
/// memory would happen several times.
llvm::Error defineUserPair(llvm::Function &F, FlowPair Pair, unsigned Width);

/// Gives Tangent, declared for F in Width directions, a body that calls the
/// registered derivative of F. Refuses several directions if F has pointers.
llvm::Error defineUserTangent(llvm::Function &F, llvm::Function &Tangent,
                              unsigned Width, const llvm::Instruction *At);

/// What a request for F differentiates: a function that calls F, if there is a
/// rule for calls of F, else F itself.
llvm::Function &getCaller(llvm::Function &F);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_USERRULES_H
