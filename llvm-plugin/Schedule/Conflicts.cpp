//===- Schedule/Conflicts.cpp - Which instances may not change order ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory-based: for each two accesses of one array, the instances that share an
// element, then split by the program's order. Values are of no concern here, so
// it needs no dataflow and holds for every order that respects it.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Conflicts.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "isl/aff.h"
#include "isl/set.h"
#include "isl/val.h"
#include <optional>

using namespace llvm;
using namespace pardiff;

isl::map pardiff::whereEqual(isl::pw_aff A, isl::pw_aff B) {
  return isl::manage(isl_pw_aff_eq_map(A.release(), B.release()));
}

isl::map pardiff::whereLess(isl::pw_aff A, isl::pw_aff B) {
  return isl::manage(isl_pw_aff_lt_map(A.release(), B.release()));
}

isl::map pardiff::whereGreater(isl::pw_aff A, isl::pw_aff B) {
  return isl::manage(isl_pw_aff_gt_map(A.release(), B.release()));
}

std::vector<isl::pw_aff> pardiff::getCoordinates(const isl::map &M) {
  std::vector<isl::pw_aff> Result;
  isl::pw_multi_aff F = M.as_pw_multi_aff();
  if (F.is_null())
    return Result;
  unsigned N = dimOf(M, isl::dim::out);
  for (unsigned I = 0; I < N; ++I)
    Result.push_back(isl::manage(isl_pw_multi_aff_get_pw_aff(F.get(), I)));
  return Result;
}

namespace {

/// One statement with what is needed of it for each of its pairs. Coordinates
/// are simplified for its domain: constraints of the domain are added to each
/// relation once, not once for each coordinate.
struct Instances {
  const Statement *S;
  std::vector<isl::pw_aff> Time;
  struct Place {
    const Access *A;
    std::vector<isl::pw_aff> Element;
  };
  SmallVector<Place, 8> Accesses;
};

} // namespace

static bool isExclusive(const Access &A, const Access &B) {
  return A.Kind == AccessKind::Accumulate && B.Kind == AccessKind::Accumulate &&
         !isScatter(A) && !isScatter(B);
}

/// Sums of the primal into elements that the model does not know keep their
/// order, all of them: rounding is the primal's.
static bool isConflict(const Access &A, const Access &B) {
  if (isScatter(A) && isScatter(B))
    return A.Arr->Base == B.Arr->Base;
  return A.Arr == B.Arr &&
         (A.Kind != AccessKind::Read || B.Kind != AccessKind::Read);
}

/// The coordinates of M, as simple as they are on Domain. One affine function
/// is taken everywhere, also where M says nothing: no conflict gets lost, and
/// isl need not carry Domain's pieces along.
static std::vector<isl::pw_aff> getCoordinatesOn(const isl::map &M,
                                                 const isl::set &Domain) {
  std::vector<isl::pw_aff> Result;
  for (isl::pw_aff &C : getCoordinates(M)) {
    isl::pw_aff Simple = coalesceChecked(C.gist(Domain));
    if (!Simple.is_null() && isl_pw_aff_n_piece(Simple.get()) == 1)
      Simple.foreach_piece([&](isl::set, isl::aff Only) {
        Simple = isl::pw_aff(Only);
        return isl::stat::ok();
      });
    Result.push_back(Simple);
  }
  return Result;
}

/// The value of A if it is the same everywhere.
static std::optional<int64_t> getConstant(const isl::pw_aff &A) {
  if (A.is_null() || isl_pw_aff_n_piece(A.get()) != 1 ||
      isl_set_plain_is_universe(A.domain().get()) != isl_bool_true)
    return std::nullopt;
  isl::aff Piece = A.as_aff();
  if (Piece.is_null() || isl_aff_is_cst(Piece.get()) != isl_bool_true)
    return std::nullopt;
  isl::val V = isl::manage(isl_aff_get_constant_val(Piece.get()));
  if (V.is_null() || !V.is_int().is_true())
    return std::nullopt;
  return V.num_si();
}

/// A relation of few constraints that grows by one at a time. isl normalizes
/// and checks maps whenever two are intersected; basic maps only at the end.
class Constraints {
public:
  explicit Constraints(const isl::space &Space)
      : Basic(isl::basic_map::universe(Space)) {}

  /// False if isl failed.
  bool add(const isl::map &M) {
    if (M.is_null())
      return false;
    if (isl_map_n_basic_map(M.get()) == 1 && Pieces.is_null()) {
      isl::basic_map Only;
      M.foreach_basic_map([&](isl::basic_map B) {
        Only = B;
        return isl::stat::ok();
      });
      Basic = Basic.intersect(Only);
      return !Basic.is_null();
    }
    Pieces = Pieces.is_null() ? M : Pieces.intersect(M);
    return !Pieces.is_null();
  }

