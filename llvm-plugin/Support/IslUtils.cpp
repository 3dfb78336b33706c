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
