//===- Support/Report.h - What was done for each request, and why ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plain record of what ParDiff did with each request of a module. The engines
// fill it, the driver turns it into optimisation remarks (-Rpass=pardiff and
// its kin) and into JSON (-pardiff-report=). Formulas are text, written in the
// names that the nest's printer uses. Nothing is decided from a report.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_REPORT_H
#define PARDIFF_SUPPORT_REPORT_H

#include "Support/Reason.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace pardiff {

/// Why something was not done: a Refusal without its way back.
struct RefusalReport {
  Reason Why = Reason::UnknownFunction;
  std::string Detail;
  llvm::DebugLoc Loc;
  CallChain Calls; ///< as Refusal has them

  RefusalReport() = default;
  RefusalReport(Reason Why, std::string Detail, llvm::DebugLoc Loc)
      : Why(Why), Detail(std::move(Detail)), Loc(std::move(Loc)) {}
  explicit RefusalReport(const Refusal &R)
      : Why(R.Why), Detail(R.Detail), Loc(R.Loc), Calls(R.Calls) {}
};

/// Values that the forward sweep stores for the reverse sweep.
struct TapeReport {
  std::string Name; ///< of the tape
  std::string Of;   ///< the array whose values it keeps
  std::string
      Index; ///< the reader's iterators in front of the element, may be empty
  std::string Elements; ///< number of elements, a formula in the parameters
  unsigned ElementBytes = 0;
  bool AtEntry = false; ///< all values are from before the nest: a snapshot
};

/// An array that a gradient allocates.
struct ArrayReport {
  std::string Name;
  std::string Elements; ///< number of elements, a formula in the parameters
  unsigned ElementBytes = 0;
};

/// One loop of an emitted sweep.
struct LoopReport {
  std::string Scheme; ///< "parallel", "gather", "chunked", "private", "atomic",
                      ///< "serial"
  unsigned Depth = 0; ///< number of loops around it
  std::vector<std::string> Statements;
};

/// What a sweep costs, formulas in the parameters; Emit/Cost.h.
struct CostReport {
  std::string Work, Span, Barriers, Bytes;
};

/// What a gradient costs, and what that predicts for more threads.
struct ScaleReport {
  CostReport Forward, Adjoint;
  std::string TapeBytes;
  double BarrierWork = 0;
  double Parameters = 0; ///< the value of all parameters for Speedups
  std::vector<std::pair<unsigned, double>> Speedups; ///< threads, times
};

/// A region that the nest engine was asked to differentiate.
struct NestReport {
  std::string Function; ///< of the source, that contains the region
  llvm::DebugLoc Loc;   ///< its first line; the function's if it is null
  /// Empty if the nest was recovered.
  std::optional<RefusalReport> Missed;

  unsigned Statements = 0;
  /// What must hold at run time for the nest to be valid, one condition each.
  std::vector<std::string> Conditions;
  std::vector<TapeReport> Tapes;
  std::vector<std::string> InPlace; ///< arrays that still hold what is needed
  std::vector<std::string>
      Recomputed; ///< arrays whose values are computed again
  std::vector<LoopReport> Forward, Adjoint;
  std::vector<ArrayReport> PartialSums;
  /// Shadows of the function's own arrays, and copies of these for the
  /// iterations of a loop.
  std::vector<ArrayReport> OwnArrays;
  std::optional<ScaleReport> Scale;

  /// Makes it a missed nest.
  void setMissed(const Refusal &R) { Missed = RefusalReport(R); }
};

/// One call of an entry point.
struct RequestReport {
  std::string EntryPoint; ///< name of the callee
  std::string Caller;     ///< function that contains the call
  std::string Primal;     ///< function to differentiate, empty if not known
  std::string Gradient;   ///< function that serves the request
  bool Shared = false;    ///< the same gradient serves an earlier request
  bool Deferred =
      false;          ///< left for link time: the primal is not in this module
  llvm::DebugLoc Loc; ///< of the call
  std::vector<std::string> Activities; ///< "const", "dup", "dupnoneed", "out"
  bool PrimalReturn = false;
  std::optional<RefusalReport> Error;
  std::vector<NestReport> Nests; ///< filled by the engines
};

struct ModuleReport {
  std::string Module; ///< source file name
  std::vector<RequestReport> Requests;

  llvm::json::Value toJSON() const;
  /// Writes the JSON text to Path: "-" is the standard output, a folder gets
  /// one file for each module.
  llvm::Error write(llvm::StringRef Path) const;
};

} // namespace pardiff

#endif // PARDIFF_SUPPORT_REPORT_H
