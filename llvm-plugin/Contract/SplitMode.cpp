//===- Contract/SplitMode.cpp - The two sweeps as two calls ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Split mode calls the halves of the primal's pair (Flow/Calls.h) from two
// functions with the signature of a request:
//
//   { tape, result } forward(arguments, shadows [, memory for the tape])
//   { adjoints }     reverse(arguments, shadows [, seed], tape)
//
// The tape is a block of memory that holds what the pair needs, and what is
// needed to check the second call:
//
//   { kind of tape, frame of the pair, memory of all frames,
//     pointers among arguments and shadows }
//
// The kind is an address that belongs to one function and one list of markers.
// The reverse sweep takes it out of the block before it frees it, so that a
// tape that is used again is found out as long as its memory was not given to
// somebody else. Where the user holds the tape in memory, that pointer is set
// to null, too.
//
// Not attempted: a reverse sweep that keeps the tape for another one
// (enzyme_nofree), split mode in functions that are differentiated in turn.
//
//===----------------------------------------------------------------------===//

#include "Contract/SplitMode.h"
#include "Contract/Pairs.h"
#include "Emit/Emit.h"
#include "Flow/Chunks.h"
#include "Flow/Frames.h"
#include "Flow/Unwinding.h"
#include "Support/Names.h"
#include "Support/Reason.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

namespace {

class SplitMode {
public:
  SplitMode(const Request &R, FlowPair Pair)
      : R(R), Pair(Pair), M(*R.Primal->getParent()), C(M.getContext()),
        Ptr(PointerType::getUnqual(C)), B(C) {}

  Function *buildForward();
  Function *buildReverse();

private:
  void createFunction(StringRef Name);
  GlobalVariable *getKind();
  Value *getField(Value *Tape, unsigned I) {
    return B.CreateStructGEP(TapeTy, Tape, I);
  }
  void emitReturn(ArrayRef<Value *> Results);

  enum : unsigned { Kind, Frame, Frames, FirstPointer };

  const Request &R;
  FlowPair Pair;
  Module &M;
  LLVMContext &C;
  PointerType *Ptr;
  IRBuilder<> B;
  Function *F = nullptr;
  SmallVector<Value *, 8> Primals, Shadows; ///< Shadows: null for inactive ones
  /// The arguments that the tape keeps, and what they are, for messages.
  SmallVector<std::pair<Value *, std::string>, 8> Pointers;
  StructType *TapeTy = nullptr;
};

} // namespace

/// What tells the tapes of one function and one list of markers from others.
GlobalVariable *SplitMode::getKind() {
  std::string Name = ("pardiff.tape." + R.Primal->getName()).str();
  for (const RequestArg &A : R.Args)
    Name += "." + getActivityName(A.Activity).str();
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  return new GlobalVariable(M, B.getInt8Ty(), /*isConstant=*/true,
                            GlobalValue::InternalLinkage, B.getInt8(0), Name);
}

void SplitMode::createFunction(StringRef Name) {
  SmallVector<Type *, 8> Params(R.Primal->getFunctionType()->params());
  for (const RequestArg &A : R.Args)
    if (A.hasShadow())
      Params.push_back(Ptr);
  if (R.Seed)
    Params.push_back(R.Primal->getReturnType());
  if (R.Tape)
    Params.push_back(Ptr);
  SmallVector<Type *, 4> Results = R.getResultTypes();
  Type *ResultTy = Type::getVoidTy(C);
  if (!Results.empty())
    ResultTy = StructType::get(C, Results);
  F = Function::Create(FunctionType::get(ResultTy, Params, false),
                       GlobalValue::InternalLinkage,
                       Name + "." + R.Primal->getName(), M);
  B.SetInsertPoint(BasicBlock::Create(C, "entry", F));
  SmallVector<Type *, 8> Fields = {Ptr, Ptr, Ptr};
  unsigned Next = R.Args.size();
  for (const auto &[I, A] : enumerate(R.Args)) {
    Value *Primal = F->getArg(I), *Shadow = nullptr;
    if (A.hasShadow())
      Shadow = F->getArg(Next++);
    Primals.push_back(Primal);
    Shadows.push_back(Shadow);
    std::string What = ("argument " + Twine(I + 1)).str();
    if (Primal->getType()->isPointerTy())
      Pointers.push_back({Primal, What});
    if (Shadow)
      Pointers.push_back({Shadow, "the shadow of " + What});
  }
  Fields.append(Pointers.size(), Ptr);
  TapeTy = StructType::get(C, Fields);
}

void SplitMode::emitReturn(ArrayRef<Value *> Results) {
  if (Results.empty()) {
    B.CreateRetVoid();
    return;
  }
  Value *All = PoisonValue::get(F->getReturnType());
  for (const auto &[I, V] : enumerate(Results))
    All = B.CreateInsertValue(All, V, I);
  B.CreateRet(All);
}

