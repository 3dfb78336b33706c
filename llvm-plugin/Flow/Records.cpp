//===- Flow/Records.cpp - Values of iterations, kept for the reverse sweep ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow/Records.h"
#include "Flow/Chunks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <limits>

using namespace llvm;
using namespace pardiff;

/// Records of the first chunk, and of others at least, where the number is not
/// known before.
static constexpr uint64_t RecordsAtFirst = 8, RecordsAtLeast = 64;
/// A chunk is this part of all chunks before it, as a shift.
static constexpr unsigned Growth = 4;
/// Bytes of a header; the records behind it are aligned like it.
static constexpr uint64_t HeaderSize = 32;

Value *pardiff::emitDefined(Value *V, IRBuilder<> &B) {
  return isa<PHINode, SelectInst, LoadInst>(V) ? B.CreateFreeze(V) : V;
}

AllocaInst *Records::createCell(Type *Ty, const Loop *L, const Twine &Name) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Cell = B.CreateAlloca(Ty, nullptr, Name);
  if (L)
    Tapes[L].Cells.push_back(Cell);
  return Cell;
}

AllocaInst *Records::createVariable(Type *Ty, const Twine &Name) {
  AllocaInst *Variable = createCell(Ty, nullptr, Name);
  IRBuilder<> B(Variable->getNextNode());
  B.CreateStore(Constant::getNullValue(Ty), Variable);
  return Variable;
}

void Records::addIterationEnd(const Loop *L, Instruction *Forward,
                              Instruction *Reverse) {
  Tapes[L].Ends.push_back({Forward, Reverse});
}

/// The chunk before, the size, the bytes of records in all chunks so far, and
/// the end of the records of the chunk before.
static StructType *getHeader(LLVMContext &C) {
  auto *Ptr = PointerType::getUnqual(C);
  auto *I64 = Type::getInt64Ty(C);
  return StructType::get(C, {Ptr, I64, I64, Ptr});
}

/// { ptr chunk, ptr its end } pardiff.tape.grow(ptr last chunk, ptr end of its
/// records, i64 bytes for records, i64 bytes at least): a new chunk that has a
/// multiple of the bytes for records, or stops.
Function &Records::getGrow() {
  Module &M = *F.getParent();
  StringRef Name = "pardiff.tape.grow";
  if (Function *Grow = M.getFunction(Name))
    return *Grow;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  StructType *Result = StructType::get(Ptr, Ptr), *Header = getHeader(C);
  Function *Grow = createColdHelper(M, Name, Result, {Ptr, Ptr, I64, I64});
  Value *Last = Grow->getArg(0), *Need = Grow->getArg(2);
  BasicBlock *Entry = &Grow->getEntryBlock(),
             *Old = BasicBlock::Create(C, "old", Grow),
             *New = BasicBlock::Create(C, "new", Grow);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNull(Last), New, Old);
  B.SetInsertPoint(Old);
  Value *OldTotal = loadCount(B.CreateStructGEP(Header, Last, 2), B);
  B.CreateBr(New);
  B.SetInsertPoint(New);
  PHINode *Total = B.CreatePHI(I64, 2);
  Total->addIncoming(B.getInt64(0), Entry);
  Total->addIncoming(OldTotal, Old);
  Value *Size = B.CreateBinaryIntrinsic(
      Intrinsic::umax, B.CreateLShr(Total, Growth), Grow->getArg(3));
  Size = B.CreateSub(Size, B.CreateURem(Size, Need));
  Instruction *Ret = B.CreateRet(PoisonValue::get(Result));
  B.SetInsertPoint(Ret);
  Value *Bytes = B.CreateAdd(Size, B.getInt64(HeaderSize));
  Value *Chunk = emitChunk(Last, Bytes, "out of memory for the tape", B);
  storeCount(B.CreateAdd(Total, Size), B.CreateStructGEP(Header, Chunk, 2), B);
  B.CreateStore(Grow->getArg(1), B.CreateStructGEP(Header, Chunk, 3));
  Value *End = B.CreatePtrAdd(Chunk, Bytes);
  Value *Both = B.CreateInsertValue(PoisonValue::get(Result), Chunk, 0);
  Ret->setOperand(0, B.CreateInsertValue(Both, End, 1));
  return *Grow;
}

