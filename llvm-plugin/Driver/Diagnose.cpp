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

/// "a.c:3:7"
static std::string toString(const DebugLoc &Loc) {
  return (Loc->getFilename() + ":" + Twine(Loc->getLine()) + ":" +
          Twine(Loc->getColumn()))
      .str();
}

static std::string quote(StringRef Name) { return ("'" + Name + "'").str(); }

/// "the call of '__pardiff_autodiff' in 'main'"
static std::string describeCall(const RequestReport &R) {
  return "the call of " + quote(R.EntryPoint) + " in " + quote(R.Caller);
}

static std::string describe(const RefusalReport &E) {
  std::string Text = getReasonText(E.Why).str();
  return E.Detail.empty() ? Text : Text + ": " + E.Detail;
}

void pardiff::reportError(const RequestReport &R, const Function &Caller,
                          const Function *Primal) {
  const RefusalReport &E = *R.Error;
  std::string Message = "pardiff: " + describe(E);
  // Where the call itself is shown, there is no need to name it.
  bool ShowsCall = E.Loc && E.Loc == R.Loc;
  if (!ShowsCall) {
    Message += "; in ";
    if (!R.Primal.empty())
      Message += "the derivative of " + quote(R.Primal) + " for ";
    Message += describeCall(R);
    if (R.Loc)
      Message += " at " + toString(R.Loc);
  }
  if (!E.Loc)
    Message += "; compile with -gline-tables-only to see the line";
  const Function &Place = E.Loc && !ShowsCall && Primal ? *Primal : Caller;
  Caller.getContext().diagnose(DiagnosticInfoUnsupported(
      Place, Message, DiagnosticLocation(E.Loc), DS_Error));
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
  for (const PartialSumsReport &S : N.PartialSums)
    emitAnalysis("PartialSums", "partial sums " + S.Name + ": " + S.Elements +
                                    " elements of " +
                                    plural(S.ElementBytes, "byte"));
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
