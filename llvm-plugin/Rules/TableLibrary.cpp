//===- Rules/TableLibrary.cpp - The rule table: the rest of the library ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the C library and of Fortran's run time that are not elementary:
// Gamma and Bessel functions, functions of pi x, scaling, functions with two
// results, and those whose result is an integer. The form of an entry is
// described in Table.cpp.
//
//===----------------------------------------------------------------------===//

#include "Rules/Rule.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace pardiff;

using E = Emission;
using V = Value *;

static constexpr const char *PiText = "3.141592653589793238462643383279502884";
static constexpr const char *Ln2 = "0.693147180559945309417232121458176568076";
static constexpr const char *Ln10 = "2.302585092994045684017991454684364207601";
static constexpr const char *Log2E =
    "1.442695040888963407359924681001892137427";
static constexpr const char *Log10E =
    "0.434294481903251827651128918916605082294";
static constexpr const char *TwoOverSqrtPi =
    "1.128379167095512573896158903121545171688";

static V seed(E &C) { return C.Seed; }

/// A call of the library's function Name, which has no intrinsic.
static V lib(E &C, StringRef Name, ArrayRef<V> Args) {
  return C.call(Intrinsic::not_intrinsic, Name, Args);
}

/// sin(pi x) and cos(pi x), exact where they are 0, 1 or -1: x is reduced to
/// its distance from the nearest integer, whose parity gives the sign.
static V timesSinOrCosPi(E &C, bool IsSin) {
  V N = C.call(Intrinsic::rint, "rint", {C.x()});
  V Angle = C.mul(C.number(PiText), C.sub(C.x(), N));
  V Wave = IsSin ? C.call(Intrinsic::sin, "sin", {Angle})
                 : C.call(Intrinsic::cos, "cos", {Angle});
  V HalfN = C.mul(N, C.number(0.5));
  V IsEven = C.B.CreateFCmpOEQ(C.call(Intrinsic::rint, "rint", {HalfN}), HalfN);
  return C.mul(C.Seed,
               C.mul(C.number(PiText), C.where(IsEven, Wave, C.neg(Wave))));
}

/// Seed / (pi sqrt(Radicand)), 0 where Radicand is 0.
static V overPiSqrt(E &C, V Radicand) {
  V Root = C.mul(C.number(PiText), C.call(Intrinsic::sqrt, "sqrt", {Radicand}));
  return C.unlessZero(Radicand, C.div(C.Seed, Root));
}

/// (f(n - 1) - f(n + 1)) / 2 for the Bessel function f(n, x) that is called.
static V besselDerivative(E &C) {
  V N = C.x(), One = ConstantInt::get(N->getType(), 1);
  V Below = C.callSame({C.B.CreateSub(N, One), C.y()});
  V Above = C.callSame({C.B.CreateAdd(N, One), C.y()});
  return C.mul(C.Seed, C.mul(C.number(0.5), C.sub(Below, Above)));
}

/// (f(0, x) - f(2, x)) / 2 for f = jn or yn.
static V firstBesselDerivative(E &C, StringRef Zeroth, StringRef Nth) {
  V Two = ConstantInt::get(C.B.getInt32Ty(), 2);
  V Difference = C.sub(lib(C, Zeroth, {C.x()}), lib(C, Nth, {Two, C.x()}));
  return C.mul(C.Seed, C.mul(C.number(0.5), Difference));
}

/// n x^(n - 1) by the function of Fortran's run time that is called.
static V integerPowerDerivative(E &C) {
  V N = C.y();
  V Factor = C.B.CreateSIToFP(N, C.Seed->getType());
  V Less = C.B.CreateSub(N, ConstantInt::get(N->getType(), 1));
  V Result = C.mul(C.Seed, C.mul(Factor, C.callSame({C.x(), Less})));
  V IsZero = C.B.CreateICmpEQ(N, ConstantInt::get(N->getType(), 0));
  return C.where(IsZero, C.number(0), Result);
}

