//===- Request/Expose.cpp - Make the function and the markers visible -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At the start of the pipeline, and most of all at -O0, the function to
// differentiate or a marker may stand behind a stack slot, a wrapper or a small
// function:
//
//   template <class F, class... A> double grad(F f, A &&...a) {
//     return __pardiff_autodiff((void *)f, std::forward<A>(a)...);
//   }
//
// For a request that cannot be read, the least of the following that helps is
// done:
//   1. promote the stack slots of the function that contains the call
//   2. inline the calls that compute the function or an integer argument (which
//   may
//      be a marker), as std::forward or the conversion of a lambda
//   3. if they depend on a parameter, inline the containing function into its
//   callers
//   4. choose between several known functions by comparing the address at run
//   time
// A wrapper that is not needed any more is removed. What still cannot be read
// then becomes an error elsewhere. Not attempted: functions that are only known
// through memory that was written elsewhere, or through an indirect call.
//
//===----------------------------------------------------------------------===//

#include "Request/Expose.h"
#include "Request/Markers.h"
#include "Request/Request.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

/// Bounds on what recursive wrappers may cost.
static constexpr unsigned MaxSteps = 4096;
static constexpr unsigned MaxInlined =
    1024; ///< calls inlined into one function
/// A table of more functions than this is not a choice to be unfolded.
static constexpr unsigned MaxCandidates = 16;

namespace {

/// What the opaque operands of a request come from.
struct Sources {
  SmallSetVector<CallBase *, 4> Calls; ///< that could be inlined
  bool Parameter = false; ///< of the function that contains the request
};

class Exposer {
public:
  Exposer(Module &M, ModuleAnalysisManager &MAM)
      : M(M),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()) {
  }

  bool run();

private:
  bool promoteIndirectCalls();
  bool step();
  bool expose(CallBase &Call);
  bool promote(Function &F);
  bool inlineCall(CallBase &Call);
  bool inlineCallees(const Sources &From);
  bool inlineIntoCallers(Function &Wrapper);
  bool choose(CallBase &Call);
  void changed(Function &F);

  Module &M;
  FunctionAnalysisManager &FAM;
  /// Functions whose slots are promoted already.
  SmallPtrSet<Function *, 8> Promoted;
  /// How many calls were inlined into a function.
  SmallDenseMap<Function *, unsigned, 8> Inlined;
};

} // namespace

static Value *getFunctionOperand(CallBase &Call) {
  unsigned Index = Call.hasStructRetAttr() ? 1 : 0;
  return Index < Call.arg_size() ? Call.getArgOperand(Index) : nullptr;
}

static bool canBeRead(CallBase &Call) {
  Expected<Request> R = parseRequest(Call);
  bool Ok = static_cast<bool>(R);
  if (!Ok)
    consumeError(R.takeError());
  return Ok;
}

/// Operands that may turn out to be something else: the function if it is not
/// known, and integers that are not constant, because a marker may be behind
/// them.
static SmallVector<Value *, 4> getOpaqueOperands(CallBase &Call) {
  SmallVector<Value *, 4> Opaque;
  Value *F = getFunctionOperand(Call);
  if (!F)
    return Opaque;
  if (!isa<Constant>(F))
    Opaque.push_back(F);
  for (Value *Arg : Call.args())
    if (Arg->getType()->isIntegerTy() && !isa<Constant>(Arg) &&
        getMarker(Arg) == Marker::None)
      Opaque.push_back(Arg);
  return Opaque;
}

/// Calls whose definition can take their place.
static bool canInline(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isDeclaration() && !Callee->isInterposable() &&
         Callee != Call.getFunction() && isInlineViable(*Callee).isSuccess();
}

/// Walks from the opaque operands to where they come from.
static Sources findSources(ArrayRef<Value *> Operands) {
  Sources Found;
  SmallSetVector<Value *, 16> Work(Operands.begin(), Operands.end());
  for (unsigned I = 0; I != Work.size(); ++I) {
    Value *V = Work[I];
    if (isa<Argument>(V)) {
      Found.Parameter = true;
    } else if (auto *Call = dyn_cast<CallBase>(V)) {
      if (canInline(*Call))
        Found.Calls.insert(Call);
    } else if (isa<CastInst, LoadInst, GetElementPtrInst, PHINode, SelectInst,
                   ExtractValueInst, FreezeInst>(V)) {
      for (Value *Op : cast<Instruction>(V)->operands())
        if (!isa<Constant>(Op))
          Work.insert(Op);
    }
  }
  return Found;
}

void Exposer::changed(Function &F) {
  FAM.invalidate(F, PreservedAnalyses::none());
}

/// The passes are run directly: pass managers leave optnone functions alone.
bool Exposer::promote(Function &F) {
  if (!Promoted.insert(&F).second)
    return false;
  SROAPass(SROAOptions::PreserveCFG).run(F, FAM);
  changed(F);
  EarlyCSEPass().run(F, FAM);
  changed(F);
  InstSimplifyPass().run(F, FAM);
  changed(F);
  return true;
}

bool Exposer::inlineCall(CallBase &Call) {
  Function &Caller = *Call.getFunction();
  InlineFunctionInfo Info;
  if (++Inlined[&Caller] > MaxInlined ||
      !InlineFunction(Call, Info).isSuccess())
    return false;
  Promoted.erase(&Caller);
  changed(Caller);
  return true;
}

bool Exposer::inlineCallees(const Sources &From) {
  bool Any = false;
  for (CallBase *Call : From.Calls)
    Any |= inlineCall(*Call);
  return Any;
}

