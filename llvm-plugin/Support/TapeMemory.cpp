//===- Support/TapeMemory.cpp - Memory that gradients use again -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is kept is a list, linked through the first bytes of its blocks. Whoever
// looks for a block takes the whole list out by one exchange, so nothing is
// read that another thread may change, and puts the rest back by
// compare-and-exchange. A thread that finds no list meanwhile allocates.
//
// A block is used again for sizes down to 15/16 of what it is known to have.
//
// The functions are written as IR and linked into the module; a program has
// them once. To LLVM they are an allocator like malloc: memory that nobody uses
// goes away, and no pointer that comes from elsewhere points to it.
//
//===----------------------------------------------------------------------===//

#include "Support/TapeMemory.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace pardiff;

static cl::opt<unsigned> KeepMemory(
    "pardiff-keep-memory", cl::init(256), cl::value_desc("MiB"),
    cl::desc("Memory that gradients may keep from call to call; 0: none"));

static constexpr StringLiteral TakeName = "pardiff.memory.take",
                               ZeroName = "pardiff.memory.zero",
                               GiveName = "pardiff.memory.give";

/// Smaller blocks are left to malloc. From LargeBytes on new ones ask for large
/// pages.
static constexpr uint64_t LeastBytes = 64 << 10, LargeBytes = 8 << 20;

static const char Functions[] = R"(
@pardiff.memory.list = linkonce_odr hidden global ptr null
@pardiff.memory.kept = linkonce_odr hidden global i64 0

declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)

; Puts a list of blocks in front of what is kept.
define linkonce_odr hidden void @pardiff.memory.put(ptr %list) #0 {
  %none = icmp eq ptr %list, null
  br i1 %none, label %done, label %walk
walk:
  %block = phi ptr [ %list, %0 ], [ %next, %walk ]
  %next = load ptr, ptr %block
  %last = icmp eq ptr %next, null
  br i1 %last, label %found, label %walk
found:
  %first = load atomic ptr, ptr @pardiff.memory.list monotonic, align 8
  br label %try
try:
  %old = phi ptr [ %first, %found ], [ %now, %try ]
  store ptr %old, ptr %block
  %both = cmpxchg ptr @pardiff.memory.list, ptr %old, ptr %list release monotonic
  %now = extractvalue { ptr, i1 } %both, 0
  %isdone = extractvalue { ptr, i1 } %both, 1
  br i1 %isdone, label %done, label %try
done:
  ret void
}

; A block that is kept and fits; else frees all that are kept and gives null.
define linkonce_odr hidden ptr @pardiff.memory.find(i64 %bytes) #0 {
  %first = alloca ptr
  %issmall = icmp ult i64 %bytes, LEAST
  br i1 %issmall, label %none, label %begin
begin:
  %list = atomicrmw xchg ptr @pardiff.memory.list, ptr null acq_rel
  store ptr %list, ptr %first
  br label %search
search:
  %link = phi ptr [ %first, %begin ], [ %block, %look ]
  %block = load ptr, ptr %link
  %isend = icmp eq ptr %block, null
  br i1 %isend, label %clear, label %look
look:
  %where = getelementptr i8, ptr %block, i64 8
  %size = load i64, ptr %where
  %isenough = icmp uge i64 %size, %bytes
  %over = sub i64 %size, %bytes
  %slack = lshr i64 %size, 4
  %isclose = icmp ule i64 %over, %slack
  %fits = and i1 %isenough, %isclose
  br i1 %fits, label %found, label %search
found:
  %rest = load ptr, ptr %block
  store ptr %rest, ptr %link
  %less = atomicrmw sub ptr @pardiff.memory.kept, i64 %size monotonic
  %left = load ptr, ptr %first
  call void @pardiff.memory.put(ptr %left)
  ret ptr %block
clear:
  %unused = phi ptr [ %list, %search ], [ %next, %drop ]
  %isclear = icmp eq ptr %unused, null
  br i1 %isclear, label %none, label %drop
