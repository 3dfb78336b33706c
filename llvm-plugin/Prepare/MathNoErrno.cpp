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
// Condition: the call is of a function that the target library info knows, its
// result and arguments are scalars, and it is not marked nobuiltin. The
// compiler's complex multiplication and division (__muldc3, ...) are pure
// functions too.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace pardiff;

static bool isComplexHelper(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"__mulsc3", "__muldc3", "__mulxc3", "__multc3"}, true)
      .Cases({"__divsc3", "__divdc3", "__divxc3", "__divtc3"}, true)
      .Default(false);
}

static bool isScalar(Type *Ty) {
  return Ty->isFloatingPointTy() || Ty->isIntegerTy();
}

static bool isPureMath(const CallInst &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.isNoBuiltin() || !Callee->isDeclaration())
    return false;
  if (isComplexHelper(Callee->getName()))
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
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || isa<IntrinsicInst>(Call) || !isPureMath(*Call, TLI))
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
