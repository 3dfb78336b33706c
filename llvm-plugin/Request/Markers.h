//===- Request/Markers.h - The markers of a request -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A marker is an argument of a request that says how the next argument takes
// part. It is known by the name of the global variable whose value (C) or
// address (Fortran) is passed; what the variable holds never matters.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_REQUEST_MARKERS_H
#define PARDIFF_REQUEST_MARKERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Value.h"

namespace pardiff {

enum class Marker {
  None, ///< an ordinary argument
  Const,
  Dup,
  DupNoNeed,
  Out,
  PrimalReturn,
  ConstReturn, ///< the result has no derivative
  Width,       ///< the number of directions follows
  Tape,        ///< the memory that holds the tape follows
  Allocated,   ///< the size of that memory follows
  Unknown      ///< a marker that ParDiff does not know
};

/// What Arg marks.
Marker getMarker(const llvm::Value *Arg);

/// The name of the marker that Arg is, as in the source ("pardiff_dup"). Empty
/// for other arguments.
llvm::StringRef getMarkerName(const llvm::Value *Arg);

/// The marker that a global variable of this name stands for. Understands names
/// of C++ namespaces and Fortran modules.
Marker getMarkerByName(llvm::StringRef Symbol);

} // namespace pardiff

#endif // PARDIFF_REQUEST_MARKERS_H
