//===- Nest/Rejection.cpp - Why Polly did not take a region ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates Polly's reasons into ours: one enumerator for each kind of
// construct, with the array, callee or loop at fault and its place. Polly stops
// at the first thing that it cannot model, so there is one reason for a nest.
//
//===----------------------------------------------------------------------===//

#include "Nest/Rejection.h"
#include "Support/Reason.h"
#include "Support/SourceName.h"
#include "polly/ScopDetectionDiagnostic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace pardiff;
using polly::RejectReasonKind;

/// How the user knows the object behind a pointer.
static std::string nameObject(const Value *Ptr) {
  StringRef Name =
      getSourceName(const_cast<Value *>(getUnderlyingObject(Ptr, 0)));
  return Name.empty() ? std::string("an array")
                      : ("array '" + Name + "'").str();
}

/// True if the expression contains a value that was loaded from memory.
static bool readsMemory(const SCEV *S) {
  return S && !isa<SCEVCouldNotCompute>(S) &&
         SCEVExprContains(S, [](const SCEV *E) {
           auto *U = dyn_cast<SCEVUnknown>(E);
           if (!U)
             return false;
           Value *V = U->getValue();
           while (isa<CastInst>(V))
             V = cast<CastInst>(V)->getOperand(0);
           return isa<LoadInst>(V);
         });
}

/// The place of a reason: its own, else that of the block that it names.
static DebugLoc findPlace(const polly::RejectReason &RR) {
  if (RR.getDebugLoc())
    return RR.getDebugLoc();
  const BasicBlock *BB = RR.getRemarkBB();
  if (!BB)
    return DebugLoc();
  if (const DebugLoc &Loc = BB->getTerminator()->getDebugLoc())
    return Loc;
  for (const Instruction &I : *BB)
    if (I.getDebugLoc())
      return I.getDebugLoc();
  return DebugLoc();
}

/// The load or store that a reason is about, where there is one: Polly only
/// tells the block, and the place.
static const Instruction *findAccess(const polly::RejectReason &RR) {
  const DebugLoc &Loc = RR.getDebugLoc();
  const BasicBlock *BB = RR.getRemarkBB();
  if (!BB)
    return nullptr;
  const Instruction *Found = nullptr;
  for (const Instruction &I : *BB) {
    if (!isa<LoadInst, StoreInst, MemIntrinsic>(I) || I.getDebugLoc() != Loc)
      continue;
    if (Found && Loc)
      return Found;
    Found = Found ? Found : &I;
  }
  return Found;
}

static Error refuseAccess(polly::RejectReason &RR) {
  const SCEV *S = static_cast<polly::ReportNonAffineAccess &>(RR).get();
  const Instruction *I = findAccess(RR);
  const Value *Ptr = I ? getLoadStorePointerOperand(I) : nullptr;
  std::string Name = Ptr ? nameObject(Ptr) : "an array";
  if (readsMemory(S))
    return refuse(Reason::IndirectSubscript, Name, findPlace(RR));
  return refuse(Reason::NonAffineSubscript, Name, findPlace(RR));
}

static std::string describeCall(const Instruction *I) {
  auto *Call = dyn_cast_or_null<CallBase>(I);
  if (!Call)
    return "";
  if (const Function *F = Call->getCalledFunction())
    return ("call of '" + F->getName() + "'").str();
  return Call->isInlineAsm() ? "inline assembly" : "call through a pointer";
}

static const Instruction *findCall(const polly::RejectReason &RR) {
  if (const BasicBlock *BB = RR.getRemarkBB())
    for (const Instruction &I : *BB)
      if (isa<CallBase>(I) && I.getDebugLoc() == RR.getDebugLoc() &&
          !cast<CallBase>(I).doesNotAccessMemory())
        return &I;
  return nullptr;
}

/// A loop whose number of iterations is not known before it begins.
static Error refuseTripCount(const Loop &L, const DebugLoc &Loc) {
  if (!L.getExitingBlock())
    return refuse(Reason::SeveralExits, "", Loc);
  return refuse(Reason::UnknownTripCount, "", Loc);
}

