//===- Contract/NestGradient.cpp - A gradient by the nest engine ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient function is made of the prepared clone, whose body gives way to
//
//   entry:     as prepared: slots, local memory, parameters of the nest
//   condition: the model is exact for these arguments; otherwise the flow
//   engine's
//              gradient runs, or the program stops, before anything is written
//   sweeps:    allocate tapes and shadows of locals; forward sweep; seed the
//   result;
//              reverse sweep; read the derivatives of by-value arguments; free
//              (from the seed on once for each lane, with other shadows)
//   exit:      frees of local memory, ret
//
// For a pair it is built in the same way and then split between the sweeps.
//
//===----------------------------------------------------------------------===//

#include "Contract/NestGradient.h"
#include "Contract/Derive.h"
#include "Contract/GradientReport.h"
#include "Contract/LoopDerivatives.h"
#include "Contract/Shell.h"
#include "Contract/Split.h"
#include "Emit/Emit.h"
#include "Prepare/MemoryContent.h"
#include "Prepare/Prepare.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

static cl::opt<bool> CountSides(
    "pardiff-count-sides", cl::Hidden,
    cl::desc("Call void pardiff_count_side(const char *function, int line, int "
             "holds), which the program defines, where a nest's run-time "
             "condition is evaluated"));

namespace {

class NestGradient {
public:
  NestGradient(const Request &R, ModuleAnalysisManager &MAM, NestReport &Report,
               function_ref<Function *()> Otherwise)
      : R(R), M(*R.Primal->getParent()), MAM(MAM), Report(Report),
        Otherwise(Otherwise),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()) {
  }

  Expected<Function *> run();
  Error runPair(ArrayRef<ParamActivity> Params, FlowPair Pair, FlowPair Other);

private:
  Expected<Function *> prepare();
  Error derive(ArrayRef<ParamActivity> Params);
  void discard(Function &F);
  /// The flag is set by -fopenmp of clang and flang.
  bool runsInParallel() const {
    return M.getModuleFlag("openmp") && !R.IsNested;
  }
  Error emit(GradientPrograms &Programs);
  void emitTakeOver(Value *Condition, IRBuilder<> &B);
  void emitCount(Value *Condition, IRBuilder<> &B);
  /// True if the derivative of by-value parameter I is a result.
  bool isWanted(unsigned I) const {
    return IsPair ? holdsFloats(G->getArg(I)->getType())
                  : R.Args[I].Activity == ArgActivity::Out;
  }
  void emitOtherwise(Value *Condition, IRBuilder<> &B);
  void insertConstants();
  Value *getShadowPointer(Value *V, IRBuilder<> &B);
  void noteMissing(Value *IsMissing, IRBuilder<> &B);
  void bindUserShadows(GradientPrograms &Programs, IRBuilder<> &B);
  Expected<Value *> emitCondition(GradientPrograms &Programs,
                                  NestEmitter &Emitter, IRBuilder<> &B);
  Error emitReverse(GradientPrograms &Programs, NestEmitter &Emitter,
                    IRBuilder<> &B);
  Error emitLanes(GradientPrograms &Programs, NestEmitter &Emitter,
                  IRBuilder<> &B);
  Error checkLanes(const GradientPrograms &Programs) const;
  Error bindTapes(GradientPrograms &Programs, NestEmitter &Emitter,
                  IRBuilder<> &B);
  Error bindShadows(GradientPrograms &Programs, NestEmitter &Emitter,
                    IRBuilder<> &B);
  Error allocate(Array &A, bool Zero, NestEmitter &Emitter, IRBuilder<> &B);
  Error allocateRange(const Program &Primal, Array &Shadow,
                      NestEmitter &Emitter, IRBuilder<> &B);
  Argument *findShadowParam(const Array &Primal) const;
  Argument *getShadowParam(const Argument &Param) const;
  void addShadowConditions(GradientPrograms &Programs);

