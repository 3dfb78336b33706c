//===- Nest/Program.cpp - The model of an affine loop nest ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace pardiff;

Array *Nest::addArray(StringRef Wanted, ArrayKind Kind, Type *ElemTy) {
  std::string Unique = Wanted.str();
  for (unsigned I = 1; findArray(Unique); ++I)
    Unique = (Wanted + "_" + Twine(I)).str();
  Arrays.push_back(std::make_unique<Array>());
  Array *A = Arrays.back().get();
  A->Name = std::move(Unique);
  A->Kind = Kind;
  A->ElemTy = ElemTy;
  return A;
}

bool Statement::isGuarded() const {
  auto HasGuard = [](const Access &A) { return A.Guard != nullptr; };
  return any_of(Reads, HasGuard) || any_of(Writes, HasGuard);
}

SmallVector<Function *, 2> Statement::getGuards() const {
  SmallVector<Function *, 2> Guards;
  for (const Access &A : concat<const Access>(Reads, Writes))
    if (A.Guard && !is_contained(Guards, A.Guard))
      Guards.push_back(A.Guard);
  return Guards;
}

isl::union_set Program::getDomain() const {
  isl::union_set D = isl::union_set::empty(isl::ctx(N->Ctx.get()));
  for (const auto &S : Statements)
    D = D.unite(isl::union_set(S->Domain));
  return D;
}