  /// M with the constraints.
  isl::map restrict(const isl::map &M) const {
    isl::map Result = M.intersect(isl::map(Basic));
    return Pieces.is_null() ? Result : Result.intersect(Pieces);
  }

private:
  isl::basic_map Basic;
  isl::map Pieces; ///< what is not one basic map, or null
};

/// The instances of X and Y that meet in one element; null on an isl error.
static isl::map getMeetings(const Instances &X, const Instances::Place &A,
                            const Instances &Y, const Instances::Place &B) {
  isl::map All = isl::map::from_domain_and_range(X.S->Domain, Y.S->Domain);
  if (A.Element.size() != B.Element.size() || All.is_null())
    return isl::map();
  Constraints Same(All.space());
  for (auto [I, J] : zip(A.Element, B.Element)) {
    auto C = getConstant(I), D = getConstant(J);
    if (C && D && *C == *D)
      continue;
    if (C && D)
      return isl::map::empty(All.space());
    if (!Same.add(whereEqual(I, J)))
      return isl::map();
  }
  return Same.restrict(All);
}

/// Splits the pairs in Hard by the order of their instances.
static void orderPairs(const Instances &X, const Instances &Y,
                       const isl::map &Hard, PairConflict &C) {
  isl::map Tied = Hard;
  isl::map None = isl::map::empty(Hard.space());
  C.Before = C.After = None;
  for (auto [A, B] : zip(X.Time, Y.Time)) {
    auto First = getConstant(A), Second = getConstant(B);
    if (First && Second && *First == *Second)
      continue;
    if (First && Second) {
      if (*First < *Second)
        C.Before = C.Before.unite(Tied);
      else if (C.S != C.T)
        C.After = C.After.unite(Tied);
      return;
    }
    if (isEmpty(Tied))
      return;
    C.Before = C.Before.unite(Tied.intersect(whereLess(A, B)));
    if (C.S != C.T)
      C.After = C.After.unite(Tied.intersect(whereGreater(A, B)));
    Tied = Tied.intersect(whereEqual(A, B));
  }
  // An instance and itself: no order. Anything else is not left by an injective
  // order.
}

std::vector<PairConflict>
pardiff::computeConflicts(const Program &P, const AccessSet &Free,
                          ArrayRef<const Array *> Only) {
  auto IsOfInterest = [&](const Access &A) {
    return Only.empty() || is_contained(Only, A.Arr);
  };
  std::vector<Instances> All;
  for (const auto &S : P.Statements) {
    Instances I;
    I.S = S.get();
    isl::union_map Time = P.Order.intersect_domain(isl::union_set(S->Domain));
    if (!Time.is_empty().is_true())
      I.Time = getCoordinatesOn(Time.as_map(), S->Domain);
    for (const Access &A : concat<const Access>(S->Reads, S->Writes))
      if (isScatter(A))
        I.Accesses.push_back({&A, {}});
      else if (IsOfInterest(A))
        I.Accesses.push_back(
            {&A, getCoordinatesOn(A.Relation.intersect_domain(S->Domain),
                                  S->Domain)});
    All.push_back(std::move(I));
  }

  std::vector<PairConflict> Result;
  for (unsigned S = 0; S < All.size(); ++S) {
    for (unsigned T = S; T < All.size(); ++T) {
      const Instances &X = All[S], &Y = All[T];
      isl::map Hard, Any;
      bool IsAllHard = true;
      for (const Instances::Place &AtX : X.Accesses) {
        for (const Instances::Place &AtY : Y.Accesses) {
          const Access *A = AtX.A, *B = AtY.A;
          if (!isConflict(*A, *B) ||
              (isExclusive(*A, *B) && (Free.contains(A) || Free.contains(B))))
            continue;
          isl::map M = getMeetings(X, AtX, Y, AtY);
          if (M.is_null())
            return {PairConflict()};
          if (isEmpty(M))
            continue;
          if (Any.is_null())
            Any = Hard = isl::map::empty(M.space());
          // For S == T this visits (A, B) and (B, A): both directions.
          Any = Any.unite(M);
          if (isExclusive(*A, *B))
            IsAllHard = false;
          else
            Hard = Hard.unite(M);
        }
      }
      if (Any.is_null())
        continue;
      PairConflict C;
      C.S = S;
      C.T = T;
      C.Any = coalesceChecked(Any);
      orderPairs(X, Y, IsAllHard ? C.Any : coalesceChecked(Hard), C);
      C.Before = coalesceChecked(C.Before);
      C.After = coalesceChecked(C.After);
      Result.push_back(std::move(C));
    }
  }
  return Result;
}
