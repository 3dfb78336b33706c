//===- Request/Parse.cpp - Read the arguments of a request ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads (f, [marker] argument [shadow], ...) against the parameters of f.
// Nothing is changed here, so a call may be read again after its surroundings
// became clearer (Request/Expose.h). Every error names the argument by its
// number in the call of f, which is also the number of f's parameter.
//
//===----------------------------------------------------------------------===//

#include "Request/Conversion.h"
#include "Request/Markers.h"
#include "Request/Request.h"
#include "Request/Result.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "Support/UserRules.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;
using namespace pardiff;

static std::string toString(Type *T) {
  std::string Text;
  raw_string_ostream(Text) << *T;
  return Text;
}

/// A type by its name in C, where it has one.
static std::string describe(Type *T) {
  if (T->isPointerTy())
    return "a pointer";
  if (T->isFloatTy())
    return "float";
  if (T->isDoubleTy())
    return "double";
  if (T->isIntegerTy())
    return "a " + std::to_string(T->getIntegerBitWidth()) + "-bit integer";
  return "'" + toString(T) + "'";
}

namespace {

/// Goes through the arguments of one call.
class Parser {
public:
  explicit Parser(CallBase &Call)
      : Call(Call), DL(Call.getModule()->getDataLayout()),
        Next(Call.hasStructRetAttr() ? 1 : 0) {}

  Expected<Request> parse();

private:
  Error parsePrimal();
  Error checkSignature();
  Error parseArgument(Argument &Param);
  Error parseMarkers(std::optional<ArgActivity> &Activity, unsigned Number);
  Error checkActivity(ArgActivity Activity, const Argument &Param);
  Error parseShadow(RequestArg &Arg, const Argument &Param);
  Error parseWidth();
  Error parseTape(Marker Kind);
  Error parseSeedAndTape();
  Error parseTapeSize();
  bool isSplit() const {
    return R.Mode == RequestMode::Augmented || R.Mode == RequestMode::Split;
  }
  bool isForward() const { return R.Mode == RequestMode::Forward; }

  bool atEnd() const { return Next == Call.arg_size(); }
  Value *peek() const { return Call.getArgOperand(Next); }
  Error refuseCall(Reason Why, const Twine &Detail = "") const {
    return refuse(Why, Detail, getPlace(Call));
  }
  /// "argument 2 of 'f'"
  std::string argument(unsigned Number) const {
    return ("argument " + Twine(Number) + " of '" + getReadableName(*R.Primal) +
            "'")
        .str();
  }

  CallBase &Call;
  const DataLayout &DL;
  unsigned Next;                   ///< the argument to be read next
  bool LastWasMarkedValue = false; ///< a pardiff_dup of forward mode
  bool HasTapeSize = false;        ///< pardiff_allocated was read
  Request R;
};

} // namespace

/// V without casts; a function may have been an integer for a while.
static const Value *stripCasts(const Value *V) {
  while (true) {
    V = V->stripPointerCasts();
    if (Operator::getOpcode(V) != Instruction::IntToPtr)
      return V;
    const Value *Integer = cast<Operator>(V)->getOperand(0);
    if (Operator::getOpcode(Integer) != Instruction::PtrToInt)
      return V;
    V = cast<Operator>(Integer)->getOperand(0);
  }
}

/// The function that V is, through casts and aliases.
static Expected<Function *> getFunction(const Value *V, const CallBase &Call) {
  // Bounded, although the verifier allows no cycle of aliases.
  for (unsigned Step = 0; Step != 16; ++Step) {
    V = stripCasts(V);
    auto *Alias = dyn_cast<GlobalAlias>(V);
    if (!Alias)
      break;
    if (Alias->isInterposable())
      return refuse(Reason::MayBeReplaced,
                    "'" + Alias->getName() + "' is a weak alias",
                    getPlace(Call));
    V = Alias->getAliasee();
  }
  if (auto *F = dyn_cast<Function>(V))
    return const_cast<Function *>(F);
  return refuse(Reason::UnknownFunction, "", getPlace(Call));
}

Error Parser::parsePrimal() {
  if (atEnd())
    return refuseCall(Reason::UnknownFunction, "the call has no argument");
  Expected<Function *> F = getFunction(peek(), Call);
  if (!F)
    return F.takeError();
  R.Mode = getMode(getEntryPoint(Call));
  R.Call = &Call;
  R.Primal = *F;
  ++Next;
  return checkSignature();
}

