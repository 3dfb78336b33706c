//===- Emit/ParamExpr.h - Expressions over the parameters -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_PARAMEXPR_H
#define PARDIFF_EMIT_PARAMEXPR_H

#include "Emit/Arrays.h"
#include "Emit/LoopAst.h"

namespace pardiff {

/// What isl may assume of the parameters where it writes expressions. A union of
/// several cases would be carried through everything it does, for no better
/// code: then what all of them have in common. Null if isl failed.
isl::set getCommonContext(const isl::set &Known);

/// Expressions over the parameters of a nest: extents, ranges, conditions.
/// Converting them may be refused; emitting what was converted cannot fail.
class ParamExprs {
public:
  ParamExprs(const Nest &N, const EmittedArrays &Arrays)
      : Known(N.Context), N(N), Arrays(Arrays) {}

  /// What holds for the parameters wherever the expressions are used.
  isl::set Known;

  /// A value; arbitrary outside E's domain.
  llvm::Expected<AstExpr> convert(const isl::pw_aff &E) const;
  /// A truth value: the parameters are in S.
  llvm::Expected<AstExpr> convert(const isl::set &S) const;
  /// Extents of A behind the outermost. Those that the function has as values
  /// already are left out (a constant stands in their place).
  llvm::Expected<std::vector<AstExpr>> convertExtents(const Array &A) const;

  /// Values of the parameters, in order.
  llvm::SmallVector<llvm::Value *, 8> getValues() const;
  /// Extents of A behind the outermost, from what convertExtents returned.
  llvm::SmallVector<llvm::Value *, 4> emitExtents(const Array &A,
                                                  llvm::ArrayRef<AstExpr> Shape,
                                                  llvm::IRBuilder<> &B,
                                                  bool NoWrap) const;

private:
  const Nest &N;
  const EmittedArrays &Arrays;
};

} // namespace pardiff

#endif // PARDIFF_EMIT_PARAMEXPR_H