  const Request &R;
  Module &M;
  ModuleAnalysisManager &MAM;
  NestReport &Report;
  SweepCost ForwardCost, ReverseCost;
  function_ref<Function *()> Otherwise;
  FunctionAnalysisManager &FAM;
  GradientShell Shell;
  Function *G = nullptr;
  SmallVector<Array *, 8> Allocated;
  unsigned Lane = 0;
  /// Of each lane, the shadows that are the user's.
  SmallVector<MapVector<Array *, Value *>, 1> UserShadows;
  /// The derivatives of by-value arguments, for each those of the lanes.
  SmallVector<SmallVector<Value *, 1>, 4> Derivatives;
  /// i1: one of the shadows that were asked for is missing. Null: none can be.
  Value *Missing = nullptr;
  bool IsPair = false;
  TwoSweeps Halves; ///< of a pair
};

} // namespace

/// The user's shadow pointer for a primal array; null if it has none: locals,
/// slots, and memory that is marked inactive or is a global variable.
Argument *NestGradient::findShadowParam(const Array &Primal) const {
  if (Primal.Kind != ArrayKind::Memory)
    return nullptr;
  Argument *Param = findParameter(Primal);
  return Param ? getShadowParam(*Param) : nullptr;
}

/// The shadow pointer of a parameter; null if it has none.
Argument *NestGradient::getShadowParam(const Argument &Param) const {
  if (Param.getArgNo() >= Shell.ShadowsOf.size() ||
      Shell.ShadowsOf[Param.getArgNo()].empty())
    return nullptr;
  return cast<Argument>(Shell.ShadowsOf[Param.getArgNo()][Lane]);
}

/// Nothing is known of how the user's shadows lie to each other and to the
/// primal's memory: each must be disjoint from all else that the nest touches.
void NestGradient::addShadowConditions(GradientPrograms &Programs) {
  SmallVector<Array *, 8> External;
  for (const auto &A : Programs.Nest.N->Arrays)
    if (A->Kind == ArrayKind::Memory)
      External.push_back(A.get());
  auto GetShadow = [&](Array *A) -> Array * {
    return findShadowParam(*A) ? Programs.Adjoint->Shadows.lookup(A) : nullptr;
  };
  auto &Pairs = Programs.Nest.Cond.MayAlias;
  for (unsigned I = 0; I < External.size(); ++I) {
    Array *Shadow = GetShadow(External[I]);
    if (!Shadow)
      continue;
    for (Array *Other : External)
      Pairs.push_back({Shadow, Other});
    for (unsigned J = I + 1; J < External.size(); ++J)
      if (Array *OtherShadow = GetShadow(External[J]);
          OtherShadow && External[I]->Base != External[J]->Base)
        Pairs.push_back({Shadow, OtherShadow});
  }
}

/// Memory for the shadow of memory that the user gave none for: values that
/// depend on active arguments pass through it, but its contents before and
/// after the call have no derivative. As large as the range that the primal
/// accesses.
Error NestGradient::allocateRange(const Program &Primal, Array &Shadow,
                                  NestEmitter &Emitter, IRBuilder<> &B) {
  const Array &Of = *Shadow.Of;
  if (Of.View)
    return refuse(Reason::NoShadow, Of.Name);
  if (!findParameter(Of) &&
      !isa<GlobalVariable>(getUnderlyingObject(Of.Base, 0)))
    return refuse(Reason::NoShadow, Of.Name);
  AccessRange Range = getAccessRange(Primal, Of);
  if (Of.getNumDims() == 0 || Range.Min.empty() || Range.Min[0].is_null() ||
      Range.Max[0].is_null())
    return refuse(Reason::NoShadow, Of.Name);
  Array *Storage =
      Primal.N->addArray(Shadow.Name + "_mem", ArrayKind::Local, Shadow.ElemTy);
  Storage->Shape = Shadow.Shape;
  Storage->Shape[0] =
      Range.Max[0]
          .sub(Range.Min[0])
          .add_constant(isl::val(isl::ctx(Primal.N->Ctx.get()), 1));
  if (Error E = allocate(*Storage, /*Zero=*/true, Emitter, B))
    return E;
  auto Offset = Emitter.emitExpr(Range.Min[0], B);
  if (!Offset)
    return Offset.takeError();
  Value *Elements = *Offset;
  for (unsigned D = 1; D < Of.getNumDims(); ++D) {
    auto Extent = Emitter.emitExpr(Of.Shape[D], B);
    if (!Extent)
      return Extent.takeError();
    Elements = B.CreateMul(Elements, *Extent);
  }
  Shadow.Base =
      B.CreateGEP(Shadow.ElemTy, Storage->Base, B.CreateNeg(Elements));
  return Error::success();
}

