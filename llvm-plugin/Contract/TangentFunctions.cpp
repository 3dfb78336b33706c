//===- Contract/TangentFunctions.cpp - Forward mode functions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function of a request, and those that it calls and that are not inlined.
// A function that is called has tangents for all parameters that can have some;
// what has none at the call gets zeros, or a null pointer. Calls through
// pointers go through a dispatch (Contract/Dispatch.h).
//
//===----------------------------------------------------------------------===//

#include "Contract/TangentFunctions.h"
#include "Contract/Dispatch.h"
#include "Contract/Shell.h"
#include "Contract/UserRules.h"
#include "Flow/Globals.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "Support/UserRules.h"
#include "Tangent/Tangent.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SaveAndRestore.h"
#include <optional>
#include <string>
#include <vector>

using namespace llvm;
using namespace pardiff;

namespace {

class TangentBuilder : public TangentProvider {
public:
  TangentBuilder(Module &M, ModuleAnalysisManager &MAM, unsigned Width)
      : M(M),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()),
        MAM(MAM), Width(Width) {}
  ~TangentBuilder() override;

  Expected<Function *> buildOuter(const Request &R);

  Expected<Function *> getTangent(Function &Callee,
                                  const Instruction &At) override;
  Expected<Function *> getDispatch(FunctionType &Ty,
                                   const Instruction &At) override;

private:
  struct Task {
    Function *Primal = nullptr; ///< null: a dispatch
    FunctionType *Ty = nullptr;
    Function *Tangent = nullptr;
    bool Optional = false; ///< may fail: called through a pointer only
    CallChain Calls;       ///< how the function to differentiate calls it
    std::optional<Refusal> Failed;
  };

  Expected<Function *> derive(Function &Primal, ArrayRef<bool> HasTangent,
                              bool MayBeNull, const Twine &Name,
                              ArrayRef<Type *> Results, bool WithPrimal);
  std::string getName(const Twine &Suffix) const;
  Function *declare(FunctionType &Ty, const Twine &Suffix, bool IsIndirect);
  Error build(Function &Primal, Function &Declared);
  Expected<Function *> getTangent(Function &Callee, CallChain Way);
  void buildDispatch(FunctionType &Ty, Function &Dispatch,
                     const CallChain &Way);
  Error finish();

  Module &M;
  FunctionAnalysisManager &FAM;
  ModuleAnalysisManager &MAM;
  unsigned Width;
  std::vector<Task> Tasks;
  CallChain Calls; ///< of the task that is being built
  bool BuildingOptional = false;
};

} // namespace

/// Nothing may find a function without a body.
TangentBuilder::~TangentBuilder() {
  for (Task &T : Tasks) {
    FAM.clear(*T.Tangent, T.Tangent->getName());
    T.Tangent->replaceAllUsesWith(PoisonValue::get(T.Tangent->getType()));
    T.Tangent->eraseFromParent();
  }
}

std::string TangentBuilder::getName(const Twine &Suffix) const {
  std::string Name = "pardiff.tangent.";
  if (Width != 1)
    Name += std::to_string(Width) + ".";
  return Name + Suffix.str();
}

Function *TangentBuilder::declare(FunctionType &Ty, const Twine &Suffix,
                                  bool IsIndirect) {
  return Function::Create(getTangentType(Ty, Width, IsIndirect),
                          GlobalValue::InternalLinkage, getName(Suffix), M);
}

Expected<Function *> TangentBuilder::getTangent(Function &Callee,
                                                const Instruction &At) {
  return getTangent(Callee,
                    extendCalls(Callee, At, /*ByPointer=*/false, Calls));
}

Expected<Function *> TangentBuilder::getTangent(Function &Callee,
                                                CallChain Way) {
  for (Task &T : Tasks) {
    if (T.Primal != &Callee)
      continue;
    if (!BuildingOptional && T.Failed)
      return refuseAgain(*T.Failed, Way);
    if (T.Optional && !BuildingOptional)
      T.Calls = std::move(Way);
    T.Optional &= BuildingOptional;
    return T.Tangent;
  }
  if (Function *Known = M.getFunction(getName(Callee.getName())))
    return Known;
  Task T;
  T.Primal = &Callee;
  T.Ty = Callee.getFunctionType();
  T.Tangent = declare(*T.Ty, Callee.getName(), /*IsIndirect=*/false);
  T.Optional = BuildingOptional;
  T.Calls = std::move(Way);
  Tasks.push_back(T);
  return T.Tangent;
}

