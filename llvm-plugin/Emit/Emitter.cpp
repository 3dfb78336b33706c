//===- Emit/Emitter.cpp - From a program to loops in LLVM IR --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is emitted in two steps. First everything that can fail: isl's
// syntax tree, index expressions, extents (LoopBuild.cpp, LoopAst.cpp). Then
// the instructions (LoopGen.cpp, Parallel.cpp), where nothing fails. So a
// refusal leaves the function as it was.
//
//===----------------------------------------------------------------------===//

#include "Emit/EmitterImpl.h"
#include "Emit/ExprGen.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace pardiff;

NestEmitter::NestEmitter(Nest &N, Function &F, const EmitOptions &O)
    : I(std::make_unique<Impl>(N, F, O)) {}
NestEmitter::~NestEmitter() = default;

Expected<Value *> NestEmitter::emitExpr(const isl::pw_aff &E, IRBuilder<> &B) {
  Expected<AstExpr> Expr = I->Exprs.convert(E);
  if (!Expr)
    return Expr.takeError();
  SmallVector<Value *, 8> Params = I->Exprs.getValues();
  return ExprGen(B, Params, /*NoWrap=*/false).emit(*Expr);
}

/// The arrays that P accesses, in the order of its statements.
static SmallVector<const Array *, 16> getArrays(const Program &P) {
  SmallSetVector<const Array *, 16> Arrays;
  for (const auto &S : P.Statements) {
    for (const Access &A : S->Reads)
      Arrays.insert(A.Arr);
    for (const Access &A : S->Writes)
      Arrays.insert(A.Arr);
  }
  return SmallVector<const Array *, 16>(Arrays.begin(), Arrays.end());
}

Formulas &NestEmitter::getFormulas() { return I->InReport; }

Error NestEmitter::emitProgram(const Program &P, IRBuilder<> &B,
                               SweepCost *Cost) {
  TimeTraceScope Trace("pardiff: emit", P.N->Name);
  if (P.Statements.empty())
    return Error::success();
  SmallVector<const Array *, 16> Arrays = getArrays(P);
  std::vector<std::vector<AstExpr>> Shapes;
  for (const Array *A : Arrays) {
    if (!A->Base && A->Scope.empty())
      return refuse(Reason::NoStorage, A->Name);
    Expected<std::vector<AstExpr>> Shape = I->Exprs.convertExtents(*A);
    if (!Shape)
      return Shape.takeError();
    Shapes.push_back(std::move(*Shape));
  }
  Expected<LoopAst> Ast = buildLoopAst(P, I->Exprs.Known);
  if (!Ast)
    return Ast.takeError();
  if (Cost)
    *Cost = getCost(*Ast, I->N, I->InReport);

  // From here on nothing fails.
  ExtentMap Extents;
  for (unsigned K = 0; K < Arrays.size(); ++K)
    Extents[Arrays[K]] =
        I->Exprs.emitExtents(*Arrays[K], Shapes[K], B, /*NoWrap=*/true);
  // Arrays with a scope get their memory where it begins; one that is not
  // theirs alone would not be told apart from others.
  for (const auto &A : I->N.Arrays)
    if (!A->Scope.empty())
      I->Arrays.Allocated.insert(A.get());
  I->Arrays.invalidateScopes();
  LoopGen Gen(B, I->F, I->N, I->Arrays, Extents, Ast->NumVars);
  if (I->O.Parallel) {
    if (!I->Parallel)
      I->Parallel = std::make_unique<ParallelGen>(I->F);
    Gen.EmitParallel = [&](const AstNode &Node) {
      if (ParallelGen::isWorthwhile(Node))
        return I->Parallel->emitRegion(Node, Gen, B);
      for (const AstNode &C : Node.Children)
        Gen.emitNode(C);
    };
  }
  BasicBlock *Rest = openBlock(B);
  Gen.emitNode(Ast->Root);
  closeBlock(B, Rest);
  return Error::success();
}

void NestEmitter::forgetBases() { I->Arrays.renewScopes(); }

void NestEmitter::finalize() {
  if (I->Parallel)
    I->Parallel->finalize();
}
