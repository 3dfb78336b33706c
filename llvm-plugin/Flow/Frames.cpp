//===- Flow/Frames.cpp - Memory for the frames of pairs -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame costs a comparison and an addition. Chunks are made by a function of
// their own; each is an eighth of those before it, so that little is left over.
//
//===----------------------------------------------------------------------===//

#include "Flow/Frames.h"
#include "Flow/Chunks.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

/// Bytes of the first chunk, and of others, at least.
static constexpr uint64_t BytesAtFirst = 512, BytesAtLeast = 4096;
/// A chunk is this part of all chunks before it, as a shift.
static constexpr unsigned Growth = 3;
/// Bytes of a chunk's header, and what all frames are aligned to.
static constexpr uint64_t HeaderSize = 24;
static constexpr Align FrameAlign = Align::Constant<8>();

StructType *pardiff::getArenaType(LLVMContext &C) {
  auto *Ptr = PointerType::getUnqual(C);
  return StructType::get(C, {Ptr, Ptr, Ptr});
}

/// The chunk before, the size, and the bytes for frames in all chunks so far.
static StructType *getHeader(LLVMContext &C) {
  auto *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {PointerType::getUnqual(C), I64, I64});
}

/// Field I of an arena.
static Value *getField(Value *Arena, unsigned I, IRBuilder<> &B) {
  return B.CreateStructGEP(getArenaType(B.getContext()), Arena, I);
}

/// ptr pardiff.frames.grow(ptr arena, i64 bytes): makes a new chunk with room
/// for these bytes and gives their address, or stops.
static Function &getGrow(Module &M) {
  StringRef Name = "pardiff.frames.grow";
  if (Function *Grow = M.getFunction(Name))
    return *Grow;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  StructType *Header = getHeader(C);
  Function *Grow = createColdHelper(M, Name, Ptr, {Ptr, I64});
  Argument *Arena = Grow->getArg(0), *Need = Grow->getArg(1);
  BasicBlock *Entry = &Grow->getEntryBlock(),
             *Old = BasicBlock::Create(C, "old", Grow),
             *New = BasicBlock::Create(C, "new", Grow);
  IRBuilder<> B(Entry);
  Value *Last = B.CreateLoad(Ptr, getField(Arena, 2, B));
  B.CreateCondBr(B.CreateIsNull(Last), New, Old);
  B.SetInsertPoint(Old);
  Value *OldTotal = loadCount(B.CreateStructGEP(Header, Last, 2), B);
  Value *Part =
      B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateLShr(OldTotal, Growth),
                              B.getInt64(BytesAtLeast));
  B.CreateBr(New);
  B.SetInsertPoint(New);
  PHINode *Total = B.CreatePHI(I64, 2), *Wish = B.CreatePHI(I64, 2);
  Total->addIncoming(B.getInt64(0), Entry);
  Total->addIncoming(OldTotal, Old);
  Wish->addIncoming(B.getInt64(BytesAtFirst), Entry);
  Wish->addIncoming(Part, Old);
  Value *Size = B.CreateBinaryIntrinsic(Intrinsic::umax, Wish, Need);
  ReturnInst *Ret = B.CreateRet(PoisonValue::get(Ptr));
  B.SetInsertPoint(Ret);
  Value *Chunk = emitChunk(Last, B.CreateAdd(Size, B.getInt64(HeaderSize)),
                           "out of memory for a frame", B);
  storeCount(B.CreateAdd(Total, Size), B.CreateStructGEP(Header, Chunk, 2), B);
  Value *First = B.CreatePtrAdd(Chunk, B.getInt64(HeaderSize));
  B.CreateStore(B.CreatePtrAdd(First, Size), getField(Arena, 1, B));
  B.CreateStore(Chunk, getField(Arena, 2, B));
  Ret->setOperand(0, First);
  return *Grow;
}

/// The next free byte is the one behind Size bytes at Frame.
static void emitNext(Value *Arena, Value *Frame, uint64_t Size,
                     IRBuilder<> &B) {
  B.CreateStore(B.CreatePtrAdd(Frame, B.getInt64(alignTo(Size, FrameAlign))),
                getField(Arena, 0, B));
}

Value *pardiff::emitFrame(Value *Arena, uint64_t Size, uint64_t MaxSize,
                          Align A, IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  uint64_t Padding = A > FrameAlign ? A.value() - FrameAlign.value() : 0;
  Value *Need = B.getInt64(alignTo(MaxSize, FrameAlign) + Padding);
  Type *I64 = B.getInt64Ty();
  Value *Next = B.CreateLoad(B.getPtrTy(), getField(Arena, 0, B));
  Value *Limit = B.CreateLoad(B.getPtrTy(), getField(Arena, 1, B));
  Value *Left =
      B.CreateSub(B.CreatePtrToInt(Limit, I64), B.CreatePtrToInt(Next, I64));
  BasicBlock *Before = B.GetInsertBlock();
  Instruction *Rest = &*B.GetInsertPoint();
  B.SetInsertPoint(SplitBlockAndInsertIfThen(
      B.CreateICmpULT(Left, Need), Rest->getIterator(), /*Unreachable=*/false,
      MDBuilder(B.getContext()).createUnlikelyBranchWeights()));
  Value *New = B.CreateCall(&getGrow(M), {Arena, Need});
  BasicBlock *IsFull = B.GetInsertBlock();
  B.SetInsertPoint(Rest);
  PHINode *There = B.CreatePHI(B.getPtrTy(), 2, "frame");
  There->addIncoming(Next, Before);
  There->addIncoming(New, IsFull);
  Value *Frame = There;
  if (Padding) {
    Value *End = B.CreatePtrAdd(Frame, B.getInt64(A.value() - 1));
    Frame = B.CreateIntrinsic(Intrinsic::ptrmask, {B.getPtrTy(), I64},
                              {End, B.getInt64(-A.value())});
  }
  emitNext(Arena, Frame, Size, B);
  return Frame;
}

void pardiff::emitFullFrame(Value *Arena, Value *Frame, uint64_t MaxSize,
                            IRBuilder<> &B) {
  emitNext(Arena, Frame, MaxSize, B);
}

Value *pardiff::emitLastChunk(Value *Arena, IRBuilder<> &B) {
  return B.CreateLoad(B.getPtrTy(), getField(Arena, 2, B));
}
