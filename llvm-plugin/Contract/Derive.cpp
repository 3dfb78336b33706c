//===- Contract/Derive.cpp - From a prepared function to its programs
//-------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way through the nest engine: recover the model, find what is active, plan
// the tape, build the forward sweep and the adjoint, choose their order. No
// code is emitted here, so a refusal leaves the function as it was, but for
// values of parameters in its entry block.
//
//===----------------------------------------------------------------------===//

#include "Contract/Derive.h"
#include "Nest/LoopArrays.h"
#include "Nest/Verify.h"
#include "Prepare/Prepare.h"
#include "Support/Reason.h"
#include "Tape/Redirect.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace pardiff;

static cl::opt<bool> KeepOrder(
    "pardiff-keep-order", cl::Hidden,
    cl::desc("Run the sweeps in the order of the primal and its reverse, "
             "serially"));

static cl::opt<bool> TapeByInstance(
    "pardiff-tape-by-instance", cl::Hidden,
    cl::desc("Keep what the reverse sweep needs by the instance that reads it, "
             "without dataflow"));

/// The parameter whose value a slot holds, by its metadata; null if another
/// slot.
static Argument *getSlotParameter(const AllocaInst &Slot) {
  MDNode *MD = Slot.getMetadata(SlotMetadata);
  if (!MD || MD->getNumOperands() != 2)
    return nullptr;
  auto *Kind = dyn_cast<MDString>(MD->getOperand(0));
  auto *Number = mdconst::dyn_extract<ConstantInt>(MD->getOperand(1));
  if (!Kind || Kind->getString() != "arg" || !Number)
    return nullptr;
  return Slot.getFunction()->getArg(Number->getZExtValue());
}

static bool isResultSlot(const Array &A) {
  return A.Kind == ArrayKind::Slot && A.LiveOut;
}

Argument *pardiff::findParameter(const Array &A) {
  if (!A.Base)
    return nullptr;
  if (A.Kind == ArrayKind::Slot)
    if (auto *Slot = dyn_cast<AllocaInst>(A.Base))
      return getSlotParameter(*Slot);
  // Pointers in memory belong to the parameter that leads to that memory.
  return dyn_cast<Argument>(getRootObject(A.Base));
}

/// Runs Step as a phase of -ftime-trace.
template <typename Fn> static auto inPhase(StringRef Name, Fn Step) {
  TimeTraceScope Trace(Name);
  return Step();
}

/// False for memory of which it is not known to whom it belongs: it might be
/// active.
static bool isKnownMemory(const Array &A) {
  if (A.Kind != ArrayKind::Memory || !A.Base)
    return true;
  Value *Root = getRootObject(A.Base);
  return isa<GlobalVariable, AllocaInst>(Root) || isNoAliasCall(Root);
}

/// False for memory that may change between the two sweeps. Of what pointers in
/// memory lead to nothing is promised.
static bool lasts(const Array &A, ArrayRef<ParamActivity> Params) {
  if (A.Kind != ArrayKind::Memory ||
      all_of(Params, [](const ParamActivity &P) { return P.Lasts; }))
    return true;
  Value *Object = A.Base ? getUnderlyingObject(A.Base, 0) : nullptr;
  if (auto *Variable = dyn_cast_or_null<GlobalVariable>(Object))
    return Variable->isConstant();
  auto *Param = dyn_cast_or_null<Argument>(Object);
  return Param && Param->getArgNo() < Params.size() &&
         Params[Param->getArgNo()].Lasts;
}

static Error verify(const Program &P, StringRef What) {
  TimeTraceScope Trace("pardiff: verify", What);
  std::string Message;
  raw_string_ostream OS(Message);
  if (verifyProgram(P, &OS))
    return refuse(Reason::InvalidProgram, What + " program: " + Message);
  return Error::success();
}

/// Memory with a shadow that is only accessed as integers and written: these
/// may be the bits of floating-point values. The flow engine sees where they
/// come from.
static Error checkIntegers(const Program &Primal,
                           ArrayRef<ParamActivity> Params) {
  for (const auto &S : Primal.Statements)
    for (const Access &W : S->Writes) {
      Argument *Param = W.Arr->isFloat() || W.Arr->Kind != ArrayKind::Memory
                            ? nullptr
                            : findParameter(*W.Arr);
      if (Param && Param->getArgNo() < Params.size() &&
          Params[Param->getArgNo()].Active)
        return refuse(Reason::BitsOfFloats,
                      "'" + W.Arr->Name + "' is written as integers");
    }
  return Error::success();
}

/// The reverse sweep reads subscripts again, and all that loops read.
static Error checkSubscripts(const Nest &N) {
  for (const auto &A : N.Arrays)
    if (isRange(*A) && !A->Lasts)
      return refuse(Reason::IndirectSubscript,
                    "array '" + A->Name +
                        "' may change before the reverse sweep");
  for (const auto &A : N.Arrays)
    if (A->View)
      for (const Array *Index : A->View->Arrays)
        if (!Index->Lasts)
          return refuse(Reason::IndirectSubscript,
                        "array '" + Index->Name +
                            "' may change before the reverse sweep");
  return Error::success();
}

/// What is moved from keeps its references to isl objects: it must go before
/// the nest does.
static Expected<GradientPrograms> recover(Function &F,
                                          FunctionAnalysisManager &FAM) {
  auto Recovered = recoverNest(F, FAM);
  if (!Recovered)
    return Recovered.takeError();
  return GradientPrograms(std::move(*Recovered));
}

