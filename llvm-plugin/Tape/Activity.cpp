//===- Tape/Activity.cpp - Which arrays carry derivatives -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array is active if it varies with an input and is useful for an output.
// Both are closures over whole arrays: forward from the inputs along "result w
// of a body depends differentiably on read k", backward from the outputs along
// the same pairs. Order and elements are not looked at, so the answer is too
// large rather than too small.
//
//===----------------------------------------------------------------------===//

#include "Tape/Activity.h"
#include "Body/Body.h"

using namespace llvm;
using namespace pardiff;

Error pardiff::analyseActivity(const Program &P, Activity &A) {
  // { source array -> written array }, one pair for each differentiable
  // dependence of a result on a read.
  SmallVector<std::pair<const Array *, const Array *>, 16> Edges;
  for (const auto &S : P.Statements) {
    auto Depends = getDerivativeDependence(*S->Body, S->Reads.size());
    for (const auto &[W, Write] : enumerate(S->Writes))
      for (const auto &[R, Read] : enumerate(S->Reads))
        if (Depends[W][R] && Read.Arr->isFloat() && Write.Arr->isFloat())
          Edges.push_back({Read.Arr, Write.Arr});
  }

  SmallPtrSet<const Array *, 8> Varies = A.Inputs, Useful = A.Outputs;
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const auto &[From, To] : Edges) {
      if (Varies.contains(From))
        Changed |= Varies.insert(To).second;
      if (Useful.contains(To))
        Changed |= Useful.insert(From).second;
    }
  }
  A.Active.clear();
  for (const auto &Arr : P.N->Arrays)
    if (Arr->isFloat() && Varies.contains(Arr.get()) &&
        Useful.contains(Arr.get()))
      A.Active.insert(Arr.get());
  return Error::success();
}
