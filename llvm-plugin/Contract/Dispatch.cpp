//===- Contract/Dispatch.cpp - Derived functions by the pointer -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract/Dispatch.h"
#include "Emit/Emit.h"
#include "Flow/MemoryTypes.h"
#include "Prepare/MemoryContent.h"
#include "Prepare/Prepare.h"
#include "Rules/Rules.h"
#include "Support/Names.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pardiff;

std::string pardiff::nameFunctionType(FunctionType &Ty) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "pointer.";
  Ty.print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  return Text;
}

/// A function that calls one that is declared only, but has a rule; null if it
/// has none.
static Function *wrapDeclared(Function &Declared) {
  Module &M = *Declared.getParent();
  std::string Name = ("pardiff.call." + Declared.getName()).str();
  if (Function *F = M.getFunction(Name))
    return F;
  Function *F = Function::Create(Declared.getFunctionType(),
                                 GlobalValue::InternalLinkage, Name, M);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  SmallVector<Value *, 4> Args;
  for (Argument &A : F->args())
    Args.push_back(&A);
  CallInst *Call = B.CreateCall(&Declared, Args);
  Call->setAttributes(Declared.getAttributes());
  if (!findRule(*Call)) {
    F->eraseFromParent();
    return nullptr;
  }
  B.CreateRet(Call);
  return F;
}

SmallVector<DispatchTarget, 8> pardiff::findTargets(FunctionType &Ty,
                                                    Module &M) {
  // Wrapping adds functions to the module.
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (F.getFunctionType() == &Ty && !F.isInterposable() &&
        !F.getName().starts_with("pardiff.") && !F.isIntrinsic() &&
        F.hasAddressTaken())
      Functions.push_back(&F);
  SmallVector<DispatchTarget, 8> Targets;
  for (Function *F : Functions)
    if (Function *Primal = F->isDeclaration() ? wrapDeclared(*F) : F)
      Targets.push_back({F, Primal});
  return Targets;
}

void pardiff::defineDispatch(
    Function &Dispatch, ArrayRef<std::pair<Function *, Function *>> Cases) {
  LLVMContext &C = Dispatch.getContext();
  SmallVector<Value *, 8> Args;
  for (Argument &A : drop_begin(Dispatch.args()))
    Args.push_back(&A);
  IRBuilder<> B(BasicBlock::Create(C, "entry", &Dispatch));
  for (auto [Pointee, Derived] : Cases) {
    BasicBlock *Is = BasicBlock::Create(C, Pointee->getName(), &Dispatch);
    BasicBlock *IsNot = BasicBlock::Create(C, "else", &Dispatch);
    B.CreateCondBr(B.CreateICmpEQ(Dispatch.getArg(0), Pointee), Is, IsNot);
    B.SetInsertPoint(Is);
    Value *Result = B.CreateCall(Derived, Args);
    Result->getType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Result);
    B.SetInsertPoint(IsNot);
  }
  B.SetInsertPoint(B.CreateUnreachable());
  emitStopUnless(B.getFalse(),
                 "a function is called through a pointer, and its derivative "
                 "is not known in this file: compile it together with this "
                 "file, or use LTO",
                 B);
}

CallChain pardiff::extendCalls(const Function &Callee, const Instruction &At,
                               bool ByPointer, const CallChain &Around) {
  CallChain Calls = {{getReadableName(Callee), At.getDebugLoc(), ByPointer}};
  append_range(Calls, getInlinedCalls(At));
  append_range(Calls, Around);
  return Calls;
}

void pardiff::defineRefused(Function &Derived, const Refusal &Why) {
  // The function that the pointer points to, and the calls inside of it.
  auto Pointee = find_if(Why.Calls, [](const auto &C) { return C.ByPointer; });
  std::string Text = "a function is called through a pointer";
  if (Pointee != Why.Calls.end())
    Text = "the function '" + Pointee->Callee + "' is called through a pointer";
  Text += ", and it cannot be differentiated: " + Why.message();
  if (Why.Loc)
    Text += " at " + describePlace(Why.Loc);
  for (auto Call = Why.Calls.begin(); Call != Pointee; ++Call)
    Text += "; " + describeCallStep(Why.Calls, Call - Why.Calls.begin(), "");
  IRBuilder<> B(BasicBlock::Create(Derived.getContext(), "entry", &Derived));
  B.SetInsertPoint(B.CreateUnreachable());
  emitStopUnless(B.getFalse(), Text, B);
}

Expected<Function *>
pardiff::promoteChecked(Function &F, function_ref<bool(unsigned)> HasShadow,
                        ModuleAnalysisManager &MAM) {
  auto Clone = promoteClone(F, MAM);
  if (!Clone)
    return Clone;
  MemoryTypes Types(**Clone, {});
  Error E = checkFloatBits(**Clone, HasShadow, [&](const Instruction &I) {
    return Types.isInteger(I);
  });
  if (!E)
    return Clone;
  MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent())
      .getManager()
      .clear(**Clone, (*Clone)->getName());
  (*Clone)->eraseFromParent();
  return std::move(E);
}
