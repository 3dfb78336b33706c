//===- Rules/Rule.h - What an entry of the rule table says ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this component: the form of an entry, and the small vocabulary in
// which its partial derivatives are written.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_RULES_RULE_H
#define PARDIFF_RULES_RULE_H

#include "Rules/Rules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Intrinsics.h"

namespace pardiff {

/// The place where a partial derivative is emitted, and what it may use.
class Emission {
public:
  Emission(const Rule &R, const llvm::Instruction &I, llvm::Value *Seed,
           llvm::Type *SeedTarget, unsigned Op, bool IsForward,
           llvm::IRBuilderBase &B, ValueFn ValueOf)
      : B(B), Seed(Seed), R(R), I(I), Operation(getOperation(I)),
        SeedTarget(SeedTarget), Op(Op), IsForward(IsForward), ValueOf(ValueOf) {
  }

  llvm::IRBuilderBase &B;
  /// Adjoint of the result in reverse mode, tangent of the operand in forward
  /// mode.
  llvm::Value *Seed;

  const Rule &getRule() const { return R; }
  /// The operation: for a field of a result of several, the call.
  const llvm::Instruction &getInstruction() const { return Operation; }
  /// The operand of the partial.
  unsigned getOperandNumber() const { return Op; }
  /// The field that is taken out of the operation's result.
  unsigned getField() const;
  /// True if Seed is a tangent. Matters only to partials that are no scalars
  /// times the seed: the adjoint is the transposed map.
  bool isForward() const { return IsForward; }
  /// The type of what is asked for: of the operand in reverse mode, of the
  /// result in forward mode. It differs from the seed's for conversions only.
  llvm::Type *getTargetType() const { return SeedTarget; }

  /// The values of the operands and of the result.
  llvm::Value *x() const { return operand(0); }
  llvm::Value *y() const { return operand(1); }
  llvm::Value *z() const { return operand(2); }
  llvm::Value *operand(unsigned N) const {
    return ValueOf(Operation.getOperand(N));
  }
  llvm::Value *result() const;
  /// Field N of the result of an operation that has several.
  llvm::Value *field(unsigned N) const;

  /// A constant of the operation's type. Text has as many digits as any type
  /// needs.
  llvm::Value *number(double V) const;
  llvm::Value *number(llvm::StringRef Text) const;

  llvm::Value *add(llvm::Value *L, llvm::Value *R) {
    return B.CreateFAdd(L, R);
  }
  llvm::Value *sub(llvm::Value *L, llvm::Value *R) {
    return B.CreateFSub(L, R);
  }
  llvm::Value *mul(llvm::Value *L, llvm::Value *R) {
    return B.CreateFMul(L, R);
  }
  llvm::Value *div(llvm::Value *L, llvm::Value *R) {
    return B.CreateFDiv(L, R);
  }
  llvm::Value *neg(llvm::Value *V) { return B.CreateFNeg(V); }
  llvm::Value *where(llvm::Value *Cond, llvm::Value *T, llvm::Value *F) {
    return B.CreateSelect(Cond, T, F);
  }
  llvm::Value *isZero(llvm::Value *V) { return B.CreateFCmpOEQ(V, number(0)); }
  /// Value, but 0 where V is 0.
  llvm::Value *unlessZero(llvm::Value *V, llvm::Value *Value) {
    return where(isZero(V), number(0), Value);
  }
  /// (1 - V) * (1 + V), exact near 1 and -1.
  llvm::Value *oneMinusSquare(llvm::Value *V) {
    return mul(sub(number(1), V), add(number(1), V));
  }

  /// Calls a function of the operation's own type: Id, or the library function
  /// Name (with its suffix) if the primal operation calls the library.
  llvm::Value *call(llvm::Intrinsic::ID Id, llvm::StringRef Name,
                    llvm::ArrayRef<llvm::Value *> Args);
  /// Calls the very function that the operation calls.
  llvm::Value *callSame(llvm::ArrayRef<llvm::Value *> Args);
  /// Calls the library function Name (with its suffix) of type Ty.
  llvm::Value *callLibrary(llvm::StringRef Name, llvm::FunctionType *Ty,
                           llvm::ArrayRef<llvm::Value *> Args);
  /// Calls a function that this plugin emits (Helpers.cpp), by its name for
  /// double.
  llvm::Value *callHelper(llvm::StringRef Name, llvm::Value *X);

private:
  const Rule &R;
  const llvm::Instruction &I, &Operation;
  llvm::Type *SeedTarget;
  unsigned Op;
  bool IsForward;
  ValueFn ValueOf;
};

/// What a partial derivative reads: operands 0 to 3 and the result.
enum Need : uint8_t { None = 0, X = 1, Y = 2, Z = 4, W = 8, R = 16 };

/// The partial derivative of an operation with respect to one operand.
struct Partial {
  enum class Form : uint8_t {
    Zero,     ///< nothing flows to this operand
    Linear,   ///< Emit gives (d result / d operand) * Seed
    Gate,     ///< Emit gives the condition under which the seed flows
    Otherwise ///< the seed flows where it does not flow to the operand before
  };
  using Emitter = llvm::Value *(*)(Emission &);