Error Parser::checkSignature() {
  Function &F = *R.Primal;
  std::string Name = "'" + getReadableName(F) + "'";
  bool HasRule = F.hasFnAttribute(KeepCallAttr);
  if (F.isDeclaration() && !HasRule)
    return refuseCall(Reason::NotADefinition,
                      Name + (F.isIntrinsic()
                                  ? " is a built-in function"
                                  : " is defined in another file or "
                                    "library"));
  if (F.isInterposable() && !HasRule)
    return refuseCall(Reason::MayBeReplaced, Name + " is weak");
  if (F.isVarArg())
    return refuseCall(Reason::VariadicFunction, Name);
  Type *Ret = F.getReturnType();
  if (isForward())
    return Error::success();
  if (F.hasStructRetAttr())
    return refuseCall(Reason::UnsupportedSignature,
                      Name +
                          " returns a structure; return it through a pointer");
  if (!Ret->isVoidTy() && !Ret->isFloatTy() && !Ret->isDoubleTy() &&
      !Ret->isIntegerTy())
    return refuseCall(Reason::UnsupportedSignature,
                      Name + " returns " + describe(Ret) +
                          "; void, float, double and integers can be returned");
  return Error::success();
}

/// Reads the markers in front of parameter Number.
Error Parser::parseMarkers(std::optional<ArgActivity> &Activity,
                           unsigned Number) {
  for (; !atEnd(); ++Next) {
    Marker Kind = getMarker(peek());
    if (Kind == Marker::None)
      return Error::success();
    std::string Name = "'" + getMarkerName(peek()).str() + "'";
    if (Kind == Marker::Unknown)
      return refuseCall(Reason::UnknownMarker, Name);
    if (Kind == Marker::Width) {
      if (Error E = parseWidth())
        return E;
      continue;
    }
    if (Kind == Marker::Tape || Kind == Marker::Allocated) {
      if (Error E = parseTape(Kind))
        return E;
      continue;
    }
    if (Kind == Marker::ConstReturn && !isForward())
      return refuseCall(Reason::UnknownMarker, Name + " in reverse mode");
    if (Activity)
      return refuseCall(Reason::MarkerAtEnd, "another marker, " + Name +
                                                 ", stands in the place of " +
                                                 argument(Number));
    switch (Kind) {
    case Marker::Const:
      Activity = ArgActivity::Const;
      break;
    case Marker::Dup:
      Activity = ArgActivity::Dup;
      break;
    case Marker::DupNoNeed:
      Activity = ArgActivity::DupNoNeed;
      break;
    case Marker::Out:
      Activity = ArgActivity::Out;
      break;
    case Marker::PrimalReturn:
      if (R.Mode == RequestMode::Split)
        return refuseCall(Reason::UnknownMarker,
                          Name + ": the forward sweep returns the result");
      R.PrimalReturn = true;
      break;
    case Marker::ConstReturn:
      R.ConstReturn = true;
      break;
    case Marker::Width:
    case Marker::Tape:
    case Marker::Allocated:
    case Marker::None:
    case Marker::Unknown:
      break;
    }
  }
  // pardiff_primal_return alone is all that a function without parameters can
  // have.
  bool IsLast =
      Next != 0 && getMarker(Call.getArgOperand(Next - 1)) != Marker::None;
  if (IsLast && R.Primal->arg_size() != R.returnsThroughPointer())
    return refuseCall(Reason::MarkerAtEnd,
                      "the call ends with '" +
                          getMarkerName(Call.getArgOperand(Next - 1)) + "'");
  return Error::success();
}

/// pardiff_width, and the number behind it.
Error Parser::parseWidth() {
  std::string Name = "'" + getMarkerName(peek()).str() + "'";
  if (isSplit())
    return refuseCall(Reason::UnknownMarker,
                      Name + " in split mode: there is one seed");
  auto *Width = Next + 1 < Call.arg_size()
                    ? dyn_cast<ConstantInt>(Call.getArgOperand(Next + 1))
                    : nullptr;
  if (!Width || Width->getValue().ult(1) || Width->getValue().ugt(64))
    return refuseCall(Reason::UnknownMarker,
                      Name +
                          ": the number behind it must be a constant between "
                          "1 and 64");
  if (!R.Args.empty())
    return refuseCall(Reason::UnknownMarker,
                      Name + ": it must stand in front of the arguments");
  R.Width = Width->getZExtValue();
  ++Next; // the marker itself is skipped by the caller
  return Error::success();
}

