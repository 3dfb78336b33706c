//===- Request/Register.cpp - Rules that users register -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Request/Register.h"
#include "Request/Overloads.h"
#include "Request/Request.h"
#include "Support/Names.h"
#include "Support/UserRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace pardiff;

/// On functions that this file has made noinline.
static constexpr StringLiteral AddedNoInline = "pardiff-noinline";
/// On registrations that were found wrong: one error is enough.
static constexpr StringLiteral Reported = "pardiff-reported";

namespace {

enum class Kind { None, Derivative, Gradient, Inactive, Like, Allocation };

/// One registration.
class Registration {
public:
  explicit Registration(Kind What, ArrayRef<Constant *> Items = {})
      : What(What), Items(Items) {}
  /// Takes the items from an initial value. False if that is not possible.
  bool collect(Constant &C);
  /// Marks the function. Returns what is wrong; nothing if all is right.
  std::string apply();

private:
  std::string applyDerivative(Function &F);
  std::string applyGradient(Function &F);
  std::string applyLike(Function &F);
  std::string applyAllocation(Function &F);
  std::string attach(Function &F, StringRef Name, ArrayRef<Function *> Rule);
  Function *getFunction(unsigned I) const {
    return I < Items.size() ? dyn_cast_or_null<Function>(Items[I]) : nullptr;
  }
  StringRef getText(unsigned I) const;

  Kind What;
  SmallVector<Constant *, 4> Items;
};

} // namespace

static Kind getKind(const GlobalVariable &G) {
  StringRef Name = G.getName();
  size_t At = Name.find("__pardiff_");
  if (At == StringRef::npos)
    At = Name.find("__enzyme_");
  if (At == StringRef::npos || !G.hasInitializer())
    return Kind::None;
  Name = Name.drop_front(At + 2).split('_').second;
  if (Name.starts_with("register_derivative"))
    return Kind::Derivative;
  if (Name.starts_with("register_gradient"))
    return Kind::Gradient;
  if (Name.starts_with("inactivefn"))
    return Kind::Inactive;
  if (Name.starts_with("function_like"))
    return Kind::Like;
  return Name.starts_with("allocation_like") ? Kind::Allocation : Kind::None;
}

bool pardiff::hasRegistrations(const Module &M) {
  return any_of(M.globals(),
                [](const GlobalVariable &G) {
                  return getKind(G) != Kind::None;
                }) ||
         any_of(M, isOverload);
}

/// Takes the initial value apart. Numbers may be hidden in pointers.
bool Registration::collect(Constant &C) {
  if (isa<ConstantAggregate>(C)) {
    for (Use &U : C.operands())
      if (!collect(*cast<Constant>(U)))
        return false;
    return true;
  }
  if (isa<ConstantAggregateZero>(C))
    return false;
  Constant *Item = &C;
  if (auto *E = dyn_cast<ConstantExpr>(Item);
      E && E->getOpcode() == Instruction::IntToPtr)
    Item = E->getOperand(0);
  Items.push_back(cast<Constant>(Item->stripPointerCastsAndAliases()));
  return true;
}

/// The characters of item I, a string.
StringRef Registration::getText(unsigned I) const {
  auto *Var = I < Items.size() ? dyn_cast<GlobalVariable>(Items[I]) : nullptr;
  auto *Data = Var && Var->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(Var->getInitializer())
                   : nullptr;
  return Data && Data->isCString() ? Data->getAsCString() : "";
}

static std::string print(Type *Ty) {
  std::string Text;
  raw_string_ostream(Text) << *Ty;
  return Text;
}

static std::string print(ArrayRef<Type *> Types) {
  std::string Text = "(";
  for (Type *Ty : Types)
    Text += (Text.size() == 1 ? "" : ", ") + print(Ty);
  return Text + ")";
}

SmallVector<Type *, 8> pardiff::getRuleParams(const FunctionType &Primal,
                                              bool IsGradient) {
  SmallVector<Type *, 8> Params;
  for (Type *Param : Primal.params()) {
    Params.push_back(Param);
    if (IsGradient ? Param->isPointerTy() : hasTangent(Param))
      Params.push_back(Param);
  }
  return Params;
}