Expected<Function *> TangentBuilder::getDispatch(FunctionType &Ty,
                                                 const Instruction &At) {
  if (Function *Known = M.getFunction(getName(nameFunctionType(Ty))))
    return Known;
  Task T;
  T.Ty = &Ty;
  T.Tangent = declare(Ty, nameFunctionType(Ty), /*IsIndirect=*/true);
  T.Calls = extendCalls(*At.getFunction(), At, /*ByPointer=*/true, Calls);
  Tasks.push_back(T);
  return T.Tangent;
}

/// The function Name with the primal's parameters, then the lanes of those that
/// HasTangent tells. It returns a struct of Results: the primal's value if
/// WithPrimal, then the tangents of it; void if there are none.
Expected<Function *> TangentBuilder::derive(Function &Primal,
                                            ArrayRef<bool> HasTangent,
                                            bool MayBeNull, const Twine &Name,
                                            ArrayRef<Type *> Results,
                                            bool WithPrimal) {
  auto Clone = promoteChecked(
      Primal, [&](unsigned Param) { return HasTangent[Param]; }, MAM);
  if (!Clone)
    return Clone.takeError();
  prepareTangents(**Clone, FAM);
  SmallVector<PointerEffect, 8> Effects = getPointerEffects(**Clone);
  auto Calls = deriveCalls(**Clone, Width, *this);
  if (!Calls) {
    FAM.clear(**Clone, (*Clone)->getName());
    (*Clone)->eraseFromParent();
    return Calls.takeError();
  }
  SmallVector<Type *, 8> Extra;
  for (auto [Has, Param] : zip(HasTangent, Primal.args()))
    if (Has)
      Extra.append(Width, Param.getType());
  SmallVector<unsigned, 8> None(HasTangent.size(), false);
  GradientShell Shell = makeShell(**Clone, None, Extra, Results, Name, FAM);
  Function *G = Shell.G;
  if (G->hasStructRetAttr())
    G->removeParamAttr(0, Attribute::StructRet);
  auto Fail = [&](Error E) {
    FAM.clear(*G, G->getName());
    G->eraseFromParent();
    return E;
  };
  TangentRequest R;
  R.F = G;
  R.Width = Width;
  R.MayBeNull = MayBeNull;
  R.Effects = std::move(Effects);
  R.Returned = Shell.Returned;
  R.Calls = *Calls;
  unsigned Next = Primal.arg_size();
  for (bool Has : HasTangent) {
    Lanes &Of = R.Params.emplace_back();
    for (unsigned Lane = 0; Has && Lane != Width; ++Lane) {
      Argument *Tangent = G->getArg(Next++);
      Tangent->setName("d_" + G->getArg(R.Params.size() - 1)->getName());
      Of.push_back(Tangent);
    }
  }
  TangentScopes Scopes;
  auto Done = emitTangents(R, Scopes);
  FAM.clear(*G, G->getName());
  if (!Done)
    return Fail(Done.takeError());
  if (Results.empty()) {
    addScopes(R, Scopes);
    return G;
  }
  SmallVector<Value *, 4> Values;
  if (Shell.Returned && WithPrimal)
    Values.push_back(Shell.Returned);
  for (Value *Tangent : *Done)
    if (Values.size() != Results.size())
      Values.push_back(Tangent);
  if (!setResults(*G, Values))
    return Fail(
        refuse(Reason::NoResult, getReadableName(Primal), getPlace(Primal)));
  addScopes(R, Scopes);
  return G;
}

