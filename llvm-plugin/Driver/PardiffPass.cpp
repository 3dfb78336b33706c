//===- Driver/PardiffPass.cpp - Serve every request of a module -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every call of an entry point: read it, build the gradient that it asks
// for (once for equal requests), and call that instead. A request inside a
// function that is itself to be differentiated is served first. A request that
// cannot be served is one compile error, and its call is removed, so that
// nothing else goes wrong because of it.
//
// What the link may cure - the function, or one that it calls, is defined in
// another file - is an error only where no link-time optimisation follows. The
// start of the pipeline does not know, so such requests are left to the second
// run of the pass.
//
//===----------------------------------------------------------------------===//

#include "Driver/PardiffPass.h"
#include "Contract/Gradient.h"
#include "Contract/LoopDerivatives.h"
#include "Contract/UserRules.h"
#include "Driver/Diagnose.h"
#include "Driver/Generated.h"
#include "Driver/Options.h"
#include "Nest/Gather.h"
#include "Request/Expose.h"
#include "Request/Register.h"
#include "Request/Request.h"
#include "Support/Names.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;
using namespace pardiff;

namespace {

/// A call of an entry point on its way.
struct Work {
  enum State { Waiting, Visiting, Served, Failed, Left } St = Waiting;
  CallBase *Call = nullptr; ///< gone when served or failed
  Function *Caller = nullptr;
  Function *Primal = nullptr;
  bool IsNested = false; ///< in a function that is itself differentiated
  RequestReport Report;
};

/// A gradient that was built, or the reason why not.
struct Outcome {
  Function *Gradient = nullptr;
  std::optional<RefusalReport> Error;
};

/// Serves the requests of one module.
class Server {
public:
  Server(Module &M, ModuleAnalysisManager &MAM, ServeStage Stage,
         bool NotesInText)
      : M(M), MAM(MAM), Stage(Stage), NotesInText(NotesInText) {}

  /// Returns the reports of what was served or refused.
  std::vector<RequestReport> run();

private:
  void collect();
  void findNested();
  void serve(Work &W);
  bool serveInner(Work &W);
  bool isOnly(const Work &W) const;
  void serveRequest(Work &W, const Request &R);
  Outcome build(const Request &R, RequestReport &Report);
  Outcome &getOutcome(const Request &R, RequestReport &Report);
  void fail(Work &W, const RefusalReport &Why);
  bool mayBeCuredByLink(const Work &W, Reason Why) const;
  void checkOtherUses();

  Module &M;
  ModuleAnalysisManager &MAM;
  ServeStage Stage;
  bool NotesInText;
  MapVector<CallBase *, Work> Requests;
  /// By primal and activities.
  std::map<std::pair<Function *, std::string>, Outcome> Outcomes;
};

} // namespace

/// Registrations have had their effect. Those of a header leave nothing behind.
static void finishRegistrations(Module &M, ModuleAnalysisManager &MAM,
                                ServeStage Stage) {
  unmarkRegistered(M, /*KeepCalls=*/Stage != ServeStage::Last);
  if (Stage != ServeStage::Last)
    return;
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  eraseRegistrations(M, [&](Function &F) { FAM.clear(F, F.getName()); });
}

/// Takes an Error apart. Anything but a Refusal is an error of a library.
static RefusalReport takeRefusal(Error E) {
  RefusalReport Report;
  Report.Why = Reason::InternalError;
  handleAllErrors(
      std::move(E), [&](const Refusal &R) { Report = RefusalReport(R); },
      [&](const ErrorInfoBase &Other) { Report.Detail = Other.message(); });
  return Report;
}

/// What makes two requests of one primal equal. A gradient for one call only
/// has no equal.
static std::string getKey(const Request &R) {
  std::string Key = R.PrimalReturn ? "primal_return" : "";
  if (R.IsOnly)
    Key += " only";
  if (R.Mode == RequestMode::Forward)
    Key += " forward";
  if (R.Width > 1)
    Key += " " + std::to_string(R.Width);
  if (R.Mode == RequestMode::Augmented)
    Key += " augmented";
  if (R.Mode == RequestMode::Split)
    Key += " split";
  if (R.TapeInMemory)
    Key += " tape";
  if (R.IsNested)
    Key += " nested";
  if (R.ConstReturn)
    Key += " const_return";
  for (const RequestArg &Arg : R.Args)
    Key += " " + getActivityName(Arg.Activity).str();
  return Key;
}