Type *pardiff::getReturned(const Function &F) {
  return F.hasStructRetAttr() ? F.getParamStructRetType(0) : F.getReturnType();
}

SmallVector<Type *, 4> pardiff::getReturnedFields(const Function &F) {
  Type *Ty = getReturned(F);
  if (Ty->isVoidTy())
    return {};
  if (auto *Struct = dyn_cast<StructType>(Ty))
    return SmallVector<Type *, 4>(Struct->elements());
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  if (Vector && Vector->getNumElements() == 2)
    return {Vector->getElementType(), Vector->getElementType()};
  return {Ty};
}

static SmallVector<Type *, 8> getParams(const Function &F) {
  ArrayRef<Type *> All = F.getFunctionType()->params();
  return SmallVector<Type *, 8>(All.drop_front(F.hasStructRetAttr()));
}

static std::string name(const Function &F) {
  return "'" + getReadableName(F) + "'";
}

/// Empty if F has these parameters.
static std::string checkParams(const Function &F, ArrayRef<Type *> Expected) {
  if (!F.isVarArg() && ArrayRef<Type *>(getParams(F)) == Expected)
    return "";
  return name(F) + " must have the parameters " + print(Expected) +
         " but has " + print(getParams(F));
}

std::string Registration::attach(Function &F, StringRef Name,
                                 ArrayRef<Function *> Rule) {
  if (F.hasMetadata(Name))
    return name(F) + " has a rule of this kind already";
  SmallVector<Metadata *, 2> Operands;
  for (Function *Part : Rule)
    Operands.push_back(ConstantAsMetadata::get(Part));
  F.setMetadata(Name, MDNode::get(F.getContext(), Operands));
  return "";
}

std::string Registration::applyDerivative(Function &F) {
  Function *Rule = getFunction(1);
  if (!Rule || Items.size() != 2)
    return "it must be the function and its derivative";
  std::string Wrong = checkParams(
      *Rule, getRuleParams(*F.getFunctionType(), /*IsGradient=*/false));
  if (!Wrong.empty())
    return Wrong;
  Type *Result = F.getReturnType();
  SmallVector<Type *, 4> Returned = getReturnedFields(*Rule);
  bool IsVoid = Result->isVoidTy() && Returned.empty();
  bool IsPair =
      Returned.size() == 2 && Returned[0] == Result && Returned[1] == Result;
  bool IsPlain =
      !hasTangent(Result) && Returned.size() == 1 && Returned[0] == Result;
  if (!IsVoid && !IsPair && !IsPlain)
    return name(*Rule) + " must return " +
           (!hasTangent(Result) ? "what " + name(F) + " returns"
                                : "a structure of the value of " + name(F) +
                                      " and its tangent");
  return attach(F, UserDerivativeName, {Rule});
}

std::string Registration::applyGradient(Function &F) {
  Function *Augmented = getFunction(1), *Reverse = getFunction(2);
  if (!Augmented || !Reverse || Items.size() != 3)
    return "it must be the function, the augmented function and the reverse "
           "function";
  Type *Result = F.getReturnType();
  if (Result->isPointerTy() || isa<StructType, ArrayType>(Result))
    return "a function that returns " + print(Result) + " can have no gradient";
  SmallVector<Type *, 8> Params =
      getRuleParams(*F.getFunctionType(), /*IsGradient=*/true);
  std::string Wrong = checkParams(*Augmented, Params);
  if (!Wrong.empty())
    return Wrong;
  Type *Ptr = PointerType::getUnqual(F.getContext());
  SmallVector<Type *, 4> Returned = getReturnedFields(*Augmented);
  bool HasTape = !Returned.empty() && Returned.front()->isPointerTy();
  ArrayRef<Type *> Values = ArrayRef<Type *>(Returned).drop_front(HasTape);
  if (Result->isVoidTy() ? !Values.empty()
                         : Values.size() != 1 || Values[0] != Result)
    return name(*Augmented) + " must return what " + name(F) +
           " returns, behind a pointer if there is a tape";
  if (hasTangent(Result))
    Params.push_back(Result);
  if (HasTape)
    Params.push_back(Ptr);
  Wrong = checkParams(*Reverse, Params);
  if (!Wrong.empty())
    return Wrong;
  SmallVector<Type *, 4> Adjoints;
  for (Type *Param : F.getFunctionType()->params())
    if (hasTangent(Param) && !Param->isPointerTy())
      Adjoints.push_back(Param);
  if (getReturnedFields(*Reverse) != Adjoints)
    return name(*Reverse) + " must return the derivatives " + print(Adjoints);
  return attach(F, UserGradientName, {Augmented, Reverse});
}

