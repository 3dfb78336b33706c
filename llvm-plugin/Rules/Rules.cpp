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
#include "Rules/Helpers.h"
#include "Rules/Rule.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "Support/UserRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pardiff;

//===----------------------------------------------------------------------===//
// Finding a rule
//===----------------------------------------------------------------------===//

/// The tables, in the order of their search.
static SmallVector<const Rule *, 192> getAllRules() {
  SmallVector<const Rule *, 192> All;
  for (ArrayRef<Rule> Table :
       {getRuleTable(), getLibraryTable(), getComplexTable()})
    for (const Rule &R : Table)
      All.push_back(&R);
  return All;
}

/// A call of which nothing but fields are used: its fields have rules, itself
/// it passes nothing on.
static const Rule SeveralResults = {"several results", {}, 0, {}};

/// The name in math.h of a spelling of the same function.
static StringRef getCanonicalName(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Case("drem", "remainder")
      .Case("pow10", "exp10")
      .Default(Name);
}

/// Takes off what glibc puts around the name of a function: "__exp_finite" and
/// the vector variants "_ZGVbN2v_exp".
static StringRef stripVariant(StringRef Name) {
  StringRef Full = Name;
  if (Name.consume_front("_ZGV")) {
    auto [Variant, Scalar] = Name.split('_');
    // The last letters: one v for each vector.
    StringRef Params = Variant.drop_front(std::min<size_t>(2, Variant.size()))
                           .ltrim("0123456789");
    return Params.empty() || Params.trim('v') != "" ? Full : Scalar;
  }
  if (Name.consume_front("__") && Name.consume_back("_finite"))
    return Name;
  return Full;
}

namespace {

/// Entries of the table by what they match, in the order of the table.
class RuleIndex {
public:
  RuleIndex() {
    for (const Rule *R : getAllRules()) {
      if (R->How.Opcode)
        ByOpcode[R->How.Opcode].push_back(R);
      for (Intrinsic::ID Id : R->How.Ids)
        if (Id != Intrinsic::not_intrinsic)
          ByIntrinsic[Id].push_back(R);
      if (R->How.Library)
        ByName[R->How.Library].push_back(R);
    }
  }

  const Rule *find(const Instruction &I) const {
    if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
      auto *From = dyn_cast<CallInst>(Extract->getAggregateOperand());
      if (!From || Extract->getNumIndices() != 1)
        return nullptr;
      return findFor(*From, Extract->getIndices().front());
    }
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      return pick(ByOpcode.lookup(I.getOpcode()), I, -1);
    if (!isa<StructType>(Call->getType()))
      return findFor(*Call, -1);
    bool OnlyFields = all_of(Call->users(), [](const User *U) {
      auto *Extract = dyn_cast<ExtractValueInst>(U);
      return Extract && Extract->getNumIndices() == 1;
    });
    return OnlyFields && findFor(*Call, 0) ? &SeveralResults : nullptr;
  }

  const Rule *findFor(const CallInst &Call, int Field) const {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || Call.hasOperandBundles())
      return nullptr;
    if (Intrinsic::ID Id = Callee->getIntrinsicID())
      return pick(ByIntrinsic.lookup(Id), Call, Field);
    bool IsUsers = Callee->hasFnAttribute(UserMathAttr);
    if (!IsUsers && (!Callee->isDeclaration() || Call.isNoBuiltin()))
      return nullptr;
    if (Callee->isVarArg())
      return nullptr;
    for (const Rule *R : findLibrary(*Callee))
      if (hasSignature(*R, *Callee) &&
          (R->How.IsComplex || R->How.Field == Field) &&
          (!R->How.When || R->How.When(Call)))
        return R;
    return nullptr;
  }

