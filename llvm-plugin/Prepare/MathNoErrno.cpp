//===- Prepare/MathNoErrno.cpp - Take errno away from calls of the math library
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of a math function whose only effect is to set errno becomes one
// without effects: memory(none) nounwind willreturn. That is what
// -fno-math-errno does in the front end; here it is done on the clone alone,
// whose errno nobody reads: the function is refused if it refers to errno
// (__errno_location).
//
// Condition: the call is of a function that the rule table or the target
// library info knows, its result and arguments are values, and it is not marked
// nobuiltin. lgamma also sets signgam: it stays as it is where the function
// reads that.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Rules/Rules.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

static bool isScalar(Type *Ty) {
  return Ty->isFloatingPointTy() || Ty->isIntegerTy();
}

/// lgamma stores the sign of the gamma function in a variable.
static bool readsSignOfGamma(const Function &F) {
  const GlobalVariable *Sign = F.getParent()->getNamedGlobal("signgam");
  return Sign && any_of(Sign->users(), [&](const User *U) {
           auto *I = dyn_cast<Instruction>(U);
           return !I || I->getFunction() == &F;
         });
}

static bool isPureMath(const CallInst &Call, const TargetLibraryInfo &TLI,
                       bool ReadsSign) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.isNoBuiltin() || !Callee->isDeclaration())
    return false;
  if (ReadsSign && Callee->getName().contains("gamma"))
    return false;
  if (isMathFunction(Call))
    return true;
  LibFunc Func;
  if (!TLI.getLibFunc(Call, Func) || !TLI.has(Func))
    return false;
  return Call.getType()->isFloatingPointTy() &&
         all_of(Call.args(),
                [](const Use &A) { return isScalar(A->getType()); });
}

PreservedAnalyses MathNoErrnoPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  bool Changed = false, ReadsSign = readsSignOfGamma(F);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || isa<IntrinsicInst>(Call) || !isPureMath(*Call, TLI, ReadsSign))
      continue;
    if (Call->doesNotAccessMemory() && Call->doesNotThrow() &&
        Call->hasFnAttr(Attribute::WillReturn))
      continue;
    Call->setDoesNotAccessMemory();
    Call->setDoesNotThrow();
    Call->addFnAttr(Attribute::WillReturn);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
