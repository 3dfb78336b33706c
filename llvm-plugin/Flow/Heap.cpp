//===- Flow/Heap.cpp - Memory on the heap in both sweeps ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deferred frees are a stack for each thread: pairs of a function that frees
// and its argument. A gradient notes the height when it begins and frees what
// is above it when it ends, or when an exception leaves it, so gradients may be
// nested.
//
//===----------------------------------------------------------------------===//

#include "Flow/Heap.h"
#include "Emit/Emit.h"
#include "Support/Reason.h"
#include "Support/TapeMemory.h"
#include "Support/UserRules.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pardiff;

static constexpr StringLiteral DeferName = "pardiff.defer";
static constexpr StringLiteral ReleaseName = "pardiff.release";
static constexpr StringLiteral HeightName = "pardiff.deferred.height";

static bool isCallOf(const CallBase &Call, StringRef Name, unsigned Args) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->getName() == Name && Call.arg_size() == Args;
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

static FunctionCallee getMalloc(Module &M) {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("malloc", PointerType::getUnqual(C),
                               Type::getInt64Ty(C));
}

static FunctionCallee getFree(Module &M) {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("free", Type::getVoidTy(C),
                               PointerType::getUnqual(C));
}

static Value *createUsableSize(Value *P, IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(
      M.getOrInsertFunction("malloc_usable_size", B.getInt64Ty(), B.getPtrTy()),
      {P});
}

/// realloc(p, n): q = malloc(n); the bytes that both have are copied; free(p).
static void lowerRealloc(CallBase &Call) {
  IRBuilder<> B(&Call);
  Module &M = *Call.getModule();
  Value *Old = Call.getArgOperand(0);
  Value *Size = B.CreateZExtOrTrunc(Call.getArgOperand(1), B.getInt64Ty());
  CallInst *New = B.CreateCall(getMalloc(M), {Size});
  New->takeName(&Call);
  // Where there is no memory the old one stays.
  Value *Failed = B.CreateIsNull(New);
  Value *Bytes = B.CreateSelect(
      Failed, B.getInt64(0),
      B.CreateBinaryIntrinsic(Intrinsic::umin, Size, createUsableSize(Old, B)));
  B.CreateMemCpy(New, MaybeAlign(), Old, MaybeAlign(), Bytes);
  B.CreateCall(
      getFree(M),
      {B.CreateSelect(Failed, ConstantPointerNull::get(B.getPtrTy()), Old)});
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

/// posix_memalign(&p, a, n): p = memalign(a, n), 0 or ENOMEM.
static void lowerPosixMemalign(CallBase &Call) {
  IRBuilder<> B(&Call);
  Type *Int = Call.getArgOperand(1)->getType();
  Value *New = B.CreateCall(
      Call.getModule()->getOrInsertFunction("memalign", B.getPtrTy(), Int, Int),
      {Call.getArgOperand(1), Call.getArgOperand(2)});
  B.CreateStore(New, Call.getArgOperand(0));
  Call.replaceAllUsesWith(B.CreateSelect(B.CreateIsNull(New),
                                         ConstantInt::get(Call.getType(), 12),
                                         ConstantInt::get(Call.getType(), 0)));
  Call.eraseFromParent();
}

void pardiff::lowerAllocations(Function &F) {
  // What tracks assignments to variables (clang does, with -g) must know of
  // every store. It knows nothing of those that are added here, and then LLVM
  // fails when it promotes the variable.
  at::deleteAll(&F);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      continue;
    if (isCallOf(*Call, "realloc", 2))
      lowerRealloc(*Call);
    else if (isCallOf(*Call, "posix_memalign", 3))
      lowerPosixMemalign(*Call);
  }
}

void pardiff::moveStackToHeap(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    if (!Alloca || Alloca->isStaticAlloca())
      continue;
    IRBuilder<> B(Alloca);
    Value *Size =
        B.CreateMul(B.CreateZExtOrTrunc(Alloca->getArraySize(), B.getInt64Ty()),
                    B.getInt64(F.getDataLayout().getTypeAllocSize(
                        Alloca->getAllocatedType())));
    CallInst *Memory = B.CreateCall(getMalloc(*F.getParent()), {Size});
    Memory->takeName(Alloca);
    B.CreateCall(getFree(*F.getParent()), {Memory}); // deferred like any other
    Alloca->replaceAllUsesWith(Memory);
    Alloca->eraseFromParent();
  }
}

/// operator new and operator new[], with their size first. By name: some front
/// ends tell nothing else.
static bool isNew(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && Call.arg_size() > 0 &&
         StringSwitch<bool>(Callee->getName())
             .Cases({"_Znwm", "_Znam", "_Znwj", "_Znaj"}, true)
             .Cases({"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"}, true)
             .Cases({"_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"}, true)
             .Default(false);
}

