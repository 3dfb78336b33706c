//===- Contract/Pairs.cpp - Derivatives of functions that are called ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract/Pairs.h"
#include "Contract/Dispatch.h"
#include "Contract/NestGradient.h"
#include "Contract/Shell.h"
#include "Contract/Split.h"
#include "Contract/UserRules.h"
#include "Flow/Flow.h"
#include "Flow/Unwinding.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "Support/UserRules.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace pardiff;

static FunctionAnalysisManager &getFAM(Module &M, ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

void PairBuilder::erase(FlowPair Pair) {
  for (Function *F : {Pair.Forward, Pair.Reverse}) {
    getFAM(M, MAM).clear(*F, F->getName());
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    F->eraseFromParent();
  }
}

void PairBuilder::eraseParts() {
  for (OutlinedNest &Part : Parts) {
    getFAM(M, MAM).clear(*Part.F, Part.F->getName());
    Part.F->replaceAllUsesWith(PoisonValue::get(Part.F->getType()));
    Part.F->eraseFromParent();
  }
  Parts.clear();
}

PairBuilder::~PairBuilder() {
  for (Task &T : Tasks)
    erase(T.Pair);
  eraseParts();
}

void PairBuilder::findNests(Function &F, bool IsSplit) {
  if (Nests)
    append_range(Parts, outlineNests(F, MAM, IsSplit));
}

const OutlinedNest *PairBuilder::findPart(const Function &Callee) const {
  auto *Part =
      find_if(Parts, [&](const OutlinedNest &P) { return P.F == &Callee; });
  return Part == Parts.end() ? nullptr : Part;
}

/// A suffix for the names of a pair.
std::string PairBuilder::name(const Twine &Suffix) const {
  return (Width == 1 ? Suffix : "width." + Twine(Width) + "." + Suffix).str();
}

FlowPair PairBuilder::declare(FunctionType &Ty, const Twine &Suffix,
                              bool Dispatch) {
  auto *Ptr = PointerType::getUnqual(M.getContext());
  SmallVector<Type *, 8> Forward, Reverse;
  if (Dispatch) {
    Forward.push_back(Ptr);
    Reverse.push_back(Ptr);
  }
  append_range(Forward, Ty.params());
  for (Type *Param : Ty.params())
    if (Param->isPointerTy())
      Forward.append(Width, Ptr);
  Forward.push_back(Ptr);
  Reverse.push_back(Ptr);
  if (holdsFloats(Ty.getReturnType()))
    Reverse.append(Width, Ty.getReturnType());
  FlowPair Pair;
  Pair.Forward = Function::Create(
      FunctionType::get(getForwardResult(Ty, Width), Forward, false),
      GlobalValue::InternalLinkage, "pardiff.forward." + name(Suffix), M);
  Pair.Reverse = Function::Create(
      FunctionType::get(getReverseResult(Ty, Width), Reverse, false),
      GlobalValue::InternalLinkage, "pardiff.reverse." + name(Suffix), M);
  return Pair;
}

FlowPair PairBuilder::findPair(const Twine &Suffix) const {
  return {M.getFunction("pardiff.forward." + name(Suffix)),
          M.getFunction("pardiff.reverse." + name(Suffix))};
}

Expected<FlowPair> PairBuilder::getPair(Function &Callee,
                                        const Instruction &At) {
  // A part and the calls in it look as if it still were in its place.
  return getPair(Callee, {},
                 isPart(Callee)
                     ? Calls
                     : extendCalls(Callee, At, /*ByPointer=*/false, Calls));
}

Expected<FlowPair> PairBuilder::getPair(Function &Callee,
                                        ArrayRef<bool> HasShadow,
                                        CallChain Way) {
  // A pair of its own for each choice of inactive pointers.
  std::string Suffix = Callee.getName().str();
  for (const auto &[Param, Has] : zip(Callee.args(), HasShadow))
    if (!Has && Param.getType()->isPointerTy())
      Suffix += ("." + Twine(Param.getArgNo()) + ".const").str();
  if (Suffix == Callee.getName())
    HasShadow = {};
  for (Task &T : Tasks) {
    if (T.Primal != &Callee || T.IsOtherwise ||
        ArrayRef<bool>(T.HasShadow) != HasShadow)
      continue;
    if (!BuildingOptional && T.Failed)
      return refuseAgain(*T.Failed, Way);
    if (T.Optional && !BuildingOptional)
      T.Calls = std::move(Way);
    T.Optional &= BuildingOptional;
    return T.Pair;
  }
  // The pair of a part is for one call; an earlier one may have had its name.
  if (!isPart(Callee)) {
    FlowPair Pair = findPair(Suffix);
    if (Pair.Forward && Pair.Reverse)
      return Pair;
  }
  Task T;
  T.Primal = &Callee;
  T.Ty = Callee.getFunctionType();
  T.Pair = declare(*T.Ty, Suffix, /*Dispatch=*/false);
  append_range(T.HasShadow, HasShadow);
  if (isPart(Callee) || !mayThrow(Callee))
    T.Pair.Forward->setDoesNotThrow();
  T.Optional = BuildingOptional;
  T.Calls = std::move(Way);
  Tasks.push_back(T);
  return T.Pair;
}

Expected<FlowPair> PairBuilder::getDispatch(FunctionType &Ty,
                                            const Instruction &At) {
  FlowPair Pair = findPair(nameFunctionType(Ty));
  if (Pair.Forward && Pair.Reverse)
    return Pair;
  Task T;
  T.Ty = &Ty;
  T.Pair = declare(Ty, nameFunctionType(Ty), /*Dispatch=*/true);
  T.Calls = extendCalls(*At.getFunction(), At, /*ByPointer=*/true, Calls);
  Tasks.push_back(T);
  return T.Pair;
}

Error PairBuilder::build(Function &Primal, FlowPair Pair,
                         ArrayRef<bool> MayHaveShadow) {
  if (getUserFunction(Primal, UserGradientName))
    return defineUserPair(Primal, Pair, Width);
  FunctionAnalysisManager &FAM = getFAM(M, MAM);
  auto Clone = promoteChecked(
      Primal,
      [&](unsigned Param) {
        return MayHaveShadow.empty() || MayHaveShadow[Param];
      },
      MAM);
  if (!Clone)
    return Clone.takeError();
  if (!isPart(Primal))
    findNests(**Clone, /*IsSplit=*/true);
  prepareFlow(**Clone, FAM, /*IsSplit=*/true);
  auto Calls = pairCalls(**Clone, Width, *this);
  if (!Calls) {
    FAM.clear(**Clone, (*Clone)->getName());
    (*Clone)->eraseFromParent();
    return Calls.takeError();
  }

  FunctionType &Ty = *Primal.getFunctionType();
  bool HasSeed = holdsFloats(Ty.getReturnType());
  FlowRequest R;
  R.Width = Width;
  SmallVector<unsigned, 8> NumShadows;
  for (Type *Param : Ty.params()) {
    NumShadows.push_back(Param->isPointerTy() ? Width : 0);
    R.Out.push_back(holdsFloats(Param));
  }
  SmallVector<Type *, 2> Extra = {PointerType::getUnqual(M.getContext())};
  if (HasSeed)
    Extra.append(Width, Ty.getReturnType());
  GradientShell Shell = makeShell(**Clone, NumShadows, Extra, {},
                                  "pardiff.split." + Primal.getName(), FAM);
  R.F = Shell.G;
  R.Returned = Shell.Returned;
  R.Shadows = Shell.ShadowsOf;
  for (const auto &[Shadows, Has] : zip(R.Shadows, MayHaveShadow))
    if (!Has)
      Shadows.clear();
  for (unsigned Lane = 0; HasSeed && Lane != Width; ++Lane)
    R.Seeds.push_back(Shell.G->getArg(Shell.G->arg_size() - Width + Lane));
  R.Calls = *Calls;
  R.Arena = Shell.G->getArg(Shell.G->arg_size() - Extra.size());
  R.IsSplit = true;
  auto Done = appendReverseSweep(R, FAM);
  FAM.clear(*Shell.G, Shell.G->getName());
  Error E = Error::success();
  if (Done) {
    TwoSweeps Sweeps;
    Sweeps.G = Shell.G;
    Sweeps.NumSeeds = R.Seeds.size();
    Sweeps.Turn = Done->Turn;
    Sweeps.ReverseOf = Done->ReverseOf;
    Sweeps.Result = R.Returned;
    Sweeps.ResultShadows = Done->ResultShadows;
    Sweeps.Adjoints = Done->Adjoints;
    E = splitSweeps(Sweeps, Pair);
  } else {
    E = Done.takeError();
  }
  if (E)
    Shell.G->eraseFromParent();
  return E;
}

/// What the one call of a pair tells of the activity of the arguments: pointers
/// without a shadow, and values whose adjoints nobody takes, are inactive.
static SmallVector<ParamActivity, 8> getActivity(const OutlinedNest &Part,
                                                 FlowPair Pair) {
  SmallVector<ParamActivity, 8> Params;
  auto GetOnlyCall = [](Function &F) {
    return F.hasOneUse() ? dyn_cast<CallBase>(F.user_back()) : nullptr;
  };
  CallBase *Forward = GetOnlyCall(*Pair.Forward);
  CallBase *Reverse = GetOnlyCall(*Pair.Reverse);
  unsigned Shadow = Part.F->arg_size(), Field = 0;
  for (const Argument &A : Part.F->args()) {
    ParamActivity &P = Params.emplace_back();
    const OutlinedNest::Param &Known = Part.Params[A.getArgNo()];
    P.Lasts = Known.Lasts;
    if (A.getType()->isPointerTy()) {
      unsigned Operand = Shadow++;
      P.Active = !Known.IsIntegerResult &&
                 (!Forward ||
                  !isa<ConstantPointerNull>(Forward->getArgOperand(Operand)));
      P.SeenByOthers = !P.Active;
    } else if (holdsFloats(A.getType())) {
      unsigned Wanted = Field++;
      P.Active = !Reverse || any_of(Reverse->users(), [&](const User *U) {
        auto *Extract = dyn_cast<ExtractValueInst>(U);
        return !Extract || (Extract->getIndices().front() == Wanted &&
                            !Extract->use_empty());
      });
    }
  }
  return Params;
}

/// By the nest engine, with the flow engine's pair behind it; by the flow
/// engine alone if the nest engine refuses.
Error PairBuilder::buildPart(const OutlinedNest &Part, FlowPair Pair) {
  NestReport Report;
  Report.Function = Part.Function;
  Report.Loc = Part.Loc;
  Task Other;
  Other.Primal = Part.F;
  Other.Ty = Part.F->getFunctionType();
  Other.IsOtherwise = true;
  Other.Calls = Calls;
  Other.Pair =
      declare(*Other.Ty, Part.F->getName() + ".otherwise", /*Dispatch=*/false);
  SmallVector<ParamActivity, 8> Activity = getActivity(Part, Pair);
  for (const auto &[Param, Of] : zip(Part.F->args(), Activity))
    Other.HasShadow.push_back(Of.Active || !Param.getType()->isPointerTy());
  Error E = buildNestPair(*Part.F, Activity, Pair, Other.Pair, MAM, Report);
  bool Needed = !E && !Other.Pair.Forward->use_empty();
  if (Needed)
    Tasks.push_back(Other);
  else
    erase(Other.Pair);
  if (!E) {
    Nests->push_back(std::move(Report));
    return E;
  }
  NestReport Missed;
  Missed.Function = Report.Function;
  Missed.Loc = Report.Loc;
  handleAllErrors(std::move(E),
                  [&](const Refusal &Why) { Missed.setMissed(Why); });
  Nests->push_back(std::move(Missed));
  // The flow engine would see it at run time only: there the pair's pointers
  // are parameters.
  if (Nests->back().Missed->Why == Reason::InactiveMemory)
    return refuse(Reason::InactiveMemory, "", Part.Loc);
  return build(*Part.F, Pair, Other.HasShadow);
}

/// Way: the calls up to the one through a pointer, whose callee is not known.
void PairBuilder::buildDispatch(FunctionType &Ty, FlowPair Pair,
                                const CallChain &Way) {
  SmallVector<std::pair<Function *, Function *>, 8> Forward, Reverse;
  SaveAndRestore Optional(BuildingOptional, true);
  for (auto [Pointee, Primal] : findTargets(Ty, M)) {
    CallChain ToPointee = Way;
    ToPointee.front().Callee = getReadableName(*Pointee);
    auto P = getPair(*Primal, {}, std::move(ToPointee));
    if (!P) {
      consumeError(P.takeError());
      continue;
    }
    Forward.push_back({Pointee, P->Forward});
    Reverse.push_back({Pointee, P->Reverse});
  }
  defineDispatch(*Pair.Forward, Forward);
  defineDispatch(*Pair.Reverse, Reverse);
}

Error PairBuilder::finish() {
  for (unsigned I = 0; I < Tasks.size(); ++I) {
    Task T = Tasks[I];
    if (!T.Primal) {
      buildDispatch(*T.Ty, T.Pair, T.Calls);
      continue;
    }
    BuildingOptional = T.Optional;
    Calls = T.Calls;
    const OutlinedNest *Part = findPart(*T.Primal);
    // A copy: the vector may grow.
    Error E = Part && !T.IsOtherwise ? buildPart(OutlinedNest(*Part), T.Pair)
                                     : build(*T.Primal, T.Pair, T.HasShadow);
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
      defineRefused(*T.Pair.Forward, Why);
      defineRefused(*T.Pair.Reverse, Why);
    });
  }
  Tasks.clear();
  eraseParts();
  return Error::success();
}
