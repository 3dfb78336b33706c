//===- Emit/Formula.h - Numbers of instances as formulas --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polynomials over the variables of a LoopAst, and over minima and maxima of
// such polynomials, for the report alone: nothing is decided from them. They
// are meant for large parameters: of two expressions whose difference has one
// sign for all large parameters the larger one is known, and divisions are not
// rounded. What gets too long becomes unknown and is printed as "?".
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_FORMULA_H
#define PARDIFF_EMIT_FORMULA_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pardiff {

/// A sum of products of atoms. Atoms are numbers that Formulas gives out.
struct Formula {
  using Product = std::vector<unsigned>; ///< sorted
  std::map<Product, double> Terms;       ///< without zeros
  bool Known = true;

  static Formula constant(double C);
  static Formula unknown();
  /// Its value if it has no atoms.
  std::optional<double> getConstant() const;
};

/// Makes formulas. Iterators are variables that are summed over or replaced in
/// the end; all others are parameters.
class Formulas {
public:
  Formula parameter(llvm::StringRef Name);
  Formula iterator(unsigned Var);

  Formula add(const Formula &A, const Formula &B, double Factor = 1);
  Formula multiply(const Formula &A, const Formula &B);
  Formula minMax(const Formula &A, const Formula &B, bool IsMin);
  /// F with iterator Var replaced by With.
  Formula substitute(const Formula &F, unsigned Var, const Formula &With);
  /// The sum of F for Var = Lower + Step * k, k = 0 .. Trips - 1. Exact where F
  /// is a polynomial of degree 3 in Var; minima and maxima inside of F are
  /// taken at the middle.
  Formula sum(const Formula &F, unsigned Var, const Formula &Lower, double Step,
              const Formula &Trips);
  /// -1, 0, 1: the sign for all large parameters; none if it depends on which
  /// of them is larger, or on an iterator.
  std::optional<int> getSign(const Formula &F) const;

  /// What F grows by with iterator Var, if that is a number.
  std::optional<double> getSlope(const Formula &F, unsigned Var) const;

  /// In C, with min and max of two.
  std::string print(const Formula &F) const;
  /// The value where every parameter is Value.
  double evaluate(const Formula &F, double Value) const;

private:
  struct Atom {
    enum { Parameter, Iterator, Min, Max } Kind = Parameter;
    std::string Name;
    unsigned Var = 0;
    Formula A, B; ///< Min, Max
    bool HasIterator = false;
  };
  std::vector<Atom> Atoms;
  llvm::StringMap<unsigned> Numbers; ///< by what they print

  Formula getAtom(Atom A, llvm::StringRef Key);
  bool contains(unsigned Atom, unsigned Var) const;
  bool contains(const Formula &F, unsigned Var) const;
  bool hasIterator(const Formula &F) const;
};

} // namespace pardiff

#endif // PARDIFF_EMIT_FORMULA_H
