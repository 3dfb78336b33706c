//===- Emit/Condition.cpp - When the nest may run -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The condition is one i1 without control flow:
//
//   requirements  and  |p| <= MaxParameter for all parameters  and  Cond.Valid
//   and for each pair of arrays:  A is not accessed  or  B is not accessed  or
//       end(A) <= begin(B)  or  end(B) <= begin(A)
//
// begin and end are the addresses of the smallest element that the program may
// access and of the one behind the largest, by the smallest and largest index
// in each dimension (getAccessRange). That they are those of the whole range
// follows from positive extents, which Cond.Valid contains. Everything is
// evaluated, whether or not the parts before it hold: no operation can be
// undefined, and where a product of extents overflows the pair counts as not
// disjoint.
//
// What a view leads to (Nest/Program.h) is only known by looking at all of its
// subscripts: loops that find the smallest and the largest are the one
// exception to the absence of control flow. They run where the condition holds
// without the pairs: then the primal reads those subscripts too.
//
// Ranges (Nest/LoopArrays.h) are looked at in turns: those that are found by
// memory of level 0 run where all pairs of such memory are disjoint, and so on.
// Then nobody writes to what they read, and they read what the primal reads.
//
//===----------------------------------------------------------------------===//

#include "Emit/EmitterImpl.h"
#include "Emit/ExprGen.h"
#include "Emit/LoopAst.h"
#include "Nest/LoopArrays.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "llvm/Support/TimeProfiler.h"
#include "isl/aff.h"
#include "isl/set.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// The range of an array, before it is emitted.
struct RangeExpr {
  AstExpr Accessed; ///< a truth value
  std::vector<AstExpr> Min, Max, Shape;
};

/// And as values.
struct Range {
  Value *Accessed = nullptr, *Begin = nullptr, *End = nullptr;
  Value *Overflow = nullptr;
};

class ConditionGen {
public:
  ConditionGen(const ParamExprs &Exprs, const Program &P)
      : Exprs(Exprs), P(P) {}

  /// Converts the ranges of the arrays in Pairs.
  Error convertRanges(ArrayRef<std::pair<Array *, Array *>> Pairs);
  Value *emitPair(const Array &A, const Array &B, IRBuilder<> &Builder);
  /// Smallest and largest distance, in bytes, of elements of a view.
  void setBounds(const Array &View, Value *Min, Value *Max) {
    Bounds[&View] = {Min, Max};
  }

private:
  const ParamExprs &Exprs;
  const Program &P;
  /// What was converted: many arrays have the same ranges.
  SmallVector<std::pair<isl::pw_aff, AstExpr>, 0> Indices;
  SmallVector<std::pair<isl::set, AstExpr>, 0> Domains;
  DenseMap<const Array *, RangeExpr> RangeExprs;
  DenseMap<const Array *, Range> Ranges;
  DenseMap<const Array *, std::pair<Value *, Value *>> Bounds;

  bool isAccessed(const Array &A) const;
  Expected<RangeExpr> convertRange(const Array &A);
  Expected<AstExpr> convert(const isl::pw_aff &Index);
  Expected<AstExpr> convert(const isl::set &Domain);
  const Range &getRange(const Array &A, IRBuilder<> &B);
  /// Offset in bytes of the element Index.
  Value *emitOffset(const Array &A, ArrayRef<AstExpr> Index,
                    ArrayRef<Value *> Extents, Value *&Overflow,
                    IRBuilder<> &B);
};

} // namespace

/// The array whose accesses in the program are those of A: shadows are accessed
/// where their primal is.
static const Array &getAccessed(const Array &A) {
  return A.Kind == ArrayKind::Shadow && A.Of ? *A.Of : A;
}

bool ConditionGen::isAccessed(const Array &A) const {
  auto IsA = [&](const Access &Acc) { return Acc.Arr == &A; };
  return any_of(P.Statements, [&](const auto &S) {
    return any_of(S->Reads, IsA) || any_of(S->Writes, IsA);
  });
}

