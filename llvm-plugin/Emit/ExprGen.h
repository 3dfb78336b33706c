//===- Emit/ExprGen.h - Expressions of the loops in LLVM IR -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_EXPRGEN_H
#define PARDIFF_EMIT_EXPRGEN_H

#include "Emit/LoopAst.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

/// Emits expressions at B's insertion point. Vars: the value of each variable,
/// all of type i64. NoWrap: the nest's condition holds here, so nothing
/// overflows and every division that isl calls exact is exact. Without it no
/// result is poison, whatever the variables are.
class ExprGen {
public:
  ExprGen(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Vars, bool NoWrap)
      : B(B), Vars(Vars), NoWrap(NoWrap) {}

  /// An i64.
  llvm::Value *emit(const AstExpr &E);
  /// An i1.
  llvm::Value *emitBool(const AstExpr &E);

private:
  llvm::IRBuilder<> &B;
  llvm::ArrayRef<llvm::Value *> Vars;
  bool NoWrap;

  llvm::Value *emitDivision(const AstExpr &E);
};

} // namespace pardiff

#endif // PARDIFF_EMIT_EXPRGEN_H
