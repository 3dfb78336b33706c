//===- Schedule/TextProgram.cpp - Programs written by hand, for tests -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ;; params n, m
//   ;; context n >= 1
//   ;; shadow dx 2 private 1 : n, 1    a shadow with 2 dimensions (their
//   extents)
//   ;; statement A(i, j) loops 0, 1 : 0 <= i < n and 0 <= j < i
//   ;;   order -i, -j, 0
//   ;;   read B[i]
//   ;;   write dC[i, j]
//   ;;   add dA[i]
//   ;;   clear dC[i, j]                a write of zero
//
// Expressions and constraints are isl's. Arrays that are not declared are
// memory.
//
//===----------------------------------------------------------------------===//

#include "Schedule/TextProgram.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "isl/options.h"

using namespace llvm;
using namespace pardiff;

namespace {

class Parser {
public:
  explicit Parser(LLVMContext &Ctx) : Ctx(Ctx) {
    std::shared_ptr<isl_ctx> IslCtx(isl_ctx_alloc(), isl_ctx_free);
    Result.N = std::make_unique<Nest>(std::move(IslCtx));
    Result.N->Name = "text";
    Result.N->Bodies = std::make_unique<Module>("bodies", Ctx);
    Result.P = std::make_unique<Program>(*Result.N);
  }

  Expected<TextProgram> run(StringRef Text);

private:
  Error parseLine(StringRef Line);
  Error parseStatement(StringRef Rest);
  Error parseShadow(StringRef Rest);
  Error parseAccess(StringRef Rest, AccessKind Kind, bool Zero);
  void finishStatement();
  isl::ctx ctx() { return isl::ctx(Result.N->Ctx.get()); }
  std::string inStatement(const Twine &Range) const {
    return ("[" + Params + "] -> { " + Name + "[" + Iterators + "] -> " +
            Range + " : " + Constraints + " }")
        .str();
  }
  static Error fail(const Twine &What) {
    return createStringError(inconvertibleErrorCode(), What);
  }

  LLVMContext &Ctx;
  TextProgram Result;
  std::string Params, Name, Iterators, Constraints;
  SmallVector<bool, 4> ZeroWrites;
};

} // namespace

/// Gives the last statement a body that returns zeros and unknown values.
void Parser::finishStatement() {
  if (Result.P->Statements.empty() || Result.P->Statements.back()->Body)
    return;
  Statement &S = *Result.P->Statements.back();
  Type *F = Type::getDoubleTy(Ctx), *I = Type::getInt64Ty(Ctx);
  SmallVector<Type *, 8> Args(S.Reads.size(), F);
  Args.append(S.getNumIterators() + Result.N->Params.size(), I);
  SmallVector<Type *, 4> Fields(S.Writes.size(), F);
  auto *Ret = StructType::get(Ctx, Fields);
  S.Body =
      Function::Create(FunctionType::get(Ret, Args, false),
                       GlobalValue::InternalLinkage, S.Name, *Result.N->Bodies);
  IRBuilder<> B(BasicBlock::Create(Ctx, "entry", S.Body));
  Value *V = PoisonValue::get(Ret);
  for (auto [K, Zero] : enumerate(ZeroWrites))
    V = B.CreateInsertValue(
        V, Zero ? ConstantFP::get(F, 0.0) : ConstantFP::get(F, 1.0), K);
  B.CreateRet(V);
  ZeroWrites.clear();
}

Error Parser::parseStatement(StringRef Rest) {
  finishStatement();
  auto [Head, Cond] = Rest.split(" : ");
  auto [Call, Loops] = Head.split(" loops ");
  auto [Id, Its] = Call.split('(');
  Name = Id.trim().str();
  Iterators = Its.split(')').first.str();
  Constraints = Cond.trim().empty() ? "true" : Cond.trim().str();
  auto S = std::make_unique<Statement>();
  S->Name = Name;
  SmallVector<StringRef, 4> Ids;
  Loops.split(Ids, ',', -1, false);
  for (StringRef L : Ids) {
    unsigned Loop;
    if (L.trim().getAsInteger(10, Loop))
      return fail("loop id " + L);
    S->Loops.push_back(Loop);
  }
  S->Domain = isl::set(ctx(), "[" + Params + "] -> { " + Name + "[" +
                                  Iterators + "] : " + Constraints + " }");
  if (S->Domain.is_null())
    return fail("domain of " + Name);
  S->Domain = S->Domain.intersect_params(Result.N->Context);
  Result.P->Statements.push_back(std::move(S));
  return Error::success();
}

