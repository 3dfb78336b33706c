//===- Support/Reason.cpp - Every reason for which ParDiff says no --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Reason.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pardiff;

char Refusal::ID = 0;

StringRef pardiff::getReasonName(Reason R) {
  switch (R) {
#define PARDIFF_REASON(Id, Sentence)                                           \
  case Reason::Id:                                                             \
    return #Id;
#include "Support/Reasons.def"
  }
  return "";
}

StringRef pardiff::getReasonText(Reason R) {
  switch (R) {
#define PARDIFF_REASON(Id, Sentence)                                           \
  case Reason::Id:                                                             \
    return Sentence;
#include "Support/Reasons.def"
  }
  return "";
}

void Refusal::log(raw_ostream &OS) const {
  OS << getReasonText(Why);
  if (!Detail.empty())
    OS << ": " << Detail;
}

Error pardiff::refuse(Reason Why, const Twine &Detail, const Instruction *At) {
  return refuse(Why, Detail, At ? At->getDebugLoc() : DebugLoc());
}

Error pardiff::refuse(Reason Why, const Twine &Detail, DebugLoc Loc) {
  return make_error<Refusal>(Why, Detail.str(), std::move(Loc));
}