/// { ptr chunk, ptr end of its records } pardiff.tape.shrink(ptr last chunk):
/// frees it and gives the one before it.
Function &Records::getShrink() {
  Module &M = *F.getParent();
  StringRef Name = "pardiff.tape.shrink";
  if (Function *Shrink = M.getFunction(Name))
    return *Shrink;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  StructType *Result = StructType::get(Ptr, Ptr);
  Function *Shrink = createColdHelper(M, Name, Result, {Ptr});
  IRBuilder<> B(&Shrink->getEntryBlock());
  Value *Chunk = Shrink->getArg(0), *Both = PoisonValue::get(Result);
  auto Load = [&](unsigned Field) {
    return B.CreateLoad(Ptr, B.CreateStructGEP(getHeader(C), Chunk, Field));
  };
  Both = B.CreateInsertValue(Both, Load(0), 0);
  Both = B.CreateInsertValue(Both, Load(3), 1);
  emitFreeChunk(Chunk, B);
  B.CreateRet(Both);
  return *Shrink;
}

void Records::emitFree(IRBuilder<> &B) {
  for (auto &[L, T] : Tapes)
    if (T.Chunk)
      emitFreeChunks(B.CreateLoad(B.getPtrTy(), T.Chunk), B);
}

/// The fields of a record, the largest alignment first, nothing between them.
void Records::layOut(LoopTape &T) {
  LLVMContext &C = F.getContext();
  const DataLayout &DL = F.getDataLayout();
  stable_sort(T.Cells, [&](const AllocaInst *A, const AllocaInst *B) {
    return DL.getABITypeAlign(A->getAllocatedType()) >
           DL.getABITypeAlign(B->getAllocatedType());
  });
  SmallVector<Type *, 8> Fields;
  for (AllocaInst *Cell : T.Cells)
    Fields.push_back(Cell->getAllocatedType());
  T.Record = StructType::get(C, Fields, /*isPacked=*/true);
  auto *Natural = StructType::get(C, Fields);
  if (DL.getTypeAllocSize(Natural) == DL.getTypeAllocSize(T.Record))
    T.Record = Natural;
  auto *Ptr = PointerType::getUnqual(C);
  T.Chunk = createVariable(Ptr, "tape.chunk");
  T.Next = createVariable(Ptr, "tape.next");
  T.Limit = createVariable(Ptr, "tape.limit");
}

static void storeBoth(Value *Both, AllocaInst *First, AllocaInst *Second,
                      IRBuilder<> &B) {
  B.CreateStore(B.CreateExtractValue(Both, 0), First);
  B.CreateStore(B.CreateExtractValue(Both, 1), Second);
}

/// Forward sweep: a new chunk if IsFull.
void Records::emitReserve(LoopTape &T, Value *IsFull, Value *Need, Value *Least,
                          Instruction *Before) {
  IRBuilder<> B(SplitBlockAndInsertIfThen(
      IsFull, Before, /*Unreachable=*/false,
      MDBuilder(F.getContext()).createUnlikelyBranchWeights()));
  Value *Both = B.CreateCall(&getGrow(),
                             {B.CreateLoad(B.getPtrTy(), T.Chunk),
                              B.CreateLoad(B.getPtrTy(), T.Next), Need, Least});
  storeBoth(Both, T.Chunk, T.Limit, B);
  B.CreateStore(
      B.CreatePtrAdd(B.CreateExtractValue(Both, 0), B.getInt64(HeaderSize)),
      T.Next);
}

