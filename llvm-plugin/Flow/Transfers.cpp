//===- Flow/Transfers.cpp - Copies and fills of memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both parts are internal functions, one for each layout, so that the sweeps
// stay as they are. Regions that overlap are walked from the side on which
// everything is taken before something else is put in its place: adjoints are
// taken from To, shadows of pointers from From.
//
//===----------------------------------------------------------------------===//

#include "Flow/Transfers.h"
#include "Emit/Emit.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

/// A name for the fields that Take chooses.
static std::string nameFields(const MemoryLayout &Layout,
                              function_ref<bool(Type *)> Take) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Layout.Period;
  for (auto [Offset, Ty] : Layout.Fields)
    if (Take(Ty))
      OS << "." << Offset << *Ty;
  return Text;
}

/// Creates void Name(ptr to, ptr from, i64 length): Visit emits what happens to
/// one field, at its two addresses. TakesTo: what Visit takes first is at To
/// (else at From): an overlap must not change it before.
static Function &createTransfer(
    Module &M, StringRef Name, const MemoryLayout &Layout,
    function_ref<bool(Type *)> Take, bool TakesTo,
    function_ref<void(Value *, Value *, Type *, IRBuilder<> &)> Visit) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Function *F = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, I64}, false),
      GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  Value *To = F->getArg(0), *From = F->getArg(1), *Length = F->getArg(2);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  BasicBlock *Body = BasicBlock::Create(C, "body", F),
             *End = BasicBlock::Create(C, "end", F);
  auto VisitAll = [&](Value *Start) {
    for (auto [Offset, Ty] : Layout.Fields)
      if (Take(Ty)) {
        Value *At = B.CreateAdd(Start, B.getInt64(Offset));
        Visit(B.CreatePtrAdd(To, At), B.CreatePtrAdd(From, At), Ty, B);
      }
  };
  if (!Layout.Period) {
    B.CreateBr(Body);
    B.SetInsertPoint(Body);
    VisitAll(B.getInt64(0));
    B.CreateBr(End);
  } else {
    Value *Period = B.getInt64(Layout.Period);
    Value *Count = B.CreateUDiv(Length, Period);
    Value *Up = TakesTo ? B.CreateICmpUGE(To, From) : B.CreateICmpUGE(From, To);
    Value *Start =
        B.CreateSelect(Up, B.getInt64(0),
                       B.CreateMul(B.CreateSub(Count, B.getInt64(1)), Period));
    Value *Step = B.CreateSelect(Up, Period, B.CreateNeg(Period));
    BasicBlock *Entry = B.GetInsertBlock();
    B.CreateCondBr(B.CreateIsNull(Count), End, Body);
    B.SetInsertPoint(Body);
    PHINode *Number = B.CreatePHI(I64, 2);
    PHINode *Offset = B.CreatePHI(I64, 2);
    VisitAll(Offset);
    Value *Next = B.CreateAdd(Number, B.getInt64(1));
    Value *NextOffset = B.CreateAdd(Offset, Step);
    Number->addIncoming(B.getInt64(0), Entry);
    Number->addIncoming(Next, B.GetInsertBlock());
    Offset->addIncoming(Start, Entry);
    Offset->addIncoming(NextOffset, B.GetInsertBlock());
    B.CreateCondBr(B.CreateICmpEQ(Next, Count), End, Body);
  }
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  return *F;
}

static bool isPointer(Type *Ty) { return Ty->isPointerTy(); }
static bool isFloat(Type *Ty) { return !Ty->isPointerTy(); }

/// void(ptr to, ptr from, i64 length): copies the pointers. With WithNull: from
/// is not read, and they become null.
static Function &getPointerTransfer(Module &M, const MemoryLayout &Layout,
                                    bool SetNull) {
  std::string Name =
      (SetNull ? "pardiff.clear.pointers." : "pardiff.copy.pointers.") +
      nameFields(Layout, isPointer);
  if (Function *F = M.getFunction(Name))
    return *F;
  return createTransfer(M, Name, Layout, isPointer, /*TakesTo=*/false,
                        [&](Value *To, Value *From, Type *Ty, IRBuilder<> &B) {
                          Value *Null = Constant::getNullValue(Ty);
                          B.CreateStore(SetNull ? Null : B.CreateLoad(Ty, From),
                                        To);
                        });
}