private:
  using Entries = SmallVector<const Rule *, 2>;

  static const Rule *pick(const Entries &Candidates, const Instruction &I,
                          int Field) {
    for (const Rule *R : Candidates)
      if (R->How.Field == Field && (!R->How.When || R->How.When(I)))
        return R;
    return nullptr;
  }

  /// True if F has the types of the operation: all of its floating-point
  /// parameters have the type of its result.
  static bool hasSignature(const Rule &R, const Function &F) {
    Type *Ty = F.getReturnType();
    if (R.How.IsComplex)
      return isComplexSignature(R, F);
    if (F.arg_size() != R.NumOperands ||
        R.How.IsIntegerResult != Ty->isIntegerTy())
      return false;
    if (R.How.IsIntegerResult)
      Ty = F.getArg(0)->getType();
    if (!Ty->isFPOrFPVectorTy())
      return false;
    for (const Argument &A : F.args())
      if (int(A.getArgNo()) == R.How.IntegerOperand
              ? !A.getType()->isIntegerTy()
              : A.getType() != Ty)
        return false;
    return true;
  }

  static bool areAll(ArrayRef<Type *> Types, Type *Ty) {
    return all_of(Types, [&](Type *T) { return T == Ty; });
  }

  /// Complex numbers as pairs of scalars that come back as a structure or as a
  /// vector, or all as vectors of two (float on x86-64).
  static bool isComplexSignature(const Rule &R, const Function &F) {
    unsigned NumComplex = R.NumOperands / 2;
    Type *Ty = F.getReturnType();
    Type *Scalar = nullptr;
    if (auto *Struct = dyn_cast<StructType>(Ty)) {
      if (Struct->getNumElements() != 2 || !all_equal(Struct->elements()))
        return false;
      Scalar = Struct->getElementType(0);
    } else {
      auto *Vector = dyn_cast<FixedVectorType>(Ty);
      if (Vector && Vector->getNumElements() != 2)
        return false;
      Scalar = Ty->getScalarType();
    }
    if (!Scalar->isFloatingPointTy())
      return false;
    Type *Pair = FixedVectorType::get(Scalar, 2);
    // Behind the complex numbers may stand an integer.
    ArrayRef<Type *> Params = F.getFunctionType()->params();
    if (R.How.IntegerOperand >= 0) {
      if (Params.empty() || !Params.back()->isIntegerTy())
        return false;
      Params = Params.drop_back();
    }
    if (Params.size() == NumComplex && areAll(Params, Pair))
      return !isa<StructType>(Ty);
    return Params.size() == R.NumOperands && areAll(Params, Scalar);
  }

  /// Entries for a function by its name.
  Entries findLibrary(const Function &F) const {
    if (Attribute Like = F.getFnAttribute(UserMathAttr); Like.isValid()) {
      auto It = ByName.find(getCanonicalName(Like.getValueAsString()));
      return It == ByName.end() ? Entries() : It->second;
    }
    auto Exact = ByName.find(F.getName());
    if (Exact != ByName.end() && Exact->second.front()->How.IsExactName)
      return Exact->second;
    StringRef Name = stripVariant(F.getName());
    if (F.arg_size() == 0)
      return {};
    const Type *Ty = F.getArg(F.arg_size() - 1)->getType()->getScalarType();
    if (Ty->isIntegerTy())
      Ty = F.getReturnType()->getScalarType();
    if (Ty->isFloatTy()) {
      if (!Name.consume_back("f"))
        return {};
    } else if (!Ty->isDoubleTy() && !Name.consume_back("l")) {
      return {};
    }
    auto It = ByName.find(getCanonicalName(Name));
    if (It == ByName.end() || It->second.front()->How.IsExactName)
      return {};
    return It->second;
  }

  DenseMap<unsigned, Entries> ByOpcode, ByIntrinsic;
  StringMap<Entries> ByName;
};

} // namespace

static const RuleIndex &getIndex() {
  static const RuleIndex Index;
  return Index;
}

const Rule *pardiff::findRule(const Instruction &I) {
  return getIndex().find(I);
}

bool pardiff::isMathFunction(const CallInst &Call) {
  return getIndex().findFor(Call, isa<StructType>(Call.getType()) ? 0 : -1);
}

const Instruction &pardiff::getOperation(const Instruction &I) {
  if (auto *Extract = dyn_cast<ExtractValueInst>(&I))
    if (findRule(I))
      return *cast<CallInst>(Extract->getAggregateOperand());
  return I;
}

void pardiff::printRules(raw_ostream &OS) {
  for (const Rule *R : getAllRules()) {
    OS << R->Name << ":";
    if (R->How.Opcode)
      OS << " " << Instruction::getOpcodeName(R->How.Opcode);
    for (Intrinsic::ID Id : R->How.Ids)
      if (Id != Intrinsic::not_intrinsic)
        OS << " " << Intrinsic::getBaseName(Id);
    if (R->How.Library)
      OS << " " << R->How.Library;
    OS << "\n";
  }
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
    return "call of " + getReadableName(*Callee);
  return "indirect call";
}

Error pardiff::refuseWithoutRule(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(I))
    return refuse(Reason::NoRule, describeOperation(I), &I);
  return Call->getCalledFunction()
             ? refuse(Reason::UnknownCall, describeOperation(I), &I)
             : refuse(Reason::IndirectCall, "", &I);
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

Value *Emission::field(unsigned N) const {
  Value *All = ValueOf(const_cast<Instruction *>(&Operation));
  if (All->getType()->isVectorTy())
    return B.CreateExtractElement(All, N);
  return B.CreateExtractValue(All, N);
}

unsigned Emission::getField() const {
  return cast<ExtractValueInst>(I).getIndices().front();
}

