//===- Tape/PlanByInstance.cpp - A tape plan without dataflow -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan for nests in which the question which instance wrote a value is too
// much work for isl. A value whose element is surely not written behind its
// read is in place. Every other is stored by the instance that reads it, in a
// cell of its own: the index is the instance, so no two versions can meet.
//
// Not attempted: fewer dimensions, common tapes, recomputation, results in
// place of operands.
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "Tape/Plan.h"
#include "Tape/TapeIndex.h"
#include "isl/map.h"
#include "isl/set.h"

using namespace llvm;
using namespace pardiff;

/// The reads that the reverse sweep of S needs.
static Expected<SmallBitVector> getNeeded(const Statement &S, const Activity &A,
                                          const Dataflow &D) {
  SmallBitVector Seeds(S.Writes.size());
  SmallVector<unsigned, 4> Active;
  for (const auto &[W, Write] : enumerate(S.Writes))
    Seeds[W] = A.isActive(Write.Arr) && !D.isDead(S, W);
  for (const auto &[R, Read] : enumerate(S.Reads))
    if (A.isActive(Read.Arr))
      Active.push_back(R);
  if (Seeds.none() || Active.empty() || S.Domain.is_empty().is_true())
    return SmallBitVector(S.Reads.size());
  auto Product = buildVjp(*S.Body, S.Reads.size(), Active, Seeds,
                          SmallBitVector(S.Writes.size()));
  if (!Product)
    return Product.takeError();
  Product->Fn->eraseFromParent();
  return Product->UsesRead |= getGuardOperands(S);
}

/// A tape with one cell for each instance of S, for its read R.
static bool addTape(Nest &N, const Statement &S, unsigned R, TapePlan &Plan) {
  Tape T;
  const Access &Acc = S.Reads[R];
  T.Arr = N.addArray(Acc.Arr->Name + "_tape", ArrayKind::Tape, Acc.Arr->ElemTy);
  T.Arr->Of = Acc.Arr;
  isl::map Cell = isl::manage(
      isl_map_reset_tuple_id(S.Domain.identity().release(), isl_dim_out));
  T.Cells = Cell.range();
  if (T.Cells.is_null() ||
      !makeShape(T.Cells, N.Context, T.Arr->Name, T.Arr->Shape, T.Shift))
    return false;
  TapedValue Value{&S, R, false, Cell, {}};
  for (unsigned I = 0; I < S.getNumIterators(); ++I)
    Value.Iterators.push_back(I);
  T.Values.push_back(std::move(Value));
  KeptValue &K = Plan.Reads[{&S, R}];
  K.How = Keep::Tape;
  K.Domain = S.Domain;
  K.From = {AccessKind::Read, T.Arr,
            coalesceChecked(Cell.apply_range(T.Shift))};
  bool Ok = K.From.Relation.is_single_valued().is_true() &&
            S.Domain.is_subset(K.From.Relation.domain()).is_true();
  Plan.Tapes.push_back(std::move(T));
  return Ok;
}

Expected<TapePlan> pardiff::planTapeByInstance(const Program &P,
                                               const Activity &A,
                                               const Dataflow &D) {
  TapePlan Plan;
  for (const auto &S : P.Statements) {
    Expected<SmallBitVector> Needed = getNeeded(*S, A, D);
    if (!Needed)
      return Needed.takeError();
    for (unsigned R : Needed->set_bits()) {
      IslQuota Quota(P.N->Ctx.get());
      isl::set Lost = D.ReadOverwritten.lookup({S.get(), R});
      const Access &Read = S->Reads[R];
      if (!Lost.is_null() && S->Domain.is_disjoint(Lost).is_true()) {
        KeptValue &K = Plan.Reads[{S.get(), R}];
        K.From = {AccessKind::Read, Read.Arr,
                  Read.Relation.intersect_domain(S->Domain)};
        K.Domain = S->Domain;
        if (!K.From.Relation.is_null())
          continue;
        return Quota.refusal("tape plan");
      }
      if (!addTape(*P.N, *S, R, Plan))
        return Quota.refusal("tape plan");
    }
  }
  return std::move(Plan);
}
