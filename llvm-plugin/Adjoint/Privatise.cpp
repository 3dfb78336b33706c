//===- Adjoint/Privatise.cpp - Which loops own a shadow
//---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar that a loop body writes before it reads it makes the loop's
// iterations share one shadow cell, and so makes the adjoint loop serial. By
// value nothing is shared: if no value flows from one iteration to another,
// each may have a shadow of its own. The array gets the loops' iterators as
// leading dimensions; storage is contracted again once the order is known
// (Schedule).
//
//===----------------------------------------------------------------------===//

#include "Adjoint/Privatise.h"
#include "isl/map.h"

using namespace llvm;
using namespace pardiff;

bool pardiff::isDeadWrite(const Statement &S, unsigned W, const Dataflow &D) {
  const Array &A = *S.Writes[W].Arr;
  if (A.isExternal())
    return false;
  for (const auto &[Read, Flow] : D.Reads)
    for (const Dataflow::Source &Source : Flow.Sources)
      if (Source.Writer == &S && Source.Write == W)
        return false;
  return true;
}

/// True if M relates instances of equal coordinate Dim only.
static bool keepsDimension(const isl::map &M, unsigned Dim) {
  return M.is_subset(M.equate(isl::dim::in, Dim, isl::dim::out, Dim)).is_true();
}

unsigned pardiff::countPrivateLoops(const Program &P, const Array &A,
                                    const Dataflow &D) {
  if (A.isExternal() ||
      (A.Kind != ArrayKind::Slot && A.Kind != ArrayKind::Local))
    return 0;
  // Loops around all live accesses.
  const Statement *First = nullptr;
  unsigned Common = 0;
  for (const auto &S : P.Statements) {
    bool Touches =
        any_of(S->Reads, [&](const Access &R) { return R.Arr == &A; });
    for (const auto &[W, Write] : enumerate(S->Writes))
      Touches |= Write.Arr == &A && !isDeadWrite(*S, W, D);
    if (!Touches)
      continue;
    if (!First) {
      First = S.get();
      Common = S->Loops.size();
      continue;
    }
    unsigned Same = 0;
    while (Same < Common && Same < S->Loops.size() &&
           S->Loops[Same] == First->Loops[Same])
      ++Same;
    Common = Same;
  }
  for (const auto &S : P.Statements)
    for (const auto &[R, Read] : enumerate(S->Reads)) {
      if (Read.Arr != &A)
        continue;
      auto It = D.Reads.find({S.get(), unsigned(R)});
      // Values from outside live in a cell that all iterations share.
      if (It == D.Reads.end() || !It->second.LiveIn.is_empty().is_true())
        return 0;
      for (const Dataflow::Source &Source : It->second.Sources)
        for (unsigned L = 0; L < Common; ++L)
          if (!keepsDimension(Source.Map, L)) {
            Common = L;
            break;
          }
    }
  return Common;
}