Error NestGradient::allocate(Array &A, bool Zero, NestEmitter &Emitter,
                             IRBuilder<> &B) {
  Allocated.push_back(&A);
  return Emitter.allocate(A, Zero, B).takeError();
}

/// Gives every tape its memory, and what else the forward sweep needs.
Error NestGradient::bindTapes(GradientPrograms &Programs, NestEmitter &Emitter,
                              IRBuilder<> &B) {
  for (const Tape &T : Programs.Plan.Tapes)
    if (Error E = allocate(*T.Arr, /*Zero=*/false, Emitter, B))
      return E;
  for (Array *Copy : Programs.ForwardLoops.Temporaries)
    if (Error E = allocate(*Copy, /*Zero=*/false, Emitter, B))
      return E;
  return Error::success();
}

/// Gives every shadow its memory, and what else the reverse sweep needs.
Error NestGradient::bindShadows(GradientPrograms &Programs,
                                NestEmitter &Emitter, IRBuilder<> &B) {
  for (Array *Sum : Programs.AdjointLoops.Temporaries)
    if (Error E = allocate(*Sum, /*Zero=*/true, Emitter, B))
      return E;
  for (const auto &[Primal, Shadow] : Programs.Adjoint->Shadows) {
    if (!Shadow->Scope.empty())
      continue; // allocated where the loops need it
    if (Primal->Kind != ArrayKind::Memory) {
      if (Error E = allocate(*Shadow, /*Zero=*/true, Emitter, B))
        return E;
    } else if (findShadowParam(*Primal)) {
      continue; // bound before the condition
    } else if (IsPair) {
      // Active values would get lost in it from one call to the next.
      return refuse(Reason::InactiveMemory, Primal->Name);
    } else if (Error E =
                   allocateRange(Programs.Nest.Primal, *Shadow, Emitter, B)) {
      return E;
    }
  }
  return Error::success();
}

/// The shadow of pointer V, which is an argument, computed from one, or loaded
/// from memory that one points to: there the shadow's memory holds the shadow
/// pointer, or null for inactive memory.
Value *NestGradient::getShadowPointer(Value *V, IRBuilder<> &B) {
  Value *Object = getUnderlyingObject(V, /*MaxLookup=*/0);
  Value *Shadow = nullptr;
  if (auto *Param = dyn_cast<Argument>(Object)) {
    Shadow = getShadowParam(*Param);
    if (IsPair)
      noteMissing(B.CreateIsNull(Shadow), B);
  } else if (auto *Load = dyn_cast<LoadInst>(Object)) {
    Value *Address = getShadowPointer(Load->getPointerOperand(), B);
    // Where there is nothing to load from, any pointer will do.
    if (Missing)
      Address = B.CreateSelect(Missing, Load->getPointerOperand(), Address);
    Shadow = B.CreateLoad(Load->getType(), Address);
    noteMissing(B.CreateIsNull(Shadow), B);
  } else if (Value *Guarded = getGuardedPointer(Object)) {
    auto *Select = cast<SelectInst>(Object);
    Shadow =
        B.CreateSelect(Select->getCondition(), getShadowPointer(Guarded, B),
                       Select->getFalseValue());
  }
  if (V != Object)
    Shadow = B.CreatePtrAdd(Shadow, B.CreatePtrDiff(B.getInt8Ty(), V, Object));
  return Shadow;
}

/// From here on shadows are missing if IsMissing holds.
void NestGradient::noteMissing(Value *IsMissing, IRBuilder<> &B) {
  Missing = Missing ? B.CreateOr(Missing, IsMissing) : IsMissing;
}