static bool isAlignedAllocation(const CallBase &Call) {
  return isCallOf(Call, "aligned_alloc", 2) || isCallOf(Call, "memalign", 2);
}

/// The call's argument that the attribute Name of its callee speaks of, or
/// null.
static Value *getUserArgument(const CallBase &Call, StringRef Name) {
  Attribute A = getUserAttribute(Call, Name);
  unsigned Index = 0;
  if (!A.isValid() || A.getValueAsString().getAsInteger(10, Index) ||
      Index >= Call.arg_size())
    return nullptr;
  return Call.getArgOperand(Index);
}

bool pardiff::isAllocation(const CallBase &Call) {
  if (getUserArgument(Call, UserAllocatesAttr) || getTakenSize(Call))
    return true;
  return isAlignedAllocation(Call) || isCallOf(Call, "calloc", 2) ||
         isCallOf(Call, "malloc", 1) || isNew(Call);
}

/// Bytes that an allocation takes.
static Value *getSizeInBytes(const CallBase &Call, IRBuilder<> &B) {
  auto GetArg = [&](unsigned I) {
    return B.CreateZExtOrTrunc(Call.getArgOperand(I), B.getInt64Ty());
  };
  if (Value *Size = getUserArgument(Call, UserAllocatesAttr))
    return B.CreateZExtOrTrunc(Size, B.getInt64Ty());
  if (isCallOf(Call, "calloc", 2))
    return B.CreateMul(GetArg(0), GetArg(1));
  return GetArg(isAlignedAllocation(Call) ? 1 : 0);
}

/// True if the program itself calls realloc: then the size of memory is what
/// malloc_usable_size says (see lowerRealloc).
static bool usesRealloc(Module &M) {
  return M.getFunction("malloc_usable_size");
}

Value *pardiff::createShadowMemory(CallBase &Call, IRBuilder<> &B) {
  if (getTakenSize(Call))
    return emitTakeLike(Call, B);
  Module &M = *Call.getModule();
  Value *Size = getSizeInBytes(Call, B);
  if (usesRealloc(M) && !isNew(Call))
    Size = B.CreateBinaryIntrinsic(Intrinsic::umax, Size,
                                   createUsableSize(&Call, B));
  Value *Alignment = nullptr;
  if (isAlignedAllocation(Call))
    Alignment = Call.getArgOperand(0);
  else if (isNew(Call) &&
           Call.getCalledFunction()->getName().ends_with("align_val_t"))
    Alignment = Call.getArgOperand(1);
  Value *Shadow = nullptr;
  if (Alignment) {
    Alignment = B.CreateZExtOrTrunc(Alignment, B.getInt64Ty());
    // aligned_alloc wants a multiple of the alignment.
    Value *Mask = B.CreateSub(Alignment, B.getInt64(1));
    Size = B.CreateAnd(B.CreateAdd(Size, Mask), B.CreateNot(Mask));
    Shadow = B.CreateCall(M.getOrInsertFunction("aligned_alloc", B.getPtrTy(),
                                                B.getInt64Ty(), B.getInt64Ty()),
                          {Alignment, Size});
    B.CreateMemSet(Shadow, B.getInt8(0), Size, MaybeAlign());
  } else {
    Shadow = B.CreateCall(M.getOrInsertFunction("calloc", B.getPtrTy(),
                                                B.getInt64Ty(), B.getInt64Ty()),
                          {B.getInt64(1), Size});
  }
  return Shadow;
}

Value *pardiff::createMirroredMemory(CallBase &Call, IRBuilder<> &B) {
  if (!isNew(Call) && !getUserArgument(Call, UserAllocatesAttr))
    return createShadowMemory(Call, B);
  CallInst *Shadow =
      B.CreateCall(Call.getFunctionType(), Call.getCalledOperand(),
                   SmallVector<Value *, 2>(Call.args()));
  Shadow->setAttributes(Call.getAttributes());
  Value *Size = B.CreateSelect(B.CreateIsNull(Shadow), B.getInt64(0),
                               getSizeInBytes(Call, B));
  B.CreateMemSet(Shadow, B.getInt8(0), Size, MaybeAlign());
  return Shadow;
}

//===----------------------------------------------------------------------===//
// Deferred frees
//===----------------------------------------------------------------------===//

static GlobalVariable *getThreadLocal(Module &M, Type *Ty, StringRef Name) {
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  auto *G = new GlobalVariable(M, Ty, /*isConstant=*/false,
                               GlobalValue::InternalLinkage,
                               Constant::getNullValue(Ty), Name);
  G->setThreadLocalMode(GlobalValue::GeneralDynamicTLSModel);
  return G;
}