  Form Kind = Form::Zero;
  uint8_t Needs = None;
  Emitter Emit = nullptr;
};

constexpr Partial zero() { return {}; }
constexpr Partial linear(unsigned Needs, Partial::Emitter E) {
  return {Partial::Form::Linear, static_cast<uint8_t>(Needs), E};
}
constexpr Partial gate(unsigned Needs, Partial::Emitter E) {
  return {Partial::Form::Gate, static_cast<uint8_t>(Needs), E};
}
constexpr Partial otherwise(unsigned Needs) {
  return {Partial::Form::Otherwise, static_cast<uint8_t>(Needs), nullptr};
}

/// How an operation is recognised. Any of the three applies.
struct Match {
  unsigned Opcode = 0;
  llvm::Intrinsic::ID Ids[3] = {llvm::Intrinsic::not_intrinsic,
                                llvm::Intrinsic::not_intrinsic,
                                llvm::Intrinsic::not_intrinsic};
  /// Library function of double; with suffix f and l of float and long double.
  const char *Library = nullptr;
  /// Library is the name for every type.
  bool IsExactName = false;
  /// The operand that is an integer, or -1.
  int IntegerOperand = -1;
  /// The result is an integer.
  bool IsIntegerResult = false;
  /// Operands and result are complex numbers: pairs of scalars in a structure,
  /// or vectors of two.
  bool IsComplex = false;
  /// The rule is for this field of the result of a call; -1: for the result.
  int Field = -1;
  /// A further condition on the instruction, may be null. Of the entries that
  /// match, the first one counts.
  bool (*When)(const llvm::Instruction &) = nullptr;
};

/// A complex number, or a pair of partial derivatives.
struct Complex {
  llvm::Value *Re = nullptr, *Im = nullptr;
};

struct Rule {
  const char *Name;
  Match How;
  unsigned NumOperands;
  Partial Partials[4];
  /// Of a complex function: its derivative by complex operand N.
  Complex (*Derivative)(Emission &, unsigned N) = nullptr;
};

//===----------------------------------------------------------------------===//
// Ways to recognise an operation
//===----------------------------------------------------------------------===//

constexpr Match opcode(unsigned Op) {
  Match M;
  M.Opcode = Op;
  return M;
}

constexpr Match
intrinsic(llvm::Intrinsic::ID A,
          llvm::Intrinsic::ID B = llvm::Intrinsic::not_intrinsic,
          llvm::Intrinsic::ID C = llvm::Intrinsic::not_intrinsic) {
  Match M;
  M.Ids[0] = A;
  M.Ids[1] = B;
  M.Ids[2] = C;
  return M;
}

constexpr Match library(const char *Name) {
  Match M;
  M.Library = Name;
  return M;
}

/// A function of math.h that is an intrinsic as well.
constexpr Match math(llvm::Intrinsic::ID Id, const char *Name) {
  Match M = intrinsic(Id);
  M.Library = Name;
  return M;
}

constexpr Match when(Match M, bool (*Condition)(const llvm::Instruction &)) {
  M.When = Condition;
  return M;
}

constexpr Match withInteger(Match M, int Operand) {
  M.IntegerOperand = Operand;
  return M;
}

constexpr Match toInteger(Match M) {
  M.IsIntegerResult = true;
  return M;
}

constexpr Match exactly(Match M) {
  M.IsExactName = true;
  return M;
}

constexpr Match fieldOf(Match M, int Field) {
  M.Field = Field;
  return M;
}

/// The tables, in the order of their search: Table.cpp, TableLibrary.cpp,
/// TableComplex.cpp.
llvm::ArrayRef<Rule> getRuleTable();
llvm::ArrayRef<Rule> getLibraryTable();
llvm::ArrayRef<Rule> getComplexTable();

} // namespace pardiff

#endif // PARDIFF_RULES_RULE_H