Expected<AstExpr> ConditionGen::convert(const isl::pw_aff &Index) {
  for (const auto &[Known, Expr] : Indices)
    if (isl_pw_aff_plain_is_equal(Known.get(), Index.get()) == isl_bool_true)
      return Expr;
  Expected<AstExpr> E = Exprs.convert(Index);
  if (E)
    Indices.push_back({Index, *E});
  return E;
}

Expected<AstExpr> ConditionGen::convert(const isl::set &Domain) {
  for (const auto &[Known, Expr] : Domains)
    if (isl_set_plain_is_equal(Known.get(), Domain.get()) == isl_bool_true)
      return Expr;
  Expected<AstExpr> E = Exprs.convert(Domain);
  if (E)
    Domains.push_back({Domain, *E});
  return E;
}

Expected<RangeExpr> ConditionGen::convertRange(const Array &A) {
  if (!A.Base)
    return refuse(Reason::NoStorage, A.Name);
  const Array &Accessed = getAccessed(A);
  if (&Accessed != &A && A.getNumDims() != Accessed.getNumDims())
    return refuse(Reason::RangeUnknown, A.Name);
  RangeExpr E;
  if (A.View)
    return E;
  if (!isAccessed(Accessed)) {
    E.Accessed = AstExpr::constant(0);
    E.Min.assign(A.getNumDims(), AstExpr::constant(0));
    E.Max = E.Min;
    E.Shape.assign(A.getNumDims(), AstExpr::constant(1));
    return E;
  }
  AccessRange R = getAccessRange(P, Accessed);
  if (R.Min.size() != A.getNumDims() || R.Max.size() != A.getNumDims())
    return refuse(Reason::RangeUnknown, A.Name);
  isl::set Domain = isl::set::universe(P.N->Context.get_space());
  auto Add = [&](const isl::pw_aff &Index, std::vector<AstExpr> &To) -> Error {
    if (Index.is_null())
      return refuse(Reason::RangeUnknown, A.Name);
    Domain = Domain.intersect(Index.domain());
    Expected<AstExpr> C = convert(Index);
    if (!C)
      return C.takeError();
    To.push_back(std::move(*C));
    return Error::success();
  };
  for (unsigned D = 0; D < A.getNumDims(); ++D) {
    if (Error Err = Add(R.Min[D], E.Min))
      return std::move(Err);
    if (Error Err = Add(R.Max[D], E.Max))
      return std::move(Err);
  }
  Expected<AstExpr> Exists = convert(Domain);
  if (!Exists)
    return Exists.takeError();
  E.Accessed = std::move(*Exists);
  Expected<std::vector<AstExpr>> Shape = Exprs.convertExtents(A);
  if (!Shape)
    return Shape.takeError();
  E.Shape = std::move(*Shape);
  return E;
}

Error ConditionGen::convertRanges(ArrayRef<std::pair<Array *, Array *>> Pairs) {
  for (const auto &[First, Second] : Pairs)
    for (const Array *A : {First, Second}) {
      if (RangeExprs.contains(A))
        continue;
      Expected<RangeExpr> R = convertRange(*A);
      if (!R)
        return R.takeError();
      RangeExprs.try_emplace(A, std::move(*R));
    }
  return Error::success();
}

/// L op R; sets Overflow where the result is not the mathematical one.
static Value *emitChecked(Intrinsic::ID Id, Value *L, Value *R,
                          Value *&Overflow, IRBuilder<> &B) {
  Value *Pair = B.CreateBinaryIntrinsic(Id, L, R);
  Overflow = B.CreateOr(Overflow, B.CreateExtractValue(Pair, 1));
  return B.CreateExtractValue(Pair, 0);
}

Value *ConditionGen::emitOffset(const Array &A, ArrayRef<AstExpr> Index,
                                ArrayRef<Value *> Extents, Value *&Overflow,
                                IRBuilder<> &B) {
  SmallVector<Value *, 8> Params = Exprs.getValues();
  ExprGen Gen(B, Params, /*NoWrap=*/false);
  Value *Offset = B.getInt64(0);
  for (unsigned D = 0; D < Index.size(); ++D) {
    if (D > 0)
      Offset = emitChecked(Intrinsic::smul_with_overflow, Offset,
                           Extents[D - 1], Overflow, B);
    Offset = emitChecked(Intrinsic::sadd_with_overflow, Offset,
                         Gen.emit(Index[D]), Overflow, B);
  }
  return Offset;
}

