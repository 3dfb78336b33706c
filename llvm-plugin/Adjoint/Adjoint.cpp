//===- Adjoint/Adjoint.cpp - The adjoint of a program is a program
//----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a primal instance S(i) that reads r and writes w = f(r), the adjoint does
//
//   s_w  = shadow(w)                      for all writes w
//   shadow(w) = 0                         in reverse order of the writes
//   shadow(r) += sum_w s_w df_w/dr        for all active reads r
//
// in one statement ("whole"). Where no other read or write of the instance
// touches the element of a write, this falls apart into statements that may be
// ordered apart:
//
//   accumulate, one for each element read:   shadow(r) += sum_w s_w df_w/dr
//   update, after them:                      shadow(w)  = sum_w' s_w' df_w'/dw
//
// where the update's sum is over the reads of w's own element; it is empty (a
// clear) if there are none, and the statement vanishes if it is shadow(w) =
// s_w: `y = y + e` needs no update, sums in the primal cost nothing. Where the
// primal accumulates, into a view, there is no update either.
//
// A statement that follows a chain of choices (Tape/Choices.h) accumulates by
// the product of what it chooses, with a seed that is zero but at the instance
// that made the last replacement. All instances see the seed of the final
// value: there is no update but one for each chain, behind its first instance.
//
// Instances for which accesses coincide and instances for which they do not are
// separate pieces of the domain. A write that a later write of the same
// instance overwrites is no output. Writes to locals that feed no read are none
// either.
//
// A statement with guards: clears and updates happen where the write does,
// accumulations where one of the reads does. It is kept whole if one of its
// reads sees a written element under another guard than the write.
//
// Order: primal time negated, then accumulations before the update.
//
//===----------------------------------------------------------------------===//

#include "Adjoint/Adjoint.h"
#include "Adjoint/AdjointStatement.h"
#include "Adjoint/Privatise.h"
#include "Nest/LoopArrays.h"
#include "Support/IslUtils.h"
#include "Support/LoopFunctions.h"
#include "Support/Reason.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Twine.h"
#include "isl/map.h"

using namespace llvm;
using namespace pardiff;

/// Parts of the instances that are differentiated apart; where there are more,
/// which is where a read meets a write in many ways, all are kept whole: each
/// part would be carried through every step behind this one.
static constexpr unsigned MaxApartSets = 2;

namespace {

/// Instances of one statement that are differentiated in the same form.
struct Piece {
  isl::set Domain;
  SmallBitVector Outputs; ///< writes that carry a seed
  bool Whole = false;     ///< some accesses coincide
};

class AdjointBuilder {
public:
  AdjointBuilder(const Program &Primal, const Activity &Act, const Dataflow &D,
                 const TapePlan &Plan)
      : Primal(Primal), N(*Primal.N), Act(Act), D(D),
        Plan(Plan), Result{Program(N), {}},
        Statements(N, Plan, Result.Shadows) {}

  Expected<AdjointProgram> run();

private:
  void createShadows();
  Expected<SmallVector<Piece, 2>> splitDomain(const Statement &S);
  Error differentiate(const Statement &S, const Piece &P, const Twine &Prefix);
  Error add(const Twine &Name, const Statement &S, const Piece &P, const Vjp *V,
            ArrayRef<ShadowWrite> Writes);
  Error addChoiceEnd(const Choice &C, const Piece &P, const Twine &Prefix);
  Error insert(std::unique_ptr<Statement> New, const Statement &S,
               const isl::set &Domain);

  const Program &Primal;
  Nest &N;
  const Activity &Act;
  const Dataflow &D;
  const TapePlan &Plan;
  AdjointProgram Result;
  AdjointStatementBuilder Statements;
  unsigned Rank = 0; ///< last coordinate of Order, within one primal statement
};

/// Reads of one element: the same array and relation.
struct ReadGroup {
  Array *Arr;
  isl::map Relation;
  SmallVector<unsigned, 2> Fields; ///< of the vjp
  /// Of the reads; empty if one has none. What a guarded read adds is zero
  /// where its guard does not hold.
  SmallVector<Function *, 1> Guards;
};

} // namespace

