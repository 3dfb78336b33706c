//===- Body/GatedAdjoint.h - Adjoints with their conditions -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A select passes its seed to one of two operands. The other one may hold
// anything, an infinity or NaN included, and zero times infinity is NaN. So an
// adjoint is a value together with a gate, the conditions under which it
// counts: the value is computed as if they held, and they are applied where
// adjoints meet or at the end. This costs nothing (a select moves from the
// start to the end) and gives exact zeros.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_BODY_GATEDADJOINT_H
#define PARDIFF_BODY_GATEDADJOINT_H

#include "Rules/Rules.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

/// A condition, or its opposite.
struct Literal {
  llvm::Value *Cond;
  bool Inverted;

  bool operator==(const Literal &O) const {
    return Cond == O.Cond && Inverted == O.Inverted;
  }
  bool isOpposite(const Literal &O) const {
    return Cond == O.Cond && Inverted != O.Inverted;
  }
};

/// All of these must hold, the first decides whether the second is looked at.
using Gate = llvm::SmallVector<Literal, 2>;

/// An adjoint: V where the gate holds, else 0. Flags: of the sums that it
/// enters.
struct GatedAdjoint {
  llvm::Value *V = nullptr;
  Gate When;
  llvm::FastMathFlags Flags;
};

/// Emits sums of adjoints.
class GatedArithmetic {
public:
  explicit GatedArithmetic(llvm::IRBuilderBase &B) : B(B) {}

  /// L + R.
  GatedAdjoint add(const GatedAdjoint &L, const GatedAdjoint &R) {
    GatedAdjoint Sum;
    Sum.Flags = L.Flags & R.Flags;
    size_t Common = 0;
    while (Common < L.When.size() && Common < R.When.size() &&
           L.When[Common] == R.When[Common])
      ++Common;
    Sum.When.append(L.When.begin(), L.When.begin() + Common);
    llvm::ArrayRef<Literal> LeftOnly =
        llvm::ArrayRef(L.When).drop_front(Common);
    llvm::ArrayRef<Literal> RightOnly =
        llvm::ArrayRef(R.When).drop_front(Common);

    if (LeftOnly.size() == 1 && RightOnly.size() == 1 &&
        LeftOnly[0].isOpposite(RightOnly[0])) {
      bool Swap = LeftOnly[0].Inverted;
      Sum.V =
          B.CreateSelect(LeftOnly[0].Cond, Swap ? R.V : L.V, Swap ? L.V : R.V);
      return Sum;
    }

    llvm::IRBuilderBase::FastMathFlagGuard Guard(B);
    B.setFastMathFlags(Sum.Flags);
    Sum.V = B.CreateFAdd(valueIf(LeftOnly, L.V), valueIf(RightOnly, R.V));
    if (LeftOnly.empty() || RightOnly.empty())
      return Sum;
    llvm::Value *Left = conjunction(LeftOnly), *Right = conjunction(RightOnly);
    if (Left->getType() == Right->getType()) // vectors and scalars may differ
      Sum.When.push_back({B.CreateLogicalOr(Left, Right), false});
    return Sum;
  }

  /// The value of A, its gate applied.
  llvm::Value *finish(const GatedAdjoint &A) { return valueIf(A.When, A.V); }

private:
  llvm::Value *conjunction(llvm::ArrayRef<Literal> Literals) {
    llvm::Value *All = nullptr;
    for (const Literal &L : Literals) {
      llvm::Value *One = L.Inverted ? B.CreateNot(L.Cond) : L.Cond;
      auto *Vector =
          All ? llvm::dyn_cast<llvm::VectorType>(All->getType()) : nullptr;
      if (Vector && !One->getType()->isVectorTy())
        One = B.CreateVectorSplat(Vector->getElementCount(), One);
      All = All ? B.CreateLogicalAnd(All, One) : One;
    }
    return All;
  }

  llvm::Value *valueIf(llvm::ArrayRef<Literal> Literals, llvm::Value *V) {
    if (Literals.empty())
      return V;
    llvm::Value *Zero = llvm::Constant::getNullValue(V->getType());
    if (Literals.size() == 1 && Literals[0].Inverted)
      return B.CreateSelect(Literals[0].Cond, Zero, V);
    return B.CreateSelect(conjunction(Literals), V, Zero);
  }

  llvm::IRBuilderBase &B;
};

} // namespace pardiff

#endif // PARDIFF_BODY_GATEDADJOINT_H
