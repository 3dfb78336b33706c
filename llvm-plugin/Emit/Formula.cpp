//===- Emit/Formula.cpp - Numbers of instances as formulas ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Formula.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace pardiff;

/// A formula of more terms is not read by anybody.
static constexpr size_t MaxTerms = 200;

Formula Formula::constant(double C) {
  Formula F;
  if (C != 0)
    F.Terms[{}] = C;
  return F;
}

Formula Formula::unknown() {
  Formula F;
  F.Known = false;
  return F;
}

std::optional<double> Formula::getConstant() const {
  if (!Known)
    return std::nullopt;
  if (Terms.empty())
    return 0;
  if (Terms.size() > 1 || !Terms.begin()->first.empty())
    return std::nullopt;
  return Terms.begin()->second;
}

static Formula limit(Formula F) {
  return F.Known && F.Terms.size() <= MaxTerms ? F : Formula::unknown();
}

Formula Formulas::getAtom(Atom A, StringRef Key) {
  auto [It, New] = Numbers.try_emplace(Key, Atoms.size());
  if (New)
    Atoms.push_back(std::move(A));
  Formula F;
  F.Terms[{It->second}] = 1;
  return F;
}

Formula Formulas::parameter(StringRef Name) {
  Atom A;
  A.Name = Name.str();
  return getAtom(std::move(A), Name);
}

Formula Formulas::iterator(unsigned Var) {
  Atom A;
  A.Kind = Atom::Iterator;
  A.Var = Var;
  A.Name = "#" + std::to_string(Var);
  A.HasIterator = true;
  std::string Key = A.Name;
  return getAtom(std::move(A), Key);
}

bool Formulas::contains(unsigned Of, unsigned Var) const {
  const Atom &A = Atoms[Of];
  if (A.Kind == Atom::Iterator)
    return A.Var == Var;
  return A.HasIterator && (contains(A.A, Var) || contains(A.B, Var));
}

bool Formulas::contains(const Formula &F, unsigned Var) const {
  return any_of(F.Terms, [&](const auto &T) {
    return any_of(T.first, [&](unsigned A) { return contains(A, Var); });
  });
}

bool Formulas::hasIterator(const Formula &F) const {
  return any_of(F.Terms, [&](const auto &T) {
    return any_of(T.first, [&](unsigned A) { return Atoms[A].HasIterator; });
  });
}

Formula Formulas::add(const Formula &A, const Formula &B, double Factor) {
  if (!A.Known || !B.Known)
    return Formula::unknown();
  Formula R = A;
  for (const auto &[P, C] : B.Terms) {
    double &Of = R.Terms[P];
    double Old = Of;
    Of += Factor * C;
    // What is left of numbers that cancel is a rounding error.
    if (std::abs(Of) <= 1e-12 * std::abs(Old))
      R.Terms.erase(P);
  }
  return limit(std::move(R));
}

Formula Formulas::multiply(const Formula &A, const Formula &B) {
  if (!A.Known || !B.Known)
    return Formula::unknown();
  Formula R;
  for (const auto &[P, C] : A.Terms)
    for (const auto &[Q, D] : B.Terms) {
      Formula::Product Both;
      std::merge(P.begin(), P.end(), Q.begin(), Q.end(),
                 std::back_inserter(Both));
      Formula Term;
      Term.Terms[std::move(Both)] = C * D;
      R = add(R, Term);
      if (!R.Known)
        return R;
    }
  return R;
}

std::optional<int> Formulas::getSign(const Formula &F) const {
  if (!F.Known)
    return std::nullopt;
  if (std::optional<double> C = F.getConstant())
    return *C > 0 ? 1 : *C < 0 ? -1 : 0;
  if (hasIterator(F))
    return std::nullopt;
  size_t Degree = 0;
  for (const auto &[P, C] : F.Terms)
    Degree = std::max(Degree, P.size());
  int Sign = 0;
  for (const auto &[P, C] : F.Terms) {
    if (P.size() < Degree)
      continue;
    int Of = C > 0 ? 1 : -1;
    if (Sign && Of != Sign)
      return std::nullopt;
    Sign = Of;
  }
  return Sign;
}

std::optional<double> Formulas::getSlope(const Formula &F, unsigned Var) const {
  if (!F.Known)
    return std::nullopt;
  double Slope = 0;
  for (const auto &[P, C] : F.Terms) {
    if (none_of(P, [&](unsigned A) { return contains(A, Var); }))
      continue;
    if (P.size() != 1 || Atoms[P.front()].Kind != Atom::Iterator)
      return std::nullopt;
    Slope = C;
  }
  return Slope;
}

Formula Formulas::minMax(const Formula &A, const Formula &B, bool IsMin) {
  if (!A.Known || !B.Known)
    return Formula::unknown();
  Formula Difference = add(A, B, -1);
  if (std::optional<int> Sign = getSign(Difference))
    return (*Sign < 0) == IsMin ? A : B;
  Atom M;
  M.Kind = IsMin ? Atom::Min : Atom::Max;
  M.A = A;
  M.B = B;
  M.HasIterator = hasIterator(A) || hasIterator(B);
  std::string First = print(A), Second = print(B);
  if (Second < First) {
    std::swap(First, Second);
    std::swap(M.A, M.B);
  }
  M.Name = std::string(IsMin ? "min(" : "max(") + First + ", " + Second + ")";
  std::string Key = M.Name;
  return getAtom(std::move(M), Key);
}

