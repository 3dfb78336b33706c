//===- Body/Vjp.cpp - The vector-Jacobian product of a body ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse mode over one block: the primal is computed again from the reads (and
// from results that are known), then every operation that lies between an
// active read and a seeded result passes its adjoint on to its operands, last
// operation first. What the adjoints do not need of the primal goes away as
// dead code, so the arguments that are left tell what must be kept.
//
// What a choice did not choose leaves no trace (GatedAdjoint.h).
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Body/Differentiable.h"
#include "Body/GatedAdjoint.h"
#include "Rules/Rules.h"
#include "Support/LoopFunctions.h"
#include "Support/Reason.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

//===----------------------------------------------------------------------===//
// Dependence
//===----------------------------------------------------------------------===//

std::vector<SmallBitVector>
pardiff::getDerivativeDependence(const Function &Body, unsigned NumReads) {
  // First: it may add an instruction.
  SmallVector<const Value *, 4> Results;
  for (unsigned W = 0, E = getNumResults(Body); W != E; ++W)
    Results.push_back(getResult(const_cast<Function &>(Body), W));
  DenseMap<const Value *, SmallBitVector> DependsOn;
  for (unsigned K = 0; K != NumReads; ++K) {
    const Argument *A = Body.getArg(K);
    if (!A->getType()->isFPOrFPVectorTy())
      continue;
    SmallBitVector &Self = DependsOn[A];
    Self.resize(NumReads);
    Self.set(K);
  }
  auto getDependence = [&](const Value *V) {
    auto It = DependsOn.find(V);
    return It == DependsOn.end() ? SmallBitVector(NumReads) : It->second;
  };
  for (const Instruction &I : Body.front()) {
    SmallBitVector Union(NumReads);
    forEachDifferentiable(I,
                          [&](const Value *Op) { Union |= getDependence(Op); });
    if (Union.any())
      DependsOn[&I] = Union;
  }
  std::vector<SmallBitVector> Result;
  for (const Value *V : Results)
    Result.push_back(getDependence(V));
  return Result;
}

//===----------------------------------------------------------------------===//
// The builder
//===----------------------------------------------------------------------===//

namespace {

class VjpBuilder {
public:
  VjpBuilder(Function &Body, unsigned NumReads, ArrayRef<unsigned> ActiveReads,
             const SmallBitVector &SeedMask, const SmallBitVector &KnownResults)
      : Body(Body), NumReads(NumReads), ActiveReads(ActiveReads),
        SeedMask(SeedMask), KnownResults(KnownResults),
        NumResults(getNumResults(Body)), B(Body.getContext()), Arithmetic(B) {}

  Expected<Vjp> build();

private:
  void findResults();
  void findOperations();
  void createFunction();
  void clonePrimal();
  void seedResults();
  Error propagate(Instruction &I);
  void propagateLoop(CallInst &Call);
  void contribute(Value *To, GatedAdjoint A);
  void createReturn();
  Vjp describe();

  Value *valueOf(Value *V) const {
    auto It = Primal.find(V);
    return It == Primal.end() ? V : It->second;
  }
  Argument *resultArg(unsigned W) { return New->getArg(Body.arg_size() + W); }
  Argument *seedArg(unsigned W) { return resultArg(NumResults + W); }

  Function &Body;
  unsigned NumReads;
  ArrayRef<unsigned> ActiveReads;
  const SmallBitVector &SeedMask, &KnownResults;
  unsigned NumResults;

  SmallVector<Value *, 4> Results;       ///< of Body
  SmallPtrSet<const Value *, 16> Varied; ///< depend on an active read
  SmallPtrSet<const Value *, 16>
      OnThePath; ///< and a seeded result depends on them

  Function *New = nullptr;
  IRBuilder<> B;
  GatedArithmetic Arithmetic;
  DenseMap<const Value *, Value *> Primal; ///< of Body, in New
  DenseMap<const Value *, GatedAdjoint> Adjoints;
  /// Of calls of loops (Support/LoopFunctions.h): the adjoint of each field.
  DenseMap<const Value *, SmallVector<Value *, 2>> LoopSeeds;
};

} // namespace

void VjpBuilder::findResults() {
  for (unsigned W = 0; W != NumResults; ++W)
    Results.push_back(getResult(Body, W));
}