std::string Registration::applyLike(Function &F) {
  if (getText(1).empty())
    return "it must be the function and the name of one of math.h";
  if (F.hasFnAttribute(UserMathAttr))
    return name(F) + " has a rule of this kind already";
  F.addFnAttr(UserMathAttr, getText(1));
  return "";
}

std::string Registration::applyAllocation(Function &F) {
  Function *Free = getFunction(3);
  unsigned SizeIndex = 0, FreedIndex = 0;
  auto *Number = Items.size() > 1 ? dyn_cast<ConstantInt>(Items[1]) : nullptr;
  if (Number)
    SizeIndex = Number->getLimitedValue(1000);
  else if (Items.size() < 2 || !Items[1]->isNullValue())
    return "the second item must be the number of the parameter that is the "
           "size";
  StringRef Freed = getText(2);
  if (Freed != "-1" && Freed.getAsInteger(10, FreedIndex))
    return "the third item must be the number of the parameter that is freed, "
           "as a string";
  if (!Free || Items.size() != 4)
    return "the fourth item must be the function that frees";
  if (!F.getReturnType()->isPointerTy() || SizeIndex >= F.arg_size() ||
      !F.getArg(SizeIndex)->getType()->isIntegerTy())
    return name(F) + " must return a pointer, and its parameter " +
           std::to_string(SizeIndex) + " must be an integer";
  if (Free->arg_size() != 1 || !Free->getArg(0)->getType()->isPointerTy())
    return name(*Free) + " must have one parameter, a pointer";
  F.addFnAttr(UserAllocatesAttr, std::to_string(SizeIndex));
  if (Free->isIntrinsic() || Free->getName() == "free")
    return "";
  Free->addFnAttr(UserFreesAttr, "0");
  Free->addFnAttr(KeepCallAttr);
  return "";
}

std::string Registration::apply() {
  Function *F = getFunction(0);
  if (!F)
    return "it must begin with a function";
  if (F->isVarArg())
    return name(*F) + " has variable arguments";
  std::string Wrong;
  if (What == Kind::Derivative)
    Wrong = applyDerivative(*F);
  else if (What == Kind::Gradient)
    Wrong = applyGradient(*F);
  else if (What == Kind::Like)
    Wrong = applyLike(*F);
  else if (What == Kind::Allocation)
    Wrong = applyAllocation(*F);
  else
    F->addFnAttr(UserInactiveAttr);
  if (Wrong.empty())
    F->addFnAttr(KeepCallAttr);
  return Wrong;
}

/// "rules.c:12: ", where that is known.
static std::string getPlaceOf(const GlobalVariable &G) {
  SmallVector<DIGlobalVariableExpression *, 1> Infos;
  G.getDebugInfo(Infos);
  if (Infos.empty())
    return "";
  DIGlobalVariable *Var = Infos.front()->getVariable();
  return (Var->getFilename() + ":" + Twine(Var->getLine()) + ": ").str();
}

static std::string getPlaceOf(const Function &F) {
  const DISubprogram *P = F.getSubprogram();
  return P ? (P->getFilename() + ":" + Twine(P->getLine()) + ": ").str() : "";
}