Formula Formulas::substitute(const Formula &F, unsigned Var,
                             const Formula &With) {
  if (!F.Known || !With.Known)
    return Formula::unknown();
  if (!contains(F, Var))
    return F;
  Formula R;
  for (const auto &[P, C] : F.Terms) {
    Formula Term = Formula::constant(C);
    for (unsigned Number : P) {
      Formula Factor;
      // Atoms may move while new ones are made.
      const Atom A = Atoms[Number];
      if (A.Kind == Atom::Iterator && A.Var == Var)
        Factor = With;
      else if (!contains(Number, Var))
        Factor.Terms[{Number}] = 1;
      else
        Factor = minMax(substitute(A.A, Var, With), substitute(A.B, Var, With),
                        A.Kind == Atom::Min);
      Term = multiply(Term, Factor);
    }
    R = add(R, Term);
  }
  return R;
}

Formula Formulas::sum(const Formula &F, unsigned Var, const Formula &Lower,
                      double Step, const Formula &Trips) {
  if (!F.Known || !Lower.Known || !Trips.Known)
    return Formula::unknown();
  if (!contains(F, Var))
    return multiply(F, Trips);
  // Var counts the iterations from here on.
  Formula Count = iterator(Var);
  const unsigned Number = Count.Terms.begin()->first.front();
  Formula Of =
      substitute(F, Var, add(Lower, multiply(Formula::constant(Step), Count)));
  Formula Less = add(Trips, Formula::constant(-1));
  Formula Middle = multiply(Less, Formula::constant(0.5));
  Formula Twice =
      add(multiply(Trips, Formula::constant(2)), Formula::constant(-1));
  Formula R;
  if (!Of.Known)
    return Of;
  for (const auto &[P, C] : Of.Terms) {
    Formula Term;
    Formula::Product Rest;
    unsigned Power = 0;
    for (unsigned A : P)
      if (A == Number)
        ++Power;
      else
        Rest.push_back(A);
    Term.Terms[Rest] = C;
    Term = multiply(substitute(Term, Var, Middle), Trips);
    // The sums of powers, without the factor Trips.
    if (Power == 1)
      Term = multiply(Term, Middle);
    else if (Power == 2)
      Term = multiply(
          Term, multiply(Middle, multiply(Twice, Formula::constant(1.0 / 3))));
    else if (Power == 3)
      Term = multiply(Term, multiply(Trips, multiply(Middle, Middle)));
    else
      for (unsigned K = 0; K < Power; ++K)
        Term = multiply(
            Term,
            K ? Trips : multiply(Trips, Formula::constant(1.0 / (Power + 1))));
    R = add(R, Term);
  }
  return R;
}

/// A coefficient and what it is multiplied with.
static void printTerm(double C, StringRef Product, raw_ostream &OS) {
  double Inverse = std::round(1 / C);
  bool IsPart = C < 1 && std::abs(C * Inverse - 1) < 1e-9;
  if (Product.empty())
    OS << format("%.8g", C);
  else if (IsPart)
    OS << Product << " / " << format("%.8g", Inverse);
  else if (C == 1)
    OS << Product;
  else
    OS << format("%.8g", C) << " * " << Product;
}

std::string Formulas::print(const Formula &F) const {
  if (!F.Known)
    return "?";
  std::vector<std::pair<std::string, std::pair<size_t, double>>> Terms;
  for (const auto &[P, C] : F.Terms) {
    std::vector<std::string> Names;
    for (unsigned A : P)
      Names.push_back(Atoms[A].Name);
    llvm::sort(Names);
    Terms.push_back({join(Names, " * "), {P.size(), C}});
  }
  llvm::sort(Terms, [](const auto &A, const auto &B) {
    return std::make_tuple(B.second.first, StringRef(A.first)) <
           std::make_tuple(A.second.first, StringRef(B.first));
  });
  std::string Text;
  raw_string_ostream OS(Text);
  for (auto [I, T] : enumerate(Terms)) {
    double C = T.second.second;
    if (I == 0)
      OS << (C < 0 ? "-" : "");
    else
      OS << (C < 0 ? " - " : " + ");
    printTerm(std::abs(C), T.first, OS);
  }
  return Terms.empty() ? "0" : Text;
}

double Formulas::evaluate(const Formula &F, double Value) const {
  double Sum = 0;
  for (const auto &[P, C] : F.Terms) {
    double Term = C;
    for (unsigned Number : P) {
      const Atom &A = Atoms[Number];
      if (A.Kind == Atom::Min)
        Term *= std::min(evaluate(A.A, Value), evaluate(A.B, Value));
      else if (A.Kind == Atom::Max)
        Term *= std::max(evaluate(A.A, Value), evaluate(A.B, Value));
      else
        Term *= Value;
    }
    Sum += Term;
  }
  return Sum;
}