Function *SplitMode::buildForward() {
  createFunction("pardiff.augmented");
  SmallVector<Value *, 8> Args(Primals);
  for (const auto &[Primal, Shadow] : zip(Primals, Shadows))
    if (Primal->getType()->isPointerTy())
      Args.push_back(Shadow ? Shadow : ConstantPointerNull::get(Ptr));
  Value *Arena = B.CreateAlloca(getArenaType(C), nullptr, "arena");
  B.CreateStore(Constant::getNullValue(getArenaType(C)), Arena);
  Args.push_back(Arena);
  Value *Both = B.CreateCall(Pair.Forward, Args);
  Value *Size = B.getInt64(M.getDataLayout().getTypeAllocSize(TapeTy));
  Value *Tape =
      B.CreateCall(M.getOrInsertFunction("malloc", Ptr, B.getInt64Ty()), Size);
  emitStopUnless(B.CreateIsNotNull(Tape), "out of memory for a tape", B);
  B.CreateStore(getKind(), getField(Tape, Kind));
  B.CreateStore(B.CreateExtractValue(Both, 0), getField(Tape, Frame));
  B.CreateStore(emitLastChunk(Arena, B), getField(Tape, Frames));
  for (const auto &[I, P] : enumerate(Pointers))
    B.CreateStore(P.first, getField(Tape, FirstPointer + I));
  SmallVector<Value *, 2> Results;
  if (R.TapeInMemory)
    B.CreateAlignedStore(Tape, F->getArg(F->arg_size() - 1), Align(1));
  else
    Results.push_back(Tape);
  if (R.PrimalReturn)
    Results.push_back(B.CreateExtractValue(Both, 1));
  emitReturn(Results);
  catchExceptions(*F, *B.GetInsertBlock()->getTerminator());
  beforeResumes(*F, [&](IRBuilder<> &At) {
    emitFreeChunks(emitLastChunk(Arena, At), At);
  });
  return F;
}

Function *SplitMode::buildReverse() {
  createFunction("pardiff.reversed");
  std::string Of = "of '" + getReadableName(*R.Primal) + "'";
  Value *Tape = F->getArg(F->arg_size() - 1);
  if (R.TapeInMemory) {
    Value *Where = Tape;
    Tape = B.CreateAlignedLoad(Ptr, Where, Align(1));
    B.CreateAlignedStore(ConstantPointerNull::get(Ptr), Where, Align(1));
  }
  emitStopUnless(B.CreateIsNotNull(Tape),
                 "the tape for the reverse sweep " + Of +
                     " is null, or was used before",
                 B);
  emitStopUnless(
      B.CreateICmpEQ(B.CreateLoad(Ptr, getField(Tape, Kind)), getKind()),
      "the tape for the reverse sweep " + Of +
          " is not one of its forward sweep with the same markers, or was "
          "used before",
      B);
  for (const auto &[I, P] : enumerate(Pointers))
    emitStopUnless(
        B.CreateICmpEQ(B.CreateLoad(Ptr, getField(Tape, FirstPointer + I)),
                       P.first),
        P.second + " " + Of + " is not the one of the forward sweep", B);
  Value *Kept = B.CreateLoad(Ptr, getField(Tape, Frame));
  Value *Chunk = B.CreateLoad(Ptr, getField(Tape, Frames));
  // Volatile: to be seen by a second use of the tape.
  B.CreateStore(ConstantPointerNull::get(Ptr), getField(Tape, Kind),
                /*isVolatile=*/true);
  B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), Ptr), Tape);
  SmallVector<Value *, 2> Args = {Kept};
  if (Pair.Reverse->arg_size() > 1) {
    Value *Seed = Constant::getNullValue(Pair.Reverse->getArg(1)->getType());
    if (R.Seed)
      Seed = F->getArg(F->arg_size() - 2);
    Args.push_back(Seed);
  }
  Value *Adjoints = B.CreateCall(Pair.Reverse, Args);
  emitFreeChunks(Chunk, B);
  SmallVector<Value *, 4> Results;
  unsigned Field = 0;
  for (const auto &[A, Primal] : zip(R.Args, Primals)) {
    if (!holdsFloats(Primal->getType()))
      continue;
    if (A.Activity == ArgActivity::Out)
      Results.push_back(B.CreateExtractValue(Adjoints, Field));
    ++Field;
  }
  emitReturn(Results);
  return F;
}

Expected<Function *> pardiff::buildSplitSweep(const Request &R,
                                              ModuleAnalysisManager &MAM,
                                              std::vector<NestReport> *Nests) {
  if (R.IsNested)
    return refuse(Reason::UnsupportedEntryPoint,
                  "split mode inside a function that is differentiated in turn",
                  getPlace(*R.Call));
  PairBuilder Pairs(*R.Primal->getParent(), R.Width, MAM, Nests);
  SmallVector<bool, 8> HasShadow;
  for (const RequestArg &A : R.Args)
    HasShadow.push_back(A.Activity != ArgActivity::Const);
  auto Pair = Pairs.getPair(*R.Primal, HasShadow);
  if (!Pair)
    return Pair.takeError();
  if (Error E = Pairs.finish())
    return std::move(E);
  SplitMode Mode(R, *Pair);
  return R.Mode == RequestMode::Augmented ? Mode.buildForward()
                                          : Mode.buildReverse();
}