/// The functions that F may run, itself included, as far as calls and constants
/// tell.
static SmallSetVector<Function *, 16> getReachable(Function &F) {
  SmallSetVector<Function *, 16> Reachable;
  Reachable.insert(&F);
  for (unsigned I = 0; I != Reachable.size(); ++I)
    for (Instruction &Inst : instructions(*Reachable[I]))
      for (Value *Op : Inst.operands())
        if (auto *Callee =
                dyn_cast<Function>(Op->stripPointerCastsAndAliases()))
          Reachable.insert(Callee);
  return Reachable;
}

/// True if F runs functions that are defined elsewhere and not known.
static bool needsOtherFiles(Function &F, FunctionAnalysisManager &FAM) {
  const TargetLibraryInfo &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  LibFunc Known;
  return any_of(getReachable(F), [&](Function *Callee) {
    return Callee->isDeclaration() && !Callee->isIntrinsic() &&
           !TLI.getLibFunc(*Callee, Known);
  });
}

bool Server::mayBeCuredByLink(const Work &W, Reason Why) const {
  if (Stage == ServeStage::Last)
    return false;
  switch (Why) {
  case Reason::UnknownFunction:
  case Reason::NotADefinition:
  case Reason::MayBeReplaced:
  case Reason::EntryPointAddress:
    return true;
  default:
    break;
  }
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  return W.Primal && needsOtherFiles(*W.Primal, FAM);
}

/// Reports why a request cannot be served and removes its call, or leaves it.
void Server::fail(Work &W, const RefusalReport &Why) {
  if (mayBeCuredByLink(W, Why.Why)) {
    W.St = Work::Left;
    W.Report.Deferred = true;
    return;
  }
  W.St = Work::Failed;
  W.Report.Error = Why;
  reportError(W.Report, *W.Caller, W.Primal, NotesInText);
  dropRequest(*W.Call);
}

Outcome Server::build(const Request &R, RequestReport &Report) {
  GeneratedFunctions New(M);
  Expected<Function *> Gradient = buildGradient(R, MAM, Report);
  Outcome O;
  if (!Gradient) {
    O.Error = takeRefusal(Gradient.takeError());
    return O;
  }
  // Whatever goes wrong, the user gets a message, and no pass sees invalid IR.
  New.addLocations();
  std::string Wrong = New.verify();
  if (Wrong.empty()) {
    O.Gradient = *Gradient;
    return O;
  }
  New.discard();
  O.Error =
      RefusalReport(Reason::InternalError,
                    "the generated code is not valid: " + Wrong, DebugLoc());
  return O;
}

Outcome &Server::getOutcome(const Request &R, RequestReport &Report) {
  auto [It, IsNew] = Outcomes.try_emplace({R.Primal, getKey(R)});
  Outcome &O = It->second;
  Report.Shared = !IsNew;
  if (IsNew)
    O = build(R, Report);
  return O;
}

void Server::serveRequest(Work &W, const Request &R) {
  for (const RequestArg &Arg : R.Args)
    W.Report.Activities.push_back(getActivityName(Arg.Activity).str());
  W.Report.PrimalReturn = R.PrimalReturn;
  Outcome &O = getOutcome(R, W.Report);
  if (O.Error) {
    // One cause is one error, however many calls run into it.
    if (!W.Report.Shared || mayBeCuredByLink(W, O.Error->Why))
      return fail(W, *O.Error);
    W.St = Work::Failed;
    W.Report.Error = O.Error;
    return dropRequest(*W.Call);
  }
  W.Report.Gradient = O.Gradient->getName().str();
  if (Error E = replaceCall(R, *O.Gradient))
    return fail(W, takeRefusal(std::move(E)));
  W.St = Work::Served;
  emitRemarks(W.Report, *R.Primal);
}

/// True if no other request is known to differentiate W's primal.
bool Server::isOnly(const Work &W) const {
  return none_of(Requests, [&](const auto &Entry) {
    const Work &Other = Entry.second;
    if (&Other == &W)
      return false;
    if (Other.Primal || Other.St != Work::Waiting)
      return Other.Primal == W.Primal;
    return any_of(Other.Call->args(), [&](const Use &Arg) {
      return Arg->stripPointerCastsAndAliases() == W.Primal;
    });
  });
}

/// Serves the requests inside the function that W differentiates. False if that
/// is not possible.
bool Server::serveInner(Work &W) {
  SmallSetVector<Function *, 16> Reachable = getReachable(*W.Primal);
  for (auto &[Call, Inner] : Requests) {
    if (Inner.St == Work::Served || !Reachable.contains(Inner.Caller))
      continue;
    if (Inner.St == Work::Visiting) {
      fail(W, {Reason::RecursiveRequest, "", W.Report.Loc});
      return false;
    }
    serve(Inner);
    if (Inner.St == Work::Served)
      continue;
    // The error was reported where it belongs.
    W.St = Inner.St;
    if (W.St == Work::Failed)
      dropRequest(*W.Call);
    return false;
  }
  return true;
}

