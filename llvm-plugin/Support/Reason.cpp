//===- Support/Reason.cpp - Every reason for which ParDiff says no --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Reason.h"
#include "Support/Names.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
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

static CallChain getInlinedCalls(const DILocation *Loc) {
  CallChain Calls;
  for (; Loc && Loc->getInlinedAt(); Loc = Loc->getInlinedAt())
    Calls.push_back({getReadableName(*Loc->getScope()->getSubprogram()),
                     DebugLoc(Loc->getInlinedAt())});
  return Calls;
}

CallChain pardiff::getInlinedCalls(const Instruction &I) {
  if (I.getDebugLoc())
    return ::getInlinedCalls(I.getDebugLoc());
  CallChain Calls;
  const MDNode *Step = I.getMetadata(InlinedCallsMetadata);
  for (; Step; Step = dyn_cast_or_null<MDNode>(Step->getOperand(1)))
    Calls.push_back(
        {cast<MDString>(Step->getOperand(0))->getString().str(), DebugLoc()});
  return Calls;
}

MDNode *pardiff::makeInlinedCall(const Function &Callee, MDNode *Around) {
  LLVMContext &C = Callee.getContext();
  return MDNode::get(C, {MDString::get(C, getReadableName(Callee)), Around});
}

static Error makeRefusal(Reason Why, const Twine &Detail, DebugLoc Loc,
                         CallChain Calls) {
  auto R = std::make_unique<Refusal>(Why, Detail.str(), std::move(Loc));
  R->Calls = std::move(Calls);
  return Error(std::move(R));
}

Error pardiff::refuse(Reason Why, const Twine &Detail, const Instruction *At) {
  if (!At)
    return makeRefusal(Why, Detail, DebugLoc(), {});
  DebugLoc Loc = At->getDebugLoc();
  return makeRefusal(
      Why, Detail, Loc || !At->getParent() ? Loc : getPlace(*At->getFunction()),
      getInlinedCalls(*At));
}

Error pardiff::refuse(Reason Why, const Twine &Detail, DebugLoc Loc) {
  CallChain Calls = ::getInlinedCalls(Loc.get());
  return makeRefusal(Why, Detail, std::move(Loc), std::move(Calls));
}

DebugLoc pardiff::getPlace(const Function &F) {
  DISubprogram *P = F.getSubprogram();
  return P ? DebugLoc(DILocation::get(F.getContext(), P->getLine(), 0, P))
           : DebugLoc();
}

Error pardiff::refuseAgain(const Refusal &R, const CallChain &Around) {
  CallChain Calls = R.Calls;
  Calls.insert(Calls.end(), Around.begin(), Around.end());
  return makeRefusal(R.Why, R.Detail, R.Loc, std::move(Calls));
}

Error pardiff::addCalls(Error E, const CallChain &Around) {
  return handleErrors(std::move(E), [&](std::unique_ptr<Refusal> R) -> Error {
    R->Calls.insert(R->Calls.end(), Around.begin(), Around.end());
    return Error(std::move(R));
  });
}

std::string pardiff::describePlace(const DebugLoc &Loc) {
  return (Loc->getFilename() + ":" + Twine(Loc->getLine()) + ":" +
          Twine(Loc->getColumn()))
      .str();
}

std::string pardiff::describeCallStep(const CallChain &Calls, unsigned I,
                                      StringRef Outermost) {
  const CallStep &Step = Calls[I];
  StringRef Caller = I + 1 < Calls.size() ? Calls[I + 1].Callee : Outermost;
  std::string Text =
      ("in '" + Twine(Step.Callee) + "', called from '" + Caller + "'").str();
  if (Step.ByPointer)
    Text += " through a pointer";
  if (Step.Loc)
    Text += " at " + describePlace(Step.Loc);
  return Text;
}