void AdjointBuilder::createShadows() {
  SmallVector<Array *, 8> Primals;
  for (const auto &A : N.Arrays)
    if (Act.isActive(A.get()))
      Primals.push_back(A.get());
  for (Array *A : Primals) {
    Array *Shadow = N.addArray("d_" + A->Name, ArrayKind::Shadow, A->ElemTy);
    Shadow->Of = A;
    Shadow->View = A->View;
    Shadow->PrivateDims = countPrivateLoops(Primal, *A, D);
    Result.Shadows[A] = Shadow;
  }
}

/// Extents of a privatised shadow: those of the loops' iterators, then the
/// array's. Iterators start at zero (Nest normalises them), so the largest one
/// plus one.
static Error setShape(const Program &Primal, Array &Shadow) {
  const Array &A = *Shadow.Of;
  Shadow.Extents = A.Extents;
  SmallVector<isl::pw_aff, 4> Private(Shadow.PrivateDims);
  if (Shadow.PrivateDims) {
    isl::set Used;
    for (const auto &S : Primal.Statements) {
      auto Touches = [&](const Access &Acc) { return Acc.Arr == &A; };
      if (none_of(S->Reads, Touches) && none_of(S->Writes, Touches))
        continue;
      if (S->Loops.size() < Shadow.PrivateDims)
        continue; // only dead writes there
      isl::set Outer =
          S->Domain.project_out(isl::dim::set, Shadow.PrivateDims,
                                S->Loops.size() - Shadow.PrivateDims);
      Outer = Outer.reset_tuple_id();
      Used = Used.is_null() ? Outer : Used.unite(Outer);
    }
    for (unsigned I = 0; I < Shadow.PrivateDims; ++I) {
      isl::pw_aff Max = Used.dim_max(I);
      Private[I] = Max.add_constant(isl::val(Max.ctx(), 1));
      if (Private[I].is_null())
        return refuse(Reason::IslFailed, "size of a private shadow");
    }
    Shadow.Extents.clear();
  }
  Shadow.Shape = Private;
  Shadow.Shape.append(A.Shape.begin(), A.Shape.end());
  return Error::success();
}

/// Cuts the domain of S where active accesses of one instance begin to
/// coincide.
Expected<SmallVector<Piece, 2>>
AdjointBuilder::splitDomain(const Statement &S) {
  Piece All;
  All.Domain = S.Domain;
  All.Outputs.resize(S.Writes.size());
  for (const auto &[W, Write] : enumerate(S.Writes))
    All.Outputs[W] = Act.isActive(Write.Arr) && !isDeadWrite(S, W, D);
  SmallVector<Piece, 2> Pieces;
  if (All.Outputs.none())
    return Pieces;
  Pieces.push_back(All);

  auto Coincide = [](const Access &X, const Access &Y) {
    return X.Relation.intersect(Y.Relation).domain();
  };
  // Cut into the pieces inside and outside of Where, and change those inside.
  auto Cut = [&](const isl::set &Where, auto Change) -> Error {
    SmallVector<Piece, 2> Old = std::move(Pieces);
    Pieces.clear();
    for (Piece &P : Old) {
      isl::set In = coalesceChecked(P.Domain.intersect(Where));
      isl::set Out = coalesceChecked(P.Domain.subtract(Where));
      if (In.is_null() || Out.is_null())
        return refuse(Reason::IslFailed, "overlap of accesses in " + S.Name);
      if (!In.is_empty().is_true()) {
        Piece Inside = P;
        Inside.Domain = In;
        Change(Inside);
        Pieces.push_back(Inside);
      }
      if (!Out.is_empty().is_true()) {
        P.Domain = Out;
        Pieces.push_back(P);
      }
    }
    return Error::success();
  };

  // A write that a later one of the instance overwrites is no output.
  for (unsigned W = 0; W < S.Writes.size(); ++W)
    for (unsigned Later = W + 1; Later < S.Writes.size(); ++Later)
      if (All.Outputs[W] && S.Writes[W].Arr == S.Writes[Later].Arr)
        if (Error E = Cut(Coincide(S.Writes[W], S.Writes[Later]),
                          [&](Piece &P) { P.Outputs.reset(W); }))
          return std::move(E);
  // A read of a written element is handled by the update if it is always of
  // that element, else the instances where it is are kept whole.
  isl::set Touching = isl::set::empty(S.Domain.get_space());
  for (const Access &R : S.Reads)
    for (const auto &[W, Write] : enumerate(S.Writes))
      if (All.Outputs[W] && R.Arr == Write.Arr &&
          !R.Relation.is_equal(Write.Relation).is_true())
        Touching = Touching.unite(Coincide(R, Write));
  isl::set Apart = coalesceChecked(S.Domain.subtract(Touching));
  if (Touching.is_null() || Apart.is_null())
    return refuse(Reason::IslFailed, "overlap of accesses in " + S.Name);
  if (Touching.is_empty().is_true())
    return Pieces;
  if (unsigned(isl_set_n_basic_set(Apart.get())) > MaxApartSets) {
    for (Piece &P : Pieces)
      P.Whole = true;
    return Pieces;
  }
  if (Error E = Cut(Touching, [](Piece &P) { P.Whole = true; }))
    return std::move(E);
  return Pieces;
}

