//===- Rules/Table.cpp - The rule table -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry for each operation: how it is recognised, and for each operand what
// its partial derivative reads and how it is computed. Where a partial has a
// form in the result (exp, tanh, sqrt, division) that form is taken: the result
// is often still in memory when operands are not. Conventions at singular
// points: Rules/Rules.h.
//
// linear(Needs, F): F gives partial * seed. gate(Needs, F): F gives the
// condition under which the seed flows unchanged. otherwise(Needs): it flows
// where the gate of the operand before does not let it.
//
//===----------------------------------------------------------------------===//

#include "Rules/Rule.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace pardiff;

using E = Emission;
using V = Value *;

//===----------------------------------------------------------------------===//
// Partial derivatives that several operations share
//===----------------------------------------------------------------------===//

static V seed(E &C) { return C.Seed; }
static V negatedSeed(E &C) { return C.neg(C.Seed); }
static V timesX(E &C) { return C.mul(C.Seed, C.x()); }
static V timesY(E &C) { return C.mul(C.Seed, C.y()); }

/// Seed converted to the type of the operand.
static V convertedSeed(E &C) {
  return C.B.CreateFPCast(C.Seed, C.getTargetType());
}

/// Element y of a vector: forward it is taken out, backward put back.
static V extractedSeed(E &C) {
  if (C.isForward())
    return C.B.CreateExtractElement(C.Seed, C.y());
  return C.B.CreateInsertElement(Constant::getNullValue(C.getTargetType()),
                                 C.Seed, C.y());
}

/// Operand y becomes element z of vector x.
static V seedWithoutElement(E &C) {
  auto *Element = cast<VectorType>(C.Seed->getType())->getElementType();
  return C.B.CreateInsertElement(C.Seed, Constant::getNullValue(Element),
                                 C.z());
}
static V insertedSeed(E &C) {
  if (!C.isForward())
    return C.B.CreateExtractElement(C.Seed, C.z());
  return C.B.CreateInsertElement(Constant::getNullValue(C.getTargetType()),
                                 C.Seed, C.z());
}

/// Minus the integer n of result = x - n * y.
static V minusQuotient(E &C) {
  V N = C.div(C.sub(C.x(), C.result()), C.y());
  return C.neg(C.mul(C.Seed, C.call(Intrinsic::rint, "rint", {N})));
}

/// x is chosen by fmax: it is not less, or y is NaN.
static V firstIsMax(E &C) {
  return C.B.CreateOr(C.B.CreateFCmpOGE(C.x(), C.y()),
                      C.B.CreateFCmpUNO(C.y(), C.y()));
}
static V firstIsMin(E &C) {
  return C.B.CreateOr(C.B.CreateFCmpOLE(C.x(), C.y()),
                      C.B.CreateFCmpUNO(C.y(), C.y()));
}

/// The same for maximum and minimum, which return NaN if an operand is NaN.
static V firstIsMaximum(E &C) { return C.B.CreateFCmpUGE(C.x(), C.y()); }
static V firstIsMinimum(E &C) { return C.B.CreateFCmpULE(C.x(), C.y()); }

/// Seed times the sign of x, 0 at 0.
static V timesSignOfX(E &C) {
  V Negative = C.B.CreateFCmpOLT(C.x(), C.number(0));
  return C.unlessZero(C.x(), C.where(Negative, C.neg(C.Seed), C.Seed));
}

static V squareOfX(E &C) { return C.mul(C.x(), C.x()); }

/// Seed / sqrt(Radicand), 0 where Radicand is 0.
static V overSqrt(E &C, V Radicand) {
  V Root = C.call(Intrinsic::sqrt, "sqrt", {Radicand});
  return C.unlessZero(Radicand, C.div(C.Seed, Root));
}

//===----------------------------------------------------------------------===//
// pow and powi
//===----------------------------------------------------------------------===//

static const ConstantFP *getConstantExponent(const Instruction &I) {
  return dyn_cast<ConstantFP>(I.getOperand(1));
}

static bool hasConstantExponent(const Instruction &I) {
  return getConstantExponent(I) != nullptr;
}

