//===- Nest/ScopConditions.cpp - For which parameters the model is exact --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polly keeps two sets. InvalidContext holds parameters for which domains or
// relations would be wrong (wrapping counters, negative sizes taken as
// unsigned, loops without end). AssumedContext holds parameters for which all
// subscripts stay in bounds, simplified under the assumption that some
// statement runs; where none does, its value means nothing. So
//
//   Valid = (Assumed or no access to an array happens) and not Invalid
//
// and sizes of zero stay valid. Bounds of inner dimensions are checked once
// more on our own relations.
//
//===----------------------------------------------------------------------===//

#include "Nest/ScopReader.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "isl/map.h"
#include "isl/set.h"

using namespace llvm;
using namespace pardiff;

/// Parameters that a program can have: no array has more elements.
static isl::set getSaneBox(const isl::space &Space) {
  isl::val Largest =
      isl::manage(isl_val_2exp(isl_val_int_from_si(Space.ctx().get(), 40)));
  isl::set Box = isl::set::universe(Space);
  for (unsigned I = 0, E = dimOf(Space, isl::dim::param); I < E; ++I) {
    Box = Box.lower_bound_val(isl::dim::param, I, Largest.neg());
    Box = isl::manage(isl_set_upper_bound_val(Box.release(), isl_dim_param, I,
                                              Largest.copy()));
  }
  return Box;
}

/// X for parameters in Box; what it says outside is dropped.
static isl::set simplifyInside(const isl::set &X, const isl::set &Box) {
  return X.intersect(Box).gist(Box).coalesce();
}

Error ScopReader::readConditions(Conditions &Cond) {
  isl::space Space =
      isl::manage(isl_space_params(S.getFullParamSpace().release()));
  isl::set Accessing = isl::set::empty(Space);
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *MA : Stmt)
      if (MA->isArrayKind()) {
        Accessing = Accessing.unite(Stmt.getDomain().params());
        break;
      }
  // Conditions on huge values (counters that would wrap) make these sets large
  // and say nothing about real sizes. They are replaced by the box, where the
  // sets without them are not as strict.
  isl::set Box = getSaneBox(Space);
  isl::set Assumed = simplifyInside(S.getAssumedContext(), Box);
  isl::set Invalid = simplifyInside(S.getInvalidContext(), Box);
  isl::set Runs = simplifyInside(Accessing, Box);
  Valid = Assumed.unite(Runs.complement()).subtract(Invalid).coalesce();
  if (!isTrue(Assumed.is_subset(S.getAssumedContext())) ||
      !isTrue(S.getInvalidContext().is_subset(Invalid)) ||
      !isTrue(Accessing.is_subset(Runs)))
    Valid = Valid.intersect(Box);
  Valid = renameParams(Valid);
  if (Valid.is_null())
    return refuse(Reason::IslFailed, "condition of the nest");
  if (isTrue(Valid.is_empty()))
    return refuse(Reason::NeverValid, "");
  N.Context = computeContext(Valid);
  if (N.Context.is_null())
    return refuse(Reason::IslFailed, "context of the nest");
  Cond.Valid = Valid;
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

/// Removes from Cond.Valid the parameters for which an access leaves the bounds
/// of an inner dimension: two elements would have one address.
Error ScopReader::restrictToBounds(Conditions &Cond) const {
  auto Restrict = [&](const Access &A) {
    if (A.Arr->getNumDims() < 2)
      return true;
    isl::set Range = A.Relation.intersect_params(Cond.Valid).range();
    isl::set Outside = getOutside(*A.Arr, Range);
    isl::boolean Never = Outside.is_empty();
    if (isFalse(Never))
      Cond.Valid =
          Cond.Valid.subtract(Outside.params().remove_divs()).coalesce();
    return !Never.is_error() && !Cond.Valid.is_null();
  };
  for (const auto &St : P.Statements)
    for (ArrayRef<Access> Accesses :
         {ArrayRef<Access>(St->Reads), ArrayRef<Access>(St->Writes)})
      for (const Access &A : Accesses)
        if (!Restrict(A))
          return refuse(Reason::IslFailed,
                        "bounds of array '" + A.Arr->Name + "'");
  if (isTrue(Cond.Valid.is_empty()))
    return refuse(Reason::NeverValid,
                  "subscripts stay within inner dimensions");
  return Error::success();
}