static Function &getFloatTransfer(Module &M, const MemoryLayout &Layout,
                                  bool SetZero) {
  std::string Name =
      (SetZero ? "pardiff.zero.adjoints." : "pardiff.move.adjoints.") +
      nameFields(Layout, isFloat);
  if (Function *F = M.getFunction(Name))
    return *F;
  return createTransfer(
      M, Name, Layout, isFloat, /*TakesTo=*/true,
      [&](Value *To, Value *From, Type *Ty, IRBuilder<> &B) {
        Value *Adjoint = SetZero ? nullptr : B.CreateLoad(Ty, To);
        B.CreateStore(Constant::getNullValue(Ty), To);
        if (!SetZero)
          B.CreateStore(B.CreateFAdd(B.CreateLoad(Ty, From), Adjoint), From);
      });
}

/// Calls WithFrom(to, from, length), Alone(to, to, length) or nothing, by which
/// of the two shadows are there. A function of its own: the sweeps keep their
/// blocks.
static void emitGuarded(StringRef Name, Function &WithFrom, Function &Alone,
                        bool StopIfLost, Value *To, Value *From, Value *Length,
                        IRBuilder<> &B) {
  if (isa<ConstantPointerNull>(To) && isa<ConstantPointerNull>(From))
    return;
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Full = ("pardiff.guarded." + Name).str();
  Function *F = M.getFunction(Full);
  if (!F) {
    F = Function::Create(WithFrom.getFunctionType(),
                         GlobalValue::InternalLinkage, Full, M);
    LLVMContext &C = M.getContext();
    auto Block = [&](StringRef BlockName) {
      return BasicBlock::Create(C, BlockName, F);
    };
    BasicBlock *Entry = Block("entry"), *Has = Block("has.shadow"),
               *Both = Block("both"), *One = Block("one"),
               *None = Block("none");
    Value *Args[] = {F->getArg(0), F->getArg(1), F->getArg(2)};
    Value *OnlyTo[] = {F->getArg(0), F->getArg(0), F->getArg(2)};
    IRBuilder<> G(Entry);
    G.CreateCondBr(G.CreateIsNull(Args[0]), None, Has);
    G.SetInsertPoint(Has);
    G.CreateCondBr(G.CreateIsNull(Args[1]), One, Both);
    G.SetInsertPoint(Both);
    G.CreateCall(&WithFrom, Args);
    G.CreateRetVoid();
    G.SetInsertPoint(One);
    G.CreateCall(&Alone, OnlyTo);
    G.CreateRetVoid();
    G.SetInsertPoint(None);
    Instruction *Ret = G.CreateRetVoid();
    G.SetInsertPoint(Ret);
    if (StopIfLost)
      emitStopUnless(
          G.CreateOr(G.CreateIsNull(Args[1]), G.CreateIsNull(Args[2])),
          "active memory was copied to memory without a shadow", G);
  }
  B.CreateCall(F, {To, From, Length});
}

void pardiff::emitPointerTransfer(const MemoryLayout &Layout, Value *To,
                                  Value *From, Value *Length, IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  emitGuarded("pointers." + nameFields(Layout, isPointer),
              getPointerTransfer(M, Layout, false),
              getPointerTransfer(M, Layout, true), /*StopIfLost=*/false, To,
              From, Length, B);
}

void pardiff::emitFloatTransfer(const MemoryLayout &Layout, Value *To,
                                Value *From, Value *Length, IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  emitGuarded("adjoints." + nameFields(Layout, isFloat),
              getFloatTransfer(M, Layout, false),
              getFloatTransfer(M, Layout, true), /*StopIfLost=*/true, To, From,
              Length, B);
}

void pardiff::emitGuardedZero(Value *To, Value *Length, IRBuilder<> &B) {
  Value *HasShadow = B.CreateIsNotNull(To);
  Value *Bytes = B.CreateSelect(HasShadow, Length, B.getInt64(0));
  // A null pointer may be passed with a length of zero.
  B.CreateMemSet(To, B.getInt8(0), Bytes, MaybeAlign());
}