/// pardiff_tape and the memory behind it, pardiff_allocated and its size.
Error Parser::parseTape(Marker Kind) {
  std::string Name = "'" + getMarkerName(peek()).str() + "'";
  if (!isSplit())
    return refuseCall(Reason::UnknownMarker, Name + " outside of split mode");
  if (++Next == Call.arg_size() || getMarker(peek()) != Marker::None)
    return refuseCall(Reason::MarkerAtEnd, "nothing follows " + Name);
  if (Kind == Marker::Tape) {
    if (!peek()->getType()->isPointerTy())
      return refuseCall(Reason::WrongTape,
                        Name + " is followed by " +
                            describe(peek()->getType()) +
                            "; a pointer to the memory for it is needed");
    R.Tape = peek();
    R.TapeInMemory = true;
    return Error::success();
  }
  auto *Size = dyn_cast<ConstantInt>(peek());
  if (!Size)
    return refuseCall(Reason::WrongTape,
                      "the size behind " + Name + " must be a constant");
  if (Size->getValue().slt(DL.getPointerSize()))
    return refuseCall(Reason::WrongTape,
                      "the tape takes " + Twine(DL.getPointerSize()) +
                          " bytes (__pardiff_augmentsize), the size behind " +
                          Name + " is " + Twine(Size->getSExtValue()));
  HasTapeSize = true;
  return Error::success();
}

/// Split mode: what follows the arguments.
Error Parser::parseSeedAndTape() {
  if (R.TapeInMemory != HasTapeSize)
    return refuseCall(Reason::WrongTape,
                      "pardiff_tape and pardiff_allocated stand together");
  if (R.Mode != RequestMode::Split)
    return Error::success();
  Type *Ty = R.getReturnType();
  if (Ty->isFloatingPointTy()) {
    if (atEnd() || !canConvertArgument(peek(), Ty, DL))
      return refuseCall(Reason::WrongTape,
                        "the adjoint of the value that '" +
                            getReadableName(*R.Primal) +
                            "' returns stands behind the arguments");
    R.Seed = peek();
    ++Next;
  }
  if (R.TapeInMemory)
    return Error::success();
  if (atEnd() || !peek()->getType()->isPointerTy())
    return refuseCall(
        Reason::WrongTape,
        "the tape stands behind the arguments" +
            Twine(R.Seed ? " and the adjoint of the result" : ""));
  R.Tape = peek();
  ++Next;
  return Error::success();
}

/// __pardiff_augmentsize: markers without arguments.
Error Parser::parseTapeSize() {
  for (; !atEnd(); ++Next) {
    Marker Kind = getMarker(peek());
    if (Kind == Marker::None)
      return refuseCall(Reason::UnknownMarker,
                        "the tape's size is asked for with markers only");
    if (Kind == Marker::Unknown)
      return refuseCall(Reason::UnknownMarker,
                        "'" + getMarkerName(peek()) + "'");
  }
  if (Call.getType()->isIntegerTy())
    return Error::success();
  return refuseCall(Reason::WrongResult,
                    "the size of a tape is an integer, the call returns " +
                        describe(Call.getType()));
}

static ArgActivity getDefaultActivity(const Type *T, RequestMode Mode) {
  if (Mode == RequestMode::Forward)
    return hasTangent(T) ? ArgActivity::Dup : ArgActivity::Const;
  if (T->isPointerTy())
    return ArgActivity::Dup;
  return T->isIntegerTy() ? ArgActivity::Const : ArgActivity::Out;
}

/// Whether a parameter of this type can take part in this way.
Error Parser::checkActivity(ArgActivity Activity, const Argument &Param) {
  if (Activity == ArgActivity::Const)
    return Error::success();
  Type *T = Param.getType();
  std::string Place =
      argument(Param.getArgNo() + 1 - R.returnsThroughPointer());
  bool IsOut = Activity == ArgActivity::Out;
  if (T->isIntegerTy())
    return refuseCall(Reason::ActiveInteger, Place);
  if (Param.hasByValAttr())
    return refuseCall(Reason::UnsupportedSignature,
                      Place +
                          " is a structure by value; pass a pointer to it, or "
                          "mark it pardiff_const");
  if (isForward()) {
    if (IsOut)
      return refuseCall(
          Reason::UnknownMarker,
          Place + " is an output; forward mode returns no derivatives "
                  "of arguments, use pardiff_dup and a tangent");
    if (!hasTangent(T) || isa<StructType, ArrayType>(T))
      return refuseCall(Reason::UnsupportedSignature,
                        Place + " is of type " + describe(T) +
                            "; only floating point by value and pointers can "
                            "be active");
    return Error::success();
  }
  if (T->isPointerTy())
    return IsOut ? refuseCall(Reason::OutOnPointer,
                              Place + "; use pardiff_dup and a shadow")
                 : Error::success();
  if (!T->isFloatTy() && !T->isDoubleTy())
    return refuseCall(Reason::UnsupportedSignature,
                      Place + " is of type " + describe(T) +
                          "; only float and double by value can be active");
  return IsOut ? Error::success()
               : refuseCall(Reason::ShadowOfValue, Place + "; use pardiff_out");
}

