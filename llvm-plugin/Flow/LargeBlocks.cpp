//===- Flow/LargeBlocks.cpp - Compile time of large blocks ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Much of what LLVM does inside a block takes time that grows with the square
// of its size: the vectorizer of straight code, instruction scheduling,
// register allocation. Users hardly ever write blocks of ten thousand
// statements, but programs that write programs do, and the reverse sweep is
// several times as long. So a very large block becomes several ones. Between
// two of them stands a branch that is never taken, and LLVM does not know that:
// on a constant that is read as a volatile one, so that derivatives can be
// differentiated in turn.
//
//===----------------------------------------------------------------------===//

#include "Flow/LargeBlocks.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

/// Instructions of a part; blocks with less than twice as many stay whole.
static constexpr unsigned PartSize = 500;
/// A block of more is not worth the time of the vectorizer of straight code,
/// which even for the parts takes longer than all the rest.
static constexpr unsigned VectorizedSize = 10000;

static GlobalVariable &getNever(Module &M) {
  StringRef Name = "pardiff.never";
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return *Known;
  Type *Ty = Type::getInt8Ty(M.getContext());
  return *new GlobalVariable(M, Ty, /*isConstant=*/true,
                             GlobalValue::InternalLinkage,
                             Constant::getNullValue(Ty), Name);
}

static BasicBlock *createStop(Function &F) {
  BasicBlock *Stop = BasicBlock::Create(F.getContext(), "never", &F);
  IRBuilder<> B(Stop);
  B.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
  B.CreateUnreachable();
  return Stop;
}

/// True if I has to stay behind the instruction in front of it.
static bool isBound(const Instruction &I) {
  auto *Call = dyn_cast_or_null<CallInst>(I.getPrevNode());
  return I.isTerminator() || I.isEHPad() || isa<PHINode, AllocaInst>(I) ||
         (Call && Call->isMustTailCall());
}

void pardiff::splitLargeBlocks(Function &F) {
  SmallVector<BasicBlock *, 8> Large;
  for (BasicBlock &BB : F)
    if (BB.size() >= 2 * PartSize)
      Large.push_back(&BB);
  // All it does to code without memory copies is to turn off vectorizers.
  if (any_of(Large, [](BasicBlock *BB) { return BB->size() > VectorizedSize; }))
    F.addFnAttr(Attribute::NoImplicitFloat);
  BasicBlock *Stop = Large.empty() ? nullptr : createStop(F);
  for (BasicBlock *BB : Large) {
    SmallVector<Instruction *, 16> Starts;
    unsigned Number = 0;
    for (Instruction &I : *BB)
      if (++Number >= PartSize && !isBound(I)) {
        Starts.push_back(&I);
        Number = 0;
      }
    for (Instruction *Start : reverse(Starts)) {
      BasicBlock *Part = BB->splitBasicBlock(Start->getIterator());
      Instruction *End = BB->getTerminator();
      IRBuilder<> B(End);
      Value *Never = B.CreateLoad(B.getInt8Ty(), &getNever(*F.getParent()),
                                  /*isVolatile=*/true);
      B.CreateCondBr(B.CreateIsNull(Never), Part, Stop,
                     MDBuilder(F.getContext()).createLikelyBranchWeights());
      End->eraseFromParent();
    }
  }
}