/// Finds the operations between active reads and seeded results.
void VjpBuilder::findOperations() {
  for (unsigned K : ActiveReads)
    Varied.insert(Body.getArg(K));
  for (Instruction &I : Body.front())
    forEachDifferentiable(I, [&](const Value *Op) {
      if (Varied.contains(Op))
        Varied.insert(&I);
    });
  for (unsigned W : SeedMask.set_bits())
    if (Varied.contains(Results[W]))
      OnThePath.insert(Results[W]);
  for (Instruction &I : reverse(Body.front())) {
    if (!OnThePath.contains(&I))
      continue;
    forEachDifferentiable(I, [&](const Value *Op) {
      if (Varied.contains(Op))
        OnThePath.insert(Op);
    });
  }
}

void VjpBuilder::createFunction() {
  SmallVector<Type *, 16> ArgTypes(Body.getFunctionType()->params());
  for (unsigned Group = 0; Group != 2; ++Group)
    append_range(ArgTypes, cast<StructType>(Body.getReturnType())->elements());
  SmallVector<Type *, 4> ResultTypes;
  for (unsigned K : ActiveReads)
    ResultTypes.push_back(Body.getArg(K)->getType());
  auto *Ty = FunctionType::get(StructType::get(Body.getContext(), ResultTypes),
                               ArgTypes, /*isVarArg=*/false);
  New = Function::Create(Ty, GlobalValue::InternalLinkage,
                         Body.getName() + ".vjp", Body.getParent());
  for (Argument &A : Body.args()) {
    New->getArg(A.getArgNo())->setName(A.getName());
    Primal[&A] = New->getArg(A.getArgNo());
  }
  for (unsigned W = 0; W != NumResults; ++W) {
    resultArg(W)->setName("result." + Twine(W));
    seedArg(W)->setName("seed." + Twine(W));
  }
  B.SetInsertPoint(BasicBlock::Create(Body.getContext(), "entry", New));
}

/// The comparison in `x > c ? x : c` with a constant c, if it has the same
/// outcome for the result in place of x: where c is chosen, c > c is just as
/// false. (Not so for `x >= c ? x : c`.) Pred is the one with x on its left.
static FCmpInst *findLimit(Value *Result, FCmpInst::Predicate &Pred,
                           ConstantFP *&C) {
  auto *Choice = dyn_cast<SelectInst>(Result);
  auto *Cmp = Choice ? dyn_cast<FCmpInst>(Choice->getCondition()) : nullptr;
  if (!Cmp)
    return nullptr;
  Value *X = Cmp->getOperand(0);
  Pred = Cmp->getPredicate();
  C = dyn_cast<ConstantFP>(Cmp->getOperand(1));
  if (!C) {
    X = Cmp->getOperand(1);
    Pred = Cmp->getSwappedPredicate();
    C = dyn_cast<ConstantFP>(Cmp->getOperand(0));
  }
  if (!C)
    return nullptr;
  bool ToConstant = Choice->getTrueValue() == C;
  if (C->isNaN() ||
      (ToConstant ? Choice->getFalseValue() : Choice->getTrueValue()) != X ||
      (ToConstant ? Choice->getTrueValue() : Choice->getFalseValue()) != C ||
      FCmpInst::compare(C->getValue(), C->getValue(), Pred) != ToConstant)
    return nullptr;
  return Cmp;
}

/// The primal again, but for results that are known.
void VjpBuilder::clonePrimal() {
  for (unsigned W : KnownResults.set_bits()) {
    if (!isa<Instruction>(Results[W]))
      continue;
    Primal.try_emplace(Results[W], resultArg(W));
    FCmpInst::Predicate Pred;
    ConstantFP *C = nullptr;
    if (FCmpInst *Cmp = findLimit(Results[W], Pred, C))
      Primal.try_emplace(Cmp, B.CreateFCmp(Pred, resultArg(W), C));
  }
  for (Instruction &I : Body.front()) {
    if (I.isTerminator() || Primal.count(&I))
      continue;
    if (OnThePath.contains(&I))
      if (Function *Loop = getLoopFunction(&I);
          Loop && hasLoopJacobian(*Loop)) {
        SmallVector<Value *, 4> Args;
        for (Value *Arg : cast<CallInst>(I).args())
          Args.push_back(valueOf(Arg));
        Primal[&I] = B.CreateCall(&getLoopDerivative(*Loop), Args);
        continue;
      }
    Instruction *Clone = I.clone();
    Clone->dropUnknownNonDebugMetadata();
    Clone->setDebugLoc(DebugLoc());
    for (Use &Op : Clone->operands())
      Op.set(valueOf(Op.get()));
    Primal[&I] = B.Insert(Clone, I.getName());
  }
}

