//===- Request/Passes.cpp - Make requests visible to opt ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   print<pardiff-requests>  prints every request, or why it is refused
//   pardiff-requests         replaces every request by a call of a declaration,
//   as if
//                            its gradient were defined elsewhere
//
// Both are for tests of this component alone.
//
//===----------------------------------------------------------------------===//

#include "Request/Passes.h"
#include "Request/Expose.h"
#include "Request/Request.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pardiff;

namespace {

struct PrintRequestsPass : PassInfoMixin<PrintRequestsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

struct DeclareGradientsPass : PassInfoMixin<DeclareGradientsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace

static void print(const Request &R, raw_ostream &OS) {
  OS << "request in " << R.Call->getFunction()->getName() << ": "
     << R.Primal->getName() << "(";
  ListSeparator Comma;
  for (const RequestArg &Arg : R.Args) {
    OS << Comma << getActivityName(Arg.Activity) << " ";
    Arg.Primal->printAsOperand(OS);
    for (Value *Shadow : Arg.Shadows) {
      OS << " with ";
      Shadow->printAsOperand(OS);
    }
  }
  OS << ")" << (R.PrimalReturn ? " with primal" : "") << " ->";
  for (Type *T : R.getResultTypes())
    OS << " " << *T;
  OS << "\n";
}

PreservedAnalyses PrintRequestsPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  exposeRequests(M, MAM);
  for (CallBase *Call : findRequests(M)) {
    Expected<Request> R = parseRequest(*Call);
    if (R)
      print(*R, outs());
    else
      outs() << "refused in " << Call->getFunction()->getName() << ": "
             << toString(R.takeError()) << "\n";
  }
  return PreservedAnalyses::none();
}

/// A declaration of what Contract's buildGradient defines.
static Function *declareGradient(const Request &R) {
  SmallVector<Type *, 8> Params(R.Primal->getFunctionType()->params());
  if (R.returnsThroughPointer())
    Params.append(R.Width, R.Primal->getArg(0)->getType());
  for (auto [Arg, Param] : zip(R.Args, R.params()))
    Params.append(Arg.Shadows.size(), Param.getType());
  SmallVector<Type *, 4> Results = R.getResultTypes();
  if (R.returnsThroughPointer())
    Results.clear();
  LLVMContext &C = R.Primal->getContext();
  Type *Result =
      Results.empty() ? Type::getVoidTy(C) : StructType::get(C, Results);
  auto *F = Function::Create(
      FunctionType::get(Result, Params, false), GlobalValue::ExternalLinkage,
      "pardiff.gradient." + R.Primal->getName(), R.Primal->getParent());
  F->setAttributes(R.Primal->getAttributes().removeAttributesAtIndex(
      C, AttributeList::ReturnIndex));
  return F;
}

PreservedAnalyses DeclareGradientsPass::run(Module &M,
                                            ModuleAnalysisManager &MAM) {
  exposeRequests(M, MAM);
  for (CallBase *Call : findRequests(M)) {
    Expected<Request> R = parseRequest(*Call);
    Error E = R ? replaceCall(*R, *declareGradient(*R)) : R.takeError();
    if (E)
      logAllUnhandledErrors(std::move(E), errs());
  }
  removeLeftovers(M);
  return PreservedAnalyses::none();
}

void pardiff::registerRequestPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "print<pardiff-requests>")
          MPM.addPass(PrintRequestsPass());
        else if (Name == "pardiff-requests")
          MPM.addPass(DeclareGradientsPass());
        else
          return false;
        return true;
      });
}