const Range &ConditionGen::getRange(const Array &A, IRBuilder<> &B) {
  auto [It, New] = Ranges.try_emplace(&A);
  if (!New)
    return It->second;
  Range &R = It->second;
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  Value *Bytes = B.getInt64(DL.getTypeAllocSize(A.ElemTy));
  Value *Base = B.CreatePtrToInt(A.Base, B.getInt64Ty());
  if (A.View) {
    auto [Min, Max] = Bounds.lookup(&getAccessed(A));
    R.Accessed = B.CreateICmpSLE(Min, Max);
    R.Begin = B.CreateAdd(Base, Min);
    R.End = B.CreateAdd(B.CreateAdd(Base, Max), Bytes);
    R.Overflow = B.getFalse();
    return R;
  }
  const RangeExpr &E = RangeExprs.find(&A)->second;
  SmallVector<Value *, 8> Params = Exprs.getValues();
  R.Accessed = ExprGen(B, Params, /*NoWrap=*/false).emitBool(E.Accessed);
  R.Overflow = B.getFalse();
  SmallVector<Value *, 4> Extents =
      Exprs.emitExtents(A, E.Shape, B, /*NoWrap=*/false);
  Value *Min = emitOffset(A, E.Min, Extents, R.Overflow, B);
  Value *Max = emitOffset(A, E.Max, Extents, R.Overflow, B);
  Value *Last = emitChecked(Intrinsic::sadd_with_overflow, Max, B.getInt64(1),
                            R.Overflow, B);
  auto Address = [&](Value *Offset) {
    return B.CreateAdd(Base, emitChecked(Intrinsic::smul_with_overflow, Offset,
                                         Bytes, R.Overflow, B));
  };
  R.Begin = Address(Min);
  R.End = Address(Last);
  return R;
}

Value *ConditionGen::emitPair(const Array &A, const Array &B,
                              IRBuilder<> &Builder) {
  Range RA = getRange(A, Builder), RB = getRange(B, Builder);
  Value *BothAccessed = Builder.CreateAnd(RA.Accessed, RB.Accessed);
  if (A.Base == B.Base)
    return Builder.CreateNot(BothAccessed);
  Value *Apart = Builder.CreateOr(Builder.CreateICmpULE(RA.End, RB.Begin),
                                  Builder.CreateICmpULE(RB.End, RA.Begin));
  Value *Overflow = Builder.CreateOr(RA.Overflow, RB.Overflow);
  Apart = Builder.CreateAnd(Apart, Builder.CreateNot(Overflow));
  return Builder.CreateOr(Builder.CreateNot(BothAccessed), Apart);
}

/// -MaxParameter <= V <= MaxParameter.
static Value *emitBounded(Value *V, IRBuilder<> &B) {
  Value *Shifted = B.CreateAdd(V, B.getInt64(MaxParameter));
  return B.CreateICmpULE(Shifted, B.getInt64(2 * MaxParameter));
}

/// The parameters p with -MaxParameter <= p <= MaxParameter.
static isl::set getBox(const Nest &N) {
  isl::set Box = N.Context;
  for (const Parameter &P : N.Params) {
    int Pos = isl_set_find_dim_by_id(Box.get(), isl_dim_param, P.Id.get());
    if (Pos < 0)
      continue;
    isl::val Max = isl::val(isl::ctx(N.Ctx.get()), MaxParameter);
    Box = isl::manage(isl_set_lower_bound_val(Box.release(), isl_dim_param, Pos,
                                              Max.neg().release()));
    Box = isl::manage(isl_set_upper_bound_val(Box.release(), isl_dim_param, Pos,
                                              Max.release()));
  }
  return Box;
}