void VjpBuilder::contribute(Value *To, GatedAdjoint A) {
  auto [It, IsNew] = Adjoints.try_emplace(To, A);
  if (!IsNew)
    It->second = Arithmetic.add(It->second, A);
}

void VjpBuilder::seedResults() {
  for (unsigned W : SeedMask.set_bits()) {
    if (!OnThePath.contains(Results[W]))
      continue;
    GatedAdjoint Seed;
    Seed.V = seedArg(W);
    // The operations on the way take flags away that the primal does not have.
    Seed.Flags = FastMathFlags::getFast();
    Seed.Flags.setNoNaNs(false);
    Seed.Flags.setNoInfs(false);
    contribute(Results[W], Seed);
  }
}

/// Passes the adjoints of the fields of a loop's result on to its arguments. A
/// field whose adjoint is zero adds nothing, as it may belong to what is not
/// chosen.
void VjpBuilder::propagateLoop(CallInst &Call) {
  Function &Callee = *Call.getCalledFunction();
  const SmallVector<Value *, 2> Seeds = LoopSeeds.lookup(&Call);
  ArrayRef<Type *> Fields = Call.getType()->subtypes();
  auto Zero = [](const Value *V) {
    return Constant::getNullValue(V->getType());
  };
  auto isZero = [&](Value *Seed) { return B.CreateFCmpOEQ(Seed, Zero(Seed)); };
  SmallVector<Value *, 4> Of;
  for (Value *Arg : Call.args())
    if (Arg->getType()->isFloatingPointTy())
      Of.push_back(Arg);

  if (hasLoopJacobian(Callee)) {
    Value *All = valueOf(&Call);
    unsigned Next = Fields.size();
    for (auto [Seed, Ty] : zip(Seeds, Fields)) {
      if (!Ty->isFloatingPointTy())
        continue;
      for (auto [J, Arg] : enumerate(Of)) {
        if (!Seed || !OnThePath.contains(Arg))
          continue;
        Value *V = B.CreateFMul(Seed, B.CreateExtractValue(All, Next + J));
        V = B.CreateSelect(isZero(Seed), Zero(V), V);
        contribute(Arg, {B.CreateFPCast(V, Arg->getType()), {}, {}});
      }
      Next += Of.size();
    }
    return;
  }

  auto GetSummand = [&](unsigned I) {
    return Callee.getAttributes().getParamAttr(I, LoopSummandAttribute);
  };
  // What a sum begins with does not matter to other derivatives.
  SmallVector<Value *, 8> Args;
  for (auto [I, Arg] : enumerate(Call.args()))
    Args.push_back(GetSummand(I).isValid() ? Zero(Arg) : valueOf(Arg));
  Value *AllZero = B.getTrue();
  for (auto [Seed, Ty] : zip(Seeds, Fields)) {
    if (!Ty->isFloatingPointTy())
      continue;
    Args.push_back(Seed ? Seed : Constant::getNullValue(Ty));
    if (Seed)
      AllZero = B.CreateAnd(AllZero, isZero(Seed));
  }
  Value *All = B.CreateCall(&getLoopDerivative(Callee), Args);
  unsigned Field = 0;
  for (auto [I, Arg] : enumerate(Call.args())) {
    if (!Arg->getType()->isFloatingPointTy())
      continue;
    unsigned Of = Field++;
    if (!OnThePath.contains(Arg))
      continue;
    Attribute Summand = GetSummand(I);
    unsigned Result = 0;
    if (Summand.isValid() &&
        !Summand.getValueAsString().getAsInteger(10, Result)) {
      if (Value *Seed = Seeds[Result])
        contribute(Arg, {Seed, {}, {}});
      continue;
    }
    Value *V = B.CreateExtractValue(All, Of);
    // What goes to an array is as the call says: it looks for zeros itself.
    if (!isLoopArray(Callee, I))
      V = B.CreateSelect(AllZero, Zero(V), V);
    contribute(Arg, {V, {}, {}});
  }
}

