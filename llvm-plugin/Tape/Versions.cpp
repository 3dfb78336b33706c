//===- Tape/Versions.cpp - Names for the values of a program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tape/Versions.h"
#include "Support/IslUtils.h"
#include "Tape/TupleId.h"

using namespace llvm;
using namespace pardiff;

/// Copies of copies that are followed. Programs that swap arrays in a time loop
/// would go on for ever.
static constexpr unsigned MaxCopies = 3;

std::string pardiff::nameOfWrite(const Statement &S, unsigned W) {
  return S.Name + "__w" + std::to_string(W);
}

std::string pardiff::nameOfLiveIn(const Array &A) { return "in__" + A.Name; }

const ResultFacts &Versions::getFacts(const Statement &S, unsigned W) {
  auto [It, New] = Facts.try_emplace({&S, W});
  if (New)
    It->second = getResultFacts(S, W);
  return It->second;
}

isl::union_map Versions::write(const Statement &S, unsigned W, unsigned Depth) {
  const Access &A = S.Writes[W];
  if (A.Kind == AccessKind::Write && Depth < MaxCopies && !A.Guard)
    if (auto R = getFacts(S, W).CopyOf)
      if (S.Reads[*R].Arr->ElemTy == A.Arr->ElemTy && !S.Reads[*R].Guard)
        return read(S, *R, Depth + 1);
  return S.Domain.identity()
      .set_range_tuple(tupleId(isl::ctx(P.N->Ctx.get()), nameOfWrite(S, W)))
      .to_union_map();
}

isl::union_map Versions::read(const Statement &S, unsigned R, unsigned Depth) {
  const Access &A = S.Reads[R];
  auto It = D.Reads.find({&S, R});
  if (It == D.Reads.end())
    return isl::union_map();
  const Dataflow::ReadFlow &F = It->second;
  isl::union_map Result = A.Relation.intersect_domain(F.LiveIn)
                              .set_range_tuple(tupleId(isl::ctx(P.N->Ctx.get()),
                                                       nameOfLiveIn(*A.Arr)))
                              .to_union_map();
  for (const Dataflow::Source &Src : F.Sources)
    Result = Result.unite(Src.Map.reverse().to_union_map().apply_range(
        write(*Src.Writer, Src.Write, Depth)));
  return Result;
}

isl::union_map Versions::ofRead(const Statement &S, unsigned R) {
  isl::union_map &Result = Reads[{&S, R}];
  if (Result.is_null()) {
    isl::union_map M = coalesceChecked(read(S, R, 0));
    Reads[{&S, R}] = M;
    return M;
  }
  return Result;
}

isl::union_map Versions::ofWrite(const Statement &S, unsigned W) {
  return write(S, W, 0);
}

isl::union_map Versions::getFinalPlaces(const Array &A) {
  auto [It, New] = Places.try_emplace(&A);
  if (!New)
    return It->second;
  isl::ctx Ctx(P.N->Ctx.get());
  // Elements as they were before the nest, of those that are read at all.
  isl::union_map Result = isl::union_map::empty(Ctx);
  if (!A.Lasts)
    return Places[&A] = Result;
  isl::union_set Overwritten = isl::union_set::empty(Ctx);
  isl::union_set Read = Overwritten;
  for (const auto &S : P.Statements) {
    for (const auto &[W, Write] : enumerate(S->Writes)) {
      if (Write.Arr != &A)
        continue;
      isl::map Rel = Write.Relation.intersect_domain(S->Domain);
      Overwritten = Overwritten.unite(Rel.range().to_union_set());
      if (Write.Guard)
        continue; // others may not look there
      // What a write left behind under the name of its value.
      isl::set Left =
          S->Domain.subtract(D.WriteOverwritten.at({S.get(), unsigned(W)}));
      Result = Result.unite(ofWrite(*S, W)
                                .intersect_domain(Left.to_union_set())
                                .reverse()
                                .apply_range(Rel.to_union_map()));
    }
    for (const Access &R : S->Reads)
      if (R.Arr == &A)
        Read = Read.unite(
            R.Relation.intersect_domain(S->Domain).range().to_union_set());
  }
  isl::union_set Kept = Read.subtract(Overwritten);
  if (!Kept.is_null())
    Kept.foreach_set([&](isl::set Elements) {
      isl::map Same = Elements.identity().set_domain_tuple(
          tupleId(isl::ctx(P.N->Ctx.get()), nameOfLiveIn(A)));
      Result = Result.unite(Same.to_union_map());
      return isl::stat::ok();
    });
  Result = Kept.is_null() ? isl::union_map() : coalesceChecked(Result);
  Places[&A] = Result;
  return Result;
}

bool Versions::areLiveIn(const isl::union_map &M) {
  return M
      .every_map([](isl::map V) {
        return isl::boolean(
            StringRef(nameOf(V.range_tuple_id())).starts_with("in__"));
      })
      .is_true();
}
