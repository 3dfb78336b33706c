//===- Nest/ScopConditions.cpp - For which parameters the model is exact --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly keeps two sets. InvalidContext holds parameters for which domains or
// relations would be wrong (wrapping counters, negative sizes taken as
// unsigned, loops without end). AssumedContext holds parameters for which all
// subscripts stay in bounds; but it is simplified under the assumption that
// some statement runs, and rounded where it involves integer division, so that
// small sizes fall out of it. It is used only where Polly assumed anything else
// than bounds:
//
//   Valid = (Assumed or no access to an array happens) and not Invalid
//
// Bounds are computed on our own relations. Sizes of zero stay valid.
//
// A model may be exact and yet of no use: with a row length of n + 8 read as n,
// only rows are valid that are longer than the array. isUsual tells by trying a
// few sizes.
//
//===----------------------------------------------------------------------===//

#include "Nest/ScopReader.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "isl/map.h"
#include "isl/set.h"

using namespace llvm;
using namespace pardiff;

/// A condition in more parts than this is made stricter and simpler.
static constexpr unsigned MaxParts = 12;

/// True if the value is an address or computed from one: it may be huge.
static bool isAddress(const SCEV *S) {
  return SCEVExprContains(
      S, [](const SCEV *E) { return E->getType()->isPointerTy(); });
}

/// Sizes that a program can have: no array has more elements.
static isl::set getSaneBox(const isl::space &Space) {
  isl::val Largest =
      isl::manage(isl_val_2exp(isl_val_int_from_si(Space.ctx().get(), 40)));
  isl::set Box = isl::set::universe(Space);
  for (unsigned I = 0, E = dimOf(Space, isl::dim::param); I < E; ++I) {
    isl::id Id =
        isl::manage(isl_space_get_dim_id(Space.get(), isl_dim_param, I));
    auto *Param = static_cast<const SCEV *>(isl_id_get_user(Id.get()));
    if (Param && isAddress(Param))
      continue;
    Box = Box.lower_bound_val(isl::dim::param, I, Largest.neg());
    Box = isl::manage(isl_set_upper_bound_val(Box.release(), isl_dim_param, I,
                                              Largest.copy()));
  }
  return Box;
}

/// What is forbidden, without conditions on huge values (counters that would
/// wrap): they make sets large and say nothing about real sizes. NeedsBox is
/// set if the result is only right for parameters in the box.
static isl::set dropHuge(const isl::set &Forbidden, const isl::set &Box,
                         bool &NeedsBox) {
  isl::set Inside = coalesceChecked(Forbidden.intersect(Box).gist(Box));
  NeedsBox |= !isTrue(Forbidden.is_subset(Inside));
  return Inside;
}

/// Parameters for which Polly's assumptions do not hold although they matter.
static isl::set getBrokenAssumptions(polly::Scop &S, const isl::space &Space) {
  isl::set Accessing = isl::set::empty(Space);
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isArrayKind()) {
        Accessing = Accessing.unite(Stmt.getDomain().params());
        break;
      }
  return coalesceChecked(Accessing.subtract(S.getAssumedContext()));
}

Error ScopReader::readConditions(Conditions &Cond) {
  isl::space Space =
      isl::manage(isl_space_params(S.getFullParamSpace().release()));
  isl::set Forbidden = S.getInvalidContext();
  if (!OnlyBoundsAssumed)
    Forbidden = Forbidden.unite(getBrokenAssumptions(S, Space));
  Box = renameParams(getSaneBox(Space));
  Forbidden = dropHuge(renameParams(Forbidden), Box, NeedsBox);
  Valid = coalesceChecked(Forbidden.complement());
  if (Valid.is_null())
    return refuse(Reason::IslFailed, "condition of the nest");
  N.Context = computeContext(Valid);
  if (N.Context.is_null())
    return refuse(Reason::IslFailed, "context of the nest");
  return Error::success();
}

/// Only constant bounds, and no large ones, so that later work stays cheap:
/// large constants make isl's scheduler slow.
isl::set ScopReader::computeContext(const isl::set &Valid) const {
  constexpr long Largest = 1 << 15;
  auto IsSmall = [&](const isl::val &V) {
    return isTrue(V.is_int()) && isTrue(V.abs().le(isl::val(V.ctx(), Largest)));
  };
  isl::set Known = renameParams(S.getContext()).intersect(Valid);
  isl::set Result = isl::set::universe(Known.get_space());
  for (unsigned I = 0, E = dimOf(Known, isl::dim::param); I < E; ++I) {
    isl::set One =
        isl::manage(isl_set_move_dims(isl_set_from_params(Known.copy()),
                                      isl_dim_set, 0, isl_dim_param, I, 1));
    isl::val Min = One.dim_min_val(0), Max = One.dim_max_val(0);
    if (Min.is_null() || Max.is_null())
      return isl::set();
    if (IsSmall(Min))
      Result = Result.lower_bound_val(isl::dim::param, I, Min);
    if (IsSmall(Max))
      Result = isl::manage(isl_set_upper_bound_val(
          Result.release(), isl_dim_param, I, Max.release()));
  }
  return Result;
}