/// Passes the adjoint of I on to its operands.
Error VjpBuilder::propagate(Instruction &I) {
  if (auto *Extract = dyn_cast<ExtractValueInst>(&I);
      Extract && getLoopFunction(Extract->getAggregateOperand())) {
    auto *Call = cast<CallInst>(Extract->getAggregateOperand());
    SmallVector<Value *, 2> &Seeds = LoopSeeds[Call];
    Seeds.resize(cast<StructType>(Call->getType())->getNumElements());
    Value *Seed = Arithmetic.finish(Adjoints.lookup(&I));
    Value *&Sum = Seeds[Extract->getIndices().front()];
    Sum = Sum ? B.CreateFAdd(Sum, Seed) : Seed;
    return Error::success();
  }
  if (getLoopFunction(&I)) {
    propagateLoop(cast<CallInst>(I));
    return Error::success();
  }
  const Rule *R = findRule(I);
  if (!R || !I.getType()->isFPOrFPVectorTy())
    return refuse(Reason::NoRule, describeOperation(I), &I);
  // A copy: contributions may move the map's entries.
  const GatedAdjoint Seed = Adjoints.lookup(&I);
  Value *Condition = nullptr;
  auto value = [&](Value *V) { return valueOf(V); };
  const Instruction &Operation = getOperation(I);
  for (unsigned Op = 0, E = Operation.getNumOperands(); Op != E; ++Op) {
    Value *Operand = Operation.getOperand(Op);
    if (!OnThePath.contains(Operand) || isZeroPartial(*R, I, Op))
      continue;
    GatedAdjoint A = Seed;
    A.Flags &= getDerivedFlags(I);
    if (isGate(*R, I, Op)) {
      if (!Condition)
        Condition = emitGate(*R, I, Op, B, value);
      A.When.push_back({Condition, isGateInverted(*R, I, Op)});
    } else {
      A.V = emitAdjoint(*R, I, Op, Seed.V, B, value);
    }
    if (A.V)
      contribute(Operand, A);
  }
  return Error::success();
}

void VjpBuilder::createReturn() {
  Value *Struct = PoisonValue::get(New->getReturnType());
  for (auto [Field, K] : enumerate(ActiveReads)) {
    Argument *Read = Body.getArg(K);
    auto It = Adjoints.find(Read);
    Value *V = It == Adjoints.end() ? Constant::getNullValue(Read->getType())
                                    : Arithmetic.finish(It->second);
    Struct = B.CreateInsertValue(Struct, V, Field);
  }
  B.CreateRet(Struct);
}

/// True if V is computed from Arg.
static bool dependsOn(const Value *V, const Argument *Arg) {
  SmallVector<const Value *, 16> Work = {V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *Next = Work.pop_back_val();
    if (Next == Arg)
      return true;
    if (auto *I = dyn_cast<Instruction>(Next))
      if (Seen.insert(I).second)
        append_range(Work, I->operand_values());
  }
  return false;
}

/// Reads off the finished function what it uses and which seeds pass unchanged.
Vjp VjpBuilder::describe() {
  Vjp Result;
  Result.Fn = New;
  Result.ActiveReads.assign(ActiveReads.begin(), ActiveReads.end());
  Result.UsesRead.resize(NumReads);
  for (unsigned K = 0; K != NumReads; ++K)
    Result.UsesRead[K] = usesArgument(*New, K);
  Result.UsesResult.resize(NumResults);
  for (unsigned W = 0; W != NumResults; ++W)
    Result.UsesResult[W] = !resultArg(W)->use_empty();
  for (unsigned A = 0, E = ActiveReads.size(); A != E; ++A) {
    Value *V = getResult(*New, A);
    SmallBitVector Zero(NumResults), Identity(NumResults);
    for (unsigned W = 0; W != NumResults; ++W) {
      Zero[W] = !dependsOn(V, seedArg(W));
      Identity[W] = V == seedArg(W);
    }
    Result.Zero.push_back(std::move(Zero));
    Result.Identity.push_back(std::move(Identity));
  }
  return Result;
}

Expected<Vjp> VjpBuilder::build() {
  findResults();
  findOperations();
  createFunction();
  clonePrimal();
  seedResults();
  for (Instruction &I : reverse(Body.front())) {
    if (!Adjoints.count(&I) && !LoopSeeds.count(&I))
      continue;
    if (Error E = propagate(I)) {
      New->eraseFromParent();
      return E;
    }
  }
  createReturn();
  simplifyBody(*New);
  return describe();
}

Expected<Vjp> pardiff::buildVjp(Function &Body, unsigned NumReads,
                                ArrayRef<unsigned> ActiveReads,
                                const SmallBitVector &SeedMask,
                                const SmallBitVector &KnownResults) {
  return VjpBuilder(Body, NumReads, ActiveReads, SeedMask, KnownResults)
      .build();
}
