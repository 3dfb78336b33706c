//===- Schedule/PrivateCopies.cpp - Slots of their own for iterations -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar that each iteration of a loop sets anew before it uses it is one
// cell of memory for all of them, and so makes the loop serial. Exact dataflow
// tells whether a value crosses iterations; if none does, each iteration may
// have a cell of its own. The adjoint's shadows get theirs when it is built
// (Adjoint/Privatise.h); this is for the forward sweep, after it was built and
// only for the time of its schedule: contractShadows takes the dimensions away
// again.
//
//===----------------------------------------------------------------------===//

#include "Schedule/PrivateCopies.h"
#include "Support/FlowTimes.h"
#include "Support/IslUtils.h"
#include "Tape/TupleId.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pardiff;

/// Elements of an array that gets copies.
static constexpr int64_t MaxElements = 1024;
/// Operations of isl for one array. It gets no copies past that.
static constexpr unsigned long MaxOperations = 500000;

namespace {

/// The accesses of a program to one array.
struct ArrayUses {
  isl::union_map Reads, Writes;
  const Statement *First = nullptr;
  unsigned NumCommon = 0; ///< outer loops that all have in common
  bool Sums = false;      ///< some accumulate
};

} // namespace

static ArrayUses findUses(const Program &P, const Array &A) {
  ArrayUses U;
  U.Reads = U.Writes = isl::union_map::empty(P.Order.ctx());
  for (const auto &S : P.Statements) {
    bool Used = false;
    for (const Access &X : concat<const Access>(S->Reads, S->Writes)) {
      if (X.Arr != &A)
        continue;
      Used = true;
      isl::union_map M(X.Relation.intersect_domain(S->Domain));
      isl::union_map &All = X.Kind == AccessKind::Read ? U.Reads : U.Writes;
      All = All.unite(M);
      U.Sums |= X.Kind == AccessKind::Accumulate;
    }
    if (!Used)
      continue;
    if (!U.First) {
      U.First = S.get();
      U.NumCommon = S->Loops.size();
      continue;
    }
    unsigned Same = 0;
    while (Same < U.NumCommon && Same < S->Loops.size() &&
           S->Loops[Same] == U.First->Loops[Same])
      ++Same;
    U.NumCommon = Same;
  }
  return U;
}

/// The number of outer loops of all uses that no value crosses.
static unsigned countPrivateLoops(const Program &P, const Array &A) {
  ArrayUses U = findUses(P, A);
  if (!U.First || U.Sums || U.NumCommon == 0)
    return 0;
  isl::union_flow Flow = isl::union_access_info(U.Reads)
                             .set_must_source(U.Writes)
                             .set_schedule_map(hideConstants(P.Order))
                             .compute_flow();
  if (Flow.is_null() || !Flow.must_no_source().is_empty().is_true())
    return 0;
  unsigned NumLoops = U.NumCommon;
  isl::union_map Dependences = dropShift(Flow.must_dependence());
  if (Dependences.is_null())
    return 0;
  isl::stat Ok = Dependences.foreach_map([&](isl::map M) -> isl::stat {
    for (unsigned L = 0; L < NumLoops; ++L)
      if (!M.is_subset(M.equate(isl::dim::in, L, isl::dim::out, L)).is_true())
        NumLoops = L;
    return isl::stat::ok();
  });
  return Ok.is_ok() ? NumLoops : 0;
}

/// True if a copy of A could live in a scope: its size is a small constant.
static bool isSmall(const Array &A) {
  int64_t Size = 1;
  for (const isl::pw_aff &Extent : A.Shape) {
    isl::val V = Extent.is_null()
                     ? isl::val()
                     : isl::manage(isl_pw_aff_max_val(Extent.copy()));
    if (!V.is_int().is_true() || !V.le(MaxElements).is_true())
      return false;
    Size *= std::max<int64_t>(V.num_si(), 1);
    if (Size > MaxElements)
      return false;
  }
  return true;
}

/// The relation of an access with the outer iterators in front of the element.
static isl::map addIterators(const isl::map &Relation, unsigned NumLoops,
                             const isl::id &Id) {
  isl::map Outer = isl::map::identity(Relation.domain().space().map_from_set());
  unsigned NumIn = dimOf(Relation, isl::dim::in);
  Outer = Outer.project_out(isl::dim::out, NumLoops, NumIn - NumLoops)
              .intersect_domain(Relation.domain());
  isl::map Element =
      isl::manage(isl_map_reset_tuple_id(Relation.copy(), isl_dim_out));
  return Outer.flat_range_product(Element).set_tuple_id(isl::dim::out, Id);
}