/// The floating-point type that the operation computes in; of a complex
/// operation the type of the parts.
static Type *getComputeType(const Rule &R, const Instruction &I) {
  Type *Ty = I.getType();
  if (!Ty->isFPOrFPVectorTy())
    Ty = I.getOperand(0)->getType();
  return R.How.IsComplex ? Ty->getScalarType() : Ty;
}

Value *Emission::number(double V) const {
  return ConstantFP::get(getComputeType(R, I), V);
}

Value *Emission::number(StringRef Text) const {
  return ConstantFP::get(getComputeType(R, I), Text);
}

/// The name of the library's function for Ty.
static std::string getLibraryName(StringRef Name, const Type *Ty) {
  if (Ty->isDoubleTy())
    return Name.str();
  return (Name + (Ty->isFloatTy() ? "f" : "l")).str();
}

/// Calls of functions without side effects, whatever their declaration says.
static Value *createPureCall(IRBuilderBase &B, FunctionCallee Callee,
                             ArrayRef<Value *> Args) {
  CallInst *New = B.CreateCall(Callee, Args);
  New->setDoesNotAccessMemory();
  New->setDoesNotThrow();
  New->addFnAttr(Attribute::WillReturn);
  return New;
}

static Module &getModule(IRBuilderBase &B) {
  return *B.GetInsertBlock()->getModule();
}

Value *Emission::call(Intrinsic::ID Id, StringRef Name,
                      ArrayRef<Value *> Args) {
  Type *Ty = getComputeType(R, I);
  bool UsesLibrary = isa<CallInst>(Operation) &&
                     !isa<IntrinsicInst>(Operation) &&
                     (!Ty->isVectorTy() || Id == Intrinsic::not_intrinsic);
  if (!UsesLibrary)
    return B.CreateIntrinsic(Id, {Ty}, Args);

  SmallVector<Type *, 2> ArgTys;
  for (Value *A : Args)
    ArgTys.push_back(A->getType());
  return callLibrary(Name, FunctionType::get(Ty, ArgTys, false), Args);
}

Value *Emission::callLibrary(StringRef Name, FunctionType *Ty,
                             ArrayRef<Value *> Args) {
  // The parameters say float or double, but for an integer of ldexp or jn.
  Type *Scalar = Ty->getReturnType()->getScalarType();
  if (auto *Struct = dyn_cast<StructType>(Scalar))
    Scalar = Struct->getElementType(0);
  std::string Full = getLibraryName(Name, Scalar);
  return createPureCall(B, getModule(B).getOrInsertFunction(Full, Ty), Args);
}

Value *Emission::callSame(ArrayRef<Value *> Args) {
  const Function &Callee = *cast<CallInst>(Operation).getCalledFunction();
  return createPureCall(B, getFunctionIn(getModule(B), Callee), Args);
}

Value *Emission::callHelper(StringRef Name, Value *X) {
  // Functions of float are computed in double.
  Type *Ty = X->getType();
  Type *In = Ty->isFloatTy() ? B.getDoubleTy() : Ty;
  Value *Result = createPureCall(B, getHelper(getModule(B), Name, In),
                                 {B.CreateFPCast(X, In)});
  return B.CreateFPCast(Result, Ty);
}

FastMathFlags pardiff::getDerivedFlags(const Instruction &I) {
  FastMathFlags Flags;
  const Instruction &Operation = getOperation(I);
  if (!isa<FPMathOperator>(Operation))
    return Flags;
  Flags = Operation.getFastMathFlags();
  Flags.setNoNaNs(false);
  Flags.setNoInfs(false);
  return Flags;
}

/// Emits a partial into a value of type Target; null where it is zero.
static Value *emitPartial(const Rule &R, const Instruction &I, unsigned Op,
                          Value *Seed, Type *Target, bool IsForward,
                          IRBuilderBase &B, ValueFn ValueOf) {
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
  Emission C(R, I, Seed, Target, Op, IsForward, B, ValueOf);
  return getPartial(R, Op).Emit(C);
}

Value *pardiff::emitAdjoint(const Rule &R, const Instruction &I, unsigned Op,
                            Value *Seed, IRBuilderBase &B, ValueFn ValueOf) {
  Type *Target = getOperation(I).getOperand(Op)->getType();
  return emitPartial(R, I, Op, Seed, Target, /*IsForward=*/false, B, ValueOf);
}

Value *pardiff::emitGate(const Rule &R, const Instruction &I, unsigned Op,
                         IRBuilderBase &B, ValueFn ValueOf) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.setFastMathFlags(getDerivedFlags(I));
  Emission C(R, I, nullptr, nullptr, Op, /*IsForward=*/false, B, ValueOf);
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
    Value *Term =
        emitPartial(R, I, Op, Tangent, Target, /*IsForward=*/true, B, ValueOf);
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
