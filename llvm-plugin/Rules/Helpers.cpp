//===- Rules/Helpers.cpp - Functions that derivatives call ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// digamma(x):
//   x < 1/2   digamma(1 - x) - pi / tan(pi x), with x reduced to its distance
//             from the nearest integer; infinite at 0, -1, -2, ...
//   else      digamma(x + 12) - sum of 1 / (x + k) for k < 12; and for y >= 12
//             log y - 1/(2y) - sum of B_2n / (2n y^2n), to the ninth term: it
//             is 2e-20 of the whole
//
//===----------------------------------------------------------------------===//

#include "Rules/Helpers.h"
#include "Rules/Rules.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

static constexpr StringLiteral Prefix = "pardiff.math.";

static constexpr const char *Pi = "3.141592653589793238462643383279502884197";

/// Steps of the recurrence.
static constexpr unsigned NumSteps = 12;

/// B_2n / 2n for n = 1, 2, ..., as quotients.
static constexpr std::pair<double, double> AsymptoticTerms[] = {
    {1, 12},       {-1, 120}, {1, 252},      {-1, 240},     {1, 132},
    {-691, 32760}, {1, 12},   {-3617, 8160}, {43867, 14364}};

/// digamma of X > 0.
static Value *emitPositive(IRBuilder<> &B, Value *X) {
  Type *Ty = X->getType();
  auto Number = [&](double V) { return ConstantFP::get(Ty, V); };
  Value *Sum = nullptr;
  // From the largest x: the small terms first.
  for (unsigned K = NumSteps; K-- > 0;) {
    Value *Term = B.CreateFDiv(Number(1), B.CreateFAdd(X, Number(K)));
    Sum = Sum ? B.CreateFAdd(Sum, Term) : Term;
  }
  Value *Y = B.CreateFAdd(X, Number(NumSteps));
  Value *Inverse = B.CreateFDiv(Number(1), Y);
  Value *Square = B.CreateFMul(Inverse, Inverse);
  Value *Series = Number(0);
  for (auto [Over, Under] : reverse(AsymptoticTerms)) {
    Value *Factor = B.CreateFDiv(Number(Over), Number(Under));
    Series = B.CreateFMul(B.CreateFAdd(Series, Factor), Square);
  }
  Value *Log = B.CreateUnaryIntrinsic(Intrinsic::log, Y);
  Value *Half = B.CreateFMul(Inverse, Number(0.5));
  Value *AtY = B.CreateFSub(B.CreateFSub(Log, Half), Series);
  return B.CreateFSub(AtY, Sum);
}

static void defineDigamma(Function &F) {
  LLVMContext &C = F.getContext();
  Value *X = F.getArg(0);
  Type *Ty = X->getType();
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  BasicBlock *Reflect = BasicBlock::Create(C, "reflect", &F);
  BasicBlock *Direct = BasicBlock::Create(C, "direct", &F);
  B.CreateCondBr(B.CreateFCmpOLT(X, ConstantFP::get(Ty, 0.5)), Reflect, Direct);

  B.SetInsertPoint(Direct);
  B.CreateRet(emitPositive(B, X));

  B.SetInsertPoint(Reflect);
  Value *Mirrored = emitPositive(B, B.CreateFSub(ConstantFP::get(Ty, 1), X));
  Value *Distance = B.CreateFSub(X, B.CreateUnaryIntrinsic(Intrinsic::rint, X));
  Value *PiTy = ConstantFP::get(Ty, Pi);
  Value *Angle = B.CreateFMul(PiTy, Distance);
  // cos / sin: tan is not on every target, and infinite at 1/2.
  Value *Cotangent =
      B.CreateFDiv(B.CreateUnaryIntrinsic(Intrinsic::cos, Angle),
                   B.CreateUnaryIntrinsic(Intrinsic::sin, Angle));
  B.CreateRet(B.CreateFSub(Mirrored, B.CreateFMul(PiTy, Cotangent)));
}

FunctionCallee pardiff::getHelper(Module &M, StringRef Name, Type *Ty) {
  std::string TypeName;
  raw_string_ostream(TypeName) << *Ty;
  std::string Full = (Prefix + Name + "." + TypeName).str();
  if (Function *Known = M.getFunction(Full); Known && !Known->isDeclaration())
    return Known;
  Function *F = Function::Create(FunctionType::get(Ty, {Ty}, false),
                                 GlobalValue::InternalLinkage, Full, M);
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  F->setWillReturn();
  defineDigamma(*F);
  return F;
}

FunctionCallee pardiff::getFunctionIn(Module &M, const Function &F) {
  if (F.getParent() == &M)
    return const_cast<Function *>(&F);
  StringRef Name = F.getName();
  if (Name.consume_front(Prefix) && !F.isDeclaration())
    return getHelper(M, Name.split('.').first, F.getReturnType());
  return M.getOrInsertFunction(F.getName(), F.getFunctionType(),
                               F.getAttributes());
}
