//===- Driver/Diagnose.cpp - Tell the user about refusals -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Diagnose.h"
#include "Support/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace pardiff;

static constexpr const char PassName[] = "pardiff";

static std::string quote(StringRef Name) { return ("'" + Name + "'").str(); }

/// "the call of '__pardiff_autodiff' in 'main'"
static std::string describeRequest(const RequestReport &R) {
  return "the call of " + quote(R.EntryPoint) + " in " + quote(R.Caller);
}

static std::string describe(const RefusalReport &E) {
  std::string Text = getReasonText(E.Why).str();
  return E.Detail.empty() ? Text : Text + ": " + E.Detail;
}

/// True if what is at fault is the call of the entry point itself.
static bool isAboutRequest(Reason Why) {
  return Why >= Reason::UnknownFunction && Why <= Reason::RecursiveRequest;
}

/// What to do about it; empty if the sentence says that itself.
static std::string getAdvice(Reason Why) {
  switch (Why) {
  case Reason::UnknownCall:
    return "if it is defined in another file, use link-time optimisation "
           "(-flto); else register a rule for it "
           "(__pardiff_register_gradient_..., __pardiff_register_derivative_"
           "...), or mark it inactive (__pardiff_inactivefn_...) if no "
           "derivative passes through it";
  default:
    return "";
  }
}

/// The calls that lead to the place at fault, and the request.
static std::vector<std::string> getNotes(const RequestReport &R) {
  const RefusalReport &E = *R.Error;
  std::vector<std::string> Notes;
  if (std::string Advice = getAdvice(E.Why); !Advice.empty())
    Notes.push_back(Advice);
  // Of a long chain (C++'s library) both ends tell most.
  const size_t Size = E.Calls.size(), First = 8, Last = 3;
  for (size_t I = 0; I != Size; ++I) {
    if (Size > First + Last + 1 && I == First) {
      I = Size - Last;
      Notes.push_back("(" + std::to_string(I - First) + " more calls)");
    }
    Notes.push_back(describeCallStep(E.Calls, I, R.Primal));
  }
  std::string Request = "required by " + describeRequest(R);
  if (R.Loc)
    Request += " at " + describePlace(R.Loc);
  Notes.push_back(Request + ", to differentiate " + quote(R.Primal));
  return Notes;
}

void pardiff::reportError(const RequestReport &R, const Function &Caller,
                          const Function *Primal, bool NotesInText) {
  const RefusalReport &E = *R.Error;
  std::string Message = "pardiff: " + describe(E);
  bool InCall = isAboutRequest(E.Why) || R.Primal.empty() || !Primal;
  if (!E.Loc) {
    Message += "; in ";
    if (InCall)
      Message += describeRequest(R);
    else
      Message += quote(E.Calls.empty() ? R.Primal : E.Calls.front().Callee);
    Message += "; compile with -gline-tables-only to see the line";
  }
  std::vector<std::string> Notes;
  if (!InCall)
    Notes = getNotes(R);
  if (NotesInText)
    for (const std::string &Note : Notes)
      Message += "\n  note: " + Note;
  LLVMContext &C = Caller.getContext();
  C.diagnose(DiagnosticInfoUnsupported(InCall ? Caller : *Primal, Message,
                                       DiagnosticLocation(E.Loc), DS_Error));
  if (!NotesInText)
    for (const std::string &Note : Notes)
      C.diagnose(DiagnosticInfoGeneric("pardiff: " + Note, DS_Note));
}

void pardiff::reportError(LLVMContext &C, const Twine &Message) {
  C.diagnose(DiagnosticInfoGeneric("pardiff: " + Message, DS_Error));
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static std::string list(ArrayRef<std::string> Names) {
  return join(Names, ", ");
}

static std::string plural(unsigned N, StringRef Thing) {
  return (Twine(N) + " " + Thing + (N == 1 ? "" : "s")).str();
}

namespace {

/// Emits the remarks of one nest, all at its first line.
class NestRemarks {
public:
  NestRemarks(const NestReport &N, Function &F)
      : N(N), Block(F.getEntryBlock()), ORE(&F),
        Loc(N.Loc ? DiagnosticLocation(N.Loc)
                  : DiagnosticLocation(F.getSubprogram())) {}

  void emit();

private:
  void emitRecovered();
  void emitMissed();
  void emitAnalysis(StringRef Name, const Twine &Text);
  void emitLoops(StringRef Sweep, ArrayRef<LoopReport> Loops);

  const NestReport &N;
  BasicBlock &Block;
  OptimizationRemarkEmitter ORE;
  DiagnosticLocation Loc;
};

} // namespace

void NestRemarks::emitAnalysis(StringRef Name, const Twine &Text) {
  ORE.emit(OptimizationRemarkAnalysis(PassName, Name, Loc, &Block)
           << Text.str());
}

void NestRemarks::emitLoops(StringRef Sweep, ArrayRef<LoopReport> Loops) {
  for (const LoopReport &L : Loops)
    ORE.emit(OptimizationRemark(PassName, "Loop", Loc, &Block)
             << Sweep.str() << " loop at depth " << ore::NV("Depth", L.Depth)
             << " of " << list(L.Statements) << ": "
             << ore::NV("Scheme", L.Scheme));
}

void NestRemarks::emitRecovered() {
  ORE.emit(OptimizationRemark(PassName, "Recovered", Loc, &Block)
           << "affine loop nest of " << ore::NV("Function", N.Function)
           << " recovered: " << plural(N.Statements, "statement") << ", "
           << plural(N.Tapes.size(), "tape"));
  for (const std::string &Condition : N.Conditions)
    emitAnalysis("Condition", "valid if " + Condition);
  for (const TapeReport &T : N.Tapes)
    emitAnalysis("Tape", "tape " + T.Name + " keeps " + T.Of +
                             (T.AtEntry ? " as at entry" : "") +
                             (T.Index.empty() ? "" : " by [" + T.Index + "]") +
                             ": " + T.Elements + " elements of " +
                             plural(T.ElementBytes, "byte"));
  if (!N.InPlace.empty())
    emitAnalysis("InPlace",
                 "still there, nothing is stored: " + list(N.InPlace));
  if (!N.Recomputed.empty())
    emitAnalysis("Recomputed", "computed again: " + list(N.Recomputed));
  for (const ArrayReport &S : N.PartialSums)
    emitAnalysis("PartialSums", "partial sums " + S.Name + ": " + S.Elements +
                                    " elements of " +
                                    plural(S.ElementBytes, "byte"));
  for (const ArrayReport &A : N.OwnArrays)
    emitAnalysis("OwnArrays", "allocated " + A.Name + ": " + A.Elements +
                                  " elements of " +
                                  plural(A.ElementBytes, "byte"));
  emitLoops("forward", N.Forward);
  emitLoops("adjoint", N.Adjoint);
}

void NestRemarks::emitMissed() {
  if (N.Missed->Loc)
    Loc = DiagnosticLocation(N.Missed->Loc);
  ORE.emit(OptimizationRemarkMissed(PassName, getReasonName(N.Missed->Why), Loc,
                                    &Block)
           << "no affine loop nest recovered in "
           << ore::NV("Function", N.Function) << ": " << describe(*N.Missed));
}

void NestRemarks::emit() {
  if (N.Missed)
    emitMissed();
  else
    emitRecovered();
}

void pardiff::emitRemarks(const RequestReport &R, Function &Primal) {
  for (const NestReport &N : R.Nests)
    NestRemarks(N, Primal).emit();
}
