//===- Support/IslUtils.cpp - Small helpers around isl --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "isl/ctx.h"
#include "isl/options.h"
#include "isl/printer.h"
#include "isl/schedule.h"
#include "isl/union_map.h"
#include <cstdlib>

using namespace llvm;
using namespace pardiff;

IslQuota::IslQuota(isl_ctx *Ctx, unsigned long MaxOperations)
    : Ctx(Ctx), OldMax(isl_ctx_get_max_operations(Ctx)),
      OldOnError(isl_options_get_on_error(Ctx)) {
  isl_options_set_on_error(Ctx, ISL_ON_ERROR_CONTINUE);
  isl_ctx_reset_error(Ctx);
  isl_ctx_reset_operations(Ctx);
  isl_ctx_set_max_operations(Ctx, MaxOperations);
}

IslQuota::~IslQuota() {
  isl_ctx_set_max_operations(Ctx, OldMax);
  isl_ctx_reset_operations(Ctx);
  isl_ctx_reset_error(Ctx);
  isl_options_set_on_error(Ctx, OldOnError);
}

bool IslQuota::exceeded() const {
  return isl_ctx_last_error(Ctx) == isl_error_quota;
}

Error IslQuota::refusal(const Twine &What) const {
  if (exceeded())
    return refuse(Reason::IslFailed, What + ": operation limit");
  const char *Msg = isl_ctx_last_error_msg(Ctx);
  return refuse(Reason::IslFailed,
                Msg ? What + ": " + Twine(Msg) : What + Twine(": error"));
}

std::string pardiff::toString(const isl::schedule &S) {
  if (S.is_null())
    return "null";
  isl_printer *P = isl_printer_to_str(S.ctx().get());
  P = isl_printer_set_yaml_style(P, ISL_YAML_STYLE_FLOW);
  P = isl_printer_print_schedule(P, S.get());
  char *Str = isl_printer_get_str(P);
  isl_printer_free(P);
  std::string Result = Str ? Str : "null";
  std::free(Str);
  return Result;
}

isl::union_map pardiff::happensBefore(const isl::union_map &Order) {
  return isl::manage(
      isl_union_map_lex_lt_union_map(Order.copy(), Order.copy()));
}

isl::schedule pardiff::scheduleFromOrder(const isl::union_map &Order) {
  isl::union_set Domain = Order.domain();
  isl_schedule *S = isl_schedule_from_domain(Domain.release());
  isl_multi_union_pw_aff *Time =
      isl_multi_union_pw_aff_from_union_map(Order.copy());
  return isl::manage(isl_schedule_insert_partial_schedule(S, Time));
}

static bool hasDivs(const isl::set &S) {
  bool Has = false;
  S.foreach_basic_set([&](isl::basic_set Piece) {
    Has |= isl_basic_set_dim(Piece.get(), isl_dim_div) != 0;
    return isl::stat::ok();
  });
  return Has;
}

static bool hasDivs(const isl::map &M) {
  bool Has = false;
  M.foreach_basic_map([&](isl::basic_map Piece) {
    Has |= isl_basic_map_dim(Piece.get(), isl_dim_div) != 0;
    return isl::stat::ok();
  });
  return Has;
}

static bool hasDivs(const isl::union_set &U) {
  bool Has = false;
  U.foreach_set([&](isl::set S) {
    Has |= hasDivs(S);
    return isl::stat::ok();
  });
  return Has;
}

static bool hasDivs(const isl::union_map &U) {
  bool Has = false;
  U.foreach_map([&](isl::map M) {
    Has |= hasDivs(M);
    return isl::stat::ok();
  });
  return Has;
}

static bool hasDivs(const isl::pw_aff &E) {
  bool Has = false;
  E.foreach_piece([&](isl::set Where, isl::aff) {
    Has |= hasDivs(Where);
    return isl::stat::ok();
  });
  return Has;
}

static bool hasDivs(const isl::pw_multi_aff &E) {
  bool Has = false;
  E.foreach_piece([&](isl::set Where, isl::multi_aff) {
    Has |= hasDivs(Where);
    return isl::stat::ok();
  });
  return Has;
}

template <typename T> static bool areEqual(const T &A, const T &B) {
  return A.is_equal(B).is_true();
}
static bool areEqual(const isl::pw_multi_aff &A, const isl::pw_multi_aff &B) {
  return A.as_map().is_equal(B.as_map()).is_true();
}

template <typename T> static T coalesceAny(const T &Obj) {
  T Result = Obj.coalesce();
  if (Obj.is_null() || !hasDivs(Obj) || areEqual(Result, Obj))
    return Result;
  return Obj;
}

isl::set pardiff::coalesceChecked(const isl::set &S) { return coalesceAny(S); }
isl::map pardiff::coalesceChecked(const isl::map &M) { return coalesceAny(M); }
isl::union_set pardiff::coalesceChecked(const isl::union_set &S) {
  return coalesceAny(S);
}
isl::union_map pardiff::coalesceChecked(const isl::union_map &M) {
  return coalesceAny(M);
}
isl::pw_aff pardiff::coalesceChecked(const isl::pw_aff &E) {
  return coalesceAny(E);
}
isl::pw_multi_aff pardiff::coalesceChecked(const isl::pw_multi_aff &E) {
  return coalesceAny(E);
}

isl::map pardiff::getFirstImages(const isl::map &M) {
  if (M.is_single_valued().is_true())
    return M;
  bool IsSafe = true;
  M.foreach_basic_map([&](isl::basic_map Piece) {
    isl_size Divs = isl_basic_map_dim(Piece.get(), isl_dim_div);
    IsSafe &= Divs >= 0 && Divs < 2;
    return isl::stat::ok();
  });
  return IsSafe ? M.lexmin() : isl::map();
}