Error Parser::parseShadow(StringRef Rest) {
  auto [Head, Extents] = Rest.split(" : ");
  SmallVector<StringRef, 4> Words;
  Head.split(Words, ' ', -1, false);
  unsigned Dims, Private = 0;
  if (Words.size() < 2 || Words[1].getAsInteger(10, Dims) ||
      (Words.size() > 3 && Words[3].getAsInteger(10, Private)))
    return fail("shadow " + Rest);
  Array *A =
      Result.N->addArray(Words[0], ArrayKind::Shadow, Type::getDoubleTy(Ctx));
  A->PrivateDims = Private;
  SmallVector<StringRef, 4> Sizes;
  Extents.split(Sizes, ',', -1, false);
  A->Shape.resize(Dims);
  for (auto [I, E] : enumerate(Sizes))
    if (I < Dims)
      A->Shape[I] =
          isl::pw_aff(ctx(), "[" + Params + "] -> { [(" + E.str() + ")] }");
  return Error::success();
}

Error Parser::parseAccess(StringRef Rest, AccessKind Kind, bool Zero) {
  if (Result.P->Statements.empty())
    return fail("access without statement");
  Access A;
  A.Kind = Kind;
  A.Relation = isl::map(ctx(), inStatement(Rest));
  if (A.Relation.is_null())
    return fail("access " + Rest);
  A.Relation = A.Relation.intersect_params(Result.N->Context);
  StringRef Id = Rest.split('[').first.trim();
  A.Arr = Result.N->findArray(Id);
  if (!A.Arr) {
    A.Arr = Result.N->addArray(Id, ArrayKind::Memory, Type::getDoubleTy(Ctx));
    A.Arr->Shape.resize(dimOf(A.Relation, isl::dim::out));
  }
  Statement &S = *Result.P->Statements.back();
  if (Kind == AccessKind::Read) {
    S.Reads.push_back(A);
  } else {
    S.Writes.push_back(A);
    ZeroWrites.push_back(Zero);
  }
  return Error::success();
}

Error Parser::parseLine(StringRef Line) {
  auto [Word, Rest] = Line.trim().split(' ');
  Rest = Rest.trim();
  if (Word == "params") {
    Params = Rest.str();
    SmallVector<StringRef, 4> Names;
    Rest.split(Names, ',', -1, false);
    for (StringRef X : Names)
      Result.N->Params.push_back({isl::id(ctx(), X.trim().str()), nullptr});
    return Error::success();
  }
  if (Word == "context") {
    Result.N->Context =
        isl::set(ctx(), "[" + Params + "] -> { : " + Rest.str() + " }");
    return Result.N->Context.is_null() ? fail("context") : Error::success();
  }
  if (Word == "shadow")
    return parseShadow(Rest);
  if (Word == "statement")
    return parseStatement(Rest);
  if (Word == "read")
    return parseAccess(Rest, AccessKind::Read, false);
  if (Word == "write")
    return parseAccess(Rest, AccessKind::Write, false);
  if (Word == "clear")
    return parseAccess(Rest, AccessKind::Write, true);
  if (Word == "add")
    return parseAccess(Rest, AccessKind::Accumulate, false);
  if (Word == "order") {
    isl::union_map O(ctx(), inStatement("[" + Rest + "]"));
    if (O.is_null())
      return fail("order " + Rest);
    O = O.intersect_params(Result.N->Context);
    isl::union_map &All = Result.P->Order;
    All = All.is_null() ? O : All.unite(O);
    return Error::success();
  }
  return fail("line " + Line);
}

Expected<TextProgram> Parser::run(StringRef Text) {
  IslQuota Quota(Result.N->Ctx.get());
  Result.N->Context = isl::set(ctx(), "{ : }");
  SmallVector<StringRef, 32> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front(";;"))
      if (Error E = parseLine(Line))
        return std::move(E);
  finishStatement();
  return std::move(Result);
}

Expected<TextProgram> pardiff::parseTextProgram(StringRef Text,
                                                LLVMContext &Ctx) {
  return Parser(Ctx).run(Text);
}
