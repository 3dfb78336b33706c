//===- Request/Request.cpp - Find the calls of entry points ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Request/Request.h"
#include "Request/Erase.h"
#include "Request/Markers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace pardiff;

StringRef pardiff::getActivityName(ArgActivity A) {
  switch (A) {
  case ArgActivity::Const:
    return "const";
  case ArgActivity::Dup:
    return "dup";
  case ArgActivity::DupNoNeed:
    return "dupnoneed";
  case ArgActivity::Out:
    return "out";
  }
  return "";
}

bool pardiff::hasTangent(const Type *Ty) {
  if (Ty->isFPOrFPVectorTy() || Ty->isPointerTy())
    return true;
  return isa<StructType, ArrayType>(Ty) && any_of(Ty->subtypes(), hasTangent);
}

Type *Request::getReturnType() const {
  return returnsThroughPointer() ? Primal->getParamStructRetType(0)
                                 : Primal->getReturnType();
}

SmallVector<Type *, 4> Request::getResultTypes() const {
  SmallVector<Type *, 4> Types;
  if (Mode == RequestMode::Augmented && !TapeInMemory)
    Types.push_back(PointerType::getUnqual(Primal->getContext()));
  if (PrimalReturn)
    Types.push_back(getReturnType());
  if (Mode == RequestMode::Augmented)
    return Types;
  if (Mode == RequestMode::Forward) {
    if (!ConstReturn && hasTangent(getReturnType()))
      Types.append(Width, getReturnType());
    return Types;
  }
  for (const auto &[Arg, Param] : zip(Args, Primal->args()))
    if (Arg.Activity == ArgActivity::Out)
      Types.append(Width, Param.getType());
  return Types;
}

/// Suffixes and mangling give one entry point several prototypes, so it is
/// known by a part of its name.
struct EntryPoint {
  StringLiteral Name;
  RequestMode Mode;
};
static constexpr EntryPoint EntryPoints[] = {
    {"__pardiff_autodiff", RequestMode::Reverse},
    {"__enzyme_autodiff", RequestMode::Reverse},
    {"__pardiff_fwddiff", RequestMode::Forward},
    {"__enzyme_fwddiff", RequestMode::Forward},
    {"__pardiff_augmentfwd", RequestMode::Augmented},
    {"__enzyme_augmentfwd", RequestMode::Augmented},
    {"__pardiff_reverse", RequestMode::Split},
    {"__enzyme_reverse", RequestMode::Split},
    {"__pardiff_augmentsize", RequestMode::TapeSize},
    {"__enzyme_augmentsize", RequestMode::TapeSize}};
static constexpr StringLiteral UnsupportedEntryPoints[] = {
    "__enzyme_fwdsplit", "__enzyme_virtualreverse", "__enzyme_batch",
    "__enzyme_error_estimate"};

/// The first of Parts that Name contains; empty if there is none.
static StringRef findPart(StringRef Name, ArrayRef<StringLiteral> Parts) {
  for (StringRef Part : Parts)
    if (Name.contains(Part))
      return Part;
  return "";
}

/// The first supported entry point whose name Name contains; null if there is
/// none.
static const EntryPoint *findEntryPoint(StringRef Name) {
  auto *Found = find_if(
      EntryPoints, [&](const EntryPoint &E) { return Name.contains(E.Name); });
  return Found == std::end(EntryPoints) ? nullptr : Found;
}

bool pardiff::isEntryPoint(const Function &F) {
  return F.isDeclaration() && !F.isIntrinsic() && findEntryPoint(F.getName());
}

RequestMode pardiff::getMode(const Function &EntryPoint) {
  return findEntryPoint(EntryPoint.getName())->Mode;
}

bool pardiff::isUnsupportedEntryPoint(const Function &F) {
  return F.isDeclaration() && !F.isIntrinsic() && !isEntryPoint(F) &&
         !findPart(F.getName(), UnsupportedEntryPoints).empty();
}

bool pardiff::hasRequests(const Module &M) {
  return any_of(M, [](const Function &F) {
    return (isEntryPoint(F) || isUnsupportedEntryPoint(F)) && !F.use_empty();
  });
}

/// The function that a call calls, also where the types do not agree: a
/// declaration without prototype in C.
static Function *getCallee(const CallBase &Call) {
  return dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
}

SmallVector<CallBase *, 8> pardiff::findRequests(Module &M) {
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? getCallee(*Call) : nullptr;
      if (Callee && (isEntryPoint(*Callee) || isUnsupportedEntryPoint(*Callee)))
        Calls.push_back(Call);
    }
  return Calls;
}

Function &pardiff::getEntryPoint(const CallBase &Call) {
  return *getCallee(Call);
}

std::string pardiff::getEntryPointName(const CallBase &Call) {
  StringRef Name = getEntryPoint(Call).getName();
  if (!Name.starts_with("_Z"))
    return Name.str();
  if (const EntryPoint *Known = findEntryPoint(Name))
    return Known->Name.str();
  return findPart(Name, UnsupportedEntryPoints).str();
}

DebugLoc pardiff::getPlace(const CallBase &Call) {
  DebugLoc Loc = Call.getDebugLoc();
  while (Loc && Loc.getInlinedAt())
    Loc = Loc.getInlinedAt();
  return Loc;
}

void pardiff::eraseRequest(CallBase &Call) {
  SmallVector<WeakTrackingVH, 8> Markers;
  for (Value *Arg : Call.args())
    if (getMarker(Arg) != Marker::None)
      Markers.push_back(Arg);
  // An invoke that was replaced stands behind its replacement; any other one
  // goes on to its normal destination.
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (Invoke && !isa_and_nonnull<InvokeInst>(Invoke->getPrevNode()))
    changeToCall(Invoke)->eraseFromParent();
  else
    Call.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Markers);
}

void pardiff::dropRequest(CallBase &Call) {
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Constant::getNullValue(Call.getType()));
  eraseRequest(Call);
}

/// Deletes what only computed with the value of a marker, the loads first of
/// all: the markers need not be defined anywhere.
static void removeDeadUses(GlobalVariable &Marker) {
  SmallVector<WeakTrackingVH, 8> Users(Marker.users());
  for (WeakTrackingVH &User : Users)
    if (auto *I = dyn_cast_or_null<Instruction>(User)) {
      // A volatile load of a marker is still only a marker.
      if (I->use_empty() && isa<LoadInst>(I))
        I->eraseFromParent();
      else
        RecursivelyDeleteTriviallyDeadInstructions(I);
    }
}

void pardiff::removeLeftovers(Module &M) {
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (getMarkerByName(G.getName()) == Marker::None)
      continue;
    removeDeadUses(G);
    if (G.use_empty() && G.isDeclaration())
      G.eraseFromParent();
  }
  for (Function &F : make_early_inc_range(M))
    if ((isEntryPoint(F) || isUnsupportedEntryPoint(F)) && F.use_empty())
      F.eraseFromParent();
}
