//===- Contract/Derive.h - From a prepared function to its programs -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_DERIVE_H
#define PARDIFF_CONTRACT_DERIVE_H

#include "Adjoint/Adjoint.h"
#include "Nest/Recover.h"
#include "Schedule/Schedule.h"
#include "Tape/Forward.h"
#include "Tape/Plan.h"
#include <optional>

namespace llvm {
class PassBuilder;
}

namespace pardiff {

/// All programs of one gradient, in the order in which they depend on each
/// other.
struct GradientPrograms {
  explicit GradientPrograms(RecoveredNest R) : Nest(std::move(R)) {}

  RecoveredNest Nest;
  Activity Act;
  Dataflow Flow;
  TapePlan Plan;
  std::optional<Program> Forward;
  std::optional<AdjointProgram> Adjoint;
  ScheduleResult ForwardLoops, AdjointLoops;
};

/// What the caller says of each parameter of the primal.
struct ParamActivity {
  bool Active = false;    ///< dup, dupnoneed or out
  bool NotNeeded = false; ///< dupnoneed: the primal's result is not wanted
  /// Inactive memory that others read: active values in it would be lost.
  bool SeenByOthers = false;
  bool Lasts = true; ///< nobody else writes its memory between the two sweeps
};

/// Sees each program of a gradient when it is complete: "primal", "adjoint" and
/// "forward" (in the order that gives them their meaning), "scheduled-forward"
/// and "scheduled" (forward sweep and adjoint with trees and contracted private
/// arrays).
using ProgramObserver =
    llvm::function_ref<void(const Program &P, llvm::StringRef Title)>;

/// Derives the gradient's programs of a prepared function F. Params: one for
/// each parameter of the primal (F may have more behind them). SeedResult: the
/// result has a derivative. NeedResult: the primal's value is returned.
/// OneThread: no code will run in parallel.
llvm::Expected<GradientPrograms>
deriveGradient(llvm::Function &F, llvm::ArrayRef<ParamActivity> Params,
               bool SeedResult, bool NeedResult, bool OneThread,
               llvm::FunctionAnalysisManager &FAM,
               ProgramObserver Observe = nullptr);

/// The parameter that array A of the nest belongs to: the memory behind it, or
/// its slot; null if there is none.
llvm::Argument *findParameter(const Array &A);

/// opt -passes='print<pardiff-gradient>': prints primal, forward and adjoint
/// programs of every function, with all floating-point parameters and pointers
/// active.
void registerContractPasses(llvm::PassBuilder &PB);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_DERIVE_H