/// A program that does something for each element of View that P accesses.
static Expected<Program> visitElements(const Program &P, const Array &View) {
  IslQuota Quota(P.N->Ctx.get());
  isl::set Elements;
  for (const auto &St : P.Statements)
    for (const Access &A : concat<const Access>(St->Reads, St->Writes))
      if (A.Arr == &View) {
        isl::set Range = A.Relation.intersect_domain(St->Domain).range();
        Elements = Elements.is_null() ? Range : Elements.unite(Range);
      }
  // One of those that are the same.
  if (!Elements.is_null() && isRange(View)) {
    unsigned FirstIndex = View.View->Arrays.size();
    for (unsigned D = 0; D < View.getNumDims(); ++D)
      if (View.View->Fn->getArg(FirstIndex + D)->use_empty())
        Elements = Elements.project_out(isl::dim::set, D, 1)
                       .insert_dims(isl::dim::set, D, 1)
                       .fix_si(isl::dim::set, D, 0);
  }
  Program Visit(*P.N);
  Visit.Order = isl::union_map::empty(isl::ctx(P.N->Ctx.get()));
  if (Elements.is_null())
    return std::move(Visit);
  auto St = std::make_unique<Statement>();
  St->Name = "visit." + View.Name;
  isl::id Id = isl::id::alloc(Elements.ctx(), St->Name, nullptr);
  St->Domain = coalesceChecked(Elements).set_tuple_id(Id);
  St->Loops.resize(View.getNumDims());
  isl::map Order = isl::manage(
      isl_map_reset_tuple_id(isl_set_identity(St->Domain.copy()), isl_dim_out));
  Visit.Order = isl::union_map(Order);
  if (Visit.Order.is_null())
    return Quota.refusal("range of '" + View.Name + "'");
  Visit.Statements.push_back(std::move(St));
  return std::move(Visit);
}

/// How late a pair can be looked at.
static unsigned getLevel(const std::pair<Array *, Array *> &Pair) {
  return std::max(getRangeLevel(getAccessed(*Pair.first)),
                  getRangeLevel(getAccessed(*Pair.second)));
}

/// The loops that find the bounds of the views of this level in Pairs, where Ok
/// holds.
static Error emitBounds(unsigned Level, NestEmitter::Impl &I, ConditionGen &Gen,
                        const Program &P, Value *Ok,
                        ArrayRef<std::pair<Array *, Array *>> Pairs,
                        const isl::set &Known, IRBuilder<> &B) {
  SmallSetVector<const Array *, 4> Views;
  for (const auto &[First, Second] : Pairs)
    for (const Array *A : {First, Second})
      if (A->View && getRangeLevel(getAccessed(*A)) == Level)
        Views.insert(&getAccessed(*A));
  SmallVector<std::pair<const Array *, LoopAst>, 4> Loops;
  for (const Array *View : Views) {
    auto Visit = visitElements(P, *View);
    if (!Visit)
      return Visit.takeError();
    LoopAst Ast;
    if (!Visit->Statements.empty()) {
      Expected<LoopAst> Built = buildLoopAst(*Visit, Known);
      if (!Built)
        return Built.takeError();
      Ast = std::move(*Built);
    }
    // Calls keep no pointer to the program's statements: EmitCall is in their
    // place.
    Loops.push_back({View, std::move(Ast)});
  }
  if (Loops.empty())
    return Error::success();

  // From here on nothing fails.
  IRBuilder<> Top(&I.F.getEntryBlock(), I.F.getEntryBlock().begin());
  Type *I64 = B.getInt64Ty();
  SmallVector<std::pair<Value *, Value *>, 4> Slots;
  for (unsigned K = 0; K < Loops.size(); ++K) {
    Slots.push_back({Top.CreateAlloca(I64, nullptr, "pardiff.min"),
                     Top.CreateAlloca(I64, nullptr, "pardiff.max")});
    B.CreateStore(B.getInt64(INT64_MAX), Slots[K].first);
    B.CreateStore(B.getInt64(INT64_MIN), Slots[K].second);
  }
  BasicBlock *Rest = openBlock(B);
  BasicBlock *Then =
      BasicBlock::Create(I.F.getContext(), "pardiff.subscripts", &I.F, Rest);
  B.CreateCondBr(Ok, Then, Rest);
  B.SetInsertPoint(Then);
  ExtentMap NoExtents;
  for (unsigned K = 0; K < Loops.size(); ++K) {
    const auto &[View, Ast] = Loops[K];
    LoopGen Loop(B, I.F, I.N, I.Arrays, NoExtents, Ast.NumVars);
    Loop.EmitCall = [&, View = View](ArrayRef<Value *> Index) {
      SmallVector<Value *, 4> Distance = Loop.emitDistance(*View, Index);
      auto Update = [&](Intrinsic::ID Id, Value *Slot, Value *By) {
        Value *Old = B.CreateLoad(I64, Slot);
        B.CreateStore(B.CreateBinaryIntrinsic(Id, Old, By), Slot);
      };
      Update(Intrinsic::smin, Slots[K].first, Distance.front());
      Update(Intrinsic::smax, Slots[K].second, Distance.back());
    };
    Loop.emitNode(Ast.Root);
  }
  closeBlock(B, Rest);
  for (unsigned K = 0; K < Loops.size(); ++K)
    Gen.setBounds(*Loops[K].first, B.CreateLoad(I64, Slots[K].first),
                  B.CreateLoad(I64, Slots[K].second));
  return Error::success();
}

