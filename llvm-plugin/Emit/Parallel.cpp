//===- Emit/Parallel.cpp - Parallel loops with OpenMP ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A marked node becomes one parallel region. isl may have split the marked loop
// into several: each is shared among the threads by a static schedule, without
// a barrier between them, since all iterations of the mark are independent.
// What the region has outside these loops is one iteration, whose loop isl
// dropped, or part of one: all parts of it are loops of one iteration with a
// static schedule, so that one thread runs them, in their order. Loops inside
// of it are not shared. Conditions outside the loops depend on nothing that the
// region writes: all threads take the same branch.
//
// A region whose estimated work is not worth waking the threads runs on one; if
// it is in several loops, without any call of the runtime.
// Where the work of an iteration depends on the iterator (triangular nests) the
// schedule is guided.
//
// Only OpenMPIRBuilder's calls are made here. It wants insertion points at the
// end of blocks without terminators, and outlines the regions when it is
// finalized.
//
//===----------------------------------------------------------------------===//

#include "Emit/Parallel.h"
#include "Emit/Work.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace pardiff;

static cl::opt<unsigned> MinRegion(
    "pardiff-min-region", cl::Hidden, cl::init(20000),
    cl::desc("Instructions below which a parallel region runs on one thread"));

/// Loops around a region that may enter it so often that even one thread alone
/// spends its time there: then small ones have code of their own.
static constexpr unsigned ManyRegions = 2;

ParallelGen::ParallelGen(Function &F) : F(F), OMP(*F.getParent()) {
  OpenMPIRBuilderConfig Config(/*IsTargetDevice=*/false, /*IsGPU=*/false,
                               /*OpenMPOffloadMandatory=*/false,
                               /*HasRequiresReverseOffload=*/false,
                               /*HasRequiresUnifiedAddress=*/false,
                               /*HasRequiresUnifiedSharedMemory=*/false,
                               /*HasRequiresDynamicAllocators=*/false);
  OMP.setConfig(Config);
  OMP.initialize();
}

static bool hasShared(const AstNode &Node, unsigned Level) {
  return ParallelGen::isShared(Node, Level) ||
         any_of(Node.Children,
                [&](const AstNode &C) { return hasShared(C, Level); });
}

bool ParallelGen::isWorthwhile(const AstNode &Region) {
  return hasShared(Region.Children[0], Region.Level);
}

bool ParallelGen::isShared(const AstNode &Node, unsigned Level) {
  return Node.K == AstNode::Kind::For && !Node.Degenerate &&
         Node.Level == Level;
}

/// Shares a loop of that level, or the one iteration of something else, among
/// the threads.
void ParallelGen::emitLoop(const AstNode &Node, unsigned Level, LoopGen &Gen,
                           IRBuilder<> &B, InsertPoint AllocaIP) {
  const bool IsLoop = isShared(Node, Level);
  Value *Lower = IsLoop ? Gen.emitExpr(Node.Lower) : B.getInt64(0);
  Value *Upper = IsLoop ? Gen.emitExpr(Node.Upper) : B.getInt64(1);
  Value *Step = B.getInt64(IsLoop ? Node.Step : 1);
  DebugLoc Loc = B.getCurrentDebugLocation();
  auto Body = [&](InsertPoint IP, Value *Iterator) -> Error {
    B.restoreIP(IP);
    B.SetCurrentDebugLocation(Loc);
    BasicBlock *Rest = openBlock(B);
    if (IsLoop) {
      Gen.setVar(Node.Var, Iterator);
      Gen.emitNode(Node.Children[0]);
    } else {
      Gen.emitNode(Node);
    }
    closeBlock(B, Rest);
    return Error::success();
  };
  OpenMPIRBuilder::LocationDescription Where(B.saveIP(), Loc);
  CanonicalLoopInfo *Loop = cantFail(OMP.createCanonicalLoop(
      Where, Body, Lower, Upper, Step, /*IsSigned=*/true,
      /*InclusiveStop=*/false, {}, "pardiff.parallel"));
  omp::ScheduleKind Schedule = IsLoop && isUnbalanced(Node)
                                   ? omp::OMP_SCHEDULE_Guided
                                   : omp::OMP_SCHEDULE_Static;
  InsertPoint After = cantFail(OMP.applyWorkshareLoop(
      Loc, Loop, AllocaIP, /*NeedsBarrier=*/false, Schedule));
  B.restoreIP(After);
  B.SetCurrentDebugLocation(Loc);
}

