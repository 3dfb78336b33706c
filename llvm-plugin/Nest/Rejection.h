//===- Nest/Rejection.h - Why Polly did not take a region -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_REJECTION_H
#define PARDIFF_NEST_REJECTION_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace polly {
class RejectLog;
}

namespace pardiff {

/// The first reason of detection's log as a refusal that names construct and
/// place.
llvm::Error refuseRejected(const polly::RejectLog *Log, const llvm::Region &R,
                           const llvm::LoopInfo &LI);

/// True if nothing in the region writes memory or is used behind it.
bool hasNoEffect(const llvm::Region &R);

/// While it lives, takes the remarks in which Polly's modelling says which
/// assumption it made; none of them reaches the user. Modelling gives up
/// without another word.
class RemarkListener {
public:
  explicit RemarkListener(llvm::LLVMContext &C);
  ~RemarkListener();
  RemarkListener(const RemarkListener &) = delete;
  RemarkListener &operator=(const RemarkListener &) = delete;
  llvm::Error refuse(llvm::Function &F) const;
  /// True if the only assumptions (not restrictions) were on bounds.
  bool sawOnlyBounds() const;

private:
  struct Handler;
  llvm::LLVMContext &C;
  std::unique_ptr<llvm::DiagnosticHandler> Old;
  Handler *Mine;
};

} // namespace pardiff

#endif // PARDIFF_NEST_REJECTION_H