Expected<Value *> NestEmitter::emitCondition(const Conditions &Cond,
                                             const Program &P, IRBuilder<> &B) {
  TimeTraceScope Trace("pardiff: emit the condition", I->N.Name);
  // All that can fail comes first.
  ParamExprs Exprs = I->Exprs;
  {
    IslQuota Quota(I->N.Ctx.get());
    Exprs.Known = getBox(I->N);
    if (Exprs.Known.is_null())
      return Quota.refusal("bounds of the parameters");
  }
  Expected<AstExpr> Valid = AstExpr::constant(1);
  if (!Cond.Valid.is_null()) {
    IslQuota Quota(I->N.Ctx.get());
    isl::set Simple = Cond.Valid.gist(Exprs.Known);
    if (Simple.is_null())
      return Quota.refusal("condition of the nest");
    Valid = Exprs.convert(Simple);
    if (!Valid)
      return Valid.takeError();
    Exprs.Known = getCommonContext(Exprs.Known.intersect(Cond.Valid));
    if (Exprs.Known.is_null())
      return Quota.refusal("condition of the nest");
  }
  ConditionGen Gen(Exprs, P);
  if (Error E = Gen.convertRanges(Cond.MayAlias))
    return std::move(E);

  Value *Ok = B.getTrue();
  for (Value *R : Cond.Requirements)
    Ok = B.CreateAnd(Ok, R);
  SmallVector<Value *, 8> Params = Exprs.getValues();
  for (Value *V : Params)
    Ok = B.CreateAnd(Ok, emitBounded(V, B));
  Ok = B.CreateAnd(Ok, ExprGen(B, Params, /*NoWrap=*/false).emitBool(*Valid));
  unsigned MaxLevel = 0;
  for (const auto &Pair : Cond.MayAlias)
    MaxLevel = std::max(MaxLevel, getLevel(Pair));
  for (unsigned Level = 0; Level <= MaxLevel; ++Level) {
    if (Error E =
            emitBounds(Level, *I, Gen, P, Ok, Cond.MayAlias, Exprs.Known, B))
      return std::move(E);
    for (const auto &Pair : Cond.MayAlias)
      if (getLevel(Pair) == Level)
        Ok = B.CreateAnd(Ok, Gen.emitPair(*Pair.first, *Pair.second, B));
  }
  for (const auto &[First, Second] : Cond.MayAlias)
    I->Arrays.addDisjoint(First, Second);
  I->Arrays.setPrimalDisjoint();
  I->Exprs.Known = Exprs.Known;
  return Ok;
}