Error AdjointBuilder::add(const Twine &Name, const Statement &S, const Piece &P,
                          const Vjp *V, ArrayRef<ShadowWrite> Writes) {
  auto New = Statements.build(Name.str(), S, P.Domain, V, Writes);
  if (!New)
    return New.takeError();
  return insert(std::move(*New), S, P.Domain);
}

/// Adds a statement that runs at the instances Domain of S in reverse.
Error AdjointBuilder::insert(std::unique_ptr<Statement> New, const Statement &S,
                             const isl::set &Domain) {
  Statement &A = *New;
  // [-t, rank]
  isl::map Time =
      Primal.Order.intersect_domain(isl::union_set(Domain)).as_map();
  if (Time.is_null())
    return refuse(Reason::IslFailed, "order of " + S.Name);
  unsigned NumTimes = isl_map_dim(Time.get(), isl_dim_out);
  isl::multi_aff Negate =
      isl::multi_aff::identity_on_domain(Time.range().get_space()).neg();
  Time = Time.apply_range(isl::map::from_multi_aff(Negate));
  Time =
      Time.add_dims(isl::dim::out, 1).fix_si(isl::dim::out, NumTimes, Rank++);
  Time = Time.set_tuple_id(isl::dim::in, A.Domain.get_tuple_id());
  if (Time.is_null())
    return refuse(Reason::IslFailed, "order of " + A.Name);
  isl::union_map Order(Time);
  Result.P.Order =
      Result.P.Order.is_null() ? Order : Result.P.Order.unite(Order);
  Result.P.Statements.push_back(std::move(New));
  return Error::success();
}

/// The derivative of a loop that reads arrays (Support/LoopFunctions.h) on
/// which a result of Fn depends; null if there is none, or several.
static const CallInst *findLoopDerivative(Function &Fn, unsigned Field) {
  const CallInst *Found = nullptr;
  SmallVector<const Value *, 16> Work = {getResult(Fn, Field)};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    auto *Call = dyn_cast<CallInst>(I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && isLoopModel(*Callee) &&
        Callee->hasFnAttribute(LoopDerivativeAttribute)) {
      if (Found)
        return nullptr;
      Found = Call;
    }
    append_range(Work, I->operand_values());
  }
  return Found;
}

