//===- Contract/GradientReport.cpp - Describe a gradient
//--------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract/GradientReport.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/SetVector.h"
#include "isl/aff.h"
#include "isl/set.h"
#include <cstdlib>

using namespace llvm;
using namespace pardiff;

/// Operations of isl that a formula may cost.
static constexpr unsigned long MaxOperations = 50000;
/// The value of all parameters for which speedups are predicted.
static constexpr double UsualParameter = 1000;

/// Takes a string of isl's.
static std::string take(char *Text) {
  std::string S = Text ? Text : "?";
  std::free(Text);
  return S;
}

/// E without the pieces that are zero: those of empty loops.
static isl::pw_aff withoutZeros(const isl::pw_aff &E) {
  return E.intersect_domain(
      E.ne_set(isl::pw_aff(E.domain(), isl::val::zero(E.ctx()))));
}

/// The formula of a piecewise expression of the parameters, as in C: "[n, m] ->
/// { [(n)]
/// }" becomes "n". Sizes of empty nests do not count. A formula of many cases
/// that takes long to simplify, and that nobody would read, is a question mark.
static std::string getFormula(const isl::pw_aff &E) {
  IslQuota Quota(E.ctx().get(), MaxOperations);
  isl::pw_aff NotZero = withoutZeros(E);
  NotZero = NotZero.gist(NotZero.domain());
  if (NotZero.is_null())
    return "?";
  if (isl_pw_aff_n_piece(NotZero.get()) == 0)
    return "0";
  isl::ast_build Build = isl::ast_build::from_context(
      isl::set::universe(NotZero.domain().space()));
  isl::ast_expr Formula =
      Build.is_null() ? isl::ast_expr() : Build.expr_from(NotZero);
  return Formula.is_null() ? "?" : Formula.to_C_str();
}

/// Factor as part of a product.
static std::string getFactor(const isl::pw_aff &E) {
  if (E.is_null())
    return "?";
  std::string Formula = getFormula(E);
  bool IsSimple = StringRef(Formula).find_first_of(" ?") == StringRef::npos;
  return IsSimple ? Formula : "(" + Formula + ")";
}

static std::string getSize(const Array &A) {
  std::string Product;
  for (const isl::pw_aff &E : A.Shape) {
    std::string Factor = getFactor(E);
    if (Factor != "1")
      Product += (Product.empty() ? "" : " * ") + Factor;
  }
  return Product.empty() ? "1" : Product;
}

static ArrayReport describe(const Array &A) {
  return {A.Name, getSize(A), unsigned(A.ElemTy->getPrimitiveSizeInBits() / 8)};
}

/// The iterators of the reader that a tape is indexed by, as the printer names
/// them.
static std::string getIterators(const Tape &T) {
  std::string Text;
  if (!T.Values.empty())
    for (unsigned I : T.Values.front().Iterators)
      Text += (Text.empty() ? "i" : ", i") + std::to_string(I);
  return Text;
}

/// True if a statement of the loop accumulates into a view: other iterations
/// may do so into the same element.
static bool isAtomic(const LoopChoice &L, const Program &P) {
  return L.Scheme != "serial" && any_of(L.Statements, [&](const auto &Name) {
           const Statement *S = P.find(Name);
           return S && any_of(S->Writes, [](const Access &W) {
                    return W.Kind == AccessKind::Accumulate && W.Arr->View;
                  });
         });
}

static void fillLoops(const ScheduleResult &From, const Program &P,
                      std::vector<LoopReport> &To) {
  for (const LoopChoice &L : From.Loops)
    To.push_back({isAtomic(L, P) ? "atomic" : L.Scheme,
                  L.Depth,
                  {L.Statements.begin(), L.Statements.end()}});
}

