//===- Emit/LoopAst.h - Loops ready to be emitted ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// isl's AST of a program in a form of our own: every expression is checked
// while it is converted (known operations, constants of 64 bits, no overflow of
// 64 bits for parameters up to MaxParameter), so that emitting it cannot fail.
// Once a LoopAst exists, isl is not needed any more.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_LOOPAST_H
#define PARDIFF_EMIT_LOOPAST_H

#include "Nest/Program.h"
#include "llvm/Support/Error.h"
#include "isl/ast.h"

namespace pardiff {

/// Emitted code is right for parameters of at most this absolute value; the
/// nest's condition includes it. No object in memory has more elements.
inline constexpr int64_t MaxParameter = int64_t(1) << 48;

/// An expression over 64-bit variables. Comparisons, And and Or are boolean,
/// and so is the first operand of Select.
struct AstExpr {
  enum class Op {
    Constant, ///< Value
    Variable, ///< number Value: first the parameters, then the iterators
    Add,
    Sub,
    Mul,
    Neg,
    Min,
    Max,
    ExactDiv,
    FloorDiv, ///< divisors are positive constants
    PosDiv,   ///< the dividend is not negative
    PosRem,
    ZeroRem, ///< only compared with zero
    Select,
    And,
    Or,
    EQ,
    LE,
    LT,
    GE,
    GT
  };
  Op Kind = Op::Constant;
  int64_t Value = 0;
  std::vector<AstExpr> Ops;

  static AstExpr constant(int64_t C) { return {Op::Constant, C, {}}; }
  bool isConstant(int64_t C) const {
    return Kind == Op::Constant && Value == C;
  }
  bool isBoolean() const { return Kind >= Op::And; }
};

/// One call of a statement: its instance and the elements it accesses.
struct AstCall {
  const Statement *S = nullptr;
  std::vector<AstExpr> Iterators;
  std::vector<std::vector<AstExpr>> Reads, Writes; ///< indices, outermost first
};

struct AstNode {
  enum class Kind {
    Block,    ///< Children in order
    For,      ///< Children[0] for Var = Lower, Lower + Step, .. < Upper
    If,       ///< Children[0] if Cond, else Children[1] where there is one
    Parallel, ///< Children[0]: iterations of its loops of the same Level are
              ///< independent; what is in none of them is one iteration
    Scope,    ///< Children[0] with new, zero-filled copies of Locals
    Rest,     ///< Children[0], with small code
    Call
  };
  Kind K = Kind::Block;
  std::vector<AstNode> Children;
  /// For, Parallel: number of schedule dimensions around. isl drops loops of
  /// one iteration: then there may be no loop of a Parallel's level in it.
  unsigned Level = 0;
  unsigned Var = 0;
  AstExpr Lower, Upper, Cond;
  int64_t Step = 1;
  bool Degenerate = false; ///< For: exactly one iteration, at Lower
  AstCall Call;
  struct Local {
    Array *A = nullptr;
    uint64_t Elements = 0;
  };
  std::vector<Local> Locals;
};

struct LoopAst {
  AstNode Root;
  unsigned NumVars = 0;
};

/// Converts isl's expressions and nodes. The parameters of the nest are the
/// first variables, in their order.
class AstConverter {
public:
  explicit AstConverter(const Nest &N);

  /// Null objects and everything that cannot be emitted are refused.
  llvm::Expected<AstExpr> convertExpr(isl_ast_expr *E);
  /// Calls[k] is the call behind the node whose annotation carries k + 1 as its
  /// user pointer.
  struct IslCall {
    const Statement *S = nullptr;
    std::vector<isl::ast_expr> Reads, Writes;
  };
  llvm::Expected<AstNode> convertNode(isl_ast_node *Node,
                                      llvm::ArrayRef<IslCall> Calls);

  /// An id for a mark or an iterator with so many loops around.
  static isl_id *makeLevel(isl_ctx *Ctx, const std::string &Name,
                           unsigned Level);

  unsigned getNumVars() const { return Magnitude.size(); }

private:
  const Nest &N;
  llvm::StringMap<unsigned> Vars;
  /// Largest absolute value of each variable.
  std::vector<double> Magnitude;

  llvm::Expected<std::pair<AstExpr, double>> convert(isl_ast_expr *E);
  llvm::Expected<std::pair<AstExpr, double>> convertOp(isl_ast_expr *E);
  llvm::Expected<AstNode> convertFor(isl_ast_node *Node,
                                     llvm::ArrayRef<IslCall> Calls);
  llvm::Error addLocals(AstNode &Node, llvm::StringRef Mark) const;
  llvm::Expected<AstNode> convertUser(isl_ast_node *Node,
                                      llvm::ArrayRef<IslCall> Calls);
  llvm::Expected<std::vector<AstExpr>> convertArgs(isl_ast_expr *E);
};

/// The loops of P: from its Tree, or from its Order if it has none. Known: what
/// holds for the parameters whenever the loops run.
llvm::Expected<LoopAst> buildLoopAst(const Program &P, const isl::set &Known);

} // namespace pardiff

#endif // PARDIFF_EMIT_LOOPAST_H