Error TangentBuilder::build(Function &Primal, Function &Declared) {
  if (getUserFunction(Primal, UserDerivativeName))
    return defineUserTangent(Primal, Declared, Width, nullptr);
  SmallVector<bool, 8> HasTangent;
  for (Argument &A : Primal.args())
    HasTangent.push_back(canHaveTangent(A.getType()));
  SmallVector<Type *, 4> Results;
  if (auto *Struct = dyn_cast<StructType>(Declared.getReturnType()))
    append_range(Results, Struct->elements());
  auto G = derive(Primal, HasTangent, /*MayBeNull=*/true, "pardiff.derived",
                  Results, /*WithPrimal=*/true);
  if (!G)
    return G.takeError();
  Declared.copyAttributesFrom(*G);
  Declared.setLinkage(GlobalValue::InternalLinkage);
  // What is passed by value in memory was copied by the caller.
  Declared.setAttributes(AttributeList::get(
      M.getContext(), (*G)->getAttributes().getFnAttrs(), AttributeSet(), {}));
  Declared.setSubprogram((*G)->getSubprogram());
  (*G)->setSubprogram(nullptr);
  Declared.splice(Declared.begin(), *G);
  for (auto [Old, New] : zip((*G)->args(), Declared.args())) {
    Old.replaceAllUsesWith(&New);
    New.takeName(&Old);
  }
  (*G)->eraseFromParent();
  return Error::success();
}

/// Way: the calls up to the one through a pointer, whose callee is not known.
void TangentBuilder::buildDispatch(FunctionType &Ty, Function &Dispatch,
                                   const CallChain &Way) {
  SmallVector<std::pair<Function *, Function *>, 8> Cases;
  SaveAndRestore Optional(BuildingOptional, true);
  for (auto [Pointee, Primal] : findTargets(Ty, M)) {
    CallChain ToPointee = Way;
    ToPointee.front().Callee = getReadableName(*Pointee);
    auto Tangent = getTangent(*Primal, std::move(ToPointee));
    if (Tangent)
      Cases.push_back({Pointee, *Tangent});
    else
      consumeError(Tangent.takeError());
  }
  defineDispatch(Dispatch, Cases);
}

Error TangentBuilder::finish() {
  for (unsigned I = 0; I < Tasks.size(); ++I) {
    Task T = Tasks[I];
    if (!T.Primal) {
      buildDispatch(*T.Ty, *T.Tangent, T.Calls);
      continue;
    }
    BuildingOptional = T.Optional;
    Calls = T.Calls;
    Error E = build(*T.Primal, *T.Tangent);
    BuildingOptional = false;
    Calls.clear();
    if (!E)
      continue;
    if (!Tasks[I].Optional)
      return addCalls(std::move(E), Tasks[I].Calls);
    // Called through a pointer, maybe: that stops the program.
    handleAllErrors(std::move(E), [&](Refusal &Why) {
      Tasks[I].Failed = Why;
      append_range(Why.Calls, T.Calls);
      defineRefused(*T.Tangent, Why);
    });
  }
  Tasks.clear();
  return Error::success();
}

Expected<Function *> TangentBuilder::buildOuter(const Request &R) {
  SmallVector<bool, 8> HasTangent;
  if (R.returnsThroughPointer())
    HasTangent.push_back(true);
  for (const RequestArg &A : R.Args)
    HasTangent.push_back(A.hasShadow());
  SmallVector<Type *, 4> Results;
  if (!R.returnsThroughPointer())
    Results = R.getResultTypes();
  auto G =
      derive(*R.Primal, HasTangent, /*MayBeNull=*/false,
             getName("of." + R.Primal->getName()), Results, R.PrimalReturn);
  if (!G)
    return G;
  if (Error E = finish()) {
    FAM.clear(**G, (*G)->getName());
    (*G)->eraseFromParent();
    return std::move(E);
  }
  for (BasicBlock &BB : **G)
    if (isa<ReturnInst>(BB.getTerminator()))
      resetGlobalShadows(BB.getTerminator());
  return G;
}

Expected<Function *> pardiff::buildTangentFunction(const Request &R,
                                                   ModuleAnalysisManager &MAM) {
  return TangentBuilder(*R.Primal->getParent(), MAM, R.Width).buildOuter(R);
}
