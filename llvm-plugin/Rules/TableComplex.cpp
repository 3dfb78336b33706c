//===- Rules/TableComplex.cpp - The rule table: complex functions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Complex functions as C and Fortran call them: a complex number is passed as
// two scalars or as a vector of two, and comes back as a structure or a vector.
//
// An entry gives the complex derivative f' = u + iv by each complex operand; as
// a real map it is the matrix (u, -v; v, u), and its transpose in reverse mode.
// Functions with a real result (cabs, carg) give their gradient instead.
//
//===----------------------------------------------------------------------===//

#include "Rules/Rule.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

using E = Emission;
using V = Value *;

//===----------------------------------------------------------------------===//
// Complex numbers in an operation
//===----------------------------------------------------------------------===//

static bool hasVectorOperands(E &C) {
  return C.getInstruction().getOperand(0)->getType()->isVectorTy();
}

/// Complex operand N.
static Complex operandOf(E &C, unsigned N) {
  if (!hasVectorOperands(C))
    return {C.operand(2 * N), C.operand(2 * N + 1)};
  V Pair = C.operand(N);
  return {C.B.CreateExtractElement(Pair, uint64_t(0)),
          C.B.CreateExtractElement(Pair, uint64_t(1))};
}

static Complex resultOf(E &C) { return {C.field(0), C.field(1)}; }

static V makePair(E &C, Type *Ty, V Re, V Im) {
  V Pair = C.B.CreateInsertElement(PoisonValue::get(Ty), Re, uint64_t(0));
  return C.B.CreateInsertElement(Pair, Im, uint64_t(1));
}

