//===- Contract/GradientReport.cpp - Describe a gradient
//--------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract/GradientReport.h"
#include "llvm/ADT/SetVector.h"
#include "isl/aff.h"
#include "isl/set.h"
#include <cstdlib>

using namespace llvm;
using namespace pardiff;

/// Takes a string of isl's.
static std::string take(char *Text) {
  std::string S = Text ? Text : "?";
  std::free(Text);
  return S;
}

/// The formula of a piecewise expression of the parameters: "[n, m] -> { [(n)]
/// }" becomes "n"; other forms stay as isl prints them.
static std::string getFormula(const isl::pw_aff &E) {
  std::string S = take(isl_pw_aff_to_str(E.get()));
  size_t Open = S.find("{ [("), Close = S.rfind(")] }");
  if (Open == std::string::npos || Close == std::string::npos ||
      isl_pw_aff_n_piece(E.get()) != 1)
    return S;
  return S.substr(Open + 4, Close - Open - 4);
}

static std::string getSize(const Array &A) {
  std::string S;
  for (const isl::pw_aff &E : A.Shape)
    S += (S.empty() ? "(" : " * (") +
         (E.is_null() ? std::string("?") : getFormula(E)) + ")";
  return S.empty() ? "1" : S;
}

static void fillLoops(const ScheduleResult &From, std::vector<LoopReport> &To) {
  for (const LoopChoice &L : From.Loops)
    To.push_back(
        {L.Scheme, L.Depth, {L.Statements.begin(), L.Statements.end()}});
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
    Report.Tapes.push_back({T->Name, T->Of ? T->Of->Name : "", "", getSize(*T),
                            unsigned(T->ElemTy->getPrimitiveSizeInBits() / 8)});
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
  fillLoops(Programs.ForwardLoops, Report.Forward);
  fillLoops(Programs.AdjointLoops, Report.Adjoint);
}