void pardiff::fillReport(const GradientPrograms &Programs, NestReport &Report) {
  const Program &Primal = Programs.Nest.Primal;
  Report.Statements = Primal.Statements.size();
  const Conditions &Cond = Programs.Nest.Cond;
  if (!Cond.Valid.is_null() && !isl_set_plain_is_universe(Cond.Valid.get()))
    Report.Conditions.push_back(take(isl_set_to_str(Cond.Valid.get())));
  for (const auto &[A, B] : Cond.MayAlias)
    Report.Conditions.push_back(A->Name + " and " + B->Name +
                                " do not overlap");
  if (!Cond.Requirements.empty())
    Report.Conditions.push_back(std::to_string(Cond.Requirements.size()) +
                                " preconditions on integer arithmetic");
  for (const Tape &Kept : Programs.Plan.Tapes) {
    const Array *T = Kept.Arr;
    Report.Tapes.push_back(
        {T->Name, T->Of ? T->Of->Name : "", getIterators(Kept), getSize(*T),
         unsigned(T->ElemTy->getPrimitiveSizeInBits() / 8), Kept.AllLiveIn});
  }

  // In the order of statements and accesses: the tables are hashed by address.
  SmallSetVector<const Array *, 8> InPlace, Recomputed;
  for (const auto &S : Primal.Statements) {
    auto Look = [&](const auto &Table, ArrayRef<Access> Accesses) {
      for (unsigned K = 0; K < Accesses.size(); ++K) {
        auto It = Table.find({S.get(), K});
        if (It == Table.end())
          continue;
        if (It->second.How == Keep::InPlace)
          InPlace.insert(Accesses[K].Arr);
        else if (It->second.How == Keep::Recompute)
          Recomputed.insert(Accesses[K].Arr);
      }
    };
    Look(Programs.Plan.Reads, S->Reads);
    Look(Programs.Plan.Results, S->Writes);
  }
  for (const Array *A : InPlace)
    Report.InPlace.push_back(A->Name);
  for (const Array *A : Recomputed)
    Report.Recomputed.push_back(A->Name);
  fillLoops(Programs.ForwardLoops, *Programs.Forward, Report.Forward);
  fillLoops(Programs.AdjointLoops, Programs.Adjoint->P, Report.Adjoint);
  for (const Array *Sums : Programs.AdjointLoops.Temporaries)
    Report.PartialSums.push_back(describe(*Sums));
  for (const Array *Copy : Programs.ForwardLoops.Temporaries)
    Report.OwnArrays.push_back(describe(*Copy));
  // Scalars, and what lives in one iteration, are on the stack.
  for (const auto &[Primal, Shadow] : Programs.Adjoint->Shadows)
    if (Primal->Kind != ArrayKind::Memory && Shadow->Scope.empty() &&
        !Shadow->Shape.empty())
      Report.OwnArrays.push_back(describe(*Shadow));
}

static CostReport print(const SweepCost &C, const Formulas &In) {
  return {In.print(C.Work), In.print(C.Span), In.print(C.Barriers),
          In.print(C.Bytes)};
}

void pardiff::fillCosts(const SweepCost &Forward, const SweepCost &Adjoint,
                        const Formulas &In, NestReport &Report) {
  ScaleReport S;
  S.Forward = print(Forward, In);
  S.Adjoint = print(Adjoint, In);
  for (const TapeReport &T : Report.Tapes)
    S.TapeBytes += (S.TapeBytes.empty() ? "" : " + ") +
                   std::to_string(T.ElementBytes) + " * " + T.Elements;
  if (S.TapeBytes.empty())
    S.TapeBytes = "0";
  S.BarrierWork = BarrierWork;
  S.Parameters = UsualParameter;
  bool Known = true;
  for (const SweepCost *C : {&Forward, &Adjoint})
    Known &= C->Work.Known && C->Span.Known && C->Barriers.Known;
  for (unsigned Threads : {4, 16, 64, 256})
    if (Known)
      S.Speedups.push_back(
          {Threads, getSpeedup(Forward, Adjoint, In, UsualParameter, Threads)});
  Report.Scale = std::move(S);
}
