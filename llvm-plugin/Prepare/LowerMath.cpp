//===- Prepare/LowerMath.cpp - Math functions with results in memory ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the library that return a value through a pointer become
// intrinsics and stores:
//
//   sincos(x, &s, &c)     ->   { s, c } = llvm.sincos(x)
//   f = modf(x, &i)       ->   { f, i } = llvm.modf(x)
//   m = frexp(x, &e)      ->   e = ilogb(x) + 1 (0 for 0, inf, NaN);
//                              m = ldexp(x, -e)
//
//   _mm_max_pd(x, y)      ->   x > y ? x : y, by elements
//
//   mod(x, y)             ->   frem x, y
//   modulo(x, y)          ->   the same, plus y where the signs differ
//
// The last two are functions of Fortran's run time that take the place in the
// source.
//
// Condition: the function is declared, not defined, has the signature of
// math.h, and the call is not marked nobuiltin. The code generator makes calls
// of the library again. (llvm.frexp would do for frexp, but the code generator
// of LLVM 22 fails on vectors of it.)
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

/// The name for double, or nothing if the suffix is not that of Ty.
static StringRef dropSuffix(StringRef Name, const Type *Ty) {
  if (Ty->isDoubleTy())
    return Name;
  return Name.consume_back(Ty->isFloatTy() ? "f" : "l") ? Name : "";
}

static void lowerFrexp(CallInst &Call, IRBuilder<> &B) {
  Value *X = Call.getArgOperand(0);
  Type *Ty = X->getType(), *Int = B.getInt32Ty();
  auto CallLibrary = [&](StringRef Name, Type *ResultTy, ArrayRef<Type *> Types,
                         ArrayRef<Value *> Args) {
    std::string Full = Name.str();
    if (!Ty->isDoubleTy())
      Full += Ty->isFloatTy() ? "f" : "l";
    return B.CreateCall(Call.getModule()->getOrInsertFunction(
                            Full, FunctionType::get(ResultTy, Types, false)),
                        Args);
  };
  Value *IsOrdinary = B.createIsFPClass(X, FPClassTest(fcFinite & ~fcZero));
  Value *Exponent = CallLibrary("ilogb", Int, {Ty}, {X});
  Exponent = B.CreateSelect(IsOrdinary, B.CreateAdd(Exponent, B.getInt32(1)),
                            B.getInt32(0));
  B.CreateStore(Exponent, Call.getArgOperand(1));
  Call.replaceAllUsesWith(
      CallLibrary("ldexp", Ty, {Ty, Int}, {X, B.CreateNeg(Exponent)}));
}

static void lowerModulo(CallInst &Call, bool IsModulo, IRBuilder<> &B) {
  Value *X = Call.getArgOperand(0), *Y = Call.getArgOperand(1);
  Value *Rest = B.CreateFRem(X, Y);
  if (IsModulo) {
    Value *Zero = ConstantFP::get(X->getType(), 0);
    Value *Differ =
        B.CreateXor(B.CreateFCmpOLT(Rest, Zero), B.CreateFCmpOLT(Y, Zero));
    Value *Shift = B.CreateAnd(B.CreateFCmpONE(Rest, Zero), Differ);
    Rest = B.CreateSelect(Shift, B.CreateFAdd(Rest, Y), Rest);
  }
  Call.replaceAllUsesWith(Rest);
}

/// The vector instructions of x86: the first if it is greater (less), else the
/// second.
static bool lowerX86(CallInst &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  bool IsMax = Name.contains(".max.");
  if (!Name.consume_front("llvm.x86.") || !Call.getType()->isVectorTy() ||
      Call.arg_size() != 2 || (!IsMax && !Name.contains(".min.")) ||
      !(Name.starts_with("sse") || Name.starts_with("avx.")) ||
      !Call.getType()->isFPOrFPVectorTy())
    return false;
  IRBuilder<> B(&Call);
  Value *X = Call.getArgOperand(0), *Y = Call.getArgOperand(1);
  bool IsScalar = Name.ends_with(".sd") || Name.ends_with(".ss");
  Value *All = X, *Old = X;
  if (IsScalar) {
    X = B.CreateExtractElement(X, uint64_t(0));
    Y = B.CreateExtractElement(Y, uint64_t(0));
  }
  Value *First = IsMax ? B.CreateFCmpOGT(X, Y) : B.CreateFCmpOLT(X, Y);
  All = B.CreateSelect(First, X, Y);
  if (IsScalar)
    All = B.CreateInsertElement(Old, All, uint64_t(0));
  Call.replaceAllUsesWith(All);
  return true;
}

static bool lower(CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->isIntrinsic())
    return lowerX86(Call);
  if (!Callee || !Callee->isDeclaration() || Call.isNoBuiltin() ||
      Call.hasOperandBundles() || Call.arg_size() < 2)
    return false;
  Type *Ty = Call.getArgOperand(0)->getType();
  if (!Ty->isFloatingPointTy())
    return false;
  StringRef Name = dropSuffix(Callee->getName(), Ty);
  auto IsPointer = [&](unsigned N) {
    return Call.getArgOperand(N)->getType()->isPointerTy();
  };
  IRBuilder<> B(&Call);
  B.setFastMathFlags(isa<FPMathOperator>(Call) ? Call.getFastMathFlags()
                                               : FastMathFlags());
  auto Emit = [&](Intrinsic::ID Id, ArrayRef<Type *> Types) {
    return B.CreateIntrinsic(Id, Types, {Call.getArgOperand(0)});
  };
  StringRef FullName = Callee->getName();
  bool IsModulo = FullName.starts_with("_FortranAModuloReal");
  if ((IsModulo || FullName.starts_with("_FortranAModReal")) &&
      Call.arg_size() == 4 && Call.getType() == Ty &&
      Call.getArgOperand(1)->getType() == Ty) {
    lowerModulo(Call, IsModulo, B);
    return true;
  }
  if (Name == "sincos" && Call.arg_size() == 3 && IsPointer(1) &&
      IsPointer(2) && Call.getType()->isVoidTy()) {
    Value *Both = Emit(Intrinsic::sincos, {Ty});
    B.CreateStore(B.CreateExtractValue(Both, 0), Call.getArgOperand(1));
    B.CreateStore(B.CreateExtractValue(Both, 1), Call.getArgOperand(2));
    return true;
  }
  if (Call.arg_size() != 2 || !IsPointer(1) || Call.getType() != Ty)
    return false;
  if (Name == "frexp") {
    lowerFrexp(Call, B);
    return true;
  }
  if (Name != "modf")
    return false;
  Value *Both = Emit(Intrinsic::modf, {Ty});
  B.CreateStore(B.CreateExtractValue(Both, 1), Call.getArgOperand(1));
  Call.replaceAllUsesWith(B.CreateExtractValue(Both, 0));
  return true;
}

PreservedAnalyses LowerMathPass::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<CallInst *, 4> Done;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (lower(*Call))
        Done.push_back(Call);
  for (CallInst *Call : Done)
    Call->eraseFromParent();
  return Done.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