/// True if a comparison of floating-point values is part of a condition.
static bool comparesFloats(const Value *Cond, unsigned Depth = 0) {
  if (isa<FCmpInst>(Cond))
    return true;
  auto *I = dyn_cast<Instruction>(Cond);
  return I && Depth < 8 && I->getType()->isIntegerTy(1) &&
         (I->isBitwiseLogicOp() || isa<SelectInst>(I)) &&
         any_of(
             I->operands(),
             [&](const Use &U) { return comparesFloats(U, Depth + 1); });
}

static Error refuseBranch(const polly::RejectReason &RR, const LoopInfo &LI) {
  const BasicBlock *BB = RR.getRemarkBB();
  const auto *Br =
      BB ? dyn_cast_or_null<BranchInst>(BB->getTerminator()) : nullptr;
  if (const Loop *L = BB ? LI.getLoopFor(BB) : nullptr)
    if (L->isLoopExiting(BB))
      return refuseTripCount(*L, findPlace(RR));
  if (Br && Br->isConditional() && comparesFloats(Br->getCondition()))
    return refuse(Reason::DataDependentBranch,
                  "comparison of floating-point values", findPlace(RR));
  return refuse(Reason::NonAffineBranch, "", findPlace(RR));
}

Error pardiff::refuseRejected(const polly::RejectLog *Log, const Region &R,
                              const LoopInfo &LI) {
  if (!Log || Log->begin() == Log->end())
    return refuse(Reason::NotAffine, "",
                  R.getEntry()->getFirstNonPHIOrDbg()->getDebugLoc());
  polly::RejectReason &RR = **Log->begin();
  const DebugLoc Loc = findPlace(RR);
  switch (RR.getKind()) {
  case RejectReasonKind::NonAffineAccess:
    return refuseAccess(RR);
  case RejectReasonKind::NonAffBranch:
  case RejectReasonKind::InvalidCond:
  case RejectReasonKind::UndefCond:
  case RejectReasonKind::UndefOperand:
    return refuseBranch(RR, LI);
  case RejectReasonKind::LoopBound: {
    const SCEV *Count = static_cast<polly::ReportLoopBound &>(RR).loopCount();
    const BasicBlock *Header = RR.getRemarkBB();
    const Loop *L = Header ? LI.getLoopFor(Header) : nullptr;
    if (L && (readsMemory(Count) || isa<SCEVCouldNotCompute>(Count)))
      return refuseTripCount(*L, Loc);
    return refuse(Reason::NonAffineBound, "", Loc);
  }
  case RejectReasonKind::LoopHasNoExit:
    return refuse(Reason::EndlessLoop, "", Loc);
  case RejectReasonKind::LoopHasMultipleExits:
  case RejectReasonKind::LoopOnlySomeLatches:
    return refuse(Reason::SeveralExits, "", Loc);
  case RejectReasonKind::FuncCall: {
    const Instruction *Call = findCall(RR);
    if (Call && isa<MemIntrinsic>(Call))
      return refuse(Reason::BulkMemory, describeCall(Call), Loc);
    return refuse(Reason::CallInNest, describeCall(Call), Loc);
  }
  case RejectReasonKind::IrreducibleRegion:
    return refuse(Reason::IrreducibleFlow, "", Loc);
  case RejectReasonKind::InvalidTerminator:
  case RejectReasonKind::UnreachableInExit:
  case RejectReasonKind::IndirectPredecessor: {
    const BasicBlock *BB = RR.getRemarkBB();
    const Instruction *T = BB ? BB->getTerminator() : nullptr;
    return refuse(Reason::UnsupportedFlow, T ? T->getOpcodeName() : "", Loc);
  }
  case RejectReasonKind::NoBasePtr:
  case RejectReasonKind::UndefBasePtr:
  case RejectReasonKind::VariantBasePtr:
  case RejectReasonKind::IntToPtr: {
    const Instruction *I = findAccess(RR);
    const Value *Ptr = I ? getLoadStorePointerOperand(I) : nullptr;
    return refuse(Reason::PointerChanges, Ptr ? nameObject(Ptr) : "", Loc);
  }
  case RejectReasonKind::DifferentElementSize:
    return refuse(Reason::MixedElementTypes, "", Loc);
  case RejectReasonKind::Alloca:
    return refuse(Reason::AllocationInNest, "alloca", Loc);
  case RejectReasonKind::NonSimpleMemoryAccess:
    return refuse(Reason::VolatileInNest, "", Loc);
  default:
    return refuse(Reason::NotAffine, RR.getMessage(), Loc);
  }
}