/// Elements of A that lie outside its inner dimensions; Range is in A's space.
static isl::set getOutside(const Array &A, const isl::set &Range) {
  isl::space Space = Range.get_space();
  isl::set Outside = isl::set::empty(Space);
  for (unsigned D = 1; D < A.getNumDims(); ++D) {
    isl::pw_aff Index = isl::manage(isl_pw_aff_var_on_domain(
        isl_local_space_from_space(Space.copy()), isl_dim_set, D));
    isl::pw_aff Zero = isl::manage(
        isl_pw_aff_zero_on_domain(isl_local_space_from_space(Space.copy())));
    isl::pw_aff Extent =
        isl::manage(isl_pw_aff_insert_domain(A.Shape[D].copy(), Space.copy()));
    Outside = Outside.unite(Index.lt_set(Zero)).unite(Index.ge_set(Extent));
  }
  return Range.intersect(Outside);
}

/// Completes the condition: no access leaves the bounds of an inner dimension,
/// where two elements would have one address.
Error ScopReader::finishConditions(Conditions &Cond) {
  isl::set Outside = isl::set::empty(Valid.get_space());
  auto Collect = [&](const Access &A) {
    if (A.Arr->getNumDims() < 2 || A.Arr->View)
      return;
    isl::set Range = A.Relation.intersect_params(Valid).range();
    Outside = Outside.unite(getOutside(*A.Arr, Range).params());
  };
  for (const auto &St : P.Statements) {
    for (const Access &A : St->Reads)
      Collect(A);
    for (const Access &A : St->Writes)
      Collect(A);
  }
  Outside = dropHuge(coalesceChecked(Outside), Box, NeedsBox);
  Cond.Valid = coalesceChecked(Valid.subtract(Outside));
  isl::size Parts = Cond.Valid.n_basic_set();
  if (!Parts.is_error() && unsigned(Parts) > MaxParts)
    Cond.Valid = coalesceChecked(Valid.subtract(Outside.remove_divs()));
  if (NeedsBox)
    Cond.Valid = Cond.Valid.intersect(Box);
  isl::boolean Never = Cond.Valid.is_empty();
  if (Never.is_error())
    return refuse(Reason::IslFailed, "condition of the nest");
  if (isTrue(Never))
    return refuse(Reason::NeverValid, "subscripts stay within the extents");
  return Error::success();
}

namespace {

/// The value of an expression if the integers that it is made of are sizes of
/// a program, Even and Odd in turns.
class SampleEvaluator : public SCEVRewriteVisitor<SampleEvaluator> {
public:
  SampleEvaluator(ScalarEvolution &SE, unsigned Even, unsigned Odd)
      : SCEVRewriteVisitor(SE), Even(Even), Odd(Odd) {}

  const SCEV *visitUnknown(const SCEVUnknown *U) {
    if (!U->getType()->isIntegerTy())
      return U;
    if (auto *Freeze = dyn_cast<FreezeInst>(U->getValue()))
      return visit(SE.getSCEV(Freeze->getOperand(0)));
    unsigned Index =
        Order.insert({U->getValue(), unsigned(Order.size())}).first->second;
    return SE.getConstant(U->getType(), Index % 2 ? Odd : Even);
  }

private:
  unsigned Even, Odd;
  DenseMap<const Value *, unsigned> Order;
};

} // namespace

bool ScopReader::isUsual(const Conditions &Cond) const {
  constexpr std::pair<unsigned, unsigned> Samples[] = {
      {5, 7}, {9, 5}, {20, 20}, {100, 120}, {1000, 900}};
  return any_of(Samples, [&](auto Sizes) {
    SampleEvaluator Evaluator(SE, Sizes.first, Sizes.second);
    isl::set At = Cond.Valid;
    for (auto [Param, S] : zip_equal(N.Params, ParamValues)) {
      auto *Value = dyn_cast<SCEVConstant>(Evaluator.visit(S));
      int Dim = isl_set_find_dim_by_id(At.get(), isl_dim_param, Param.Id.get());
      if (Value && Dim >= 0 && Value->getAPInt().isSignedIntN(48))
        At = isl::manage(isl_set_fix_val(
            At.release(), isl_dim_param, Dim,
            isl::val(N.Ctx.get(), Value->getAPInt().getSExtValue()).release()));
    }
    return !isTrue(At.is_empty());
  });
}
