//===- Emit/Allocate.cpp - Memory of tapes and shadows, and stopping ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array of a small constant size is an alloca of the entry block. Others
// are on the heap (TapeMemory.h); a size that does not fit into 64 bits counts
// as no memory. Where an extent is not positive the array has no elements, and
// never stops the program.
//
// A program that stops says why in one line on stderr and aborts. dprintf and
// abort are all it needs, so serial gradients link without a runtime library.
//
//===----------------------------------------------------------------------===//

#include "Emit/EmitterImpl.h"
#include "Emit/ExprGen.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "Support/TapeMemory.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace pardiff;

/// Arrays of at most this size live on the stack, as long as all of them
/// together take no more than MaxStackBytes.
static constexpr uint64_t MaxArrayOnStack = 4096, MaxStackBytes = 32768;

/// Emits a branch to a block that prints Format with Args and aborts, unless
/// Ok.
static void emitStop(Value *Ok, StringRef Format, ArrayRef<Value *> Args,
                     IRBuilder<> &B) {
  if (auto *C = dyn_cast<ConstantInt>(Ok); C && C->isOne())
    return;
  LLVMContext &C = B.getContext();
  BasicBlock *Rest = openBlock(B);
  Function *F = Rest->getParent();
  Module &M = *F->getParent();
  BasicBlock *Stop = BasicBlock::Create(C, "pardiff.stop", F);
  B.CreateCondBr(Ok, Rest, Stop, MDBuilder(C).createLikelyBranchWeights());
  B.SetInsertPoint(Stop);
  Type *Int = B.getInt32Ty(), *Ptr = B.getPtrTy();
  FunctionCallee Print = M.getOrInsertFunction(
      "dprintf", FunctionType::get(Int, {Int, Ptr}, true));
  FunctionCallee Abort =
      M.getOrInsertFunction("abort", FunctionType::get(B.getVoidTy(), false));
  std::string Line = ("pardiff: stopped: " + Format + "\n").str();
  SmallVector<Value *, 8> Call = {
      B.getInt32(2), B.CreateGlobalString(Line, "pardiff.message", 0, &M)};
  Call.append(Args.begin(), Args.end());
  B.CreateCall(Print, Call)->addFnAttr(Attribute::Cold);
  CallInst *End = B.CreateCall(Abort);
  End->addFnAttr(Attribute::NoReturn);
  End->addFnAttr(Attribute::Cold);
  B.CreateUnreachable();
  setInsertPointKeepLoc(B, Rest);
}

static std::string escapeFormat(StringRef Text) {
  std::string Escaped;
  for (char C : Text)
    Escaped.append(C == '%' ? 2 : 1, C);
  return Escaped;
}

void pardiff::emitStopUnless(Value *Ok, StringRef Message, IRBuilder<> &B) {
  emitStop(Ok, escapeFormat(Message), {}, B);
}

namespace {

/// Number of bytes of an array, and whether it fits into 64 bits.
struct Size {
  Value *Bytes;
  Value *Fits;
};

} // namespace

/// Extents are not negative.
static Size emitSize(ArrayRef<Value *> Extents, uint64_t ElemBytes,
                     IRBuilder<> &B) {
  Value *Bytes = B.getInt64(ElemBytes), *Overflow = B.getFalse(),
        *Empty = B.getFalse();
  for (Value *E : Extents) {
    Value *Product =
        B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Bytes, E);
    Bytes = B.CreateExtractValue(Product, 0);
    Overflow = B.CreateOr(Overflow, B.CreateExtractValue(Product, 1));
    Empty = B.CreateOr(Empty, B.CreateICmpEQ(E, B.getInt64(0)));
  }
  // Sizes that no pointer difference can hold are left to malloc, which refuses
  // them.
  return {B.CreateSelect(Empty, B.getInt64(0), Bytes),
          B.CreateOr(Empty, B.CreateNot(Overflow))};
}

static const char *getKindText(const Array &A) {
  return A.Kind == ArrayKind::Tape ? "tape" : "shadow";
}

Expected<Value *> NestEmitter::allocate(Array &A, bool Zero, IRBuilder<> &B) {
  if (!A.Scope.empty())
    return B.getInt64(0); // the loops make it
  // All that can fail comes first.
  struct Extent {
    AstExpr E, Exists;
  };
  SmallVector<Extent, 4> Shape;
  for (const isl::pw_aff &S : A.Shape) {
    if (S.is_null())
      return refuse(Reason::NoStorage, A.Name + ": unknown extent");
    Expected<AstExpr> E = I->Exprs.convert(S);
    if (!E)
      return E.takeError();
    // Where isl gives no value the array has no elements.
    Expected<AstExpr> Exists = I->Exprs.convert(S.domain());
    if (!Exists)
      return Exists.takeError();
    Shape.push_back({std::move(*E), std::move(*Exists)});
  }

  SmallVector<Value *, 8> Params = I->Exprs.getValues();
  ExprGen Gen(B, Params, /*NoWrap=*/false);
  A.Extents.clear();
  for (const Extent &S : Shape) {
    Value *V =
        B.CreateBinaryIntrinsic(Intrinsic::smax, Gen.emit(S.E), B.getInt64(0));
    A.Extents.push_back(
        B.CreateSelect(Gen.emitBool(S.Exists), V, B.getInt64(0)));
  }
  const DataLayout &DL = I->F.getDataLayout();
  Size S = emitSize(A.Extents, DL.getTypeAllocSize(A.ElemTy), B);

  auto *Bytes = dyn_cast<ConstantInt>(S.Bytes);
  if (Bytes && Bytes->getZExtValue() <= MaxArrayOnStack &&
      I->StackBytes + Bytes->getZExtValue() <= MaxStackBytes) {
    uint64_t Count = Bytes->getZExtValue() / DL.getTypeAllocSize(A.ElemTy);
    BasicBlock &Entry = I->F.getEntryBlock();
    IRBuilder<> EntryB(&Entry, Entry.begin());
    A.Base =
        EntryB.CreateAlloca(ArrayType::get(A.ElemTy, Count), nullptr, A.Name);
    I->StackBytes += Bytes->getZExtValue();
    I->Arrays.Allocated.insert(&A);
    if (Zero)
      B.CreateMemSet(A.Base, B.getInt8(0), Bytes, DL.getABITypeAlign(A.ElemTy));
    return S.Bytes;
  }

  CallInst *Memory = emitTake(S.Bytes, Zero, B, A.Name);
  // No memory for no bytes is not a failure.
  Value *Got = B.CreateOr(B.CreateIsNotNull(Memory),
                          B.CreateICmpEQ(S.Bytes, B.getInt64(0)));
  std::string Format = "out of memory: %llu bytes for the ";
  Format += getKindText(A);
  Format +=
      " '" + escapeFormat(A.Name) + "' of '" + escapeFormat(I->N.Name) + "'";
  emitStop(B.CreateAnd(S.Fits, Got), Format, {S.Bytes}, B);
  A.Base = Memory;
  I->Arrays.Allocated.insert(&A);
  I->Arrays.Bytes[&A] = S.Bytes;
  return S.Bytes;
}

void NestEmitter::free(Array &A, IRBuilder<> &B) {
  if (Value *Bytes = I->Arrays.Bytes.lookup(&A))
    emitGive(A.Base, Bytes, B);
}