static Function *createHelper(Module &M, StringRef Name,
                              ArrayRef<Type *> Params) {
  Function *F = Function::Create(
      FunctionType::get(Type::getVoidTy(M.getContext()), Params, false),
      GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(KeepCallAttr);
  BasicBlock::Create(M.getContext(), "entry", F);
  return F;
}

namespace {
/// The stack of deferred frees.
struct Deferred {
  explicit Deferred(Module &M)
      : EntryTy(StructType::get(PointerType::getUnqual(M.getContext()),
                                PointerType::getUnqual(M.getContext()))),
        Height(getThreadLocal(M, Type::getInt64Ty(M.getContext()), HeightName)),
        Capacity(getThreadLocal(M, Type::getInt64Ty(M.getContext()),
                                "pardiff.deferred.capacity")),
        Entries(getThreadLocal(M, PointerType::getUnqual(M.getContext()),
                               "pardiff.deferred.entries")) {}
  StructType *EntryTy;
  GlobalVariable *Height, *Capacity, *Entries;
};
} // namespace

/// void pardiff.defer(ptr deallocate, ptr memory)
static Function &getDefer(Module &M) {
  if (Function *F = M.getFunction(DeferName))
    return *F;
  auto *Ptr = PointerType::getUnqual(M.getContext());
  Function *F = createHelper(M, DeferName, {Ptr, Ptr});
  Deferred D(M);
  IRBuilder<> B(&F->getEntryBlock());
  Value *Height = B.CreateLoad(B.getInt64Ty(), D.Height);
  Value *Capacity = B.CreateLoad(B.getInt64Ty(), D.Capacity);
  Value *Full = B.CreateICmpEQ(Height, Capacity);
  Instruction *Ret = B.CreateRetVoid();
  Instruction *Grow =
      SplitBlockAndInsertIfThen(Full, Ret->getIterator(), false);
  B.SetInsertPoint(Grow);
  Value *NewCapacity = B.CreateSelect(B.CreateIsNull(Capacity), B.getInt64(64),
                                      B.CreateShl(Capacity, 1));
  FunctionCallee Realloc =
      M.getOrInsertFunction("realloc", Ptr, Ptr, B.getInt64Ty());
  Value *Memory = B.CreateCall(
      Realloc,
      {B.CreateLoad(Ptr, D.Entries),
       B.CreateMul(NewCapacity,
                   B.getInt64(M.getDataLayout().getTypeAllocSize(D.EntryTy)))});
  emitStopUnless(B.CreateIsNotNull(Memory), "out of memory", B);
  B.CreateStore(Memory, D.Entries);
  B.CreateStore(NewCapacity, D.Capacity);
  B.SetInsertPoint(Ret);
  Value *Slot = B.CreateGEP(D.EntryTy, B.CreateLoad(Ptr, D.Entries), Height);
  B.CreateStore(F->getArg(0), B.CreateStructGEP(D.EntryTy, Slot, 0));
  B.CreateStore(F->getArg(1), B.CreateStructGEP(D.EntryTy, Slot, 1));
  B.CreateStore(B.CreateAdd(Height, B.getInt64(1)), D.Height);
  return *F;
}

/// void pardiff.release(i64 height): frees what is above, the last first. An
/// empty stack gives its memory back.
static Function &getRelease(Module &M) {
  if (Function *F = M.getFunction(ReleaseName))
    return *F;
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::getUnqual(C);
  Function *F = createHelper(M, ReleaseName, {Type::getInt64Ty(C)});
  Deferred D(M);
  BasicBlock *Head = BasicBlock::Create(C, "head", F),
             *Body = BasicBlock::Create(C, "body", F),
             *End = BasicBlock::Create(C, "end", F);
  IRBuilder<> B(&F->getEntryBlock());
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  Value *Height = B.CreateLoad(B.getInt64Ty(), D.Height);
  B.CreateCondBr(B.CreateICmpUGT(Height, F->getArg(0)), Body, End);
  B.SetInsertPoint(Body);
  Value *Top = B.CreateSub(Height, B.getInt64(1));
  B.CreateStore(Top, D.Height);
  Value *Slot = B.CreateGEP(D.EntryTy, B.CreateLoad(Ptr, D.Entries), Top);
  Value *Deallocate = B.CreateLoad(Ptr, B.CreateStructGEP(D.EntryTy, Slot, 0));
  Value *Memory = B.CreateLoad(Ptr, B.CreateStructGEP(D.EntryTy, Slot, 1));
  B.CreateCall(FunctionType::get(B.getVoidTy(), {Ptr}, false), Deallocate,
               {Memory});
  B.CreateBr(Head);
  B.SetInsertPoint(End);
  Value *IsEmpty = B.CreateIsNull(F->getArg(0));
  Instruction *Ret = B.CreateRetVoid();
  B.SetInsertPoint(
      SplitBlockAndInsertIfThen(IsEmpty, Ret->getIterator(), false));
  B.CreateCall(getFree(M), {B.CreateLoad(Ptr, D.Entries)});
  B.CreateStore(ConstantPointerNull::get(Ptr), D.Entries);
  B.CreateStore(B.getInt64(0), D.Capacity);
  return *F;
}

Value *pardiff::getFreed(const CallBase &Call) {
  if (Value *P = getUserArgument(Call, UserFreesAttr))
    return P;
  if (Value *P = getGiven(Call))
    return P;
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee && Callee->isDeclaration() ? Callee->getName() : "";
  return Name == "free" || Name.starts_with("_ZdlPv") ||
                 Name.starts_with("_ZdaPv")
             ? Call.getArgOperand(0)
             : nullptr;
}

/// For a delete of memory with an alignment: a function with one parameter that
/// does the same; null for others.
static Function *getAlignedDelete(const CallBase &Free) {
  StringRef Name =
      StringSwitch<StringRef>(Free.getCalledFunction()->getName())
          .Cases({"_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t"},
                 "_ZdlPvSt11align_val_t")
          .Cases({"_ZdaPvSt11align_val_t", "_ZdaPvmSt11align_val_t"},
                 "_ZdaPvSt11align_val_t")
          .Default("");
  auto *A = dyn_cast<ConstantInt>(Free.getArgOperand(Free.arg_size() - 1));
  if (Name.empty() || !A)
    return nullptr;
  Module &M = *const_cast<Module *>(Free.getModule());
  LLVMContext &C = M.getContext();
  std::string Own =
      ("pardiff.delete." + Name + "." + Twine(A->getZExtValue())).str();
  if (Function *F = M.getFunction(Own))
    return F;
  Type *Void = Type::getVoidTy(C), *Ptr = PointerType::getUnqual(C);
  Function *F = Function::Create(FunctionType::get(Void, {Ptr}, false),
                                 GlobalValue::InternalLinkage, Own, M);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  B.CreateCall(M.getOrInsertFunction(Name, Void, Ptr, A->getType()),
               {F->getArg(0), A});
  B.CreateRetVoid();
  return F;
}

/// The function with one parameter that frees like Free; null if there is none.
static Function *getDeallocator(const CallBase &Free) {
  Function *Callee = Free.getCalledFunction();
  if (!Callee)
    return nullptr;
  if (Callee->hasFnAttribute(UserFreesAttr))
    return Callee; // it has one parameter
  if (getGiven(Free))
    return cast<Function>(getFree(*Callee->getParent()).getCallee());
  if (Function *Aligned = getAlignedDelete(Free))
    return Aligned;
  StringRef Name = StringSwitch<StringRef>(Callee->getName())
                       .Case("free", "free")
                       .Cases({"_ZdlPv", "_ZdlPvm", "_ZdlPvj"}, "_ZdlPv")
                       .Cases({"_ZdaPv", "_ZdaPvm", "_ZdaPvj"}, "_ZdaPv")
                       .Default("");
  if (Name.empty())
    return nullptr;
  Module &M = *const_cast<Module *>(Free.getModule());
  auto *Ptr = PointerType::getUnqual(M.getContext());
  return dyn_cast<Function>(
      M.getOrInsertFunction(Name, Type::getVoidTy(M.getContext()), Ptr)
          .getCallee());
}

bool pardiff::isDeferral(const CallBase &Call) {
  return isCallOf(Call, DeferName, 2) || isCallOf(Call, ReleaseName, 1);
}

Value *pardiff::getDeferred(const CallBase &Call) {
  return isCallOf(Call, DeferName, 2) ? Call.getArgOperand(1) : nullptr;
}

Error pardiff::deferFree(CallBase &Free, ArrayRef<Value *> Shadows) {
  Function *Deallocate = getDeallocator(Free);
  if (!Deallocate)
    return refuse(Reason::UnsupportedAllocation, "", &Free);
  Module &M = *Free.getModule();
  IRBuilder<> B(&Free);
  B.CreateCall(&getDefer(M), {Deallocate, Free.getArgOperand(0)});
  for (Value *Shadow : Shadows)
    B.CreateCall(&getDefer(M), {getFree(M).getCallee(), Shadow});
  return Error::success();
}

void pardiff::releaseDeferred(Instruction *Start,
                              ArrayRef<Instruction *> Ends) {
  Module &M = *Start->getModule();
  if (!M.getFunction(DeferName))
    return;
  Deferred D(M);
  IRBuilder<> B(Start);
  Value *Height = B.CreateLoad(B.getInt64Ty(), D.Height);
  for (Instruction *End : Ends) {
    B.SetInsertPoint(End);
    B.CreateCall(&getRelease(M), {Height});
  }
}
