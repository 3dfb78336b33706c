//===- Request/Overloads.cpp - Rules by the names of functions ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule that fits no function is an error only if a function of its name is
// there that has no rule: a header may have rules for functions that a file
// does not use.
//
//===----------------------------------------------------------------------===//

#include "Request/Overloads.h"
#include "Request/Register.h"
#include "Request/Request.h"
#include "Support/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include <cstdlib>
#include <map>

using namespace llvm;
using namespace pardiff;

static constexpr StringLiteral RuleNamespace = "pardiff::derivatives";

bool pardiff::isOverload(const Function &F) {
  return F.getName().starts_with("_ZN7pardiff11derivatives") &&
         !F.isDeclaration();
}

namespace {

enum class Part { Derivative, Augmented, Reverse };

/// The name of a function, taken apart.
struct Signature {
  Function *F = nullptr;
  std::string Context, Base; ///< n::S, f
  SmallVector<std::string, 4> Params;
  bool HasTypes = true; ///< Params is known
};

/// A rule of which one part is known.
struct Rule {
  Signature Sig; ///< with Base of the function that it serves
  Part What = Part::Derivative;
  bool Used = false;
};

} // namespace

/// Takes what a demangler has allocated.
static std::string take(char *Text) {
  std::string Result = Text ? Text : "";
  std::free(Text);
  return Result;
}

/// "(int, n::t<int, int>)" to its two parts.
static SmallVector<std::string, 4> splitParams(StringRef Text) {
  SmallVector<std::string, 4> Params;
  Text.consume_front("(");
  Text.consume_back(")");
  unsigned Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    if (StringRef("(<[{").contains(Text[I]))
      ++Depth;
    else if (StringRef(")>]}").contains(Text[I]))
      Depth -= Depth != 0;
    else if (Text[I] == ',' && Depth == 0) {
      Params.push_back(Text.slice(Start, I).trim().str());
      Start = I + 1;
    }
  }
  if (!Text.drop_front(Start).trim().empty())
    Params.push_back(Text.drop_front(Start).trim().str());
  return Params;
}

/// False if F has no name that a rule could have been written for.
static bool readSignature(Function &F, Signature &S) {
  S.F = &F;
  std::string Name = F.getName().str();
  if (F.isIntrinsic() || F.getName().starts_with("pardiff."))
    return false;
  if (!F.getName().starts_with("_Z")) {
    S.Base = Name;
    S.HasTypes = false;
    return true;
  }
  ItaniumPartialDemangler D;
  if (D.partialDemangle(Name.c_str()) || !D.isFunction() || D.isSpecialName() ||
      D.isCtorOrDtor())
    return false;
  S.Base = take(D.getFunctionBaseName(nullptr, nullptr));
  S.Context = take(D.getFunctionDeclContextName(nullptr, nullptr));
  S.Params = splitParams(take(D.getFunctionParameters(nullptr, nullptr)));
  // A member function has its object in front.
  unsigned Count = F.arg_size() - F.hasStructRetAttr();
  if (Count == S.Params.size() + 1 && !S.Context.empty())
    S.Params.insert(S.Params.begin(),
                    S.Context + (StringRef(demangle(Name)).ends_with(" const")
                                     ? " const*"
                                     : "*"));
  return true;
}

/// Reads the name of a rule. False if F is some other function that a rule
/// calls.
static bool readRule(Function &F, Rule &R) {
  if (!readSignature(F, R.Sig))
    return false;
  StringRef Context = R.Sig.Context;
  if (!Context.consume_front(RuleNamespace))
    return false;
  Context.consume_front("::");
  R.Sig.Context = Context.str();
  StringRef Base = R.Sig.Base;
  if (Base.consume_back("_derivative"))
    R.What = Part::Derivative;
  else if (Base.consume_back("_augmented"))
    R.What = Part::Augmented;
  else if (Base.consume_back("_reverse"))
    R.What = Part::Reverse;
  else
    return false;
  R.Sig.Base = Base.str();
  return true;
}

/// True if the parameters of F stand in the rule's, with as many others between
/// and behind them as its part of a rule has.
static bool fits(const Rule &R, const Signature &S) {
  const FunctionType &Primal = *S.F->getFunctionType();
  bool IsGradient = R.What != Part::Derivative;
  SmallVector<Type *, 8> Expected = getRuleParams(Primal, IsGradient);
  ArrayRef<Type *> Types = R.Sig.F->getFunctionType()->params();
  Types = Types.drop_front(R.Sig.F->hasStructRetAttr());
  ArrayRef<std::string> Texts = R.Sig.Params;
  if (Types.size() != Texts.size() ||
      (S.HasTypes && S.Params.size() != Primal.getNumParams()) ||
      Texts.size() < Expected.size())
    return false;
  size_t Behind = Texts.size() - Expected.size();
  // The adjoint of the result, and a tape.
  size_t Seeds = hasTangent(Primal.getReturnType());
  if (R.What == Part::Reverse ? Behind < Seeds || Behind > Seeds + 1
                              : Behind != 0)
    return false;
  size_t At = 0;
  for (auto [I, Param] : enumerate(Primal.params())) {
    if (S.HasTypes ? Texts[At] != S.Params[I] : Types[At] != Param)
      return false;
    At += 1 + (IsGradient ? Param->isPointerTy() : hasTangent(Param));
  }
  return true;
}

