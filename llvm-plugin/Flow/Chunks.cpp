//===- Flow/Chunks.cpp - Lists of chunks of memory ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow/Chunks.h"
#include "Emit/Emit.h"
#include "Support/TapeMemory.h"
#include "Support/TypeTags.h"

using namespace llvm;
using namespace pardiff;

Function *pardiff::createColdHelper(Module &M, StringRef Name, Type *Result,
                                    ArrayRef<Type *> Params) {
  Function *Helper = Function::Create(FunctionType::get(Result, Params, false),
                                      GlobalValue::InternalLinkage, Name, M);
  Helper->addFnAttr(Attribute::NoInline);
  Helper->addFnAttr(Attribute::Cold);
  Helper->addFnAttr(Attribute::NoUnwind);
  BasicBlock::Create(M.getContext(), "entry", Helper);
  return Helper;
}

/// Where the size of a chunk is.
static Value *getSizePlace(Value *Chunk, IRBuilder<> &B) {
  auto *Header =
      StructType::get(B.getContext(), {B.getPtrTy(), B.getInt64Ty()});
  return B.CreateStructGEP(Header, Chunk, 1);
}

Value *pardiff::loadCount(Value *Place, IRBuilder<> &B) {
  LoadInst *Load = B.CreateLoad(B.getInt64Ty(), Place);
  Load->setMetadata(LLVMContext::MD_tbaa, getIntegerTag(B.getContext()));
  return Load;
}

void pardiff::storeCount(Value *Count, Value *Place, IRBuilder<> &B) {
  B.CreateStore(Count, Place)
      ->setMetadata(LLVMContext::MD_tbaa, getIntegerTag(B.getContext()));
}

Value *pardiff::emitChunk(Value *Last, Value *Bytes, StringRef Message,
                          IRBuilder<> &B) {
  Value *Chunk = emitTake(Bytes, /*Zero=*/false, B);
  emitStopUnless(B.CreateIsNotNull(Chunk), Message, B);
  B.CreateStore(Last, Chunk);
  storeCount(Bytes, getSizePlace(Chunk, B), B);
  return Chunk;
}

void pardiff::emitFreeChunk(Value *Chunk, IRBuilder<> &B) {
  emitGive(Chunk, loadCount(getSizePlace(Chunk, B), B), B);
}

/// void pardiff.chunks.free(ptr last chunk): frees it and all before it.
static Function &getFree(Module &M) {
  StringRef Name = "pardiff.chunks.free";
  if (Function *Free = M.getFunction(Name))
    return *Free;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Void = Type::getVoidTy(C);
  Function *Free = createColdHelper(M, Name, Void, {Ptr});
  BasicBlock *Entry = &Free->getEntryBlock(),
             *Head = BasicBlock::Create(C, "head", Free),
             *Body = BasicBlock::Create(C, "body", Free),
             *End = BasicBlock::Create(C, "end", Free);
  IRBuilder<> B(Entry);
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *Chunk = B.CreatePHI(Ptr, 2);
  Chunk->addIncoming(Free->getArg(0), Entry);
  B.CreateCondBr(B.CreateIsNull(Chunk), End, Body);
  B.SetInsertPoint(Body);
  Chunk->addIncoming(B.CreateLoad(Ptr, Chunk), Body);
  emitFreeChunk(Chunk, B);
  B.CreateBr(Head);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  return *Free;
}

void pardiff::emitFreeChunks(Value *Chunk, IRBuilder<> &B) {
  B.CreateCall(&getFree(*B.GetInsertBlock()->getModule()), {Chunk});
}
