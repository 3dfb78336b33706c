//===- Tape/Prune.cpp - Remove what nobody needs from a program -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A write is live if the array is needed at the end and one of its values is
// still there then, or if a live write's value is computed from it. Liveness is
// decided for each write as a whole, by value and not by element: dataflow
// tells who reads whose values. Statements without a live write go; in the
// others the body loses the dead results and the reads that served only them.
//
//===----------------------------------------------------------------------===//

#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "Tape/BodyFacts.h"
#include "Tape/Forward.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "isl/schedule.h"

using namespace llvm;
using namespace pardiff;

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
  SmallVector<Access, 8> Reads;
  SmallVector<Type *, 8> Types;
  unsigned NumReads = S.Reads.size();
  SmallVector<bool, 8> Keep(Cut->arg_size(), true);
  for (unsigned A = 0; A < Cut->arg_size(); ++A) {
    if (A < NumReads) {
      Keep[A] = !DropReads || usesArgument(*Cut, A);
      if (Keep[A])
        Reads.push_back(S.Reads[A]);
    }
    if (Keep[A])
      Types.push_back(Cut->getArg(A)->getType());
  }
  auto *Ty = FunctionType::get(Cut->getReturnType(), Types, false);
  Function *Body = Function::Create(Ty, GlobalValue::InternalLinkage,
                                    S.Body->getName() + ".live", *N.Bodies);
  IRBuilder<> B(BasicBlock::Create(N.Bodies->getContext(), "entry", Body));
  SmallVector<Value *, 8> Args;
  unsigned Next = 0;
  for (unsigned A = 0; A < Cut->arg_size(); ++A)
    Args.push_back(Keep[A] ? static_cast<Value *>(Body->getArg(Next++))
                           : PoisonValue::get(Cut->getArg(A)->getType()));
  Value *Result = PoisonValue::get(Body->getReturnType());
  for (const auto &[I, V] : enumerate(inlineBody(*Cut, Args, B)))
    Result = B.CreateInsertValue(Result, V, I);
  B.CreateRet(Result);
  Cut->eraseFromParent();
  S.Body = Body;
  S.Reads = std::move(Reads);
  S.Writes = std::move(Writes);
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
    for (unsigned R : getResultFacts(*S, W).Reads.set_bits())
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