/// The seed scaled as the primal scales its operand.
static V scaledSeed(E &C) { return C.callSame({C.Seed, C.y()}); }

/// For functions that multiply by a power of two: result / x, 0 at 0.
static V timesResultOverX(E &C) {
  return C.unlessZero(C.x(), C.mul(C.Seed, C.div(C.result(), C.x())));
}

/// For sincos: the other of the two functions, from the same call.
static V timesField1(E &C) { return C.mul(C.Seed, C.field(1)); }
static V minusTimesField0(E &C) { return C.neg(C.mul(C.Seed, C.field(0))); }
static V piTimesField1(E &C) { return C.mul(C.number(PiText), timesField1(C)); }
static V minusPiTimesField0(E &C) {
  return C.mul(C.number(PiText), minusTimesField0(C));
}

static V firstIsNotLess(E &C) { return C.B.CreateFCmpUGE(C.x(), C.y()); }
static V firstIsNotGreater(E &C) { return C.B.CreateFCmpULE(C.x(), C.y()); }
static V firstIsMax(E &C) {
  return C.B.CreateOr(C.B.CreateFCmpOGE(C.x(), C.y()),
                      C.B.CreateFCmpUNO(C.y(), C.y()));
}
static V firstIsMin(E &C) {
  return C.B.CreateOr(C.B.CreateFCmpOLE(C.x(), C.y()),
                      C.B.CreateFCmpUNO(C.y(), C.y()));
}