/// The seed times the derivative by the operand in question.
static V emitComplex(E &C) {
  bool Vectors = hasVectorOperands(C);
  unsigned Op = C.getOperandNumber();
  Complex D = C.getRule().Derivative(C, Vectors ? Op : Op / 2);
  // Partials of the real and the imaginary part, by x and by y.
  Type *ResultTy = C.getInstruction().getType();
  bool IsReal = ResultTy->isFloatingPointTy();
  V ByX[2] = {D.Re, D.Im}, ByY[2] = {D.Im, D.Re};
  if (IsReal)
    ByY[0] = D.Im;
  else
    ByY[0] = C.neg(D.Im);

  auto PartOfSeed = [&](unsigned K) -> V {
    return C.B.CreateExtractElement(C.Seed, uint64_t(K));
  };
  // One part of the result: a real function, or a field.
  if (!ResultTy->isVectorTy()) {
    unsigned K = IsReal ? 0 : C.getField();
    if (!Vectors)
      return C.mul(C.Seed, Op % 2 ? ByY[K] : ByX[K]);
    if (C.isForward())
      return C.add(C.mul(PartOfSeed(0), ByX[K]), C.mul(PartOfSeed(1), ByY[K]));
    return makePair(C, C.getTargetType(), C.mul(C.Seed, ByX[K]),
                    C.mul(C.Seed, ByY[K]));
  }
  if (!Vectors) {
    V *By = Op % 2 ? ByY : ByX;
    if (C.isForward())
      return makePair(C, ResultTy, C.mul(C.Seed, By[0]), C.mul(C.Seed, By[1]));
    return C.add(C.mul(PartOfSeed(0), By[0]), C.mul(PartOfSeed(1), By[1]));
  }
  V S0 = PartOfSeed(0), S1 = PartOfSeed(1);
  if (C.isForward())
    return makePair(C, ResultTy, C.add(C.mul(S0, ByX[0]), C.mul(S1, ByY[0])),
                    C.add(C.mul(S0, ByX[1]), C.mul(S1, ByY[1])));
  return makePair(C, C.getTargetType(),
                  C.add(C.mul(S0, ByX[0]), C.mul(S1, ByX[1])),
                  C.add(C.mul(S0, ByY[0]), C.mul(S1, ByY[1])));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Complex scale(E &C, Complex Z, double By) {
  return {C.mul(Z.Re, C.number(By)), C.mul(Z.Im, C.number(By))};
}
static Complex negate(E &C, Complex Z) { return {C.neg(Z.Re), C.neg(Z.Im)}; }
static Complex multiply(E &C, Complex A, Complex Z) {
  return {C.sub(C.mul(A.Re, Z.Re), C.mul(A.Im, Z.Im)),
          C.add(C.mul(A.Re, Z.Im), C.mul(A.Im, Z.Re))};
}
static Complex addReal(E &C, Complex Z, double R) {
  return {C.add(Z.Re, C.number(R)), Z.Im};
}
/// 1 / Z by Smith's quotients, which do not overflow; 0 where Z is 0.
static Complex invert(E &C, Complex Z) {
  V AbsRe = C.call(Intrinsic::fabs, "fabs", {Z.Re});
  V AbsIm = C.call(Intrinsic::fabs, "fabs", {Z.Im});
  V Wide = C.B.CreateFCmpOGE(AbsRe, AbsIm);
  V Large = C.where(Wide, Z.Re, Z.Im), Small = C.where(Wide, Z.Im, Z.Re);
  V Ratio = C.div(Small, Large);
  V Under = C.add(Large, C.mul(Small, Ratio));
  V Over1 = C.unlessZero(Large, C.div(C.number(1), Under));
  V OverRatio = C.unlessZero(Large, C.div(Ratio, Under));
  return {C.where(Wide, Over1, OverRatio),
          C.neg(C.where(Wide, OverRatio, Over1))};
}
static Complex divide(E &C, Complex A, Complex Z) {
  return multiply(C, A, invert(C, Z));
}

/// Calls the library's complex function Name of one operand, of the type of the
/// one that the operation calls.
static Complex callComplex(E &C, StringRef Name, Complex Z) {
  const Function &Like =
      *cast<CallInst>(C.getInstruction()).getCalledFunction();
  FunctionType *Ty = Like.getFunctionType();
  if (Ty->getNumParams() > (hasVectorOperands(C) ? 1u : 2u)) // cpow
    Ty = FunctionType::get(
        Ty->getReturnType(),
        Ty->params().take_front(hasVectorOperands(C) ? 1 : 2), false);
  SmallVector<V, 2> Args = {Z.Re, Z.Im};
  if (hasVectorOperands(C))
    Args = {makePair(C, Ty->getParamType(0), Z.Re, Z.Im)};
  V Result = C.callLibrary(Name, Ty, Args);
  if (Result->getType()->isVectorTy())
    return {C.B.CreateExtractElement(Result, uint64_t(0)),
            C.B.CreateExtractElement(Result, uint64_t(1))};
  return {C.B.CreateExtractValue(Result, 0), C.B.CreateExtractValue(Result, 1)};
}

static Complex square(E &C, Complex Z) { return multiply(C, Z, Z); }

/// 1 / sqrt(1 - z^2) and its like: the square root is of a product, which is
/// exact near the zeros.
static Complex overSqrtOfProduct(E &C, Complex A, Complex Z) {
  Complex RootA = callComplex(C, "csqrt", A),
          RootZ = callComplex(C, "csqrt", Z);
  return invert(C, multiply(C, RootA, RootZ));
}

/// 1 - z and 1 + z.
static Complex oneMinus(E &C, Complex Z) { return addReal(C, negate(C, Z), 1); }
static Complex onePlus(E &C, Complex Z) { return addReal(C, Z, 1); }

/// 1 - iz and 1 + iz.
static Complex oneMinusI(E &C, Complex Z) {
  return addReal(C, {Z.Im, C.neg(Z.Re)}, 1);
}
static Complex onePlusI(E &C, Complex Z) {
  return addReal(C, {C.neg(Z.Im), Z.Re}, 1);
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

static Complex productDerivative(E &C, unsigned N) {
  return operandOf(C, 1 - N);
}

static Complex quotientDerivative(E &C, unsigned N) {
  Complex Inverse = invert(C, operandOf(C, 1));
  if (N == 0)
    return Inverse;
  return negate(C, multiply(C, resultOf(C), Inverse));
}

/// w z^(w - 1) = w f / z and f log z; both 0 at z = 0.
static Complex powerDerivative(E &C, unsigned N) {
  Complex Z = operandOf(C, 0), Power = resultOf(C);
  if (N == 0)
    return divide(C, multiply(C, operandOf(C, 1), Power), Z);
  Complex D = multiply(C, Power, callComplex(C, "clog", Z));
  V IsZero = C.B.CreateAnd(C.isZero(Z.Re), C.isZero(Z.Im));
  return {C.where(IsZero, C.number(0), D.Re),
          C.where(IsZero, C.number(0), D.Im)};
}

/// n z^(n - 1) by the function of Fortran's run time that is called.
static Complex integerPowerDerivative(E &C, unsigned) {
  SmallVector<V, 3> Args;
  unsigned Last = hasVectorOperands(C) ? 1 : 2;
  for (unsigned N = 0; N < Last; ++N)
    Args.push_back(C.operand(N));
  V N = C.operand(Last);
  Args.push_back(C.B.CreateSub(N, ConstantInt::get(N->getType(), 1)));
  V Power = C.callSame(Args);
  Complex P;
  if (Power->getType()->isVectorTy())
    P = {C.B.CreateExtractElement(Power, uint64_t(0)),
         C.B.CreateExtractElement(Power, uint64_t(1))};
  else
    P = {C.B.CreateExtractValue(Power, 0), C.B.CreateExtractValue(Power, 1)};
  V Factor = C.B.CreateSIToFP(N, P.Re->getType());
  V IsZero = C.B.CreateICmpEQ(N, ConstantInt::get(N->getType(), 0));
  return {C.where(IsZero, C.number(0), C.mul(Factor, P.Re)),
          C.where(IsZero, C.number(0), C.mul(Factor, P.Im))};
}

/// (x, y) / |z|, 0 at 0.
static Complex modulusGradient(E &C, unsigned) {
  Complex Z = operandOf(C, 0);
  V Modulus = C.result();
  return {C.unlessZero(Modulus, C.div(Z.Re, Modulus)),
          C.unlessZero(Modulus, C.div(Z.Im, Modulus))};
}

/// (-y, x) / |z|^2, 0 at 0.
static Complex argumentGradient(E &C, unsigned) {
  Complex Inverse = invert(C, operandOf(C, 0));
  return {Inverse.Im, Inverse.Re};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Match complexFunction(const char *Name, bool IsExact = false) {
  Match M = library(Name);
  M.IsComplex = true;
  M.IsExactName = IsExact;
  return M;
}

using ComplexDerivative = Complex (*)(E &, unsigned);

static constexpr Rule unary(const char *Name, ComplexDerivative D) {
  return {Name,
          complexFunction(Name),
          2,
          {linear(X | Y, emitComplex), linear(X | Y, emitComplex)},
          D};
}

static constexpr Rule integerPower(const char *Name) {
  Rule R = unary("complex integer power", integerPowerDerivative);
  R.How = complexFunction(Name, /*IsExact=*/true);
  R.How.IntegerOperand = 2;
  return R;
}

static constexpr Rule binary(const char *Name, const char *Function,
                             bool IsExact, ComplexDerivative D) {
  constexpr unsigned All = X | Y | Z | W;
  return {Name,
          complexFunction(Function, IsExact),
          4,
          {linear(All, emitComplex), linear(All, emitComplex),
           linear(All, emitComplex), linear(All, emitComplex)},
          D};
}

static const Rule Table[] = {
    binary("complex product", "__mulsc3", true, productDerivative),
    binary("complex product", "__muldc3", true, productDerivative),
    binary("complex product", "__mulxc3", true, productDerivative),
    binary("complex product", "__multc3", true, productDerivative),
    binary("complex quotient", "__divsc3", true, quotientDerivative),
    binary("complex quotient", "__divdc3", true, quotientDerivative),
    binary("complex quotient", "__divxc3", true, quotientDerivative),
    binary("complex quotient", "__divtc3", true, quotientDerivative),
    integerPower("_FortranAcpowi"),
    integerPower("_FortranAzpowi"),
    integerPower("_FortranAcpowk"),
    integerPower("_FortranAzpowk"),
    binary("cpow", "cpow", false, powerDerivative),
    unary("cabs", modulusGradient),
    unary("carg", argumentGradient),
    unary("cexp", [](E &C, unsigned) { return resultOf(C); }),
    unary("clog", [](E &C, unsigned) { return invert(C, operandOf(C, 0)); }),
    unary("csqrt",
          [](E &C, unsigned) { return scale(C, invert(C, resultOf(C)), 0.5); }),
    unary(
        "csin",
        [](E &C, unsigned) { return callComplex(C, "ccos", operandOf(C, 0)); }),
    unary("ccos",
          [](E &C, unsigned) {
            return negate(C, callComplex(C, "csin", operandOf(C, 0)));
          }),
    unary("ctan",
          [](E &C, unsigned) { return addReal(C, square(C, resultOf(C)), 1); }),
    unary("csinh",
          [](E &C, unsigned) {
            return callComplex(C, "ccosh", operandOf(C, 0));
          }),
    unary("ccosh",
          [](E &C, unsigned) {
            return callComplex(C, "csinh", operandOf(C, 0));
          }),
    unary("ctanh",
          [](E &C, unsigned) {
            return addReal(C, negate(C, square(C, resultOf(C))), 1);
          }),
    unary("casin",
          [](E &C, unsigned) {
            Complex Z = operandOf(C, 0);
            return overSqrtOfProduct(C, oneMinus(C, Z), onePlus(C, Z));
          }),
    unary("cacos",
          [](E &C, unsigned) {
            Complex Z = operandOf(C, 0);
            return negate(C,
                          overSqrtOfProduct(C, oneMinus(C, Z), onePlus(C, Z)));
          }),
    unary("catan",
          [](E &C, unsigned) {
            Complex Z = operandOf(C, 0);
            return invert(C, multiply(C, oneMinusI(C, Z), onePlusI(C, Z)));
          }),
    unary("casinh",
          [](E &C, unsigned) {
            Complex Z = operandOf(C, 0);
            return overSqrtOfProduct(C, oneMinusI(C, Z), onePlusI(C, Z));
          }),
    unary("cacosh",
          [](E &C, unsigned) {
            Complex Z = operandOf(C, 0);
            return overSqrtOfProduct(C, addReal(C, Z, -1), onePlus(C, Z));
          }),
    unary("catanh",
          [](E &C, unsigned) {
            Complex Z = operandOf(C, 0);
            return invert(C, multiply(C, oneMinus(C, Z), onePlus(C, Z)));
          }),
};

ArrayRef<Rule> pardiff::getComplexTable() { return Table; }
