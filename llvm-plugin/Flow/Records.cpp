//===- Flow/Records.cpp - Values of iterations, kept for the reverse sweep
//--===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow/Records.h"
#include "Emit/Emit.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

/// Records of a tape whose length is not known before.
static constexpr uint64_t RecordsAtFirst = 64;
/// Bytes of a tape that are allocated at once.
static constexpr uint64_t LargestAtFirst = uint64_t(1) << 30;

AllocaInst *Records::createCell(Type *Ty, const Loop *L, const Twine &Name) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Cell = B.CreateAlloca(Ty, nullptr, Name);
  // Not every path through an iteration stores into each of its cells.
  B.CreateStore(Constant::getNullValue(Ty), Cell);
  if (L)
    Tapes[L].Cells.push_back(Cell);
  return Cell;
}

void Records::addIterationEnd(const Loop *L, Instruction *Forward,
                              Instruction *Reverse) {
  Tapes[L].Ends.push_back({Forward, Reverse});
}

/// void pardiff.tape.grow(ptr tape, ptr capacity, i64 bytes of a record,
/// i64 records at first): makes or doubles the tape, or stops.
Function &Records::getGrow() {
  Module &M = *F.getParent();
  StringRef Name = "pardiff.tape.grow";
  if (Function *Grow = M.getFunction(Name))
    return *Grow;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Function *Grow = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, I64, I64}, false),
      GlobalValue::InternalLinkage, Name, M);
  Grow->addFnAttr(Attribute::NoInline);
  Grow->addFnAttr(Attribute::Cold);
  Grow->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", Grow));
  Value *Tape = Grow->getArg(0), *Capacity = Grow->getArg(1);
  Value *Old = B.CreateLoad(I64, Capacity);
  Value *New = B.CreateSelect(B.CreateICmpEQ(Old, B.getInt64(0)),
                              Grow->getArg(3), B.CreateShl(Old, 1));
  FunctionCallee Realloc = M.getOrInsertFunction(
      "realloc", FunctionType::get(Ptr, {Ptr, I64}, false));
  Value *Memory = B.CreateCall(
      Realloc, {B.CreateLoad(Ptr, Tape), B.CreateMul(New, Grow->getArg(2))});
  Instruction *Ret = B.CreateRetVoid();
  B.SetInsertPoint(Ret);
  emitStopUnless(B.CreateIsNotNull(Memory), "out of memory for the tape", B);
  B.CreateStore(Memory, Tape);
  B.CreateStore(New, Capacity);
  return *Grow;
}

void Records::emit(Instruction *End) {
  LLVMContext &C = F.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  const DataLayout &DL = F.getDataLayout();
  for (auto &[L, T] : Tapes) {
    if (T.Cells.empty())
      continue;
    SmallVector<Type *, 8> Fields;
    for (AllocaInst *Cell : T.Cells)
      Fields.push_back(Cell->getAllocatedType());
    StructType *Record = StructType::get(C, Fields);
    AllocaInst *Tape = createCell(Ptr, nullptr, "tape");
    AllocaInst *Capacity = createCell(I64, nullptr, "tape.capacity");
    AllocaInst *Index = createCell(I64, nullptr, "tape.index");
    auto GetAlign = [&](Type *Ty) { // of memory from realloc, no better
      return std::min(DL.getABITypeAlign(Ty), Align(16));
    };
    const uint64_t Bytes = DL.getTypeAllocSize(Record);
    if (T.Trips) {
      IRBuilder<> B(T.Entry);
      // More is only taken when it is needed.
      Value *IsSmall = B.CreateICmpULT(B.CreateSub(T.Trips, B.getInt64(1)),
                                       B.getInt64(LargestAtFirst / Bytes));
      B.CreateCall(&getGrow(), {Tape, Capacity, B.getInt64(Bytes),
                                B.CreateSelect(IsSmall, T.Trips,
                                               B.getInt64(RecordsAtFirst))});
    }
    for (auto [Forward, Reverse] : T.Ends) {
      IRBuilder<> B(Forward);
      Value *Next = B.CreateLoad(I64, Index);
      Value *Full = B.CreateICmpEQ(Next, B.CreateLoad(I64, Capacity));
      Instruction *Then = SplitBlockAndInsertIfThen(Full, Forward, false);
      B.SetInsertPoint(Then);
      B.CreateCall(&getGrow(), {Tape, Capacity, B.getInt64(Bytes),
                                B.getInt64(RecordsAtFirst)});
      B.SetInsertPoint(Forward);
      Value *Slot = B.CreateGEP(Record, B.CreateLoad(Ptr, Tape), Next);
      for (auto [I, Cell] : enumerate(T.Cells))
        B.CreateAlignedStore(B.CreateLoad(Fields[I], Cell),
                             B.CreateStructGEP(Record, Slot, I),
                             GetAlign(Fields[I]));
      B.CreateStore(B.CreateNUWAdd(Next, B.getInt64(1)), Index);

      B.SetInsertPoint(Reverse);
      Value *Last = B.CreateSub(B.CreateLoad(I64, Index), B.getInt64(1));
      B.CreateStore(Last, Index);
      Slot = B.CreateGEP(Record, B.CreateLoad(Ptr, Tape), Last);
      for (auto [I, Cell] : enumerate(T.Cells))
        B.CreateStore(B.CreateAlignedLoad(Fields[I],
                                          B.CreateStructGEP(Record, Slot, I),
                                          GetAlign(Fields[I])),
                      Cell);
    }
    IRBuilder<> B(End);
    FunctionCallee Free = F.getParent()->getOrInsertFunction(
        "free", FunctionType::get(B.getVoidTy(), {Ptr}, false));
    B.CreateCall(Free, {B.CreateLoad(Ptr, Tape)});
  }
}