static const Rule Table[] = {
    // Gamma functions.
    {"lgamma",
     library("lgamma"),
     1,
     {linear(
         X,
         [](E &C) { return C.mul(C.Seed, C.callHelper("digamma", C.x())); })}},
    {"tgamma",
     library("tgamma"),
     1,
     {linear(X | R,
             [](E &C) {
               V Digamma = C.callHelper("digamma", C.x());
               return C.mul(C.Seed, C.mul(C.result(), Digamma));
             })}},

    // Bessel functions.
    {"j0",
     library("j0"),
     1,
     {linear(
         X, [](E &C) { return C.neg(C.mul(C.Seed, lib(C, "j1", {C.x()}))); })}},
    {"y0",
     library("y0"),
     1,
     {linear(
         X, [](E &C) { return C.neg(C.mul(C.Seed, lib(C, "y1", {C.x()}))); })}},
    {"j1",
     library("j1"),
     1,
     {linear(X, [](E &C) { return firstBesselDerivative(C, "j0", "jn"); })}},
    {"y1",
     library("y1"),
     1,
     {linear(X, [](E &C) { return firstBesselDerivative(C, "y0", "yn"); })}},
    {"jn",
     withInteger(library("jn"), 0),
     2,
     {zero(), linear(X | Y, besselDerivative)}},
    {"yn",
     withInteger(library("yn"), 0),
     2,
     {zero(), linear(X | Y, besselDerivative)}},

    // Functions of pi x, and powers of C23.
    {"sinpi",
     library("sinpi"),
     1,
     {linear(X, [](E &C) { return timesSinOrCosPi(C, false); })}},
    {"cospi",
     library("cospi"),
     1,
     {linear(X, [](E &C) { return C.neg(timesSinOrCosPi(C, true)); })}},
    {"tanpi",
     library("tanpi"),
     1,
     {linear(R,
             [](E &C) {
               V Square = C.mul(C.result(), C.result());
               return C.mul(
                   C.Seed, C.mul(C.number(PiText), C.add(C.number(1), Square)));
             })}},
    {"asinpi",
     library("asinpi"),
     1,
     {linear(X, [](E &C) { return overPiSqrt(C, C.oneMinusSquare(C.x())); })}},
    {"acospi",
     library("acospi"),
     1,
     {linear(
         X,
         [](E &C) { return C.neg(overPiSqrt(C, C.oneMinusSquare(C.x()))); })}},
    {"atanpi",
     library("atanpi"),
     1,
     {linear(X,
             [](E &C) {
               V Norm = C.add(C.number(1), C.mul(C.x(), C.x()));
               return C.div(C.Seed, C.mul(C.number(PiText), Norm));
             })}},
    {"exp2m1",
     library("exp2m1"),
     1,
     {linear(R,
             [](E &C) {
               V Power = C.add(C.result(), C.number(1));
               return C.mul(C.Seed, C.mul(Power, C.number(Ln2)));
             })}},
    {"exp10m1",
     library("exp10m1"),
     1,
     {linear(R,
             [](E &C) {
               V Power = C.add(C.result(), C.number(1));
               return C.mul(C.Seed, C.mul(Power, C.number(Ln10)));
             })}},
    {"log2p1",
     library("log2p1"),
     1,
     {linear(X,
             [](E &C) {
               return C.div(C.mul(C.Seed, C.number(Log2E)),
                            C.add(C.x(), C.number(1)));
             })}},
    {"log10p1",
     library("log10p1"),
     1,
     {linear(X,
             [](E &C) {
               return C.div(C.mul(C.Seed, C.number(Log10E)),
                            C.add(C.x(), C.number(1)));
             })}},
    {"rsqrt",
     library("rsqrt"),
     1,
     {linear(X | R,
             [](E &C) {
               V Half = C.mul(C.Seed, C.number(-0.5));
               return C.unlessZero(C.x(),
                                   C.mul(Half, C.div(C.result(), C.x())));
             })}},
    {"erfc_scaled",
     exactly(library("_FortranAErfcScaled8")),
     1,
     {linear(X | R,
             [](E &C) {
               V Twice = C.mul(C.number(2), C.mul(C.x(), C.result()));
               return C.mul(C.Seed, C.sub(Twice, C.number(TwoOverSqrtPi)));
             })}},
    {"erfc_scaled",
     exactly(library("_FortranAErfcScaled4")),
     1,
     {linear(X | R,
             [](E &C) {
               V Twice = C.mul(C.number(2), C.mul(C.x(), C.result()));
               return C.mul(C.Seed, C.sub(Twice, C.number(TwoOverSqrtPi)));
             })}},

    // Scaling.
    {"scalbn",
     withInteger(library("scalbn"), 1),
     2,
     {linear(Y, scaledSeed), zero()}},
    {"scalbln",
     withInteger(library("scalbln"), 1),
     2,
     {linear(Y, scaledSeed), zero()}},
    {"integer power",
     exactly(withInteger(library("_FortranAFPow4i"), 1)),
     2,
     {linear(X | Y, integerPowerDerivative), zero()}},
    {"integer power",
     exactly(withInteger(library("_FortranAFPow8i"), 1)),
     2,
     {linear(X | Y, integerPowerDerivative), zero()}},
    {"integer power",
     exactly(withInteger(library("_FortranAFPow4k"), 1)),
     2,
     {linear(X | Y, integerPowerDerivative), zero()}},
    {"integer power",
     exactly(withInteger(library("_FortranAFPow8k"), 1)),
     2,
     {linear(X | Y, integerPowerDerivative), zero()}},

    // Parts and scaling of Fortran.
    {"scale",
     exactly(withInteger(library("_FortranAScale4"), 1)),
     2,
     {linear(Y, scaledSeed), zero()}},
    {"scale",
     exactly(withInteger(library("_FortranAScale8"), 1)),
     2,
     {linear(Y, scaledSeed), zero()}},
    {"set_exponent",
     exactly(withInteger(library("_FortranASetExponent4"), 1)),
     2,
     {linear(X | R, timesResultOverX), zero()}},
    {"set_exponent",
     exactly(withInteger(library("_FortranASetExponent8"), 1)),
     2,
     {linear(X | R, timesResultOverX), zero()}},
    {"fraction",
     exactly(library("_FortranAFraction4")),
     1,
     {linear(X | R, timesResultOverX)}},
    {"fraction",
     exactly(library("_FortranAFraction8")),
     1,
     {linear(X | R, timesResultOverX)}},
    {"rrspacing",
     exactly(library("_FortranARRSpacing4")),
     1,
     {linear(X | R, timesResultOverX)}},
    {"rrspacing",
     exactly(library("_FortranARRSpacing8")),
     1,
     {linear(X | R, timesResultOverX)}},
    {"spacing", exactly(library("_FortranASpacing4")), 1, {zero()}},
    {"spacing", exactly(library("_FortranASpacing8")), 1, {zero()}},
    {"exponent",
     toInteger(exactly(library("_FortranAExponent4_4"))),
     1,
     {zero()}},
    {"exponent",
     toInteger(exactly(library("_FortranAExponent8_4"))),
     1,
     {zero()}},
    {"exponent",
     toInteger(exactly(library("_FortranAExponent4_8"))),
     1,
     {zero()}},
    {"exponent",
     toInteger(exactly(library("_FortranAExponent8_8"))),
     1,
     {zero()}},

    // The greater and the lesser, C23.
    {"fmaximum",
     library("fmaximum"),
     2,
     {gate(X | Y, firstIsNotLess), otherwise(X | Y)}},
    {"fminimum",
     library("fminimum"),
     2,
     {gate(X | Y, firstIsNotGreater), otherwise(X | Y)}},
    {"fmaximum_num",
     library("fmaximum_num"),
     2,
     {gate(X | Y, firstIsMax), otherwise(X | Y)}},
    {"fminimum_num",
     library("fminimum_num"),
     2,
     {gate(X | Y, firstIsMin), otherwise(X | Y)}},

    // Two results.
    {"sincos",
     fieldOf(intrinsic(Intrinsic::sincos), 0),
     1,
     {linear(X, timesField1)}},
    {"sincos",
     fieldOf(intrinsic(Intrinsic::sincos), 1),
     1,
     {linear(X, minusTimesField0)}},
    {"sincospi",
     fieldOf(intrinsic(Intrinsic::sincospi), 0),
     1,
     {linear(X, piTimesField1)}},
    {"sincospi",
     fieldOf(intrinsic(Intrinsic::sincospi), 1),
     1,
     {linear(X, minusPiTimesField0)}},
    {"modf", fieldOf(intrinsic(Intrinsic::modf), 0), 1, {linear(None, seed)}},
    {"modf", fieldOf(intrinsic(Intrinsic::modf), 1), 1, {zero()}},
    {"frexp",
     fieldOf(intrinsic(Intrinsic::frexp), 0),
     1,
     {linear(X | R,
             [](E &C) {
               // The power of two is result / x, exactly.
               V Scaled = C.mul(C.Seed, C.div(C.result(), C.x()));
               return C.where(C.isZero(C.x()), C.Seed, Scaled);
             })}},
    {"frexp", fieldOf(intrinsic(Intrinsic::frexp), 1), 1, {zero()}},

    // The next number: all but the identity.
    {"nextafter", library("nextafter"), 2, {linear(None, seed), zero()}},

    // Integers.
    {"lround", toInteger(library("lround")), 1, {zero()}},
    {"llround", toInteger(library("llround")), 1, {zero()}},
    {"lrint", toInteger(library("lrint")), 1, {zero()}},
    {"llrint", toInteger(library("llrint")), 1, {zero()}},
    {"ilogb", toInteger(library("ilogb")), 1, {zero()}},
    {"isnan", toInteger(library("isnan")), 1, {zero()}},
    {"isnan", toInteger(library("__isnan")), 1, {zero()}},
    {"isinf", toInteger(library("isinf")), 1, {zero()}},
    {"isinf", toInteger(library("__isinf")), 1, {zero()}},
    {"finite", toInteger(library("finite")), 1, {zero()}},
    {"finite", toInteger(library("__finite")), 1, {zero()}},
    {"fpclassify", toInteger(library("__fpclassify")), 1, {zero()}},
    {"signbit", toInteger(library("__signbit")), 1, {zero()}},
};

ArrayRef<Rule> pardiff::getLibraryTable() { return Table; }