/// True if instances that accumulate into one element of the shadow are of one
/// iteration of the outermost loop: it may be parallel.
static bool isApart(const ReadGroup &G, const Array &Shadow,
                    const isl::set &Domain) {
  if (isRange(*G.Arr) || Shadow.PrivateDims > 0)
    return true;
  isl::map R = G.Relation.intersect_domain(Domain);
  isl::map Same = R.apply_range(R.reverse());
  if (Same.is_null() || unsigned(isl_map_dim(Same.get(), isl_dim_in)) == 0)
    return false;
  return Same
      .is_subset(isl::map::universe(Same.get_space())
                     .equate(isl::dim::in, 0, isl::dim::out, 0))
      .is_true();
}

Error AdjointBuilder::differentiate(const Statement &S, const Piece &P,
                                    const Twine &Prefix) {
  SmallVector<unsigned, 4> Active;
  for (const auto &[R, Read] : enumerate(S.Reads))
    if (Act.isActive(Read.Arr))
      Active.push_back(R);
  SmallBitVector Known(S.Writes.size());
  for (unsigned W = 0; W < S.Writes.size(); ++W)
    Known[W] = Plan.Results.contains({&S, W});
  auto Chain = Plan.Choices.find(&S);
  const Choice *C = Chain == Plan.Choices.end() ? nullptr : &Chain->second;
  if (C)
    Known.reset(C->Write);
  auto V = buildVjp(C ? *C->Chosen : *S.Body, S.Reads.size(), Active, P.Outputs,
                    Known);
  if (!V)
    return V.takeError();

  // Fields of the product by the element they accumulate into.
  SmallVector<ReadGroup, 4> Groups;
  for (const auto &[Field, R] : enumerate(V->ActiveReads)) {
    if (V->Zero[Field].all())
      continue;
    const Access &Read = S.Reads[R];
    auto *G = find_if(Groups, [&](const ReadGroup &G) {
      return G.Arr == Read.Arr && G.Relation.is_equal(Read.Relation).is_true();
    });
    if (G == Groups.end()) {
      Groups.push_back({Read.Arr, Read.Relation, {}, {}});
      G = &Groups.back();
    }
    if (!Read.Guard)
      G->Guards.clear();
    else if ((G->Fields.empty() || !G->Guards.empty()) &&
             !is_contained(G->Guards, Read.Guard))
      G->Guards.push_back(Read.Guard);
    G->Fields.push_back(Field);
  }
  auto Accumulate = [](const ReadGroup &G) {
    return ShadowWrite{AccessKind::Accumulate, G.Arr, G.Relation, G.Fields,
                       G.Guards};
  };
  auto Clear = [&](unsigned W) {
    const Access &Write = S.Writes[W];
    ShadowWrite Result{AccessKind::Write, Write.Arr, Write.Relation, {}, {}};
    if (Write.Guard)
      Result.Guards.push_back(Write.Guard);
    return Result;
  };

  // An update happens where the write does. If a read of the element happens
  // elsewhere, it has to add to what is there.
  bool IsWhole = P.Whole;
  for (unsigned W : P.Outputs.set_bits())
    if (S.Writes[W].Guard)
      for (const ReadGroup &G : Groups)
        if (G.Arr == S.Writes[W].Arr &&
            G.Relation.is_equal(S.Writes[W].Relation).is_true())
          IsWhole |= G.Guards.size() != 1 || G.Guards[0] != S.Writes[W].Guard;
  if (IsWhole) {
    // Choices leave no instance whole (isAlone).
    if (C)
      return refuse(Reason::InvalidProgram, "overlap in the choice " + S.Name);
    SmallVector<ShadowWrite, 4> Writes;
    for (unsigned W : P.Outputs.set_bits())
      if (!isScatter(S.Writes[W]))
        Writes.push_back(Clear(W));
    for (const ReadGroup &G : Groups)
      Writes.push_back(Accumulate(G));
    return add(Prefix + "_w", S, P, &*V, Writes);
  }

  // Updates: one for each write, or one for all if they read each other's
  // seeds.
  SmallVector<ShadowWrite, 2> Updates;
  bool Apart = true;
  for (unsigned W : P.Outputs.set_bits()) {
    if ((C && W == C->Write) || isScatter(S.Writes[W]))
      continue;
    const Access &Write = S.Writes[W];
    auto *Own = find_if(Groups, [&](const ReadGroup &G) {
      return G.Arr == Write.Arr &&
             G.Relation.is_equal(Write.Relation).is_true();
    });
    ShadowWrite Update = Clear(W);
    if (Own != Groups.end()) {
      Update.Fields = Own->Fields;
      Groups.erase(Own);
      if (Update.Fields.size() == 1 && V->Identity[Update.Fields[0]][W])
        continue; // the shadow keeps its value
      for (unsigned Field : Update.Fields)
        for (unsigned Other : P.Outputs.set_bits())
          Apart &= Other == W || V->Zero[Field][Other];
    }
    Updates.push_back(Update);
  }
  // A loop that reads arrays runs backwards once for all of them.
  SmallVector<std::pair<const CallInst *, SmallVector<ShadowWrite, 1>>, 4>
      Together;
  for (const ReadGroup &G : Groups) {
    const CallInst *Loop = findLoopDerivative(*V->Fn, G.Fields.front());
    if (Loop && !isApart(G, *Result.Shadows.lookup(G.Arr), P.Domain))
      Loop = nullptr;
    auto *Same = find_if(
        Together, [&](const auto &T) { return Loop && T.first == Loop; });
    if (Same == Together.end()) {
      Together.emplace_back();
      Same = &Together.back();
      Same->first = Loop;
    }
    Same->second.push_back(Accumulate(G));
  }
  for (const auto &[I, T] : enumerate(Together))
    if (Error E = add(Prefix + "_r" + Twine(I), S, P, &*V, T.second))
      return E;
  if (!Updates.empty() && !Apart)
    if (Error E = add(Prefix + "_u", S, P, &*V, Updates))
      return E;
  if (Apart)
    for (const auto &[I, U] : enumerate(Updates))
      if (Error E = add(Prefix + "_u" + Twine(I), S, P, &*V, U))
        return E;
  return C && P.Outputs[C->Write] ? addChoiceEnd(*C, P, Prefix)
                                  : Error::success();
}