/// Binds the shadows that are the user's, of this lane: the condition speaks of
/// them.
void NestGradient::bindUserShadows(GradientPrograms &Programs, IRBuilder<> &B) {
  // Views have the base of the array that they lead to.
  DenseMap<Value *, Value *> Bases;
  for (const auto &[Primal, Shadow] : Programs.Adjoint->Shadows) {
    if (!findShadowParam(*Primal))
      continue;
    Value *&Base = Bases[Primal->Base];
    if (!Base)
      Base = getShadowPointer(Primal->Base, B);
    Shadow->Base = Base;
    UserShadows[Lane][Shadow] = Base;
  }
}

/// The nest's condition for the shadows of all lanes.
Expected<Value *> NestGradient::emitCondition(GradientPrograms &Programs,
                                              NestEmitter &Emitter,
                                              IRBuilder<> &B) {
  TimeTraceScope Trace("pardiff: condition", R.Primal->getName());
  UserShadows.resize(R.Width);
  Value *Holds = B.getTrue();
  for (Lane = 0; Lane != R.Width; ++Lane) {
    bindUserShadows(Programs, B);
    auto OfLane =
        Emitter.emitCondition(Programs.Nest.Cond, Programs.Nest.Primal, B);
    if (!OfLane)
      return OfLane;
    Holds = B.CreateAnd(Holds, *OfLane);
  }
  Lane = 0;
  return Missing ? B.CreateAnd(Holds, B.CreateNot(Missing)) : Holds;
}

/// The reverse sweep of this lane.
Error NestGradient::emitReverse(GradientPrograms &Programs,
                                NestEmitter &Emitter, IRBuilder<> &B) {
  for (const auto &[Primal, Shadow] : Programs.Adjoint->Shadows)
    if (Primal->Kind == ArrayKind::Slot && Primal->LiveOut)
      B.CreateStore(ConstantFP::get(Primal->ElemTy, 1.0), Shadow->Base);
  if (Error E = Emitter.emitProgram(Programs.Adjoint->P, B, &ReverseCost))
    return E;
  Derivatives.resize(R.Args.size());
  for (unsigned I = 0; I != R.Args.size(); ++I) {
    if (!isWanted(I))
      continue;
    Type *Ty = G->getArg(I)->getType();
    Value *Derivative = ConstantFP::get(Ty, 0.0);
    for (const auto &[Primal, Shadow] : Programs.Adjoint->Shadows)
      if (Primal->Kind == ArrayKind::Slot &&
          findParameter(*Primal) == G->getArg(I))
        Derivative = B.CreateLoad(Ty, Shadow->Base);
    Derivatives[I].push_back(Derivative);
  }
  return Error::success();
}

/// Each lane is a copy of the code.
static constexpr unsigned MaxLanes = 16;

/// Refuses a reverse sweep that cannot run several times: one that changes what
/// it reads.
Error NestGradient::checkLanes(const GradientPrograms &Programs) const {
  if (R.Width == 1)
    return Error::success();
  if (R.Width > MaxLanes)
    return refuse(Reason::TooComplex, "it has many lanes");
  for (const auto &S : Programs.Adjoint->P.Statements)
    for (const Access &A : S->Writes)
      if (A.Arr->Kind != ArrayKind::Shadow &&
          !is_contained(Programs.AdjointLoops.Temporaries, A.Arr) &&
          A.Arr->Scope.empty())
        return refuse(Reason::InvalidProgram,
                      "the reverse sweep changes '" + A.Arr->Name + "'");
  return Error::success();
}

/// The reverse sweeps, one behind the other. They share the tapes; what the
/// others allocate they allocate themselves.
Error NestGradient::emitLanes(GradientPrograms &Programs, NestEmitter &Emitter,
                              IRBuilder<> &B) {
  unsigned Shared = Allocated.size();
  for (Lane = 0; Lane != R.Width; ++Lane) {
    for (auto [Shadow, Base] : UserShadows[Lane])
      Shadow->Base = Base;
    Emitter.forgetBases();
    if (Error E = bindShadows(Programs, Emitter, B))
      return E;
    if (Error E = emitReverse(Programs, Emitter, B))
      return E;
    for (Array *A : ArrayRef(Allocated).drop_front(Shared))
      Emitter.free(*A, B);
    Allocated.truncate(Shared);
  }
  Lane = 0;
  return Error::success();
}

