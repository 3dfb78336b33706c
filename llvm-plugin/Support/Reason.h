//===- Support/Reason.h - Every reason for which ParDiff says no ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each "no" of the compiler is one enumerator with one sentence (Reasons.def).
// The sentence is the compile error, the optimisation remark and the statistic.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_REASON_H
#define PARDIFF_SUPPORT_REASON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Error.h"
#include <string>

namespace pardiff {

enum class Reason {
#define PARDIFF_REASON(Id, Sentence) Id,
#include "Support/Reasons.def"
};

/// The enumerator's name, as used in the report ("NotADefinition").
llvm::StringRef getReasonName(Reason R);
/// The sentence, without a full stop at its end.
llvm::StringRef getReasonText(Reason R);

/// A refusal on its way to whoever reports it. Travels as llvm::Error.
class Refusal : public llvm::ErrorInfo<Refusal> {
public:
  static char ID;
  Refusal(Reason Why, std::string Detail, llvm::DebugLoc Loc)
      : Why(Why), Detail(std::move(Detail)), Loc(std::move(Loc)) {}

  Reason Why;
  std::string
      Detail; ///< the construct: printed after the sentence, may be empty
  llvm::DebugLoc Loc; ///< its place in the source, where known

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Makes a refusal. At: the instruction at fault, for its debug location.
llvm::Error refuse(Reason Why, const llvm::Twine &Detail = "",
                   const llvm::Instruction *At = nullptr);
llvm::Error refuse(Reason Why, const llvm::Twine &Detail, llvm::DebugLoc Loc);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_REASON_H