/// Nothing changes if isl fails.
void PrivateCopies::replace(Array &Of, unsigned NumLoops) {
  Array *New = P.N->addArray(Of.Name + "_private", ArrayKind::Local, Of.ElemTy);
  isl::id Id = tupleId(P.Order.ctx(), New->Name);
  isl::set Iterations;
  SmallVector<std::pair<Access *, isl::map>, 8> Replaced;
  for (const auto &S : P.Statements) {
    bool Used = false;
    for (Access &X : concat<Access>(S->Reads, S->Writes)) {
      if (X.Arr != &Of)
        continue;
      Replaced.push_back({&X, addIterators(X.Relation, NumLoops, Id)});
      Used = true;
    }
    if (!Used)
      continue;
    isl::set Outer =
        S->Domain
            .project_out(isl::dim::set, NumLoops, S->Loops.size() - NumLoops)
            .reset_tuple_id();
    Iterations = Iterations.is_null() ? Outer : Iterations.unite(Outer);
  }
  for (unsigned L = 0; L < NumLoops; ++L)
    New->Shape.push_back(
        Iterations.dim_max(L).add_constant(isl::val(P.Order.ctx(), 1)));
  bool Failed =
      any_of(New->Shape, [](const isl::pw_aff &E) { return E.is_null(); }) ||
      any_of(Replaced, [](const auto &R) { return R.second.is_null(); });
  if (Failed)
    return remove(New);
  New->PrivateDims = NumLoops;
  New->Shape.append(Of.Shape.begin(), Of.Shape.end());
  for (auto &[X, M] : Replaced) {
    X->Arr = New;
    X->Relation = M;
  }
  Copies.push_back({&Of, New});
}

void PrivateCopies::create(function_ref<bool(const Array &)> NeededAfter,
                           const SmallSetVector<Array *, 4> &Excluded) {
  for (const auto &S : P.Statements)
    Old.push_back({S->Reads, S->Writes});
  SmallVector<std::pair<Array *, unsigned>, 8> Found;
  for (const auto &A : P.N->Arrays) {
    bool Inside = A->Kind == ArrayKind::Slot || A->Kind == ArrayKind::Local;
    if (!Inside || A->isExternal() || A->PrivateDims || NeededAfter(*A) ||
        Excluded.contains(A.get()) || !isSmall(*A))
      continue;
    IslQuota Quota(P.N->Ctx.get(), MaxOperations);
    if (unsigned NumLoops = countPrivateLoops(P, *A))
      Found.push_back({A.get(), NumLoops});
  }
  IslQuota Quota(P.N->Ctx.get());
  for (auto [A, NumLoops] : Found)
    replace(*A, NumLoops);
}

SmallVector<Array *, 4> PrivateCopies::getLarge() const {
  unsigned MaxDims = 0;
  for (const auto &S : P.Statements)
    for (const Access &X : concat<const Access>(S->Reads, S->Writes))
      if (!X.Arr->PrivateDims)
        MaxDims = std::max(MaxDims, X.Arr->getNumDims());
  SmallVector<Array *, 4> Result;
  for (const Copy &C : Copies)
    if (C.New->PrivateDims && C.New->getNumDims() > MaxDims)
      Result.push_back(C.Of);
  return Result;
}

SmallVector<Array *, 2> PrivateCopies::getUnscoped() const {
  SmallVector<Array *, 2> Result;
  for (const Copy &C : Copies)
    if (C.New->Scope.empty())
      Result.push_back(C.New);
  return Result;
}

void PrivateCopies::remove(const Array *A) {
  erase_if(P.N->Arrays, [&](const auto &X) { return X.get() == A; });
}

void PrivateCopies::mergeSerial() {
  SmallVector<const Array *, 4> Unused;
  auto isMerged = [](const Copy &C) {
    return C.New->Scope.empty() && C.New->PrivateDims == 0;
  };
  for (const Copy &C : Copies) {
    if (!isMerged(C))
      continue;
    isl::id Id = tupleId(P.Order.ctx(), C.Of->Name);
    for (const auto &S : P.Statements) {
      auto Replace = [&, &C = C](Access &X) {
        if (X.Arr != C.New)
          return;
        X.Arr = C.Of;
        X.Relation = X.Relation.set_tuple_id(isl::dim::out, Id);
      };
      for_each(S->Reads, Replace);
      for_each(S->Writes, Replace);
    }
  }
  for (const Copy &C : Copies)
    if (isMerged(C))
      Unused.push_back(C.New);
  erase_if(Copies, isMerged);
  for_each(Unused, [&](const Array *A) { remove(A); });
}

void PrivateCopies::restore() {
  for (auto [S, Accesses] : zip(P.Statements, Old)) {
    S->Reads = Accesses.Reads;
    S->Writes = Accesses.Writes;
  }
  for (const Copy &C : Copies)
    remove(C.New);
  Copies.clear();
}