/// Reverse sweep: back to the chunk before if there are no more records.
void Records::emitPop(LoopTape &T, Instruction *Before) {
  IRBuilder<> B(Before);
  Value *Chunk = B.CreateLoad(B.getPtrTy(), T.Chunk);
  Value *IsEmpty =
      B.CreateICmpEQ(B.CreateLoad(B.getPtrTy(), T.Next),
                     B.CreatePtrAdd(Chunk, B.getInt64(HeaderSize)));
  B.SetInsertPoint(SplitBlockAndInsertIfThen(
      IsEmpty, Before, /*Unreachable=*/false,
      MDBuilder(F.getContext()).createUnlikelyBranchWeights()));
  storeBoth(B.CreateCall(&getShrink(), {Chunk}), T.Chunk, T.Next, B);
}

/// Forward sweep: the cells go onto the tape.
void Records::emitPush(LoopTape &T, Instruction *Before) {
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(Before);
  Value *Size = B.getInt64(DL.getTypeAllocSize(T.Record));
  if (!T.Trips) {
    Value *IsFull = B.CreateICmpEQ(B.CreateLoad(B.getPtrTy(), T.Next),
                                   B.CreateLoad(B.getPtrTy(), T.Limit));
    uint64_t Bytes = DL.getTypeAllocSize(T.Record);
    Value *Least = B.CreateSelect(
        B.CreateIsNull(B.CreateLoad(B.getPtrTy(), T.Chunk)),
        B.getInt64(RecordsAtFirst * Bytes), B.getInt64(RecordsAtLeast * Bytes));
    emitReserve(T, IsFull, Size, Least, Before);
    B.SetInsertPoint(Before);
  }
  Value *Record = B.CreateLoad(B.getPtrTy(), T.Next);
  for (auto [I, Cell] : enumerate(T.Cells)) {
    Type *Ty = Cell->getAllocatedType();
    Value *V = Values.lookup(Cell);
    if (!V)
      V = B.CreateLoad(Ty, Cell);
    V = emitDefined(V, B);
    Accesses.push_back(B.CreateAlignedStore(
        V, B.CreateStructGEP(T.Record, Record, I),
        T.Record->isPacked() ? Align(1)
                             : std::min(DL.getABITypeAlign(Ty), Align(16))));
  }
  B.CreateStore(B.CreateInBoundsPtrAdd(Record, Size), T.Next);
}

/// Reverse sweep: the last record goes back into the cells.
void Records::emitTake(LoopTape &T, Instruction *Before) {
  const DataLayout &DL = F.getDataLayout();
  IRBuilder<> B(Before);
  Value *Size =
      B.getInt64(-static_cast<int64_t>(DL.getTypeAllocSize(T.Record)));
  Value *Record =
      B.CreateInBoundsPtrAdd(B.CreateLoad(B.getPtrTy(), T.Next), Size);
  B.CreateStore(Record, T.Next);
  for (auto [I, Cell] : enumerate(T.Cells)) {
    Type *Ty = Cell->getAllocatedType();
    LoadInst *V = B.CreateAlignedLoad(
        Ty, B.CreateStructGEP(T.Record, Record, I),
        T.Record->isPacked() ? Align(1)
                             : std::min(DL.getABITypeAlign(Ty), Align(16)));
    Accesses.push_back(V);
    B.CreateStore(V, Cell);
  }
  if (!T.Trips)
    emitPop(T, Before);
}

/// Nothing else in the function is where the records are.
void Records::markOthers() {
  MDBuilder MD(F.getContext());
  MDNode *Domain = MD.createAnonymousAliasScopeDomain("pardiff.tapes");
  MDNode *Scope = MDNode::get(
      F.getContext(), MD.createAnonymousAliasScope(Domain, "pardiff.tape"));
  SmallPtrSet<const Instruction *, 32> OfRecords(Accesses.begin(),
                                                 Accesses.end());
  for (Instruction &I : instructions(F)) {
    unsigned Kind = OfRecords.contains(&I) ? LLVMContext::MD_alias_scope
                                           : LLVMContext::MD_noalias;
    if (isa<LoadInst, StoreInst>(I))
      I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), Scope));
  }
}

