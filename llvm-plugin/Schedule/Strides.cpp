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
static Stride getPieceStride(const isl::multi_aff &F,
                             const SmallBitVector &Dropped, unsigned Dim) {
  Stride Result = Stride::None;
  unsigned N = dimOf(F, isl::dim::out);
  for (unsigned I = 0; I < N; ++I) {
    if (I < Dropped.size() && Dropped[I])
      continue;
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
  return getStride(A, Dim, SmallBitVector(A.Arr->PrivateDims, true));
}

Stride pardiff::getStride(const Access &A, unsigned Dim,
                          const SmallBitVector &Dropped) {
  isl::pw_multi_aff F = A.Relation.as_pw_multi_aff();
  Stride Worst = Stride::None;
  isl::stat Ok = F.foreach_piece([&](isl::set, isl::multi_aff Piece) {
    Worst = std::max(Worst, getPieceStride(Piece, Dropped, Dim));
    return isl::stat::ok();
  });
  return Ok.is_ok() ? Worst : Stride::Far;
}

SmallBitVector pardiff::getPrivateDims(const Access &A, unsigned Dim) {
  SmallBitVector Result(A.Arr->PrivateDims);
  isl::pw_multi_aff F = A.Relation.as_pw_multi_aff();
  F.foreach_piece([&](isl::set, isl::multi_aff Piece) {
    for (unsigned I = 0; I < Result.size(); ++I)
      if (isl_aff_involves_dims(Piece.at(I).get(), isl_dim_in, Dim, 1) !=
          isl_bool_false)
        Result.set(I);
    return isl::stat::ok();
  });
  return Result;
}

/// True if iterations of Dim have elements of A of their own that several
/// instances use: with Dim's loop inside of the others' A needs memory for each
/// of them.
static bool isHeldOpen(const Access &A, unsigned Dim, unsigned NumIterators) {
  if (!A.Arr->PrivateDims || getPrivateDims(A, Dim).none())
    return false;
  for (unsigned D = 0; D < NumIterators; ++D)
    if (getPrivateDims(A, D).none())
      return true;
  return false;
}

SmallVector<unsigned, 4> pardiff::getStrideCosts(const Statement &S) {
  SmallVector<unsigned, 4> Costs(S.getNumIterators());
  auto Add = [&](const Access &A, unsigned Weight) {
    for (unsigned D = 0; D < Costs.size(); ++D) {
      Stride X = isHeldOpen(A, D, Costs.size()) ? Stride::Far : getStride(A, D);
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
