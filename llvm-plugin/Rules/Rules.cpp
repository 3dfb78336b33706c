//===- Rules/Rules.cpp - Look rules up and emit their derivatives ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the entry of the table for an instruction and turns its partial
// derivatives into code for reverse mode (seed of the result) and forward mode
// (tangents of the operands). Both use the same partials: each is linear in the
// seed.
//
// A library function counts as such if it is declared, not defined, has the
// name and the signature of math.h, and the call is not marked nobuiltin.
//
//===----------------------------------------------------------------------===//

#include "Rules/Rules.h"
#include "Rules/Rule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace pardiff;

//===----------------------------------------------------------------------===//
// Finding a rule
//===----------------------------------------------------------------------===//

namespace {

/// Entries of the table by what they match, in the order of the table.
class RuleIndex {
public:
  RuleIndex() {
    for (const Rule &R : getRuleTable()) {
      if (R.How.Opcode)
        ByOpcode[R.How.Opcode].push_back(&R);
      for (Intrinsic::ID Id : R.How.Ids)
        if (Id != Intrinsic::not_intrinsic)
          ByIntrinsic[Id].push_back(&R);
      if (R.How.Library)
        ByName[R.How.Library].push_back(&R);
    }
  }

  const Rule *find(const Instruction &I) const {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      return pick(ByOpcode.lookup(I.getOpcode()), I);
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || Call->hasOperandBundles())
      return nullptr;
    if (Intrinsic::ID Id = Callee->getIntrinsicID())
      return pick(ByIntrinsic.lookup(Id), I);
    if (!Callee->isDeclaration() || Call->isNoBuiltin() || Callee->isVarArg())
      return nullptr;
    return pick(findLibrary(*Callee), I);
  }

private:
  using Entries = SmallVector<const Rule *, 2>;

  static const Rule *pick(const Entries &Candidates, const Instruction &I) {
    for (const Rule *R : Candidates)
      if (!R->How.When || R->How.When(I))
        return R;
    return nullptr;
  }

  /// Entries for a function named and typed as one of math.h.
  Entries findLibrary(const Function &F) const {
    Type *Ty = F.getReturnType();
    if (!Ty->isFloatingPointTy())
      return {};
    StringRef Name = F.getName();
    if (Ty->isFloatTy()) {
      if (!Name.consume_back("f"))
        return {};
    } else if (!Ty->isDoubleTy() && !Name.consume_back("l")) {
      return {};
    }
    auto It = ByName.find(Name);
    if (It == ByName.end() || F.arg_size() != It->second.front()->NumOperands)
      return {};
    // Only ldexp takes an integer, and nothing flows to it.
    const Rule &First = *It->second.front();
    for (const Argument &A : F.args()) {
      bool IsExponent =
          A.getType()->isIntegerTy() &&
          First.Partials[A.getArgNo()].Kind == Partial::Form::Zero;
      if (A.getType() != Ty && !IsExponent)
        return {};
    }
    return It->second;
  }

  DenseMap<unsigned, Entries> ByOpcode, ByIntrinsic;
  StringMap<Entries> ByName;
};

} // namespace

const Rule *pardiff::findRule(const Instruction &I) {
  static const RuleIndex Index;
  return Index.find(I);
}

StringRef pardiff::getRuleName(const Rule &R) { return R.Name; }

std::string pardiff::describeOperation(const Instruction &I) {
  if (auto *Extract = dyn_cast<ExtractValueInst>(&I))
    if (auto *From = dyn_cast<Instruction>(Extract->getAggregateOperand()))
      return describeOperation(*From);
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return I.getOpcodeName();
  if (Call->isInlineAsm())
    return "inline assembly";
  if (const Function *Callee = Call->getCalledFunction())
    return ("call of " + Callee->getName()).str();
  return "indirect call";
}

static const Partial &getPartial(const Rule &R, unsigned Op) {
  static const Partial Nothing;
  return Op < R.NumOperands ? R.Partials[Op] : Nothing;
}

bool pardiff::isZeroPartial(const Rule &R, const Instruction &, unsigned Op) {
  return getPartial(R, Op).Kind == Partial::Form::Zero;
}

bool pardiff::needsOperand(const Rule &R, const Instruction &, unsigned Op,
                           unsigned Other) {
  return Other < R.NumOperands && (getPartial(R, Op).Needs & (1u << Other));
}

bool pardiff::needsResult(const Rule &R, const Instruction &, unsigned Op) {
  return getPartial(R, Op).Needs & Need::R;
}

bool pardiff::isGate(const Rule &R, const Instruction &, unsigned Op) {
  Partial::Form Kind = getPartial(R, Op).Kind;
  return Kind == Partial::Form::Gate || Kind == Partial::Form::Otherwise;
}