drop:
  %next = load ptr, ptr %unused
  %its = getelementptr i8, ptr %unused, i64 8
  %freed = load i64, ptr %its
  %fewer = atomicrmw sub ptr @pardiff.memory.kept, i64 %freed monotonic
  call void @free(ptr %unused)
  br label %clear
none:
  ret ptr null
}

define linkonce_odr hidden noalias ptr @pardiff.memory.take(i64 %bytes) #1 {
  %kept = call ptr @pardiff.memory.find(i64 %bytes)
  %isnew = icmp eq ptr %kept, null
  br i1 %isnew, label %allocate, label %done
allocate:
  %new = call ptr @malloc(i64 %bytes)
  call void @pardiff.memory.advise(ptr %new, i64 %bytes)
  br label %done
done:
  %block = phi ptr [ %kept, %0 ], [ %new, %allocate ]
  ret ptr %block
}

define linkonce_odr hidden noalias ptr @pardiff.memory.zero(i64 %bytes) #2 {
  %kept = call ptr @pardiff.memory.find(i64 %bytes)
  %isnew = icmp eq ptr %kept, null
  br i1 %isnew, label %allocate, label %clear
allocate:
  %new = call ptr @calloc(i64 %bytes, i64 1)
  call void @pardiff.memory.advise(ptr %new, i64 %bytes)
  br label %done
clear:
  call void @llvm.memset.p0.i64(ptr %kept, i8 0, i64 %bytes, i1 false)
  br label %done
done:
  %block = phi ptr [ %kept, %clear ], [ %new, %allocate ]
  ret ptr %block
}

define linkonce_odr hidden void @pardiff.memory.give(ptr allocptr captures(none) %block, i64 %bytes) #3 {
  %isnull = icmp eq ptr %block, null
  %issmall = icmp ult i64 %bytes, LEAST
  %isnot = or i1 %isnull, %issmall
  br i1 %isnot, label %drop, label %count
count:
  %before = atomicrmw add ptr @pardiff.memory.kept, i64 %bytes monotonic
  %room = sub i64 MOST, %bytes
  %haslimit = icmp ule i64 %bytes, MOST
  %isbelow = icmp ule i64 %before, %room
  %fits = and i1 %haslimit, %isbelow
  br i1 %fits, label %keep, label %toomuch
keep:
  store ptr null, ptr %block
  %where = getelementptr i8, ptr %block, i64 8
  store i64 %bytes, ptr %where
  call void @pardiff.memory.put(ptr %block)
  ret void
toomuch:
  %less = atomicrmw sub ptr @pardiff.memory.kept, i64 %bytes monotonic
  br label %drop
drop:
  call void @free(ptr %block)
  ret void
}

attributes #0 = { noinline nounwind }
attributes #1 = { noinline nounwind allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="pardiff.memory" }
attributes #2 = { noinline nounwind allockind("alloc,zeroed") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="pardiff.memory" }
attributes #3 = { noinline nounwind allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="pardiff.memory" }
)";

/// Asks for large pages on Linux: the values of mode and result are its.
static const char AdviseOnLinux[] = R"(
declare i32 @madvise(ptr, i64, i32)
define linkonce_odr hidden void @pardiff.memory.advise(ptr %block, i64 %bytes) #0 {
  %isnull = icmp eq ptr %block, null
  %issmall = icmp ult i64 %bytes, LARGE
  %isnot = or i1 %isnull, %issmall
  br i1 %isnot, label %done, label %ask
ask:
  %address = ptrtoint ptr %block to i64
  %to = sub i64 0, %address
  %skipped = and i64 %to, 2097151
  %whole = getelementptr i8, ptr %block, i64 %skipped
  %rest = sub i64 %bytes, %skipped
  %length = and i64 %rest, -2097152
  %ignored = call i32 @madvise(ptr %whole, i64 %length, i32 14)
  br label %done
done:
  ret void
}
)";

static const char AdviseElsewhere[] = R"(
define linkonce_odr hidden void @pardiff.memory.advise(ptr %block, i64 %bytes) #0 {
  ret void
}
)";