Error NestGradient::emit(GradientPrograms &Programs) {
  RecoveredNest &Nest = Programs.Nest;

  // Cut the body off: entry -> sweeps -> exit.
  BasicBlock *Sweeps =
      BasicBlock::Create(M.getContext(), "sweeps", G, Nest.Exit);
  Nest.Entry->getTerminator()->eraseFromParent();
  BranchInst::Create(Sweeps, Nest.Entry);
  for (PHINode &Phi : make_early_inc_range(Nest.Exit->phis())) {
    Phi.replaceAllUsesWith(PoisonValue::get(Phi.getType()));
    Phi.eraseFromParent();
  }
  BranchInst *ToExit = BranchInst::Create(Nest.Exit, Sweeps);
  IRBuilder<> B(ToExit);
  if (DISubprogram *SP = G->getSubprogram())
    B.SetCurrentDebugLocation(
        DILocation::get(M.getContext(), SP->getLine(), 0, SP));
  EliminateUnreachableBlocks(*G);

  EmitOptions Options;
  Options.Parallel = runsInParallel();
  NestEmitter Emitter(*Nest.N, *G, Options);
  auto Condition = emitCondition(Programs, Emitter, B);
  if (!Condition)
    return Condition.takeError();
  if (CountSides)
    emitCount(*Condition, B);
  if (IsPair)
    emitTakeOver(*Condition, B);
  else
    emitOtherwise(*Condition, B);
  if (Error E = bindTapes(Programs, Emitter, B))
    return E;
  // There is time to stop for want of memory before anything is written; in a
  // pair the reverse sweep's memory is better not held between the sweeps, and
  // lanes have theirs one after the other.
  if (!IsPair && R.Width == 1)
    if (Error E = bindShadows(Programs, Emitter, B))
      return E;
  if (Error E = Emitter.emitProgram(*Programs.Forward, B, &ForwardCost))
    return E;
  if (IsPair) {
    SplitBlock(B.GetInsertBlock(), B.GetInsertPoint());
    Halves.Turn = cast<BranchInst>(
        ToExit->getParent()->getSinglePredecessor()->getTerminator());
    B.SetInsertPoint(ToExit);
    if (Error E = bindShadows(Programs, Emitter, B))
      return E;
  }
  if (Error E = R.Width == 1 ? emitReverse(Programs, Emitter, B)
                             : emitLanes(Programs, Emitter, B))
    return E;
  fillCosts(ForwardCost, ReverseCost, Emitter.getFormulas(), Report);

  // Results: the primal's value, then the derivatives of by-value arguments.
  SmallVector<Value *, 4> Results;
  if (R.PrimalReturn)
    for (const auto &A : Nest.N->Arrays)
      if (A->Kind == ArrayKind::Slot && A->LiveOut)
        Results.push_back(B.CreateLoad(A->ElemTy, A->Base));
  for (ArrayRef<Value *> OfLanes : Derivatives)
    append_range(Results, OfLanes);
  for (Array *A : Allocated)
    Emitter.free(*A, B);
  if (R.IsOnly)
    insertConstants();
  Emitter.finalize();
  if (IsPair) {
    Halves.Adjoints = Results;
    return Error::success();
  }
  if (!setResults(*G, Results))
    return refuse(Reason::NoResult, getReadableName(*R.Primal),
                  getPlace(*R.Primal));
  return Error::success();
}