/// y * x^(y - 1), for a constant y. It is infinite at 0 for y in (0, 1).
static V powByConstant(E &C) {
  APFloat Exponent = getConstantExponent(C.getInstruction())->getValueAPF();
  if (Exponent.isZero())
    return nullptr;
  APFloat Two(Exponent.getSemantics(), "2"), One(Exponent.getSemantics(), "1");
  if (Exponent == One)
    return C.Seed;
  V Scaled = C.mul(C.Seed, C.y());
  if (Exponent == Two)
    return C.mul(Scaled, C.x());
  V Less = C.sub(C.y(), C.number(1));
  V Result = C.mul(Scaled, C.call(Intrinsic::pow, "pow", {C.x(), Less}));
  return Exponent < One ? C.unlessZero(C.x(), Result) : Result;
}

/// y * result / x; at x = 0 the limit, which is 1 for y = 1 and 0 by convention
/// for all other y. As precise as the primal where that underflows.
static V powByBase(E &C) {
  V IsOne = C.B.CreateFCmpOEQ(C.y(), C.number(1));
  V AtZero = C.where(IsOne, C.Seed, C.number(0));
  V Elsewhere = C.mul(C.Seed, C.div(C.mul(C.y(), C.result()), C.x()));
  return C.where(C.isZero(C.x()), AtZero, Elsewhere);
}

static V powByExponent(E &C) {
  V Log = C.call(Intrinsic::log, "log", {C.x()});
  return C.unlessZero(C.x(), C.mul(C.Seed, C.mul(C.result(), Log)));
}

/// n * x^(n - 1) with an integer n: 0 for n = 0, also where x is 0.
static V powByInteger(E &C) {
  V N = C.y();
  Type *IntTy = N->getType();
  if (auto *Constant = dyn_cast<ConstantInt>(N)) {
    if (Constant->isZero())
      return nullptr;
    if (Constant->isOne())
      return C.Seed;
  }
  V Less = C.B.CreateSub(N, ConstantInt::get(IntTy, 1));
  V Factor = C.B.CreateSIToFP(N, C.number(0)->getType()->getScalarType());
  if (auto *VecTy = dyn_cast<VectorType>(C.number(0)->getType()))
    Factor = C.B.CreateVectorSplat(VecTy->getElementCount(), Factor);
  Type *Ty = C.number(0)->getType();
  V Power = C.B.CreateIntrinsic(Intrinsic::powi, {Ty, IntTy}, {C.x(), Less});
  V Result = C.mul(C.Seed, C.mul(Factor, Power));
  V IsZero = C.B.CreateICmpEQ(N, ConstantInt::get(IntTy, 0));
  return C.where(IsZero, C.number(0), Result);
}