static bool hasSanitizer(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.hasFnAttribute(Attribute::SanitizeAddress) ||
           F.hasFnAttribute(Attribute::SanitizeThread) ||
           F.hasFnAttribute(Attribute::SanitizeMemory) ||
           F.hasFnAttribute(Attribute::SanitizeHWAddress) ||
           F.hasFnAttribute(Attribute::SanitizeMemTag);
  });
}

static std::string replaceAll(std::string Text, StringRef What, uint64_t By) {
  for (size_t At = 0; (At = Text.find(What, At)) != std::string::npos;)
    Text.replace(At, What.size(), std::to_string(By));
  return Text;
}

/// The function of that name, linked into M if it is not there; null if memory
/// is not kept.
static Function *getFunction(Module &M, StringRef Name) {
  if (Function *F = M.getFunction(Name))
    return F;
  if (!KeepMemory || hasSanitizer(M) || !M.getTargetTriple().isArch64Bit())
    return nullptr;
  std::string Text = Functions;
  Text += M.getTargetTriple().isOSLinux() ? AdviseOnLinux : AdviseElsewhere;
  Text = replaceAll(Text, "LEAST", LeastBytes);
  Text = replaceAll(Text, "LARGE", LargeBytes);
  Text = replaceAll(Text, "MOST", uint64_t(KeepMemory) << 20);
  // Text has names, which clang's contexts drop.
  LLVMContext &C = M.getContext();
  bool DropsNames = C.shouldDiscardValueNames();
  C.setDiscardValueNames(false);
  SMDiagnostic Wrong;
  std::unique_ptr<Module> Library = parseAssemblyString(Text, Wrong, C);
  C.setDiscardValueNames(DropsNames);
  if (!Library)
    return nullptr;
  Library->setDataLayout(M.getDataLayout());
  Library->setTargetTriple(M.getTargetTriple());
  // The linker brings what is asked for, and what that needs.
  M.getOrInsertFunction(Name, Library->getFunction(Name)->getFunctionType());
  Linker::linkModules(M, std::move(Library));
  return M.getFunction(Name);
}

static bool isSmall(const Value *Bytes) {
  auto *Known = dyn_cast<ConstantInt>(Bytes);
  return Known && Known->getZExtValue() < LeastBytes;
}

CallInst *pardiff::emitTake(Value *Bytes, bool Zero, IRBuilder<> &B,
                            const Twine &Name) {
  Module &M = *B.GetInsertBlock()->getModule();
  Type *I64 = B.getInt64Ty(), *Ptr = B.getPtrTy();
  CallInst *Memory = nullptr;
  Function *Take =
      isSmall(Bytes) ? nullptr : getFunction(M, Zero ? ZeroName : TakeName);
  if (Take)
    Memory = B.CreateCall(Take, Bytes, Name);
  else if (Zero)
    Memory = B.CreateCall(M.getOrInsertFunction("calloc", Ptr, I64, I64),
                          {Bytes, B.getInt64(1)}, Name);
  else
    Memory =
        B.CreateCall(M.getOrInsertFunction("malloc", Ptr, I64), Bytes, Name);
  Memory->addRetAttr(Attribute::NoAlias);
  return Memory;
}

void pardiff::emitGive(Value *Memory, Value *Bytes, IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  if (Function *Give = isSmall(Bytes) ? nullptr : getFunction(M, GiveName))
    B.CreateCall(Give, {Memory, Bytes});
  else
    B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
                 Memory);
}

static StringRef getCalleeName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : StringRef();
}

Value *pardiff::getTakenSize(const CallBase &Call) {
  StringRef Name = getCalleeName(Call);
  return Name == TakeName || Name == ZeroName ? Call.getArgOperand(0) : nullptr;
}

CallInst *pardiff::emitTakeLike(const CallBase &Call, IRBuilder<> &B) {
  return emitTake(getTakenSize(Call), /*Zero=*/true, B);
}

Value *pardiff::getGiven(const CallBase &Call) {
  return getCalleeName(Call) == GiveName ? Call.getArgOperand(0) : nullptr;
}