/// Reads the shadows of the argument for Param, if it has some.
Error Parser::parseShadow(RequestArg &Arg, const Argument &Param) {
  if (!Arg.hasShadow())
    return Error::success();
  std::string Place =
      argument(Param.getArgNo() + 1 - R.returnsThroughPointer());
  for (unsigned Lane = 0; Lane != R.Width; ++Lane) {
    std::string Count = " and " + std::to_string(Lane) + " of its shadows";
    if (atEnd())
      return refuseCall(Reason::MissingShadow,
                        Place + (Lane ? Count : "") + "; the call ends there");
    if (getMarker(peek()) != Marker::None)
      return refuseCall(Reason::MissingShadow, Place + (Lane ? Count : "") +
                                                   " is followed by '" +
                                                   getMarkerName(peek()) + "'");
    if (!canConvertArgument(peek(), Param.getType(), DL))
      return refuseCall(Reason::MissingShadow, Place + (Lane ? Count : "") +
                                                   " is followed by " +
                                                   describe(peek()->getType()));
    // A literal 0 as shadow becomes a pointer here, whatever its type.
    Arg.Shadows.push_back(peek()->getType()->isPointerTy() ||
                                  !Param.getType()->isPointerTy()
                              ? peek()
                              : Constant::getNullValue(Param.getType()));
    ++Next;
  }
  return Error::success();
}

Error Parser::parseArgument(Argument &Param) {
  unsigned Number = Param.getArgNo() + 1 - R.returnsThroughPointer();
  std::optional<ArgActivity> Marked;
  if (Error E = parseMarkers(Marked, Number))
    return E;
  if (atEnd())
    return refuseCall(
        Reason::TooFewArguments,
        "'" + getReadableName(*R.Primal) + "' takes " +
            Twine(R.Primal->arg_size() - R.returnsThroughPointer()) +
            ", the call passes " + Twine(Number - 1));
  Type *T = Param.getType();
  if (isSplit() && Param.hasByValAttr())
    return refuseCall(Reason::UnsupportedSignature,
                      argument(Number) +
                          " is a structure by value, which would not live "
                          "until the reverse sweep; pass a pointer to it");
  if (!canConvertArgument(peek(), T, DL))
    return refuseCall(Reason::MismatchedArgument,
                      argument(Number) + " is " + describe(T) +
                          ", the call passes " + describe(peek()->getType()) +
                          "; a cast in the call helps");
  RequestArg Arg;
  Arg.Activity = Marked.value_or(getDefaultActivity(T, R.Mode));
  // A structure of several values that is passed by value, with its tangent
  // behind it, would be taken for values with tangents in turn.
  bool IsValue = isForward() && T->isFPOrFPVectorTy();
  if (IsValue && !Marked && LastWasMarkedValue)
    return refuseCall(Reason::MissingShadow,
                      argument(Number) + " has no marker and the one before "
                                         "has; mark each value");
  LastWasMarkedValue = IsValue && Marked && Arg.hasShadow();
  Arg.Primal = peek();
  ++Next;
  if (Error E = checkActivity(Arg.Activity, Param))
    return E;
  if (Error E = parseShadow(Arg, Param))
    return E;
  R.Args.push_back(Arg);
  return Error::success();
}

Expected<Request> Parser::parse() {
  if (Error E = parsePrimal())
    return std::move(E);
  if (R.Mode == RequestMode::TapeSize) {
    if (Error E = parseTapeSize())
      return std::move(E);
    return R;
  }
  for (Argument &Param : R.params())
    if (Error E = parseArgument(Param))
      return std::move(E);
  std::optional<ArgActivity> Marked;
  unsigned Number = R.Args.size() + 1;
  if (Error E = parseMarkers(Marked, Number))
    return std::move(E);
  if (Error E = parseSeedAndTape())
    return std::move(E);
  if (!atEnd())
    return refuseCall(Reason::TooManyArguments,
                      "'" + getReadableName(*R.Primal) + "' takes " +
                          Twine(Number - 1));
  if (R.PrimalReturn && R.getReturnType()->isVoidTy())
    return refuseCall(Reason::UnsupportedSignature,
                      "'" + getReadableName(*R.Primal) +
                          "' returns nothing, but the call asks for its result "
                          "with pardiff_primal_return");
  if (Error E = checkResult(R))
    return std::move(E);
  return R;
}

Expected<Request> pardiff::parseRequest(CallBase &Call) {
  return Parser(Call).parse();
}