/// "(double, double, int)", as a user writes them for F.
static std::string describe(const Signature &S, Part What) {
  if (!S.HasTypes || S.Params.size() != S.F->getFunctionType()->getNumParams())
    return "those of '" + getReadableName(*S.F) + "' with shadows or tangents";
  std::string Text;
  auto Add = [&](StringRef Param) {
    Text += (Text.empty() ? "" : ", ") + Param.str();
  };
  for (auto [I, Param] : enumerate(S.F->getFunctionType()->params())) {
    Add(S.Params[I]);
    if (What == Part::Derivative ? hasTangent(Param) : Param->isPointerTy())
      Add(S.Params[I]);
  }
  Text = "(" + Text + ")";
  if (What == Part::Reverse)
    Text +=
        ", and behind them the adjoint of the result and the tape, if there "
        "are such";
  return Text;
}

/// Pairs the parts of the gradient of a function.
static void pairGradients(const Signature &S, ArrayRef<Rule *> Augmented,
                          ArrayRef<Rule *> Reverse,
                          SmallVectorImpl<Overload> &Found,
                          SmallVectorImpl<WrongOverload> &Wrong) {
  std::string Name = "'" + getReadableName(*S.F) + "'";
  bool HasPointers = any_of(S.F->args(), [](const Argument &A) {
    return A.getType()->isPointerTy();
  });
  for (ArrayRef<Rule *> Parts : {Augmented, Reverse})
    for (Rule *Second : Parts.drop_front(!Parts.empty()))
      Wrong.push_back(
          {Second->Sig.F, Name + " has a rule of this kind already"});
  if (Augmented.empty() && Reverse.empty())
    return;
  if (Reverse.empty())
    return Wrong.push_back(
        {Augmented[0]->Sig.F,
         "there is no '" + S.Base + "_reverse' for " + Name + " beside it"});
  if (Augmented.empty() && HasPointers)
    return Wrong.push_back(
        {Reverse[0]->Sig.F, "there is no '" + S.Base + "_augmented' for " +
                                Name + ", which has pointers, beside it"});
  // What is passed by value is kept anyway.
  Function *Forward = Augmented.empty() ? S.F : Augmented[0]->Sig.F;
  Found.push_back({S.F, {Forward, Reverse[0]->Sig.F}, /*IsGradient=*/true});
}

/// Pairs the rules with the functions that have their names.
static void pairRules(ArrayRef<Rule *> Rules, ArrayRef<Signature> Functions,
                      SmallVectorImpl<Overload> &Found,
                      SmallVectorImpl<WrongOverload> &Wrong) {
  SmallVector<const Signature *, 2> WithoutRule[2];
  for (const Signature &S : Functions) {
    SmallVector<Rule *, 2> Of[3];
    for (Rule *R : Rules)
      if (fits(*R, S)) {
        R->Used = true;
        Of[unsigned(R->What)].push_back(R);
      }
    for (Rule *R : Of[0])
      Found.push_back({S.F, {R->Sig.F}, /*IsGradient=*/false});
    pairGradients(S, Of[1], Of[2], Found, Wrong);
    for (bool IsGradient : {false, true})
      if (IsGradient ? Of[1].empty() && Of[2].empty() : Of[0].empty())
        WithoutRule[IsGradient].push_back(&S);
  }
  for (Rule *R : Rules) {
    ArrayRef<const Signature *> Left = WithoutRule[R->What != Part::Derivative];
    if (!R->Used && !Left.empty())
      Wrong.push_back(
          {R->Sig.F, "it serves none of the functions of this name: "
                     "for '" +
                         getReadableName(*Left.front()->F) +
                         "' its parameters must be " +
                         describe(*Left.front(), R->What)});
  }
}

SmallVector<Overload, 4>
pardiff::findOverloads(Module &M, SmallVectorImpl<WrongOverload> &Wrong) {
  SmallVector<Overload, 4> Found;
  SmallVector<Rule, 4> Rules;
  for (Function &F : M) {
    Rule R;
    if (isOverload(F) && readRule(F, R))
      Rules.push_back(std::move(R));
  }
  if (Rules.empty())
    return Found;
  struct Group {
    SmallVector<Rule *, 2> Rules;
    SmallVector<Signature, 2> Functions;
  };
  auto GetKey = [](const Signature &S) { return S.Context + "::" + S.Base; };
  std::map<std::string, Group> Groups;
  for (Rule &R : Rules)
    Groups[GetKey(R.Sig)].Rules.push_back(&R);
  for (Function &F : M) {
    Signature S;
    if (isOverload(F) || !readSignature(F, S))
      continue;
    auto It = Groups.find(GetKey(S));
    if (It != Groups.end())
      It->second.Functions.push_back(std::move(S));
  }
  for (auto &[Key, G] : Groups)
    pairRules(G.Rules, G.Functions, Found, Wrong);
  return Found;
}
