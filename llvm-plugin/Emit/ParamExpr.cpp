//===- Emit/ParamExpr.cpp - Expressions over the parameters ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/ParamExpr.h"
#include "Emit/ExprGen.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "isl/ast_build.h"

using namespace llvm;
using namespace pardiff;

isl::set pardiff::getCommonContext(const isl::set &Known) {
  isl::set Context = coalesceChecked(Known);
  if (isl_set_n_basic_set(Context.get()) <= 1)
    return Context;
  return isl::manage(
      isl_set_from_basic_set(isl_set_unshifted_simple_hull(Context.release())));
}

SmallVector<Value *, 8> ParamExprs::getValues() const {
  SmallVector<Value *, 8> Values;
  for (const Parameter &P : N.Params)
    Values.push_back(P.V);
  return Values;
}

/// Runs Make with a build of Known and converts what it returns.
static Expected<AstExpr>
convertWith(const Nest &N, const isl::set &Known,
            function_ref<isl_ast_expr *(isl_ast_build *)> Make) {
  IslQuota Quota(N.Ctx.get());
  isl_ast_build *Build = isl_ast_build_from_context(Known.copy());
  isl::ast_expr Expr = isl::manage(Make(Build));
  isl_ast_build_free(Build);
  if (Expr.is_null())
    return Quota.refusal("expression over the parameters");
  return AstConverter(N).convertExpr(Expr.get());
}

Expected<AstExpr> ParamExprs::convert(const isl::pw_aff &E) const {
  return convertWith(N, Known, [&](isl_ast_build *Build) {
    return isl_ast_build_expr_from_pw_aff(Build, coalesceChecked(E).release());
  });
}

Expected<AstExpr> ParamExprs::convert(const isl::set &S) const {
  return convertWith(N, Known, [&](isl_ast_build *Build) {
    return isl_ast_build_expr_from_set(Build, coalesceChecked(S).release());
  });
}

Expected<std::vector<AstExpr>>
ParamExprs::convertExtents(const Array &A) const {
  std::vector<AstExpr> Shape;
  for (unsigned D = 1; D < A.getNumDims(); ++D) {
    if (Arrays.getKnownExtent(A, D)) {
      Shape.emplace_back();
      continue;
    }
    if (A.Shape[D].is_null())
      return refuse(Reason::NoStorage, A.Name + ": unknown extent");
    Expected<AstExpr> E = convert(A.Shape[D]);
    if (!E)
      return E.takeError();
    Shape.push_back(std::move(*E));
  }
  return Shape;
}

SmallVector<Value *, 4> ParamExprs::emitExtents(const Array &A,
                                                ArrayRef<AstExpr> Shape,
                                                IRBuilder<> &B,
                                                bool NoWrap) const {
  SmallVector<Value *, 8> Params = getValues();
  ExprGen Gen(B, Params, NoWrap);
  SmallVector<Value *, 4> Values;
  for (unsigned D = 1; D < A.getNumDims(); ++D) {
    Value *Known = Arrays.getKnownExtent(A, D);
    Values.push_back(Known ? Known : Gen.emit(Shape[D - 1]));
  }
  return Values;
}
