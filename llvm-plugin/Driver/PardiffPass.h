//===- Driver/PardiffPass.h - Serve every request of a module ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_DRIVER_PARDIFFPASS_H
#define PARDIFF_DRIVER_PARDIFFPASS_H

#include "Support/Report.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"
#include <memory>

namespace pardiff {

/// What a run of the pass does with a request that it cannot serve.
enum class ServeStage {
  /// The start of the pipeline, where it is not known whether this is a compile
  /// for
  /// link-time optimisation. What the link may cure is left alone, the rest is
  /// an error.
  Start,
  /// The same, for certain: a pre-link compile.
  PreLink,
  /// The last chance: everything is an error.
  Last
};

/// Replaces every call of an entry point by a call of a generated derivative. A
/// module without such calls is not changed.
class PardiffPass : public llvm::PassInfoMixin<PardiffPass> {
public:
  /// Report is shared by the runs over one module. NotesInText: see Diagnose.h.
  PardiffPass(llvm::OptimizationLevel Level, ServeStage Stage,
              std::shared_ptr<ModuleReport> Report, bool NotesInText = false)
      : Level(Level), Stage(Stage), Report(std::move(Report)),
        NotesInText(NotesInText) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  /// At O0 the generated code gets a pipeline of its own.
  llvm::OptimizationLevel Level;
  ServeStage Stage;
  std::shared_ptr<ModuleReport> Report;
  bool NotesInText;
};

} // namespace pardiff

#endif // PARDIFF_DRIVER_PARDIFFPASS_H
