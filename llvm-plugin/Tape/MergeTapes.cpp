//===- Tape/MergeTapes.cpp - One tape for versions kept twice -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for k: for i: for j:
//     p[i][j] = min(p[i][j], p[i][k] + p[k][j])
//
// Each of the three values of p has a tape by iterators and element: [k][i][j],
// [j][i][k] and [i][k][j]. But the versions on the second and the third are on
// the first as well, at other cells:
//
//   p[i][k]:  [k][i][k] if j <= k, [k + 1][i][k] if j > k
//
// So a value need not lie where its own iterators say. It may lie wherever its
// version does, which exact dataflow tells: S[i] -> version -> [cell]. That is
// an index by the writer, but in the cells of one of the readers, which need no
// piece for each writer.
//
// Conditions. A tape has one version in each cell, { [cell] -> version } is
// single valued, and its cells are a superset of those of each value on it. It
// stays so: all values of tape A go to tape B, if for each of them
//
//   - every instance's version is in a cell of B: the smallest one if there are
//     several, where that is a function of no more than MaxPieces affine pieces
//     without divisions; or
//   - for a part of the instances it is, as one affine piece without divisions,
//     and the same function of all instances leads to cells that hold no other
//     version, of another instance or of B (the value that a loop starts with,
//     in front of those that its iterations leave);
//
// and if the cells that B gets take less memory than A did. Sizes are those of
// boxes at sample parameters, as everywhere in the plan. A then has no value
// and goes. Of the two ways to make one tape of a pair the one is taken whose
// new cells are in front of the others: they hold what a loop starts with,
// which is stored outside of it. Who does that is up to Forward.cpp: each value
// that is on a tape could store what it has in its cell.
//
// A tape that serves a guarded access serves no other. Tapes of which no
// versions have a common name are told apart without work for isl; the others
// share a limit of their own, and where it ends so does merging.
//
// Not attempted: a part of a tape's values, a third tape for the values of two,
// an index by the writer that no reader has.
//
//===----------------------------------------------------------------------===//

#include "Tape/MergeTapes.h"
#include "Support/IslUtils.h"
#include "Tape/TapeIndex.h"
#include "isl/aff.h"
#include "isl/map.h"

using namespace llvm;
using namespace pardiff;

/// Affine pieces of a value's index.
static constexpr int MaxPieces = 2;

namespace {

/// Where a value would go.
struct NewPlace {
  isl::map Cell;
  isl::union_map Versions; ///< { [cell] -> version } of this value
};

} // namespace

/// M's pieces, each without divisions; null if that cannot be.
static isl::pw_multi_aff getPieces(const isl::map &M) {
  isl::pw_multi_aff F = coalesceChecked(M).as_pw_multi_aff();
  if (F.is_null())
    return F;
  F = coalesceChecked(F.gist(M.domain()));
  if (F.is_null() || isl_pw_multi_aff_n_piece(F.get()) > MaxPieces)
    return {};
  bool Simple = true;
  isl::stat Ok = F.foreach_piece([&](isl::set Where, isl::multi_aff Piece) {
    Simple &= isl_set_involves_locals(Where.get()) == isl_bool_false;
    for (unsigned I = 0, N = dimOf(M, isl::dim::out); I < N; ++I) {
      isl::aff A = Piece.at(I);
      Simple &=
          !A.is_null() && isl_aff_dim(A.get(), isl_dim_div) == 0 &&
          isl::manage(isl_aff_get_denominator_val(A.get())).is_one().is_true();
    }
    return isl::stat::ok();
  });
  return Ok.is_ok() && Simple ? F : isl::pw_multi_aff();
}

/// The cells for a value of the given instances and versions on a tape that
/// holds { [cell] -> version } Held. A null Cell: there are none.
static NewPlace findPlace(const isl::set &Domain,
                          const isl::union_map &Versions,
                          const isl::union_map &Held) {
  NewPlace P;
  isl::union_map Found = Versions.apply_range(Held.reverse());
  if (!Found.is_empty().is_false() || !Found.isa_map().is_true())
    return P;
  isl::map Cell = getFirstImages(coalesceChecked(Found.as_map()));
  if (Cell.is_null())
    return P;
  isl::pw_multi_aff F = getPieces(Cell);
  if (F.is_null())
    return P;
  bool IsTotal = Domain.is_subset(Cell.domain()).is_true();
  if (!IsTotal) {
    if (isl_pw_multi_aff_n_piece(F.get()) != 1)
      return P;
    F.foreach_piece([&](const isl::set &, const isl::multi_aff &Piece) {
      Cell = isl::map::from_multi_aff(Piece).intersect_domain(Domain);
      return isl::stat::ok();
    });
  }
  // Where there are instances is known: what the tape adds to it goes.
  Cell = coalesceChecked(Cell.gist_domain(Domain)).intersect_domain(Domain);
  isl::union_map Mine = Cell.reverse().to_union_map().apply_range(Versions);
  if (!Domain.is_subset(Cell.domain()).is_true() ||
      !Cell.is_single_valued().is_true() ||
      !Mine.unite(Held).is_single_valued().is_true())
    return P;
  P.Versions = coalesceChecked(Mine);
  if (!P.Versions.is_null())
    P.Cell = Cell;
  return P;
}