void Server::serve(Work &W) {
  if (W.St != Work::Waiting)
    return;
  W.St = Work::Visiting;
  if (isUnsupportedEntryPoint(getEntryPoint(*W.Call)))
    return fail(
        W, {Reason::UnsupportedEntryPoint, W.Report.EntryPoint, W.Report.Loc});
  Expected<Request> R = parseRequest(*W.Call);
  if (!R)
    return fail(W, takeRefusal(R.takeError()));
  R->IsNested = W.IsNested;
  W.Primal = R->Primal;
  W.Report.Primal = getReadableName(*R->Primal);
  if (R->Mode == RequestMode::TapeSize) {
    replaceTapeSize(*R);
    W.St = Work::Served;
    return;
  }
  if (!serveInner(W))
    return;
  R->IsOnly = isOnly(W);
  R->Primal = &getCaller(*R->Primal);
  serveRequest(W, *R);
}

void Server::collect() {
  for (CallBase *Call : findRequests(M)) {
    Work &W = Requests[Call];
    W.Call = Call;
    W.Caller = Call->getFunction();
    W.Report.EntryPoint = getEntryPointName(*Call);
    W.Report.Caller = getReadableName(*Call->getFunction());
    W.Report.Loc = getPlace(*Call);
  }
}

/// Marks requests inside functions that are to be differentiated.
void Server::findNested() {
  for (auto &[Call, Outer] : Requests) {
    if (isUnsupportedEntryPoint(getEntryPoint(*Call)))
      continue;
    Expected<Request> R = parseRequest(*Call);
    if (!R) {
      consumeError(R.takeError());
      continue;
    }
    SmallSetVector<Function *, 16> Reachable = getReachable(*R->Primal);
    for (auto &[InnerCall, Inner] : Requests)
      Inner.IsNested |= Reachable.contains(Inner.Caller);
  }
}

/// What is left of an entry point now would be an undefined reference.
void Server::checkOtherUses() {
  if (Stage != ServeStage::Last)
    return;
  for (Function &F : M) {
    if (!isEntryPoint(F) || F.use_empty())
      continue;
    RequestReport R;
    R.EntryPoint = getReadableName(F);
    R.Error = RefusalReport(Reason::EntryPointAddress, "'" + R.EntryPoint + "'",
                            DebugLoc());
    const Function *User = &F;
    for (llvm::User *U : F.users())
      if (auto *I = dyn_cast<Instruction>(U)) {
        User = I->getFunction();
        R.Error->Loc = R.Loc = I->getDebugLoc();
        break;
      }
    R.Caller = getReadableName(*User);
    reportError(R, *User, nullptr, NotesInText);
    F.replaceAllUsesWith(PoisonValue::get(F.getType()));
  }
}

std::vector<RequestReport> Server::run() {
  for (const std::string &Wrong : markRegistered(M))
    reportError(M.getContext(), Wrong);
  exposeRequests(M, MAM);
  collect();
  findNested();
  for (auto &[Call, W] : Requests)
    serve(W);
  checkOtherUses();
  finishRegistrations(M, MAM, Stage);
  removeLeftovers(M);
  std::vector<RequestReport> Reports;
  for (auto &[Call, W] : Requests)
    if (W.St != Work::Left || Stage != ServeStage::Start)
      Reports.push_back(std::move(W.Report));
  return Reports;
}

static void writeReport(const ModuleReport &Report, LLVMContext &C) {
  StringRef Path = getReportPath();
  if (Path.empty())
    return;
  if (Error E = Report.write(Path))
    reportError(C, toString(std::move(E)));
}

PreservedAnalyses PardiffPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!hasRequests(M)) {
    if (!hasRegistrations(M))
      return PreservedAnalyses::all();
    markRegistered(M);
    finishRegistrations(M, MAM, Stage);
    return PreservedAnalyses::none();
  }
  GeneratedFunctions Generated(M);
  std::vector<RequestReport> Served = Server(M, MAM, Stage, NotesInText).run();
  dropGatherDeclarations(M);
  eraseUnusedLoops(M, MAM);
  if (Level == OptimizationLevel::O0)
    Generated.optimize(MAM);
  std::string Source = getSourceFile(M);
  if (Report->Module != Source)
    *Report = {Source, {}};
  for (RequestReport &R : Served)
    Report->Requests.push_back(std::move(R));
  if (!Served.empty())
    writeReport(*Report, M.getContext());
  return PreservedAnalyses::none();
}
