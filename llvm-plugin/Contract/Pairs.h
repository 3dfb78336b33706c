//===- Contract/Pairs.h - Derivatives of functions that are called -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_PAIRS_H
#define PARDIFF_CONTRACT_PAIRS_H

#include "Contract/Outline.h"
#include "Flow/Calls.h"
#include "Support/Report.h"
#include "llvm/IR/PassManager.h"
#include <optional>
#include <string>
#include <vector>

namespace pardiff {

/// Builds pairs for one gradient; they are found again in the module, so equal
/// ones of several gradients are built once. A pair is declared when it is
/// first asked for; finish() makes the bodies.
class PairBuilder : public PairProvider {
public:
  /// Nests: gets a report for each nest that is found inside other control
  /// flow; null: none is looked for.
  /// Width: see FlowPair.
  PairBuilder(llvm::Module &M, unsigned Width, llvm::ModuleAnalysisManager &MAM,
              std::vector<NestReport> *Nests)
      : M(M), Width(Width), MAM(MAM), Nests(Width == 1 ? Nests : nullptr) {}
  /// Erases everything if finish() was not called or failed: nothing may find a
  /// pair that calls what does not exist.
  ~PairBuilder() override;

  /// Moves what the nest engine can differentiate out of F, a clone for the
  /// flow engine. IsSplit: see FlowRequest.
  void findNests(llvm::Function &F, bool IsSplit);

  llvm::Expected<FlowPair> getPair(llvm::Function &Callee,
                                   const llvm::Instruction &At) override;
  llvm::Expected<FlowPair> getDispatch(llvm::FunctionType &Ty,
                                       const llvm::Instruction &At) override;

  bool isPart(const llvm::Function &Callee) const override {
    return findPart(Callee);
  }

  /// The pair of a function that a request is for. HasShadow: of each
  /// parameter, false if the request says that it has none.
  llvm::Expected<FlowPair> getPair(llvm::Function &Primal,
                                   llvm::ArrayRef<bool> HasShadow) {
    return getPair(Primal, HasShadow, CallChain());
  }

  /// Builds everything that was asked for, and what that asks for.
  llvm::Error finish();

private:
  llvm::Expected<FlowPair> getPair(llvm::Function &Callee,
                                   llvm::ArrayRef<bool> HasShadow,
                                   CallChain Way);
  FlowPair declare(llvm::FunctionType &Ty, const llvm::Twine &Suffix,
                   bool Dispatch);
  void erase(FlowPair Pair);
  llvm::Error build(llvm::Function &Primal, FlowPair Pair,
                    llvm::ArrayRef<bool> HasShadow);
  llvm::Error buildPart(const OutlinedNest &Part, FlowPair Pair);
  const OutlinedNest *findPart(const llvm::Function &Callee) const;
  void eraseParts();
  void buildDispatch(llvm::FunctionType &Ty, FlowPair Pair,
                     const CallChain &Way);
  std::string name(const llvm::Twine &Suffix) const;
  FlowPair findPair(const llvm::Twine &Suffix) const;

  llvm::Module &M;
  unsigned Width;
  llvm::ModuleAnalysisManager &MAM;
  std::vector<NestReport> *Nests;
  llvm::SmallVector<OutlinedNest, 0> Parts;
  struct Task {
    llvm::Function *Primal = nullptr; ///< null: a dispatch
    llvm::FunctionType *Ty = nullptr;
    FlowPair Pair;
    bool Optional = false;    ///< may fail: called through a pointer only
    bool IsOtherwise = false; ///< by the flow engine, where a nest is not valid
    /// Of each parameter, where that is known: false if it never has one.
    llvm::SmallVector<bool, 8> HasShadow;
    CallChain Calls; ///< how the function to differentiate calls it
    std::optional<Refusal> Failed;
  };
  std::vector<Task> Tasks;
  CallChain Calls; ///< of the task that is being built
  bool BuildingOptional = false;
};

} // namespace pardiff

#endif // PARDIFF_CONTRACT_PAIRS_H