/// Nothing outside this module can call F.
static bool isDispensable(const Function &F) {
  return F.use_empty() && (F.hasLocalLinkage() || F.isDiscardableIfUnused());
}

bool Exposer::inlineIntoCallers(Function &Wrapper) {
  SmallVector<CallBase *, 8> Calls;
  for (User *U : Wrapper.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (Call->isCallee(&Call->getCalledOperandUse()) && canInline(*Call))
        Calls.push_back(Call);
  bool Any = false;
  for (CallBase *Call : Calls)
    Any |= inlineCall(*Call);
  return Any;
}

/// The functions that V may be. False if there may be others.
static bool collectCandidates(Value *V, SmallSetVector<Function *, 8> &Found) {
  SmallSetVector<Value *, 16> Work;
  Work.insert(V);
  for (unsigned I = 0; I != Work.size(); ++I) {
    V = Work[I]->stripPointerCastsAndAliases();
    if (auto *F = dyn_cast<Function>(V)) {
      Found.insert(F);
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Work.insert(Select->getTrueValue());
      Work.insert(Select->getFalseValue());
    } else if (auto *Phi = dyn_cast<PHINode>(V)) {
      Work.insert(Phi->op_begin(), Phi->op_end());
    } else if (auto *Load = dyn_cast<LoadInst>(V)) {
      // An element of a constant table, whatever the index.
      auto *Table = dyn_cast<GlobalVariable>(
          getUnderlyingObject(Load->getPointerOperand()));
      auto *Elements =
          Table && Table->isConstant() && Table->hasDefinitiveInitializer()
              ? dyn_cast<ConstantArray>(Table->getInitializer())
              : nullptr;
      if (!Elements || Elements->getType()->getElementType() != Load->getType())
        return false;
      Work.insert(Elements->op_begin(), Elements->op_end());
    } else if (!isa<ConstantPointerNull, UndefValue>(V)) {
      // Calling null would be the end of the program anyway.
      return false;
    }
    if (Found.size() > MaxCandidates)
      return false;
  }
  return !Found.empty();
}

/// Makes one call for each function that may be meant:
///
///   if (f == f1) r = request(f1, ...)
///   else if (f == f2) r = request(f2, ...)
///   else r = request(f3, ...)
bool Exposer::choose(CallBase &Call) {
  Value *F = getFunctionOperand(Call);
  if (!F || isa<Constant>(F))
    return false;
  SmallSetVector<Function *, 8> Candidates;
  if (!collectCandidates(F, Candidates))
    return false;
  unsigned Index = Call.hasStructRetAttr() ? 1 : 0;
  CallBase *Rest = &Call;
  for (Function *Candidate : ArrayRef(Candidates.getArrayRef()).drop_back()) {
    IRBuilder<> B(Rest);
    Value *Same = B.CreateICmpEQ(F, Candidate);
    Instruction *Then = nullptr, *Else = nullptr;
    SplitBlockAndInsertIfThenElse(Same, Rest->getIterator(), &Then, &Else);
    auto *Chosen = cast<CallBase>(Rest->clone());
    Chosen->setArgOperand(Index, Candidate);
    Chosen->insertBefore(Then->getIterator());
    auto *Other = cast<CallBase>(Rest->clone());
    Other->insertBefore(Else->getIterator());
    if (!Rest->getType()->isVoidTy()) {
      B.SetInsertPoint(Rest);
      PHINode *Result = B.CreatePHI(Rest->getType(), 2);
      Result->addIncoming(Chosen, Then->getParent());
      Result->addIncoming(Other, Else->getParent());
      Rest->replaceAllUsesWith(Result);
    }
    Rest->eraseFromParent();
    Rest = Other;
  }
  Rest->setArgOperand(Index, Candidates.back());
  changed(*Rest->getFunction());
  return true;
}

/// Does one thing for a request that cannot be read. True if the module
/// changed.
bool Exposer::expose(CallBase &Call) {
  Function &F = *Call.getFunction();
  if (isDispensable(F)) {
    FAM.clear(F, F.getName());
    Promoted.erase(&F);
    F.eraseFromParent();
    return true;
  }
  SmallVector<Value *, 4> Opaque = getOpaqueOperands(Call);
  if (Opaque.empty())
    return false;
  if (promote(F))
    return true;
  Sources From = findSources(Opaque);
  if (inlineCallees(From))
    return true;
  if (From.Parameter && inlineIntoCallers(F))
    return true;
  return choose(Call);
}

bool Exposer::step() {
  for (CallBase *Call : findRequests(M))
    if (!isUnsupportedEntryPoint(getEntryPoint(*Call)) && !canBeRead(*Call) &&
        expose(*Call))
      return true;
  return false;
}

/// An entry point may be called through a local pointer.
bool Exposer::promoteIndirectCalls() {
  SmallSetVector<Function *, 8> Users;
  for (Function &F : M)
    if (isEntryPoint(F))
      for (Use &U : F.uses()) {
        auto *I = dyn_cast<Instruction>(U.getUser());
        auto *Call = dyn_cast_or_null<CallBase>(I);
        if (I && !(Call && Call->isCallee(&U)))
          Users.insert(I->getFunction());
      }
  for (Function *F : Users)
    promote(*F);
  return !Users.empty();
}

bool Exposer::run() {
  bool Any = promoteIndirectCalls();
  for (unsigned Steps = 0; Steps != MaxSteps && step(); ++Steps)
    Any = true;
  return Any;
}

bool pardiff::exposeRequests(Module &M, ModuleAnalysisManager &MAM) {
  return Exposer(M, MAM).run();
}
