//===- Request/Markers.cpp - The markers of a request ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Request/Markers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

/// The last component of an Itanium nested name: _ZN2ad11pardiff_dupE, or a
/// name of internal linkage: _ZL11pardiff_dup. Empty if Symbol is something
/// else.
static StringRef getItaniumName(StringRef Symbol) {
  if (!Symbol.consume_front("_Z"))
    return "";
  Symbol.consume_front("N");
  StringRef Last;
  while (true) {
    Symbol.consume_front("L");
    unsigned Length = 0;
    if (Symbol.consumeInteger(10, Length) || Length > Symbol.size())
      return Last;
    Last = Symbol.take_front(Length);
    Symbol = Symbol.drop_front(Length);
  }
}

/// The variable's name in the source.
static StringRef getSourceName(StringRef Symbol) {
  if (Symbol.starts_with("_Z"))
    return getItaniumName(Symbol);
  // flang: _QM<module>E<variable>, all lower case but the separators.
  if (Symbol.starts_with("_Q") && Symbol.contains('E'))
    return Symbol.rsplit('E').second;
  // Common blocks get an underscore.
  Symbol.consume_back("_");
  return Symbol;
}

static bool hasPrefix(StringRef Name) {
  return Name.starts_with("pardiff_") || Name.starts_with("enzyme_");
}

Marker pardiff::getMarkerByName(StringRef Symbol) {
  StringRef Name = getSourceName(Symbol);
  if (!hasPrefix(Name))
    return Marker::None;
  Name = Name.split('_').second;
  return StringSwitch<Marker>(Name)
      .Case("const", Marker::Const)
      .Case("dup", Marker::Dup)
      .Case("dupnoneed", Marker::DupNoNeed)
      .Case("out", Marker::Out)
      .Case("primal_return", Marker::PrimalReturn)
      .Cases({"noret", "const_return"}, Marker::ConstReturn)
      .Case("width", Marker::Width)
      .Case("tape", Marker::Tape)
      .Case("allocated", Marker::Allocated)
      .Cases({"dupv", "dupnoneedv", "active_return", "dup_return", "interleave",
              "nofree", "byref", "not_overwritten", "runtime_activity"},
             Marker::Unknown)
      .Default(Marker::None);
}

/// The global variable whose value or address Arg is.
static const GlobalVariable *getGlobal(const Value *Arg) {
  // `...` promotes markers that are narrower than int.
  while (isa<SExtInst, ZExtInst, TruncInst>(Arg))
    Arg = cast<CastInst>(Arg)->getOperand(0);
  if (auto *Load = dyn_cast<LoadInst>(Arg))
    Arg = Load->getPointerOperand();
  return dyn_cast<GlobalVariable>(Arg->stripPointerCastsAndAliases());
}

/// A variable that looks like a marker and is defined nowhere is a misspelt
/// one.
static bool looksLikeMarker(const GlobalVariable &G) {
  return G.isDeclaration() && G.getValueType()->isIntegerTy() &&
         getSourceName(G.getName()).starts_with("pardiff_");
}

Marker pardiff::getMarker(const Value *Arg) {
  const GlobalVariable *G = getGlobal(Arg);
  if (!G)
    return Marker::None;
  Marker Kind = getMarkerByName(G->getName());
  if (Kind == Marker::None && looksLikeMarker(*G))
    return Marker::Unknown;
  return Kind;
}

StringRef pardiff::getMarkerName(const Value *Arg) {
  if (getMarker(Arg) == Marker::None)
    return "";
  return getSourceName(getGlobal(Arg)->getName());
}