/// One instance for each chain, the last of its statement's adjoint.
Error AdjointBuilder::addChoiceEnd(const Choice &C, const Piece &P,
                                   const Twine &Prefix) {
  isl::set Starts = coalesceChecked(P.Domain.intersect(C.Starts));
  if (Starts.is_null())
    return refuse(Reason::IslFailed, "overlap of accesses in " + C.S->Name);
  if (Starts.is_empty().is_true())
    return Error::success();
  auto New = Statements.buildChoiceEnd((Prefix + "_end").str(), C, Starts);
  if (!New)
    return New.takeError();
  return insert(std::move(*New), *C.S, Starts);
}

Expected<AdjointProgram> AdjointBuilder::run() {
  createShadows();
  for (const auto &[A, Shadow] : Result.Shadows)
    if (Error E = setShape(Primal, *Shadow))
      return std::move(E);
  for (const auto &S : reverse(Primal.Statements)) {
    Rank = 0;
    auto Pieces = splitDomain(*S);
    if (!Pieces)
      return Pieces.takeError();
    for (const auto &[I, P] : enumerate(*Pieces)) {
      std::string Prefix = S->Name;
      if (Pieces->size() > 1)
        Prefix += "_p" + std::to_string(I);
      if (Error E = differentiate(*S, P, Prefix))
        return std::move(E);
    }
  }
  if (Result.P.Order.is_null())
    Result.P.Order = isl::union_map::empty(isl::ctx(N.Ctx.get()));
  return std::move(Result);
}

Expected<AdjointProgram> pardiff::buildAdjoint(const Program &Primal,
                                               const Activity &A,
                                               const Dataflow &D,
                                               const TapePlan &Plan) {
  return AdjointBuilder(Primal, A, D, Plan).run();
}