/// Marks the functions that have rules in the namespace of rules.
static void markOverloads(Module &M, SmallVectorImpl<std::string> &Errors) {
  SmallVector<WrongOverload, 2> Wrong;
  for (const Overload &O : findOverloads(M, Wrong)) {
    SmallVector<Constant *, 3> Items = {O.Primal};
    append_range(Items, O.Parts);
    std::string Why =
        Registration(O.IsGradient ? Kind::Gradient : Kind::Derivative, Items)
            .apply();
    if (!Why.empty())
      Wrong.push_back({O.Parts.back(), Why});
  }
  for (const WrongOverload &W : Wrong) {
    if (W.Rule->hasFnAttribute(Reported))
      continue;
    W.Rule->addFnAttr(Reported);
    Errors.push_back(getPlaceOf(*W.Rule) + name(*W.Rule) +
                     " is not a valid rule: " + W.Why);
  }
}

SmallVector<std::string, 2> pardiff::markRegistered(Module &M) {
  SmallVector<std::string, 2> Errors;
  for (GlobalVariable &G : M.globals()) {
    Kind What = getKind(G);
    if (What == Kind::None)
      continue;
    Registration R(What);
    std::string Wrong = R.collect(*G.getInitializer())
                            ? R.apply()
                            : "its initial value must be constant";
    if (Wrong.empty() || G.hasAttribute(Reported))
      continue;
    G.addAttribute(Reported);
    Errors.push_back(getPlaceOf(G) + "'" + G.getName().str() +
                     "' is not a valid rule: " + Wrong);
  }
  markOverloads(M, Errors);
  return Errors;
}

void pardiff::unmarkRegistered(Module &M, bool KeepCalls) {
  for (Function &F : M) {
    if (F.getName().starts_with("pardiff."))
      continue;
    if (F.hasFnAttribute(KeepCallAttr) && KeepCalls &&
        !F.hasFnAttribute(Attribute::NoInline) &&
        !F.hasFnAttribute(Attribute::AlwaysInline)) {
      F.addFnAttr(Attribute::NoInline);
      F.addFnAttr(AddedNoInline);
    }
    if (!KeepCalls && F.hasFnAttribute(AddedNoInline)) {
      F.removeFnAttr(Attribute::NoInline);
      F.removeFnAttr(AddedNoInline);
    }
    for (StringRef Attr : {KeepCallAttr, UserInactiveAttr, UserMathAttr,
                           UserAllocatesAttr, UserFreesAttr})
      F.removeFnAttr(Attr);
    F.setMetadata(UserDerivativeName, nullptr);
    F.setMetadata(UserGradientName, nullptr);
  }
}

/// The functions that are operands of C, at any depth.
static void collectFunctions(const Constant &C,
                             SmallSetVector<Function *, 32> &Functions) {
  if (auto *F = dyn_cast<Function>(&C))
    Functions.insert(const_cast<Function *>(F));
  else if (!isa<GlobalValue>(C))
    for (const Use &U : C.operands())
      collectFunctions(*cast<Constant>(U), Functions);
}

void pardiff::eraseRegistrations(Module &M,
                                 function_ref<void(Function &)> Forget) {
  SmallSetVector<GlobalValue *, 32> Private;
  SmallSetVector<Function *, 32> Work;
  for (GlobalVariable &G : M.globals())
    if (getKind(G) != Kind::None && G.hasLocalLinkage())
      Private.insert(&G);
  for (Function &F : M)
    if (isOverload(F) && F.hasLocalLinkage()) {
      Private.insert(&F);
      Work.insert(&F);
    }
  if (Private.empty())
    return;
  removeFromUsedLists(M, [&](Constant *C) {
    return Private.contains(dyn_cast<GlobalValue>(C->stripPointerCasts()));
  });
  for (GlobalValue *V : Private) {
    auto *G = dyn_cast<GlobalVariable>(V);
    if (!G)
      continue;
    G->removeDeadConstantUsers();
    if (!G->use_empty())
      continue;
    collectFunctions(*G->getInitializer(), Work);
    G->eraseFromParent();
  }
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    F->removeDeadConstantUsers();
    if (F->isDeclaration() || !F->hasLocalLinkage() || !F->use_empty())
      continue;
    for (Instruction &I : instructions(*F))
      for (Value *Op : I.operands())
        if (auto *C = dyn_cast<Constant>(Op))
          collectFunctions(*C, Work);
    Forget(*F);
    F->eraseFromParent();
  }
}
