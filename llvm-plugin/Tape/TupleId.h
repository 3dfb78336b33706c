//===- Tape/TupleId.h - Names of isl tuples ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_TAPE_TUPLEID_H
#define PARDIFF_TAPE_TUPLEID_H

#include "llvm/ADT/StringRef.h"
#include "isl/isl-noexceptions.h"

namespace pardiff {

/// The id of any name. (isl's overloads for strings parse them instead: they
/// stop at a colon and fail at isl's own keywords.)
inline isl::id tupleId(isl::ctx Ctx, llvm::StringRef Name) {
  return isl::id::alloc(Ctx, Name.str(), nullptr);
}

} // namespace pardiff

#endif // PARDIFF_TAPE_TUPLEID_H