/// A finite constant, not zero, is divided.
static bool isReciprocal(const Instruction &I) {
  const APFloat *C = nullptr;
  return match(I.getOperand(0), m_APFloat(C)) && C->isFiniteNonZero();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static constexpr const char *Ln2 = "0.693147180559945309417232121458176568076";
static constexpr const char *Ln10 = "2.302585092994045684017991454684364207601";
static constexpr const char *Log2E =
    "1.442695040888963407359924681001892137427";
static constexpr const char *Log10E =
    "0.434294481903251827651128918916605082294";
static constexpr const char *TwoOverSqrtPi =
    "1.128379167095512573896158903121545171688";

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const Rule Table[] = {
    // Arithmetic.
    {"fadd",
     opcode(Instruction::FAdd),
     2,
     {linear(None, seed), linear(None, seed)}},
    {"fsub",
     opcode(Instruction::FSub),
     2,
     {linear(None, seed), linear(None, negatedSeed)}},
    {"fmul",
     opcode(Instruction::FMul),
     2,
     {linear(Y, timesY), linear(X, timesX)}},
    // c / y: its result alone is enough, -c / y^2 = -f (f / c).
    {"fdiv",
     when(opcode(Instruction::FDiv), isReciprocal),
     2,
     {linear(Y, [](E &C) { return C.div(C.Seed, C.y()); }),
      linear(R,
             [](E &C) {
               V Root = C.result();
               const APFloat *N = nullptr;
               match(C.x(), m_APFloat(N));
               if (!N || !N->isExactlyValue(1))
                 Root = C.div(Root, C.x());
               return C.neg(C.mul(C.mul(C.Seed, C.result()), Root));
             })}},
    {"fdiv",
     opcode(Instruction::FDiv),
     2,
     {linear(Y, [](E &C) { return C.div(C.Seed, C.y()); }),
      linear(Y | R,
             [](E &C) {
               return C.neg(C.mul(C.div(C.Seed, C.y()), C.result()));
             })}},
    {"fneg", opcode(Instruction::FNeg), 1, {linear(None, negatedSeed)}},
    {"frem",
     opcode(Instruction::FRem),
     2,
     {linear(None, seed), linear(X | Y | R, minusQuotient)}},
    {"fmod",
     library("fmod"),
     2,
     {linear(None, seed), linear(X | Y | R, minusQuotient)}},
    {"remainder",
     library("remainder"),
     2,
     {linear(None, seed), linear(X | Y | R, minusQuotient)}},
    {"fma",
     math(Intrinsic::fma, "fma"),
     3,
     {linear(Y, timesY), linear(X, timesX), linear(None, seed)}},
    {"fmuladd",
     intrinsic(Intrinsic::fmuladd),
     3,
     {linear(Y, timesY), linear(X, timesX), linear(None, seed)}},

    // Moves, conversions, choices.
    {"fpext", opcode(Instruction::FPExt), 1, {linear(None, convertedSeed)}},
    {"fptrunc", opcode(Instruction::FPTrunc), 1, {linear(None, convertedSeed)}},
    {"freeze", opcode(Instruction::Freeze), 1, {linear(None, seed)}},
    {"identity",
     intrinsic(Intrinsic::canonicalize, Intrinsic::arithmetic_fence,
               Intrinsic::ssa_copy),
     1,
     {linear(None, seed)}},
    {"select",
     opcode(Instruction::Select),
     3,
     {zero(), gate(X, [](E &C) { return C.x(); }), otherwise(X)}},
    {"fmax",
     math(Intrinsic::maxnum, "fmax"),
     2,
     {gate(X | Y, firstIsMax), otherwise(X | Y)}},
    {"fmin",
     math(Intrinsic::minnum, "fmin"),
     2,
     {gate(X | Y, firstIsMin), otherwise(X | Y)}},
    {"maximumnum",
     intrinsic(Intrinsic::maximumnum),
     2,
     {gate(X | Y, firstIsMax), otherwise(X | Y)}},
    {"minimumnum",
     intrinsic(Intrinsic::minimumnum),
     2,
     {gate(X | Y, firstIsMin), otherwise(X | Y)}},
    {"maximum",
     intrinsic(Intrinsic::maximum),
     2,
     {gate(X | Y, firstIsMaximum), otherwise(X | Y)}},
    {"minimum",
     intrinsic(Intrinsic::minimum),
     2,
     {gate(X | Y, firstIsMinimum), otherwise(X | Y)}},
    {"fdim",
     library("fdim"),
     2,
     {gate(X | Y, [](E &C) { return C.B.CreateFCmpOGT(C.x(), C.y()); }),
      linear(X | Y,
             [](E &C) {
               return C.where(C.B.CreateFCmpOGT(C.x(), C.y()), C.neg(C.Seed),
                              C.number(0));
             })}},
    {"fabs", math(Intrinsic::fabs, "fabs"), 1, {linear(X, timesSignOfX)}},
    {"copysign",
     math(Intrinsic::copysign, "copysign"),
     2,
     {linear(X | Y,
             [](E &C) {
               V Sign = C.call(Intrinsic::copysign, "copysign",
                               {C.number(1), C.y()});
               return C.mul(timesSignOfX(C), Sign);
             }),
      zero()}},
    {"ldexp",
     intrinsic(Intrinsic::ldexp),
     2,
     {linear(Y,
             [](E &C) -> V {
               return C.B.CreateIntrinsic(Intrinsic::ldexp,
                                          {C.Seed->getType(), C.y()->getType()},
                                          {C.Seed, C.y()});
             }),
      zero()}},
    {"ldexp",
     withInteger(library("ldexp"), 1),
     2,
     {linear(Y,
             [](E &C) -> V {
               return C.call(Intrinsic::not_intrinsic, "ldexp",
                             {C.Seed, C.y()});
             }),
      zero()}},

    // Elements of vectors.
    {"extractelement",
     opcode(Instruction::ExtractElement),
     2,
     {linear(Y, extractedSeed), zero()}},
    {"insertelement",
     opcode(Instruction::InsertElement),
     3,
     {linear(Z, seedWithoutElement), linear(Z, insertedSeed), zero()}},

    // Exponentials and logarithms.
    {"exp",
     math(Intrinsic::exp, "exp"),
     1,
     {linear(R, [](E &C) { return C.mul(C.Seed, C.result()); })}},
    {"exp2",
     math(Intrinsic::exp2, "exp2"),
     1,
     {linear(R,
             [](E &C) {
               return C.mul(C.Seed, C.mul(C.result(), C.number(Ln2)));
             })}},
    {"exp10",
     math(Intrinsic::exp10, "exp10"),
     1,
     {linear(R,
             [](E &C) {
               return C.mul(C.Seed, C.mul(C.result(), C.number(Ln10)));
             })}},
    {"expm1",
     library("expm1"),
     1,
     {linear(
         R,
         [](E &C) { return C.mul(C.Seed, C.add(C.result(), C.number(1))); })}},
    {"log",
     math(Intrinsic::log, "log"),
     1,
     {linear(X, [](E &C) { return C.div(C.Seed, C.x()); })}},
    {"log2",
     math(Intrinsic::log2, "log2"),
     1,
     {linear(
         X,
         [](E &C) { return C.div(C.mul(C.Seed, C.number(Log2E)), C.x()); })}},
    {"log10",
     math(Intrinsic::log10, "log10"),
     1,
     {linear(
         X,
         [](E &C) { return C.div(C.mul(C.Seed, C.number(Log10E)), C.x()); })}},
    {"log1p",
     library("log1p"),
     1,
     {linear(X,
             [](E &C) { return C.div(C.Seed, C.add(C.x(), C.number(1))); })}},

    // Powers and roots.
    {"pow by a constant",
     when(math(Intrinsic::pow, "pow"), hasConstantExponent),
     2,
     {linear(X, powByConstant), linear(X | R, powByExponent)}},
    {"pow",
     math(Intrinsic::pow, "pow"),
     2,
     {linear(X | Y | R, powByBase), linear(X | R, powByExponent)}},
    {"powi",
     intrinsic(Intrinsic::powi),
     2,
     {linear(X | Y, powByInteger), zero()}},
    {"sqrt",
     math(Intrinsic::sqrt, "sqrt"),
     1,
     {linear(R,
             [](E &C) {
               V Half = C.mul(C.Seed, C.number(0.5));
               return C.unlessZero(C.result(), C.div(Half, C.result()));
             })}},
    {"cbrt",
     library("cbrt"),
     1,
     {linear(R,
             [](E &C) {
               V Square = C.mul(C.result(), C.result());
               return C.unlessZero(C.result(),
                                   C.div(C.Seed, C.mul(C.number(3), Square)));
             })}},
    {"hypot",
     library("hypot"),
     2,
     {linear(X | R,
             [](E &C) {
               return C.unlessZero(C.result(),
                                   C.mul(C.Seed, C.div(C.x(), C.result())));
             }),
      linear(Y | R,
             [](E &C) {
               return C.unlessZero(C.result(),
                                   C.mul(C.Seed, C.div(C.y(), C.result())));
             })}},

    // Trigonometric and hyperbolic functions.
    {"sin",
     math(Intrinsic::sin, "sin"),
     1,
     {linear(X,
             [](E &C) {
               return C.mul(C.Seed, C.call(Intrinsic::cos, "cos", {C.x()}));
             })}},
    {"cos",
     math(Intrinsic::cos, "cos"),
     1,
     {linear(X,
             [](E &C) {
               return C.neg(
                   C.mul(C.Seed, C.call(Intrinsic::sin, "sin", {C.x()})));
             })}},
    {"tan",
     math(Intrinsic::tan, "tan"),
     1,
     {linear(R,
             [](E &C) {
               V Square = C.mul(C.result(), C.result());
               return C.mul(C.Seed, C.add(C.number(1), Square));
             })}},
    {"asin",
     math(Intrinsic::asin, "asin"),
     1,
     {linear(X, [](E &C) { return overSqrt(C, C.oneMinusSquare(C.x())); })}},
    {"acos",
     math(Intrinsic::acos, "acos"),
     1,
     {linear(
         X, [](E &C) { return C.neg(overSqrt(C, C.oneMinusSquare(C.x()))); })}},
    {"atan",
     math(Intrinsic::atan, "atan"),
     1,
     {linear(X,
             [](E &C) {
               return C.div(C.Seed, C.add(C.number(1), squareOfX(C)));
             })}},
    {"atan2",
     math(Intrinsic::atan2, "atan2"),
     2,
     {linear(X | Y,
             [](E &C) {
               V Norm = C.add(squareOfX(C), C.mul(C.y(), C.y()));
               return C.unlessZero(Norm, C.mul(C.Seed, C.div(C.y(), Norm)));
             }),
      linear(X | Y,
             [](E &C) {
               V Norm = C.add(squareOfX(C), C.mul(C.y(), C.y()));
               return C.unlessZero(Norm,
                                   C.neg(C.mul(C.Seed, C.div(C.x(), Norm))));
             })}},
    {"sinh",
     math(Intrinsic::sinh, "sinh"),
     1,
     {linear(X,
             [](E &C) {
               return C.mul(C.Seed, C.call(Intrinsic::cosh, "cosh", {C.x()}));
             })}},
    {"cosh",
     math(Intrinsic::cosh, "cosh"),
     1,
     {linear(X,
             [](E &C) {
               return C.mul(C.Seed, C.call(Intrinsic::sinh, "sinh", {C.x()}));
             })}},
    {"tanh",
     math(Intrinsic::tanh, "tanh"),
     1,
     {linear(
         R, [](E &C) { return C.mul(C.Seed, C.oneMinusSquare(C.result())); })}},
    {"asinh",
     library("asinh"),
     1,
     {linear(
         X,
         [](E &C) { return overSqrt(C, C.add(squareOfX(C), C.number(1))); })}},
    {"acosh",
     library("acosh"),
     1,
     {linear(X,
             [](E &C) {
               return overSqrt(C, C.mul(C.sub(C.x(), C.number(1)),
                                        C.add(C.x(), C.number(1))));
             })}},
    {"atanh",
     library("atanh"),
     1,
     {linear(X, [](E &C) { return C.div(C.Seed, C.oneMinusSquare(C.x())); })}},

    // The error function.
    {"erf",
     library("erf"),
     1,
     {linear(X,
             [](E &C) {
               V Bell = C.call(Intrinsic::exp, "exp", {C.neg(squareOfX(C))});
               return C.mul(C.Seed, C.mul(C.number(TwoOverSqrtPi), Bell));
             })}},
    {"erfc",
     library("erfc"),
     1,
     {linear(X,
             [](E &C) {
               V Bell = C.call(Intrinsic::exp, "exp", {C.neg(squareOfX(C))});
               return C.neg(
                   C.mul(C.Seed, C.mul(C.number(TwoOverSqrtPi), Bell)));
             })}},

    // Piecewise constant.
    {"floor", math(Intrinsic::floor, "floor"), 1, {zero()}},
    {"ceil", math(Intrinsic::ceil, "ceil"), 1, {zero()}},
    {"trunc", math(Intrinsic::trunc, "trunc"), 1, {zero()}},
    {"round", math(Intrinsic::round, "round"), 1, {zero()}},
    {"roundeven", math(Intrinsic::roundeven, "roundeven"), 1, {zero()}},
    {"rint", math(Intrinsic::rint, "rint"), 1, {zero()}},
    {"nearbyint", math(Intrinsic::nearbyint, "nearbyint"), 1, {zero()}},
    {"logb", library("logb"), 1, {zero()}},
    {"fcmp", opcode(Instruction::FCmp), 2, {zero(), zero()}},
    {"fptosi", opcode(Instruction::FPToSI), 1, {zero()}},
    {"fptoui", opcode(Instruction::FPToUI), 1, {zero()}},
    {"fptosi.sat",
     intrinsic(Intrinsic::fptosi_sat, Intrinsic::fptoui_sat),
     1,
     {zero()}},
    {"lround", intrinsic(Intrinsic::lround, Intrinsic::llround), 1, {zero()}},
    {"lrint", intrinsic(Intrinsic::lrint, Intrinsic::llrint), 1, {zero()}},
    {"is.fpclass", intrinsic(Intrinsic::is_fpclass), 2, {zero(), zero()}},
};

ArrayRef<Rule> pardiff::getRuleTable() { return Table; }
