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
#include <vector>

namespace pardiff {

enum class Reason {
#define PARDIFF_REASON(Id, Sentence) Id,
#include "Support/Reasons.def"
};

/// The enumerator's name, as used in the report ("NotADefinition").
llvm::StringRef getReasonName(Reason R);
/// The sentence, without a full stop at its end.
llvm::StringRef getReasonText(Reason R);

/// A call on the way from the function to differentiate to what was refused.
struct CallStep {
  std::string Callee; ///< as the user wrote it
  llvm::DebugLoc Loc; ///< of the call, where known
  bool ByPointer = false;
};
/// Innermost call first.
using CallChain = std::vector<CallStep>;

/// The calls that were inlined to bring I where it is.
CallChain getInlinedCalls(const llvm::Instruction &I);

/// The way of a call as a node of metadata: calls without a debug location keep
/// it when they are inlined. Around: what the call around it has, may be null.
llvm::MDNode *makeInlinedCall(const llvm::Function &Callee,
                              llvm::MDNode *Around);
inline constexpr llvm::StringLiteral InlinedCallsMetadata = "pardiff.calls";

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
  CallChain Calls;    ///< how the function to differentiate comes there

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Makes a refusal. At: the instruction at fault, for its debug location.
llvm::Error refuse(Reason Why, const llvm::Twine &Detail = "",
                   const llvm::Instruction *At = nullptr);
llvm::Error refuse(Reason Why, const llvm::Twine &Detail, llvm::DebugLoc Loc);

/// The first line of F; null without debug information.
llvm::DebugLoc getPlace(const llvm::Function &F);

/// A refusal again, with calls around what it knows of already.
llvm::Error refuseAgain(const Refusal &R, const CallChain &Around);
/// Adds calls to all refusals in E: those around what it knows of already.
llvm::Error addCalls(llvm::Error E, const CallChain &Around);

/// "f.c:3:7"
std::string describePlace(const llvm::DebugLoc &Loc);
/// "in 'g', called from 'f' at f.c:3:7" for call I of the chain; Outermost: the
/// function that contains the last one.
std::string describeCallStep(const CallChain &Calls, unsigned I,
                             llvm::StringRef Outermost);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_REASON_H