/// Replaces V by a constant, and what becomes constant by that.
static void replaceAndFold(Value &V, Constant &C) {
  SmallVector<Instruction *, 16> Work;
  auto Replace = [&](Value &Old, Constant &New) {
    for (User *U : Old.users())
      if (auto *I = dyn_cast<Instruction>(U))
        Work.push_back(I);
    Old.replaceAllUsesWith(&New);
  };
  Replace(V, C);
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    if (!I->getParent() || I->use_empty() || isa<PHINode>(I))
      continue;
    auto *Folded = dyn_cast_or_null<Constant>(
        simplifyInstruction(I, SimplifyQuery(I->getDataLayout(), I)));
    if (Folded)
      Replace(*I, *Folded);
  }
}

/// The call's constants take the place of parameters: parallel regions, which
/// become functions of their own, would not see them.
void NestGradient::insertConstants() {
  for (const auto &[I, Arg] : enumerate(R.Args)) {
    Argument *Param = G->getArg(I);
    auto *C = dyn_cast_or_null<Constant>(Arg.Primal);
    if (C && isa<ConstantInt, ConstantFP>(C) &&
        C->getType() == Param->getType())
      replaceAndFold(*Param, *C);
  }
}

/// Behind it, B is where Condition holds. Returns the end of a new block where
/// it does not.
static Instruction *branchUnless(Value *Condition, IRBuilder<> &B) {
  Instruction *Rest = &*B.GetInsertPoint();
  // Moving the builder takes the place of the instruction it moves to.
  DebugLoc Loc = B.getCurrentDebugLocation();
  Instruction *Else = SplitBlockAndInsertIfThen(
      B.CreateNot(Condition), Rest->getIterator(), /*Unreachable=*/true,
      MDBuilder(B.getContext()).createUnlikelyBranchWeights());
  B.SetInsertPoint(Rest);
  B.SetCurrentDebugLocation(Loc);
  return Else;
}

static bool isAlwaysTrue(const Value *Condition) {
  auto *C = dyn_cast<ConstantInt>(Condition);
  return C && C->isOne();
}

/// Tells the program which side the nest takes.
void NestGradient::emitCount(Value *Condition, IRBuilder<> &B) {
  Type *Int = B.getInt32Ty();
  FunctionCallee Count = M.getOrInsertFunction(
      "pardiff_count_side", B.getVoidTy(), B.getPtrTy(), Int, Int);
  B.CreateCall(Count,
               {B.CreateGlobalString(Report.Function, "pardiff.nest.name"),
                B.getInt32(Report.Loc ? Report.Loc.getLine() : 0),
                B.CreateZExt(Condition, Int)});
}

/// Where the condition does not hold: call the other gradient and return its
/// result, or stop.
void NestGradient::emitOtherwise(Value *Condition, IRBuilder<> &B) {
  if (isAlwaysTrue(Condition))
    return;
  Function *Other = [&] {
    TimeTraceScope Trace("pardiff: the other gradient", R.Primal->getName());
    return Otherwise();
  }();
  if (!Other) {
    emitStopUnless(Condition,
                   ("the gradient of '" + R.Primal->getName() +
                    "' was called with arguments for which its loop nest is "
                    "not affine or its arrays overlap")
                       .str(),
                   B);
    return;
  }
  // It hardly ever runs: compile time and size count.
  for (Attribute::AttrKind K :
       {Attribute::Cold, Attribute::NoInline, Attribute::OptimizeForSize})
    Other->addFnAttr(K);
  Instruction *Else = branchUnless(Condition, B);
  IRBuilder<> There(Else);
  There.SetCurrentDebugLocation(B.getCurrentDebugLocation());
  SmallVector<Value *, 8> Args;
  for (Argument &A : G->args())
    Args.push_back(&A);
  CallInst *Call = There.CreateCall(Other, Args);
  if (G->getReturnType()->isVoidTy())
    There.CreateRetVoid();
  else
    There.CreateRet(Call);
  Else->eraseFromParent();
}

/// Another pair takes over where the condition does not hold.
void NestGradient::emitTakeOver(Value *Condition, IRBuilder<> &B) {
  if (!isAlwaysTrue(Condition))
    Halves.Otherwise = branchUnless(Condition, B)->getParent();
}