/// True if the two tapes may have versions in common: isl keeps those of each
/// name apart.
static bool shareNames(const Tape &A, const Tape &B) {
  isl::union_set In = B.Versions.range();
  bool Any = false;
  isl::stat Ok = A.Versions.range().foreach_set([&](isl::set Versions) {
    Any |= In.extract_set(Versions.get_space()).is_empty().is_false();
    return isl::stat::ok();
  });
  return Ok.is_ok() && Any;
}

/// True if More has no larger index than Cells: those that are new belong to
/// what was before a loop, not to its last iteration.
static bool growsInFront(const isl::set &Cells, const isl::set &More) {
  for (unsigned D = 0, N = dimOf(Cells, isl::dim::set); D < N; ++D) {
    isl::pw_aff Old = Cells.dim_max(D), New = More.dim_max(D);
    if (!New.intersect_params(Cells.params()).is_equal(Old).is_true())
      return false;
  }
  return true;
}

/// To with all values of From, if that takes less memory than the two.
static std::optional<Tape> moveValues(const Tape &From, const Tape &To,
                                      Versions &V) {
  Tape New = To;
  for (const TapedValue &X : From.Values) {
    NewPlace P = findPlace(X.S->Domain,
                           X.IsResult ? V.ofWrite(*X.S, X.Index)
                                      : V.ofRead(*X.S, X.Index),
                           New.Versions);
    if (P.Cell.is_null())
      return std::nullopt;
    New.Cells = coalesceChecked(New.Cells.unite(P.Cell.range()));
    New.Versions = coalesceChecked(New.Versions.unite(P.Versions));
    if (New.Cells.is_null() || New.Versions.is_null())
      return std::nullopt;
    New.Values.push_back({X.S, X.Index, X.IsResult, P.Cell, {}, true});
  }
  double Old = estimateBox(From.Cells) + estimateBox(To.Cells);
  if (Old >= UnknownSize || estimateBox(New.Cells) >= Old)
    return std::nullopt;
  return New;
}

/// Makes one tape of A and B, if that takes less memory. True: it is A, B is to
/// go.
static bool merge(Tape &A, Tape &B, Versions &V) {
  std::optional<Tape> New = moveValues(B, A, V);
  if (!New || !growsInFront(A.Cells, New->Cells)) {
    std::optional<Tape> Other = moveValues(A, B, V);
    if (Other && (!New || growsInFront(B.Cells, Other->Cells)))
      New = std::move(Other);
  }
  if (!New)
    return false;
  if (New->Arr == B.Arr)
    std::swap(A, B);
  A = std::move(*New);
  return true;
}

void pardiff::mergeTapes(TapePlan &Plan, Versions &V, Nest &N) {
  auto MayMerge = [](const Tape &T) {
    return !T.ChoiceOf && !T.Versions.is_null() && !isGuarded(T);
  };
  IslQuota Quota(N.Ctx.get());
  for (unsigned I = 0; I < Plan.Tapes.size(); ++I)
    for (unsigned J = I + 1; J < Plan.Tapes.size();) {
      Tape &A = Plan.Tapes[I], &B = Plan.Tapes[J];
      if (Quota.exceeded() || A.Arr->ElemTy != B.Arr->ElemTy || !MayMerge(A) ||
          !MayMerge(B) || !shareNames(A, B) || !merge(A, B, V)) {
        ++J;
        continue;
      }
      Array *Gone = B.Arr;
      Plan.Tapes.erase(Plan.Tapes.begin() + J);
      erase_if(N.Arrays, [&](const auto &Arr) { return Arr.get() == Gone; });
      J = I + 1; // the tape has more versions now
    }
}
