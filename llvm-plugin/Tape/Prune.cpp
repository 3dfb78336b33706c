//===- Tape/Prune.cpp - Remove what nobody needs from a program -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A write is live if the array is needed at the end and one of its values is
// still there then, or if a live write's value is computed from it. Liveness is
// decided for each write as a whole, by value and not by element: dataflow
// tells who reads whose values. Guards count as used by what they guard.
// Statements without a live write go; in the others the body loses the dead
// results and the reads that served only them.
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "Tape/BodyFacts.h"
#include "Tape/Forward.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/IRBuilder.h"
#include "isl/schedule.h"

using namespace llvm;
using namespace pardiff;

/// A copy of F with the arguments in Keep; it does not use the others.
static Function *dropArguments(Function &F, const SmallBitVector &Keep,
                               const Twine &Name) {
  SmallVector<Type *, 8> Types;
  for (unsigned A : Keep.set_bits())
    Types.push_back(F.getArg(A)->getType());
  auto *Ty = FunctionType::get(F.getReturnType(), Types, false);
  Function *New =
      Function::Create(Ty, GlobalValue::InternalLinkage, Name, *F.getParent());
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", New));
  SmallVector<Value *, 8> Args;
  unsigned Next = 0;
  for (unsigned A = 0; A < F.arg_size(); ++A)
    Args.push_back(Keep[A] ? static_cast<Value *>(New->getArg(Next++))
                           : PoisonValue::get(F.getArg(A)->getType()));
  Value *Result = PoisonValue::get(New->getReturnType());
  for (const auto &[I, V] : enumerate(inlineBody(F, Args, B)))
    Result = B.CreateInsertValue(Result, V, I);
  B.CreateRet(Result);
  return New;
}

/// Adds to Keep what the guards of the writes and of the reads in it use. The
/// guard of a read only uses reads in front of it.
static void keepGuardOperands(const Statement &S, SmallBitVector &Keep) {
  auto Add = [&](const Access &A) {
    if (!A.Guard)
      return;
    for (unsigned R = 0; R < S.Reads.size(); ++R)
      if (usesArgument(*A.Guard, R))
        Keep.set(R);
  };
  for_each(S.Writes, Add);
  for (unsigned R = S.Reads.size(); R-- > 0;)
    if (Keep[R])
      Add(S.Reads[R]);
}

void pardiff::dropWrites(Nest &N, Statement &S,
                         function_ref<bool(unsigned)> Live, bool DropReads) {
  SmallVector<unsigned, 4> Fields;
  SmallVector<Access, 2> Writes;
  for (unsigned W = 0; W < S.Writes.size(); ++W)
    if (Live(W)) {
      Fields.push_back(W);
      Writes.push_back(S.Writes[W]);
    }
  if (Fields.size() == S.Writes.size())
    return;
  Function *Cut = selectResults(*S.Body, Fields);
  S.Writes = std::move(Writes);
  unsigned NumReads = S.Reads.size();
  SmallBitVector Keep(Cut->arg_size(), true);
  if (DropReads)
    for (unsigned R = NumReads; R-- > 0;)
      Keep[R] = usesArgument(*Cut, R);
  keepGuardOperands(S, Keep);
  SmallVector<Access, 8> Reads;
  for (unsigned R = 0; R < NumReads; ++R)
    if (Keep[R])
      Reads.push_back(S.Reads[R]);
  if (Reads.size() < NumReads) {
    S.Reads = std::move(Reads);
    DenseMap<Function *, Function *> New;
    for (Function *Guard : S.getGuards())
      New[Guard] = dropArguments(*Guard, Keep, Guard->getName());
    for (Access &A : concat<Access>(S.Reads, S.Writes))
      A.Guard = New.lookup(A.Guard);
  }
  S.Body = dropArguments(*Cut, Keep, S.Body->getName() + ".live");
  Cut->eraseFromParent();
}

Error pardiff::pruneForward(Program &F,
                            function_ref<bool(const Array &)> NeededAtEnd) {
  Expected<Dataflow> D = computeDataflow(F);
  if (!D)
    return D.takeError();
  IslQuota Quota(F.N->Ctx.get());
  DenseSet<Dataflow::Key> Live;
  SmallVector<Dataflow::Key, 16> Work;
  auto Mark = [&](const Statement *S, unsigned W) {
    if (Live.insert({S, W}).second)
      Work.push_back({S, W});
  };
  for (const auto &S : F.Statements)
    for (const auto &[W, Write] : enumerate(S->Writes)) {
      bool Seen = Write.Arr->Kind == ArrayKind::Tape || NeededAtEnd(*Write.Arr);
      isl::set Lost = D->WriteOverwritten.lookup({S.get(), unsigned(W)});
      if (Seen && !S->Domain.is_subset(Lost).is_true())
        Mark(S.get(), W);
    }
  while (!Work.empty()) {
    auto [S, W] = Work.pop_back_val();
    auto MarkSources = [&](const Dataflow::ReadFlow &Flow) {
      for (const Dataflow::Source &Src : Flow.Sources)
        Mark(Src.Writer, Src.Write);
    };
    SmallBitVector Used = getResultFacts(*S, W).Reads;
    if (S->isGuarded())
      keepGuardOperands(*S, Used);
    for (unsigned R : Used.set_bits())
      MarkSources(D->Reads[{S, R}]);
    if (S->Writes[W].Kind == AccessKind::Accumulate)
      MarkSources(D->Accumulates[{S, W}]);
  }

  unsigned Before = F.Statements.size();
  for (auto &S : F.Statements)
    dropWrites(
        *F.N, *S, [&](unsigned W) { return Live.contains({S.get(), W}); },
        /*DropReads=*/true);
  llvm::erase_if(F.Statements, [](const auto &S) { return S->Writes.empty(); });
  if (F.Statements.size() == Before)
    return Error::success();
  isl::union_set Domain = F.getDomain();
  F.Order = F.Order.intersect_domain(Domain);
  if (!F.Tree.is_null())
    F.Tree = F.Tree.intersect_domain(Domain);
  if (F.Order.is_null())
    return Quota.refusal("order of the live statements");
  return Error::success();
}