void ParallelGen::emitShared(const AstNode &Node, unsigned Level, LoopGen &Gen,
                             IRBuilder<> &B, InsertPoint AllocaIP) {
  switch (Node.K) {
  case AstNode::Kind::Block:
    for (const AstNode &C : Node.Children)
      emitShared(C, Level, Gen, B, AllocaIP);
    return;
  case AstNode::Kind::If:
    return Gen.emitIf(Node, [&](const AstNode &C) {
      emitShared(C, Level, Gen, B, AllocaIP);
    });
  case AstNode::Kind::For:
  case AstNode::Kind::Parallel:
  case AstNode::Kind::Scope:
  case AstNode::Kind::Rest:
  case AstNode::Kind::Call:
    return emitLoop(Node, Level, Gen, B, AllocaIP);
  }
}

void ParallelGen::emitRegion(const AstNode &Node, LoopGen &Gen,
                             IRBuilder<> &B) {
  Value *Work = emitWork(Node, Gen, B);
  Value *IsLarge =
      B.CreateFCmpOGE(Work, ConstantFP::get(B.getDoubleTy(), MinRegion));
  if (auto *Known = dyn_cast<ConstantInt>(IsLarge)) {
    if (Known->isZero())
      return Gen.emitNode(Node.Children[0]);
    IsLarge = nullptr;
  }
  if (!IsLarge || Gen.Depth < ManyRegions)
    return emitThreads(Node, IsLarge, Gen, B);
  LLVMContext &C = B.getContext();
  BasicBlock *Rest = openBlock(B);
  auto Create = [&](const Twine &Name) {
    return BasicBlock::Create(C, Name, Rest->getParent(), Rest);
  };
  BasicBlock *Plain = Create("pardiff.plain"),
             *Threads = Create("pardiff.threads");
  B.CreateCondBr(IsLarge, Threads, Plain);
  setInsertPointKeepLoc(B, Plain);
  Gen.emitNode(Node.Children[0]);
  B.CreateBr(Rest);
  setInsertPointKeepLoc(B, Threads);
  emitThreads(Node, nullptr, Gen, B);
  closeBlock(B, Rest);
}

/// Emits the region. IsLarge: if not null, whether it runs on several threads.
void ParallelGen::emitThreads(const AstNode &Node, Value *IsLarge, LoopGen &Gen,
                              IRBuilder<> &B) {
  Used = true;
  DebugLoc Loc = B.getCurrentDebugLocation();
  Gen.InRegion = true;
  auto Body = [&](InsertPoint AllocaIP, InsertPoint CodeIP) -> Error {
    B.restoreIP(CodeIP);
    B.SetCurrentDebugLocation(Loc);
    BasicBlock *Rest = openBlock(B);
    auto Outside = std::exchange(Gen.StackPoint, AllocaIP);
    emitShared(Node.Children[0], Node.Level, Gen, B, AllocaIP);
    Gen.StackPoint = Outside;
    closeBlock(B, Rest);
    return Error::success();
  };
  auto Privatize =
      [](InsertPoint, InsertPoint IP, Value &, Value &Inner,
         Value *&Replacement) -> OpenMPIRBuilder::InsertPointOrErrorTy {
    Replacement = &Inner;
    return IP;
  };
  auto Finish = [](InsertPoint) -> Error { return Error::success(); };
  BasicBlock &Entry = F.getEntryBlock();
  InsertPoint AllocaIP(&Entry, Entry.getFirstInsertionPt());
  OpenMPIRBuilder::LocationDescription Where(B.saveIP(), Loc);
  InsertPoint After = cantFail(
      OMP.createParallel(Where, AllocaIP, Body, Privatize, Finish,
                         /*IfCondition=*/IsLarge, /*NumThreads=*/nullptr,
                         omp::OMP_PROC_BIND_default, /*IsCancellable=*/false));
  Gen.InRegion = false;
  B.restoreIP(After);
  B.SetCurrentDebugLocation(Loc);
}

void ParallelGen::finalize() {
  if (Used)
    OMP.finalize();
}