bool pardiff::isGateInverted(const Rule &R, const Instruction &, unsigned Op) {
  return getPartial(R, Op).Kind == Partial::Form::Otherwise;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

Value *Emission::result() const {
  return ValueOf(const_cast<Instruction *>(&I));
}

/// The floating-point type that the operation computes in.
static Type *getComputeType(const Instruction &I) {
  Type *Ty = I.getType();
  return Ty->isFPOrFPVectorTy() ? Ty : I.getOperand(0)->getType();
}

Value *Emission::number(double V) const {
  return ConstantFP::get(getComputeType(I), V);
}

Value *Emission::number(StringRef Text) const {
  return ConstantFP::get(getComputeType(I), Text);
}

/// The name of the library's function for Ty.
static std::string getLibraryName(StringRef Name, const Type *Ty) {
  if (Ty->isDoubleTy())
    return Name.str();
  return (Name + (Ty->isFloatTy() ? "f" : "l")).str();
}

Value *Emission::call(Intrinsic::ID Id, StringRef Name,
                      ArrayRef<Value *> Args) {
  Type *Ty = getComputeType(I);
  auto *Call = dyn_cast<CallInst>(&I);
  bool UsesLibrary = Call && !isa<IntrinsicInst>(Call);
  if (!UsesLibrary)
    return B.CreateIntrinsic(Id, {Ty}, Args);

  SmallVector<Type *, 2> ArgTys;
  for (Value *A : Args)
    ArgTys.push_back(A->getType());
  Module *M = B.GetInsertBlock()->getModule();
  FunctionCallee Callee = M->getOrInsertFunction(
      getLibraryName(Name, Ty), FunctionType::get(Ty, ArgTys, false));
  CallInst *New = B.CreateCall(Callee, Args);
  New->setDoesNotAccessMemory();
  New->setDoesNotThrow();
  New->addFnAttr(Attribute::WillReturn);
  return New;
}

FastMathFlags pardiff::getDerivedFlags(const Instruction &I) {
  FastMathFlags Flags;
  if (!isa<FPMathOperator>(I))
    return Flags;
  Flags = I.getFastMathFlags();
  Flags.setNoNaNs(false);
  Flags.setNoInfs(false);
  return Flags;
}

/// Emits a partial into a value of type Target; null where it is zero.
static Value *emitPartial(const Rule &R, const Instruction &I, unsigned Op,
                          Value *Seed, Type *Target, IRBuilderBase &B,
                          ValueFn ValueOf) {
  if (isZeroPartial(R, I, Op))
    return nullptr;
  if (isGate(R, I, Op)) {
    Value *Cond = emitGate(R, I, Op, B, ValueOf);
    Value *Nothing = Constant::getNullValue(Target);
    bool Inverted = isGateInverted(R, I, Op);
    return B.CreateSelect(Cond, Inverted ? Nothing : Seed,
                          Inverted ? Seed : Nothing);
  }
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.setFastMathFlags(getDerivedFlags(I));
  Emission C(I, Seed, Target, B, ValueOf);
  return getPartial(R, Op).Emit(C);
}

Value *pardiff::emitAdjoint(const Rule &R, const Instruction &I, unsigned Op,
                            Value *Seed, IRBuilderBase &B, ValueFn ValueOf) {
  Type *Target = I.getOperand(Op)->getType();
  return emitPartial(R, I, Op, Seed, Target, B, ValueOf);
}

Value *pardiff::emitGate(const Rule &R, const Instruction &I, unsigned Op,
                         IRBuilderBase &B, ValueFn ValueOf) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.setFastMathFlags(getDerivedFlags(I));
  Emission C(I, nullptr, nullptr, B, ValueOf);
  return getPartial(R, isGateInverted(R, I, Op) ? Op - 1 : Op).Emit(C);
}

Value *pardiff::emitTangent(const Rule &R, const Instruction &I,
                            ArrayRef<Value *> OperandTangents, IRBuilderBase &B,
                            ValueFn ValueOf) {
  Type *Target = I.getType();
  auto orZero = [&](Value *V) {
    return V ? V : Constant::getNullValue(Target);
  };
  if (I.getOpcode() == Instruction::Select) {
    if (!OperandTangents[1] && !OperandTangents[2])
      return nullptr;
    return B.CreateSelect(ValueOf(I.getOperand(0)), orZero(OperandTangents[1]),
                          orZero(OperandTangents[2]));
  }
  Value *Sum = nullptr;
  for (auto [Op, Tangent] : enumerate(OperandTangents)) {
    if (!Tangent)
      continue;
    Value *Term = emitPartial(R, I, Op, Tangent, Target, B, ValueOf);
    if (!Term)
      continue;
    if (!Sum) {
      Sum = Term;
      continue;
    }
    IRBuilderBase::FastMathFlagGuard Guard(B);
    B.setFastMathFlags(getDerivedFlags(I));
    Sum = B.CreateFAdd(Sum, Term);
  }
  return Sum;
}