/// Emits the stores of values in cells, but for those that go straight into
/// records: LLVM would take long to find that out where blocks are large.
void Records::storeValues(const DominatorTree &DT) {
  DenseMap<const AllocaInst *, const LoopTape *> TapeOf;
  for (auto &[L, T] : Tapes)
    for (AllocaInst *Cell : T.Cells)
      TapeOf[Cell] = &T;
  SmallVector<std::pair<AllocaInst *, Instruction *>, 16> Stored;
  for (auto [Cell, V] : Values) {
    const LoopTape *T = TapeOf.lookup(Cell);
    if (!T || any_of(T->Ends, [&, V = V](const auto &End) {
          return !DT.dominates(V, End.first);
        }))
      Stored.push_back({Cell, V});
  }
  for (auto [Cell, V] : Stored) {
    IRBuilder<> After(&*V->getInsertionPointAfterDef().value());
    After.CreateStore(V, Cell);
    Values[Cell] = nullptr;
  }
}

/// True if in T's loop nothing needs a cell between the common end and the end
/// of the iteration, in either sweep.
bool Records::isPutAwayAtOnce(const LoopTape &T, const DominatorTree &DT,
                              const BasicBlock &Begin) const {
  auto [Forward, Reverse] = T.Common;
  auto IsBehind = [&, Last = Forward](const BasicBlock *BB) {
    return DT.properlyDominates(Last->getParent(), BB);
  };
  return all_of(T.Cells, [&, Back = Reverse](AllocaInst *Cell) {
    Instruction *V = Values.lookup(Cell);
    if (V && IsBehind(V->getInsertionPointAfterDef().value()->getParent()))
      return false;
    return all_of(Cell->users(), [&](const User *U) {
      auto *I = cast<Instruction>(U);
      return DT.dominates(&Begin, I->getParent()) ? DT.dominates(Back, I)
                                                  : !IsBehind(I->getParent());
    });
  });
}

void Records::emit(BasicBlock &Begin) {
  DominatorTree DT(F);
  for (auto &[L, T] : Tapes)
    if (T.Common.first && isPutAwayAtOnce(T, DT, Begin))
      T.Ends = {T.Common};
  storeValues(DT);
  for (auto &[L, T] : Tapes) {
    if (T.Cells.empty())
      continue;
    layOut(T);
    if (T.Trips) {
      auto [Forward, Reverse] = T.Entry;
      IRBuilder<> B(Forward);
      Type *I64 = B.getInt64Ty();
      // Too much for 64 bits is too much for malloc as well.
      Value *Product = B.CreateIntrinsic(
          Intrinsic::umul_with_overflow, {I64},
          {T.Trips, B.getInt64(F.getDataLayout().getTypeAllocSize(T.Record))});
      Value *Most = B.getInt64(std::numeric_limits<int64_t>::max());
      Value *IsMore =
          B.CreateOr(B.CreateExtractValue(Product, 1), B.CreateIsNull(T.Trips));
      Value *Need = B.CreateSelect(
          IsMore, Most,
          B.CreateBinaryIntrinsic(Intrinsic::umin,
                                  B.CreateExtractValue(Product, 0), Most));
      Value *Left = B.CreateSub(
          B.CreatePtrToInt(B.CreateLoad(B.getPtrTy(), T.Limit), I64),
          B.CreatePtrToInt(B.CreateLoad(B.getPtrTy(), T.Next), I64));
      emitReserve(T, B.CreateICmpULT(Left, Need), Need, Need, Forward);
      emitPop(T, Reverse);
    }
    for (auto [Forward, Reverse] : T.Ends) {
      emitPush(T, Forward);
      emitTake(T, Reverse);
    }
  }
  markOthers();
}