/// A prepared clone of the primal.
Expected<Function *> NestGradient::prepare() {
  TimeTraceScope Trace("pardiff: prepare", R.Primal->getName());
  auto Prepared = prepareClone(*R.Primal, MAM);
  if (!Prepared)
    return Prepared.takeError();
  if (Error E = checkFloatBits(**Prepared, [&](unsigned Param) {
        return Param >= R.Args.size() ||
               R.Args[Param].Activity != ArgActivity::Const;
      })) {
    discard(**Prepared);
    return std::move(E);
  }
  return *Prepared;
}

void NestGradient::discard(Function &F) {
  FAM.clear(F, F.getName());
  F.eraseFromParent();
}

/// Fills the body of G, or erases it.
Error NestGradient::derive(ArrayRef<ParamActivity> Params) {
  Error Failed = Error::success();
  {
    auto Programs =
        deriveGradient(*G, Params, /*SeedResult=*/!IsPair, R.PrimalReturn,
                       /*OneThread=*/!runsInParallel(), FAM);
    if (Programs) {
      addShadowConditions(*Programs);
      {
        TimeTraceScope Trace("pardiff: report", R.Primal->getName());
        fillReport(*Programs, Report);
      }
      Failed = checkLanes(*Programs);
      if (!Failed)
        Failed = emit(*Programs);
      if (!Failed)
        Failed = defineLoopDerivatives(M, MAM);
    } else {
      Failed = Programs.takeError();
    }
  }
  FAM.clear(*G, G->getName());
  if (Failed)
    G->eraseFromParent();
  return Failed;
}

Expected<Function *> NestGradient::run() {
  auto Prepared = prepare();
  if (!Prepared)
    return Prepared.takeError();
  Shell =
      makeShell(**Prepared, R, "pardiff.gradient." + R.Primal->getName(), FAM);
  G = Shell.G;
  SmallVector<ParamActivity, 8> Params;
  for (const RequestArg &A : R.Args)
    Params.push_back({A.Activity != ArgActivity::Const,
                      A.Activity == ArgActivity::DupNoNeed});
  if (Error E = derive(Params))
    return std::move(E);
  removeUnreachableBlocks(*G);
  return G;
}

Error NestGradient::runPair(ArrayRef<ParamActivity> Params, FlowPair Pair,
                            FlowPair Other) {
  IsPair = true;
  auto Prepared = prepare();
  if (!Prepared)
    return Prepared.takeError();
  SmallVector<unsigned, 8> NumShadows;
  for (const Argument &A : (*Prepared)->args())
    NumShadows.push_back(A.getType()->isPointerTy());
  Shell =
      makeShell(**Prepared, NumShadows,
                /*Extra: the arena*/ {PointerType::getUnqual(M.getContext())},
                {}, "pardiff.split." + R.Primal->getName(), FAM);
  G = Shell.G;
  for (auto [Shadows, Param] : zip(Shell.ShadowsOf, Params))
    if (!Param.Active)
      Shadows.clear();
  if (Error E = derive(Params))
    return E;
  Halves.G = G;
  Halves.Other = Other;
  if (Error E = splitSweeps(Halves, Pair)) {
    discard(*G);
    return E;
  }
  return Error::success();
}

Expected<Function *>
pardiff::buildNestGradient(const Request &R, ModuleAnalysisManager &MAM,
                           NestReport &Report,
                           function_ref<Function *()> Otherwise) {
  return NestGradient(R, MAM, Report, Otherwise).run();
}

Error pardiff::buildNestPair(Function &Primal, ArrayRef<ParamActivity> Params,
                             FlowPair Pair, FlowPair Otherwise,
                             ModuleAnalysisManager &MAM, NestReport &Report) {
  Request R;
  R.Primal = &Primal;
  for (auto [A, Param] : zip(Primal.args(), Params)) {
    RequestArg Arg;
    if (Param.Active)
      Arg.Activity =
          A.getType()->isPointerTy() ? ArgActivity::Dup : ArgActivity::Out;
    R.Args.push_back(Arg);
  }
  return NestGradient(R, MAM, Report, [] { return nullptr; })
      .runPair(Params, Pair, Otherwise);
}
