//===- Tape/Print.cpp - Print a tape plan ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   read S[0] A: in place { S[i] -> A[i] }
//   result S[0] y: tape { S[i] -> y_tape[i] }
//   read T[1] s: recompute result 0 of S at { T[i, j] -> S[i] }
//   choice U[1] m: last replacement { U[i, j] -> m_choice[i] }
//   tape y_tape of y: double [n][2m]; 2 values; live in
//
// The extents are those for parameters for which the tape is used.
//
// The number in brackets is the index of the read or write in its statement.
//
//===----------------------------------------------------------------------===//

#include "Support/IslUtils.h"
#include "Tape/Plan.h"

using namespace llvm;
using namespace pardiff;

/// An extent as a formula of the parameters; isl's notation if it has pieces.
static std::string getFormula(const isl::pw_aff &E, const isl::set &Where) {
  std::string Text = toString(coalesceChecked(E.gist(Where)));
  size_t Begin = Text.find("[("), End = Text.find(")]");
  if (Begin == std::string::npos || End == std::string::npos ||
      Text.find(';') != std::string::npos)
    return Text;
  return Text.substr(Begin + 2, End - Begin - 2);
}

static void printValue(StringRef What, const Statement &S, unsigned Index,
                       const Access &Acc, const KeptValue &K,
                       const isl::set &Context, raw_ostream &OS) {
  OS << "  " << What << ' ' << S.Name << '[' << Index << "] " << Acc.Arr->Name
     << ": ";
  auto Print = [&](const isl::map &M) {
    isl::map Simple =
        coalesceChecked(M.gist_domain(K.Domain).gist_params(Context));
    return toString(Simple);
  };
  switch (K.How) {
  case Keep::InPlace:
    OS << "in place " << Print(K.From.Relation);
    break;
  case Keep::Tape:
    OS << "tape " << Print(K.From.Relation);
    break;
  case Keep::Recompute:
    OS << "recompute result " << K.Write << " of " << K.Producer->Name << " at "
       << Print(K.Instance);
    break;
  }
  OS << '\n';
}

void pardiff::printPlan(const TapePlan &Plan, const Program &P,
                        raw_ostream &OS) {
  OS << "tape plan of " << P.N->Name << ":\n";
  for (const auto &S : P.Statements) {
    for (const auto &[R, Read] : enumerate(S->Reads)) {
      auto It = Plan.Reads.find({S.get(), unsigned(R)});
      if (It != Plan.Reads.end())
        printValue("read", *S, R, Read, It->second, P.N->Context, OS);
    }
    for (const auto &[W, Write] : enumerate(S->Writes)) {
      auto It = Plan.Results.find({S.get(), unsigned(W)});
      if (It != Plan.Results.end())
        printValue("result", *S, W, Write, It->second, P.N->Context, OS);
    }
  }
  for (const auto &S : P.Statements)
    if (auto It = Plan.Choices.find(S.get()); It != Plan.Choices.end()) {
      const Choice &C = It->second;
      OS << "  choice " << S->Name << '[' << C.Write << "] "
         << S->Writes[C.Write].Arr->Name << ": last replacement "
         << toString(C.Place.gist_domain(S->Domain)) << '\n';
    }
  for (const Tape &T : Plan.Tapes) {
    OS << "  tape " << T.Arr->Name << " of " << T.Arr->Of->Name << ": "
       << *T.Arr->ElemTy << ' ';
    for (const isl::pw_aff &E : T.Arr->Shape)
      OS << '[' << getFormula(E, T.Cells.params().intersect(P.N->Context))
         << ']';
    if (T.ChoiceOf) {
      OS << "; choice\n";
      continue;
    }
    OS << "; " << T.Values.size()
       << (T.Values.size() == 1 ? " value" : " values")
       << (T.AllLiveIn ? "; live in\n" : "\n");
  }
}