bool pardiff::hasNoEffect(const Region &R) {
  for (const BasicBlock *BB : R.blocks())
    for (const Instruction &I : *BB) {
      if (I.mayHaveSideEffects())
        return false;
      for (const User *U : I.users())
        if (!R.contains(cast<Instruction>(U)))
          return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Remarks of Polly's modelling
//===----------------------------------------------------------------------===//

struct RemarkListener::Handler : public DiagnosticHandler {
  std::string Last;
  std::string Never;             ///< the first assumption that cannot hold
  unsigned Line = 0, Column = 0; ///< of Never
  bool Others = false;           ///< an assumption that is not on bounds
  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    auto *Remark = dyn_cast<DiagnosticInfoOptimizationBase>(&DI);
    if (!Remark || StringRef(Remark->getPassName()) != "polly-scops")
      return true;
    // "<Kind> assumption:\t<set>", "<Kind> restriction:\t<set>"
    std::string Msg = Remark->getMsg();
    StringRef Kind = StringRef(Msg).split(':').first;
    if (!Kind.ends_with(" assumption") && !Kind.ends_with(" restriction"))
      return true;
    Last = Msg;
    if (Never.empty() && Kind.ends_with(" assumption") &&
        StringRef(Msg).ends_with(": false }")) {
      Never = Msg;
      Line = Remark->getLocation().getLine();
      Column = Remark->getLocation().getColumn();
    }
    if (Kind.ends_with(" assumption") && Kind != "Inbounds assumption")
      Others = true;
    return true;
  }
  bool isAnalysisRemarkEnabled(StringRef) const override { return true; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return false; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return false; }
  bool isAnyRemarkEnabled() const override { return true; }
};

RemarkListener::RemarkListener(LLVMContext &C)
    : C(C), Old(C.getDiagnosticHandler()) {
  auto New = std::make_unique<Handler>();
  Mine = New.get();
  C.setDiagnosticHandler(std::move(New));
}

RemarkListener::~RemarkListener() {
  // Whether the old handler wanted to see remarks that nobody asked for is not
  // known; none does: lld would print all of them.
  C.setDiagnosticHandler(std::move(Old), /*RespectFilters=*/true);
}

bool RemarkListener::sawOnlyBounds() const { return !Mine->Others; }

Error RemarkListener::refuse(Function &F) const {
  // Polly gives up comparing many pointers by claiming that they are different
  // under no circumstances; we never ask it to.
  if (StringRef(Mine->Last).starts_with("Low complexity") ||
      StringRef(Mine->Last).starts_with("No-aliasing"))
    return pardiff::refuse(Reason::TooComplex, "");
  if (StringRef(Mine->Never).starts_with("Inbounds")) {
    DebugLoc Loc;
    for (const Instruction &I : instructions(F))
      if (const DebugLoc &L = I.getDebugLoc();
          L && L.getLine() == Mine->Line && L.getCol() == Mine->Column)
        Loc = L;
    return pardiff::refuse(Reason::NeverValid,
                           "subscripts stay within the extents", Loc);
  }
  if (!StringRef(Mine->Last).starts_with("Invariant load"))
    return pardiff::refuse(Reason::NeverValid, Mine->Last);
  const LoadInst *First = nullptr;
  for (BasicBlock &BB : drop_begin(F))
    for (Instruction &I : BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && Load->getType()->isPointerTy())
        return pardiff::refuse(Reason::PointerChanges,
                               nameObject(Load->getPointerOperand()), Load);
      if (Load && Load->getType()->isIntegerTy() && !First)
        First = Load;
    }
  return pardiff::refuse(
      Reason::LoadedSize,
      First ? nameObject(First->getPointerOperand()) : std::string(), First);
}
