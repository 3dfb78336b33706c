//===- Tape/TapeIndex.cpp - By what a tape is indexed ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Greedy: dimensions are left out one by one as long as the rest determines the
// version. Iterators go first, innermost first and, as a second try, outermost
// first. An element dimension with one index only costs nothing and stays: it
// makes it likelier that several values share a tape.
//
//===----------------------------------------------------------------------===//

#include "Tape/TapeIndex.h"
#include "Support/IslUtils.h"
#include "Tape/TupleId.h"
#include "isl/aff.h"
#include "isl/map.h"
#include "isl/set.h"
#include "isl/val.h"

using namespace llvm;
using namespace pardiff;

/// S[i] -> [q, d].
static isl::map getCell(const Statement &S, const isl::map &Element,
                        const TapeIndex &Index) {
  isl::map Rel = Element.intersect_domain(S.Domain);
  isl::map Iters = isl::manage(
      isl_map_reset_tuple_id(S.Domain.identity().release(), isl_dim_out));
  isl::map Elems =
      isl::manage(isl_map_reset_tuple_id(Rel.release(), isl_dim_out));
  auto Select = [](isl::map M, ArrayRef<unsigned> Keep) {
    for (unsigned I = dimOf(M, isl::dim::out); I-- > 0;)
      if (!is_contained(Keep, I))
        M = M.project_out(isl::dim::out, I, 1);
    return M;
  };
  return Select(Iters, Index.Iterators)
      .flat_range_product(Select(Elems, Index.Elements));
}

/// Smallest and largest index of a dimension with all parameters fixed.
static bool getRange(const isl::set &Set, unsigned Dim, double &Extent) {
  isl::set One = Set;
  unsigned N = dimOf(Set, isl::dim::set);
  One = One.project_out(isl::dim::set, Dim + 1, N - Dim - 1);
  One = One.project_out(isl::dim::set, 0, Dim);
  isl::val Min = One.dim_min_val(0), Max = One.dim_max_val(0);
  if (Min.is_null() || Max.is_null() || !isl_val_is_int(Min.get()) ||
      !isl_val_is_int(Max.get()))
    return false;
  Extent = isl_val_get_d(Max.get()) - isl_val_get_d(Min.get()) + 1;
  return true;
}

double pardiff::estimateBox(const isl::set &Set) {
  for (int Sample : {100, 10, 1000}) {
    isl::set Fixed = Set;
    for (unsigned I = 0, N = dimOf(Set, isl::dim::param); I < N; ++I)
      Fixed = Fixed.fix_si(isl::dim::param, I, Sample);
    if (!Fixed.is_empty().is_false())
      continue;
    double Size = 1;
    for (unsigned I = 0, N = dimOf(Set, isl::dim::set); I < N; ++I) {
      double Extent;
      if (!getRange(Fixed, I, Extent))
        return UnknownSize;
      Size *= Extent;
    }
    return Size;
  }
  return UnknownSize;
}

static bool hasOneIndex(const isl::set &Cells, unsigned Dim) {
  isl::val V = Cells.plain_get_val_if_fixed(isl::dim::set, Dim);
  return !V.is_null() && isl_val_is_int(V.get());
}

IndexedValue pardiff::tryIndex(const Statement &S, const isl::map &Element,
                               const isl::union_map &Versions,
                               const TapeIndex &Index,
                               const isl::union_map &Other) {
  IndexedValue V;
  isl::map Cell = getCell(S, Element, Index);
  isl::union_map ByCell = Cell.reverse().to_union_map().apply_range(Versions);
  if (!Other.is_null())
    ByCell = ByCell.unite(Other);
  if (!ByCell.is_single_valued().is_true())
    return V;
  V.Index = Index;
  V.Cells = coalesceChecked(Cell.range());
  for (unsigned I = 0, N = dimOf(V.Cells, isl::dim::set); I < N; ++I)
    V.FreeDims += !hasOneIndex(V.Cells, I);
  V.Size = estimateBox(V.Cells);
  V.Cell = Cell;
  return V;
}

IndexedValue pardiff::chooseIndex(const Statement &S, const isl::map &Element,
                                  const isl::union_map &Versions) {
  TapeIndex All;
  unsigned NumIters = S.getNumIterators(),
           NumElems = dimOf(Element, isl::dim::out);
  for (unsigned I = 0; I < NumIters; ++I)
    All.Iterators.push_back(I);
  for (unsigned I = 0; I < NumElems; ++I)
    All.Elements.push_back(I);
  IndexedValue Best = tryIndex(S, Element, Versions, All, isl::union_map());
  if (Best.Cell.is_null())
    return Best;

  SmallVector<unsigned, 4> Fixed;
  for (unsigned I = 0; I < NumElems; ++I)
    if (hasOneIndex(Best.Cells, NumIters + I))
      Fixed.push_back(I);
  IndexedValue Start = Best;
  for (bool InnermostFirst : {true, false}) {
    IndexedValue V = Start;
    auto Drop = [&](SmallVector<unsigned, 4> TapeIndex::*List, unsigned I) {
      TapeIndex Less = V.Index;
      auto &L = Less.*List;
      L.erase(find(L, I));
      IndexedValue W = tryIndex(S, Element, Versions, Less, isl::union_map());
      if (!W.Cell.is_null())
        V = W;
    };
    for (unsigned I = 0; I < NumIters; ++I)
      Drop(&TapeIndex::Iterators, InnermostFirst ? NumIters - 1 - I : I);
    for (unsigned I = NumElems; I-- > 0;)
      if (!is_contained(Fixed, I))
        Drop(&TapeIndex::Elements, I);
    if (std::tuple(V.FreeDims, V.Size) < std::tuple(Best.FreeDims, Best.Size) ||
        (InnermostFirst && V.FreeDims <= Best.FreeDims))
      Best = V;
  }
  return Best;
}

