//===- Schedule/Strides.cpp - What an innermost loop does to memory -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the coefficients of an iterator out of the access relations. What it
// cannot see through (divisions, pieces that disagree) counts as far.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Strides.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pardiff;

/// Price of an iteration that waits for the one before, in eighths of a line.
static constexpr unsigned RecurrenceCost = 3;

/// The stride in one piece of the access function.
static Stride getPieceStride(const isl::multi_aff &F, unsigned Skip,
                             unsigned Dim) {
  Stride Result = Stride::None;
  unsigned N = dimOf(F, isl::dim::out);
  for (unsigned I = Skip; I < N; ++I) {
    isl::aff X = F.at(I);
    if (isl_aff_involves_dims(X.get(), isl_dim_in, Dim, 1) == isl_bool_false)
      continue;
    isl::val C =
        isl::manage(isl_aff_get_coefficient_val(X.get(), isl_dim_in, Dim));
    bool Unit = C.is_one().is_true() || C.is_negone().is_true();
    if (I + 1 != N || !Unit)
      return Stride::Far;
    Result = Stride::Unit;
  }
  return Result;
}

Stride pardiff::getStride(const Access &A, unsigned Dim) {
  isl::pw_multi_aff F = A.Relation.as_pw_multi_aff();
  Stride Worst = Stride::None;
  isl::stat Ok = F.foreach_piece([&](isl::set, isl::multi_aff Piece) {
    Worst = std::max(Worst, getPieceStride(Piece, A.Arr->PrivateDims, Dim));
    return isl::stat::ok();
  });
  return Ok.is_ok() ? Worst : Stride::Far;
}

SmallVector<unsigned, 4> pardiff::getStrideCosts(const Statement &S) {
  SmallVector<unsigned, 4> Costs(S.getNumIterators());
  auto Add = [&](const Access &A, unsigned Weight) {
    for (unsigned D = 0; D < Costs.size(); ++D) {
      Stride X = getStride(A, D);
      Costs[D] += Weight * (X == Stride::Far ? 8 : X == Stride::Unit ? 1 : 0);
    }
  };
  for (const Access &A : S.Reads)
    Add(A, 1);
  for (const Access &A : S.Writes)
    Add(A, A.Kind == AccessKind::Accumulate ? 2 : 1);
  // A value that each iteration has from the one before: they cannot overlap.
  for (const Access &W : S.Writes)
    if (any_of(S.Reads, [&](const Access &R) {
          return R.Arr == W.Arr && R.Relation.is_equal(W.Relation).is_true();
        }))
      for (unsigned D = 0; D < Costs.size(); ++D)
        if (getStride(W, D) == Stride::None)
          Costs[D] += RecurrenceCost;
  return Costs;
}