/// Tape plan and forward sweep.
static Error planByFlow(GradientPrograms &G, bool ByInstance) {
  Program &Primal = G.Nest.Primal;
  auto Plan = inPhase("pardiff: plan the tape", [&] {
    return ByInstance ? planTapeByInstance(Primal, G.Act, G.Flow)
                      : planTape(Primal, G.Act, G.Flow);
  });
  if (!Plan)
    return Plan.takeError();
  auto Forward = inPhase("pardiff: forward sweep",
                         [&] { return buildForward(Primal, *Plan, G.Flow); });
  if (!Forward)
    return Forward.takeError();
  G.Plan = std::move(*Plan);
  G.Forward.emplace(std::move(*Forward));
  return Error::success();
}

/// True if E says that isl gave up.
static bool isIslFailure(Error &E) {
  bool Found = false;
  E = handleErrors(std::move(E), [&](std::unique_ptr<Refusal> R) -> Error {
    Found = R->Why == Reason::IslFailed;
    return Error(std::move(R));
  });
  return Found;
}

/// Exact dataflow, and reads redirected by it: then true. What is too much work
/// for isl is done without knowing which instance wrote which value.
static Expected<bool> findFlow(GradientPrograms &G) {
  Program &Primal = G.Nest.Primal;
  auto Flow = inPhase("pardiff: dataflow", [&]() -> Expected<Dataflow> {
    if (TapeByInstance)
      return refuse(Reason::IslFailed);
    return computeDataflow(Primal);
  });
  if (!Flow) {
    Error E = Flow.takeError();
    if (!isIslFailure(E))
      return std::move(E);
    consumeError(std::move(E));
    G.Flow = assumeAllFlows(Primal);
    return false;
  }
  G.Flow = std::move(*Flow);
  if (Error E = inPhase("pardiff: redirect reads",
                        [&] { return redirectReads(Primal, G.Flow); }))
    return std::move(E);
  return true;
}

/// Tape plan and forward sweep, by exact dataflow where that is possible.
static Error planForward(GradientPrograms &G, bool IsExact) {
  if (!IsExact)
    return planByFlow(G, /*ByInstance=*/true);
  auto &Arrays = G.Nest.N->Arrays;
  size_t NumArrays = Arrays.size();
  Error E = planByFlow(G, /*ByInstance=*/false);
  if (!E || !isIslFailure(E))
    return E;
  consumeError(std::move(E));
  Arrays.resize(NumArrays);
  return planByFlow(G, /*ByInstance=*/true);
}

Expected<GradientPrograms>
pardiff::deriveGradient(Function &F, ArrayRef<ParamActivity> Params,
                        bool SeedResult, bool NeedResult, bool OneThread,
                        FunctionAnalysisManager &FAM, ProgramObserver Observe) {
  auto see = [&](const Program &P, StringRef Title) {
    if (Observe)
      Observe(P, Title);
  };
  auto Programs = inPhase("pardiff: recover", [&] { return recover(F, FAM); });
  if (!Programs)
    return Programs.takeError();
  GradientPrograms &G = *Programs;
  Program &Primal = G.Nest.Primal;
  if (Error E = verify(Primal, "primal"))
    return std::move(E);
  see(Primal, "primal");

  for (const auto &A : G.Nest.N->Arrays) {
    A->Lasts = lasts(*A, Params);
    if (!A->isFloat())
      continue;
    if (isResultSlot(*A) && SeedResult)
      G.Act.Outputs.insert(A.get());
    Argument *Param = findParameter(*A);
    if (!Param && !isKnownMemory(*A))
      return refuse(Reason::NoShadow, A->Name);
    if (!Param || Param->getArgNo() >= Params.size())
      continue;
    if (Params[Param->getArgNo()].SeenByOthers)
      G.Act.Outputs.insert(A.get());
    if (!Params[Param->getArgNo()].Active)
      continue;
    G.Act.Inputs.insert(A.get());
    if (A->Kind == ArrayKind::Memory)
      G.Act.Outputs.insert(A.get());
  }
  if (Error E = checkIntegers(Primal, Params))
    return std::move(E);
  if (Error E = checkSubscripts(*G.Nest.N))
    return std::move(E);
  auto IsExact = findFlow(G);
  if (!IsExact)
    return IsExact.takeError();
  if (Error E = analyseActivity(Primal, G.Act))
    return std::move(E);
  if (Error E = planForward(G, *IsExact))
    return std::move(E);
  if (Error E = verify(*G.Forward, "forward"))
    return std::move(E);
  auto Adjoint = inPhase("pardiff: adjoint", [&] {
    return buildAdjoint(Primal, G.Act, G.Flow, G.Plan);
  });
  if (!Adjoint)
    return Adjoint.takeError();
  G.Adjoint.emplace(std::move(*Adjoint));
  if (Error E = verify(G.Adjoint->P, "adjoint"))
    return std::move(E);
  see(G.Adjoint->P, "adjoint");

  see(*G.Forward, "forward");
  if (KeepOrder)
    return Programs;
  auto ForwardLoops = scheduleForward(
      *G.Forward, [&](const Array &A) { return isReadInPlace(G.Plan, A); },
      OneThread);
  if (!ForwardLoops)
    return ForwardLoops.takeError();
  G.ForwardLoops = std::move(*ForwardLoops);
  see(*G.Forward, "scheduled-forward");
  auto AdjointLoops = scheduleProgram(G.Adjoint->P, OneThread);
  if (!AdjointLoops)
    return AdjointLoops.takeError();
  G.AdjointLoops = std::move(*AdjointLoops);
  contractShadows(G.Adjoint->P);
  see(G.Adjoint->P, "scheduled");
  return Programs;
}
