//===- Flow/Chunks.cpp - Lists of chunks of memory ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow/Chunks.h"

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
  B.CreateCall(M.getOrInsertFunction("free", Void, Ptr), {Chunk});
  B.CreateBr(Head);
  B.SetInsertPoint(End);
  B.CreateRetVoid();
  return *Free;
}

void pardiff::emitFreeChunks(Value *Chunk, IRBuilder<> &B) {
  B.CreateCall(&getFree(*B.GetInsertBlock()->getModule()), {Chunk});
}
