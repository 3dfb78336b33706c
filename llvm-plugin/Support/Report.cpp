//===- Support/Report.cpp - What was done for each request, and why -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON form of the report. docs/report.md describes it; every key is always
// present, so that readers need no defaults. Absent things are null or empty.
//
//===----------------------------------------------------------------------===//

#include "Support/Report.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pardiff;

static json::Value describe(const NestReport &N);
static json::Value describe(const RequestReport &R);

static json::Value describe(const DebugLoc &Loc) {
  const DILocation *L = Loc.get();
  if (!L)
    return nullptr;
  return json::Object{{"file", L->getFilename()},
                      {"line", static_cast<int64_t>(L->getLine())},
                      {"column", static_cast<int64_t>(L->getColumn())}};
}

static json::Value describe(const std::optional<RefusalReport> &R) {
  if (!R)
    return nullptr;
  return json::Object{{"reason", getReasonName(R->Why)},
                      {"sentence", getReasonText(R->Why)},
                      {"detail", R->Detail},
                      {"place", describe(R->Loc)}};
}

static json::Value describe(const TapeReport &T) {
  return json::Object{{"name", T.Name},
                      {"of", T.Of},
                      {"index", T.Index},
                      {"elements", T.Elements},
                      {"element_bytes", T.ElementBytes},
                      {"at_entry", T.AtEntry}};
}

static json::Value describe(const ArrayReport &S) {
  return json::Object{{"name", S.Name},
                      {"elements", S.Elements},
                      {"element_bytes", S.ElementBytes}};
}

static json::Value describe(const LoopReport &L) {
  return json::Object{{"scheme", L.Scheme},
                      {"depth", L.Depth},
                      {"statements", json::Array(L.Statements)}};
}

static json::Value describe(const CostReport &C) {
  return json::Object{{"work", C.Work},
                      {"span", C.Span},
                      {"barriers", C.Barriers},
                      {"bytes", C.Bytes}};
}

static json::Value describe(const std::optional<ScaleReport> &S) {
  if (!S)
    return nullptr;
  json::Array Speedups;
  for (const auto &[Threads, Times] : S->Speedups)
    Speedups.push_back(json::Object{{"threads", Threads}, {"speedup", Times}});
  return json::Object{
      {"forward", describe(S->Forward)}, {"adjoint", describe(S->Adjoint)},
      {"tape_bytes", S->TapeBytes},      {"barrier_work", S->BarrierWork},
      {"parameters", S->Parameters},     {"speedups", std::move(Speedups)}};
}

template <typename T> static json::Array toArray(const std::vector<T> &Of) {
  json::Array A;
  for (const T &E : Of)
    A.push_back(describe(E));
  return A;
}

static json::Value describe(const NestReport &N) {
  return json::Object{{"function", N.Function},
                      {"place", describe(N.Loc)},
                      {"recovered", !N.Missed},
                      {"missed", describe(N.Missed)},
                      {"statements", N.Statements},
                      {"conditions", json::Array(N.Conditions)},
                      {"tapes", toArray(N.Tapes)},
                      {"in_place", json::Array(N.InPlace)},
                      {"recomputed", json::Array(N.Recomputed)},
                      {"forward_loops", toArray(N.Forward)},
                      {"adjoint_loops", toArray(N.Adjoint)},
                      {"partial_sums", toArray(N.PartialSums)},
                      {"own_arrays", toArray(N.OwnArrays)},
                      {"scale", describe(N.Scale)}};
}

static json::Value describe(const RequestReport &R) {
  return json::Object{{"entry_point", R.EntryPoint},
                      {"caller", R.Caller},
                      {"place", describe(R.Loc)},
                      {"primal", R.Primal},
                      {"activities", json::Array(R.Activities)},
                      {"primal_return", R.PrimalReturn},
                      {"gradient", R.Gradient},
                      {"shared", R.Shared},
                      {"deferred", R.Deferred},
                      {"error", describe(R.Error)},
                      {"nests", toArray(R.Nests)}};
}

json::Value ModuleReport::toJSON() const {
  return json::Object{
      {"version", 1}, {"module", Module}, {"requests", toArray(Requests)}};
}

/// The report's file for Module in Folder: its path with the separators
/// replaced, so that files of one name in several folders do not meet.
static std::string getFileInFolder(StringRef Folder, StringRef Module) {
  std::string Name = Module.str();
  for (char &C : Name)
    if (sys::path::is_separator(C))
      C = '_';
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name + ".json");
  return std::string(Path);
}

Error ModuleReport::write(StringRef Path) const {
  std::string File = Path.str();
  if (Path != "-" && sys::fs::is_directory(Path))
    File = getFileInFolder(Path, Module);
  std::error_code EC;
  raw_fd_ostream OS(File, EC, sys::fs::OF_Text);
  if (EC)
    return createStringError(EC, "cannot write the report to '" + File +
                                     "': " + EC.message());
  OS << formatv("{0:2}", toJSON()) << '\n';
  OS.close();
  if (!OS.has_error())
    return Error::success();
  EC = OS.error();
  OS.clear_error();
  return createStringError(EC, "cannot write the report to '" + File +
                                   "': " + EC.message());
}