bool pardiff::isOnePiece(const isl::map &M, bool NoDivs) {
  isl::pw_multi_aff F = coalesceChecked(M).as_pw_multi_aff();
  if (F.is_null())
    return false;
  F = coalesceChecked(F.gist(M.domain()));
  if (F.is_null() || isl_pw_multi_aff_n_piece(F.get()) != 1)
    return false;
  if (!NoDivs)
    return true;
  for (unsigned I = 0, N = dimOf(M, isl::dim::out); I < N; ++I) {
    isl::pw_aff E = isl::manage(isl_pw_multi_aff_get_pw_aff(F.get(), I));
    isl::aff A = E.is_null() ? isl::aff() : E.as_aff();
    if (A.is_null() || isl_aff_dim(A.get(), isl_dim_div) != 0 ||
        !isl::manage(isl_aff_get_denominator_val(A.get())).is_one().is_true())
      return false;
  }
  return true;
}

/// Smallest index of dimension Dim: one affine expression if possible, if need
/// be a smaller constant.
static isl::pw_aff getOrigin(const isl::set &Cells, unsigned Dim) {
  isl::pw_aff Min = coalesceChecked(Cells.dim_min(Dim));
  if (Min.is_null() || isl_pw_aff_n_piece(Min.get()) == 1)
    return Min;
  isl::set One = Cells;
  unsigned N = dimOf(Cells, isl::dim::set);
  One = One.project_out(isl::dim::set, Dim + 1, N - Dim - 1);
  One = One.project_out(isl::dim::set, 0, Dim);
  isl::val Least = One.project_out_all_params().dim_min_val(0);
  if (Least.is_null() || !isl_val_is_int(Least.get()))
    return Min;
  return isl::manage(
      isl_pw_aff_val_on_domain(Cells.params().release(), Least.release()));
}

/// The larger of zero and an extent that is known where there are cells.
static isl::pw_aff clamp(const isl::pw_aff &Extent, const isl::set &Context) {
  isl::pw_aff Zero = isl::manage(isl_pw_aff_val_on_domain(
      Context.copy(), isl_val_zero(Context.ctx().get())));
  // One affine piece may be taken beyond the parameters for which there are
  // cells: nothing is stored there. Pieces may not: each is meant for its own.
  isl::set Known = Extent.domain();
  if (isl_pw_aff_n_piece(Extent.get()) == 1 && Extent.isa_aff().is_true())
    return Extent.intersect_params(Context).max(Zero);
  return coalesceChecked(
      Extent.union_add(Zero.intersect_params(Context.subtract(Known))));
}

bool pardiff::makeShape(const isl::set &Cells, const isl::set &Context,
                        StringRef Name, SmallVectorImpl<isl::pw_aff> &Shape,
                        isl::map &Shift) {
  isl::set NonEmpty = Cells.params().intersect(Context);
  isl::space Space = Cells.get_space();
  // All cells that the shape has room for, null if they are no box.
  isl::set Box = isl::set::universe(Space).intersect_params(NonEmpty);
  isl::map Result = isl::map::from_domain(isl::set::universe(Space));
  for (unsigned I = 0, N = dimOf(Cells, isl::dim::set); I < N; ++I) {
    isl::pw_aff Min = getOrigin(Cells, I), Max = Cells.dim_max(I);
    isl::pw_aff Extent = Max.sub(Min).add_constant(isl::val(Cells.ctx(), 1));
    isl::pw_aff Simple = coalesceChecked(Extent.gist(NonEmpty));
    if (!Simple.isa_aff().is_true())
      Simple = coalesceChecked(Extent.intersect_params(NonEmpty));
    Shape.push_back(clamp(Simple, Context));
    if (Shape.back().is_null())
      return false;
    isl::pw_aff Index = isl::manage(isl_pw_aff_var_on_domain(
        isl_local_space_from_space(Space.copy()), isl_dim_set, I));
    Min = Min.gist(NonEmpty).insert_domain(Space);
    Max = coalesceChecked(Max.gist(NonEmpty));
    if (Box.is_null() || !Min.isa_aff().is_true() || !Max.isa_aff().is_true())
      Box = isl::set();
    else
      Box = Box.intersect(Index.ge_set(Min))
                .intersect(Index.le_set(Max.insert_domain(Space)));
    Result = Result.flat_range_product(isl::map::from_pw_aff(Index.sub(Min)));
  }
  // Cells of several pieces would put theirs on all that is stored.
  bool IsBox = !Box.is_null() && isl_set_n_basic_set(Cells.get()) > 1 &&
               Cells.is_subset(Box).is_true();
  Shift = Result.intersect_domain(IsBox ? Box : Cells)
              .set_range_tuple(tupleId(Cells.ctx(), Name));
  return !Shift.is_null();
}
