//===- Tape/Dataflow.cpp - Which instance wrote each value ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All accesses are exact and certain (invariants of Nest/Program.h), so that
// the last writer before a read is one instance, or none: isl's flow with
// must-sources finds it. Each access is a statement of its own to isl ("S:r0",
// "S:w1", and "S:a1" for the value that accumulating write 1 adds to), and time
// has one more dimension that orders the accesses of one instance: reads, then
// writes in order.
//
// A read's element is overwritten afterwards exactly if its version is: the
// version's last reader precedes its overwriting. So one more flow, of writes
// on writes, answers "is it still there?" for reads too, for every instance and
// every iteration of the loops around it (traps A to C of flow-insensitive
// answers).
//
//===----------------------------------------------------------------------===//

#include "Tape/Dataflow.h"
#include "Support/FlowTimes.h"
#include "Support/IslUtils.h"
#include "Tape/TupleId.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "isl/flow.h"
#include "isl/map.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// The access behind a tuple name of the flow problem.
struct Tag {
  const Statement *S;
  unsigned K;
  char Kind; ///< 'r', 'w', 'a'
};

class FlowProblem {
public:
  explicit FlowProblem(const Program &P) : P(P), Ctx(P.N->Ctx.get()) {}
  Expected<Dataflow> run();

private:
  void addAccess(const Statement &S, const isl::map &Time, unsigned K,
                 char Kind, unsigned Position);
  bool solve(const isl::union_map &Sinks, isl::union_map &Flow,
             isl::union_map *NoSource);
  const Tag *findTag(const isl::id &Id) const;
  Error readFlow(Dataflow &D);
  Error readOverwritten(Dataflow &D);
  Dataflow::ReadFlow *getFlow(Dataflow &D, const Tag &T);

  const Program &P;
  isl::ctx Ctx;
  StringMap<Tag> Tags;
  isl::union_map Sinks, Writes, Schedule;
};

} // namespace

bool Dataflow::isDead(const Statement &S, unsigned K) const {
  if (S.Writes[K].Arr->isExternal())
    return false;
  auto Sees = [&](const DenseMap<Key, ReadFlow> &Table) {
    for (const auto &Entry : Table)
      for (const Source &Src : Entry.second.Sources)
        if (Src.Writer == &S && Src.Write == K)
          return true;
    return false;
  };
  return !Sees(Reads) && !Sees(Accumulates);
}

void FlowProblem::addAccess(const Statement &S, const isl::map &Time,
                            unsigned K, char Kind, unsigned Position) {
  std::string Name = S.Name + "__" + Kind + std::to_string(K);
  Tags[Name] = {&S, K, Kind};
  const Access &A = Kind == 'r' ? S.Reads[K] : S.Writes[K];
  isl::union_map Rel = A.Relation.intersect_domain(S.Domain)
                           .set_domain_tuple(tupleId(Ctx, Name))
                           .to_union_map();
  isl::map T = hideConstants(Time);
  unsigned NumTimes = dimOf(T, isl::dim::out);
  T = T.add_dims(isl::dim::out, 1).fix_si(isl::dim::out, NumTimes, Position);
  Schedule =
      Schedule.unite(T.set_domain_tuple(tupleId(Ctx, Name)).to_union_map());
  (Kind == 'w' ? Writes : Sinks) = (Kind == 'w' ? Writes : Sinks).unite(Rel);
}

bool FlowProblem::solve(const isl::union_map &Sink, isl::union_map &Flow,
                        isl::union_map *NoSource) {
  isl::union_flow Result = isl::union_access_info(Sink)
                               .set_must_source(Writes)
                               .set_schedule_map(Schedule)
                               .compute_flow();
  if (Result.is_null())
    return false;
  Flow = dropShift(Result.must_dependence());
  if (NoSource)
    *NoSource = dropShift(Result.must_no_source());
  return !Flow.is_null() && (!NoSource || !NoSource->is_null());
}

const Tag *FlowProblem::findTag(const isl::id &Id) const {
  auto It = Tags.find(nameOf(Id));
  return It == Tags.end() ? nullptr : &It->second;
}

Dataflow::ReadFlow *FlowProblem::getFlow(Dataflow &D, const Tag &T) {
  return T.Kind == 'r' ? &D.Reads[{T.S, T.K}] : &D.Accumulates[{T.S, T.K}];
}

Error FlowProblem::readFlow(Dataflow &D) {
  isl::union_map Flow, NoSource;
  IslQuota Quota(Ctx.get());
  if (!solve(Sinks, Flow, &NoSource))
    return Quota.refusal("dataflow");

  // In the order of the program, so that nothing depends on isl's hashing.
  bool Failed = false;
  auto ForEach = [&](const isl::union_map &U, auto Visit) {
    if (U.foreach_map([&](isl::map M) {
           M = coalesceChecked(M);
           Failed |= M.is_null();
           if (!M.is_null() && !M.is_empty().is_true())
             Visit(M);
           return isl::stat::ok();
         }).is_error())
      Failed = true;
  };
  ForEach(Flow, [&](isl::map M) {
    const Tag *From = findTag(M.domain_tuple_id());
    const Tag *To = findTag(M.range_tuple_id());
    if (!From || !To) {
      Failed = true;
      return;
    }
    M = M.set_domain_tuple(tupleId(Ctx, From->S->Name))
            .set_range_tuple(tupleId(Ctx, To->S->Name));
    Failed |= M.is_null();
    getFlow(D, *To)->Sources.push_back({From->S, From->K, M});
  });
  ForEach(NoSource, [&](isl::map M) {
    const Tag *To = findTag(M.domain_tuple_id());
    if (!To) {
      Failed = true;
      return;
    }
    isl::set In = M.domain().set_tuple_id(tupleId(Ctx, To->S->Name));
    isl::set &LiveIn = getFlow(D, *To)->LiveIn;
    LiveIn = LiveIn.is_null() ? In : coalesceChecked(LiveIn.unite(In));
    Failed |= LiveIn.is_null();
  });
  if (Failed)
    return Quota.refusal("dataflow");

  DenseMap<const Statement *, unsigned> Rank;
  for (const auto &[I, S] : enumerate(P.Statements))
    Rank[S.get()] = I;
  auto Complete = [&](const Statement &S, Dataflow::ReadFlow &F) {
    if (F.LiveIn.is_null())
      F.LiveIn = isl::set::empty(S.Domain.get_space());
    llvm::sort(F.Sources, [&](const auto &A, const auto &B) {
      return std::pair(Rank[A.Writer], A.Write) <
             std::pair(Rank[B.Writer], B.Write);
    });
  };
  for (const auto &S : P.Statements) {
    for (unsigned R = 0; R < S->Reads.size(); ++R)
      Complete(*S, D.Reads[{S.get(), R}]);
    for (unsigned W = 0; W < S->Writes.size(); ++W)
      if (S->Writes[W].Kind == AccessKind::Accumulate)
        Complete(*S, D.Accumulates[{S.get(), W}]);
  }
  return Error::success();
}

Error FlowProblem::readOverwritten(Dataflow &D) {
  isl::union_map Flow;
  IslQuota Quota(Ctx.get());
  if (!solve(Writes, Flow, nullptr))
    return Quota.refusal("overwritten values");
  for (const auto &S : P.Statements)
    for (unsigned W = 0; W < S->Writes.size(); ++W)
      D.WriteOverwritten[{S.get(), W}] = isl::set::empty(S->Domain.get_space());
  bool Failed = false;
  isl::union_set Lost = Flow.domain();
  if (Lost.is_null() ||
      Lost.foreach_set([&](isl::set Set) {
            const Tag *T = findTag(Set.tuple_id());
            if (!T)
              return isl::stat::error();
            isl::set &Result = D.WriteOverwritten[{T->S, T->K}];
            Result =
                coalesceChecked(Set.set_tuple_id(tupleId(Ctx, T->S->Name)));
            Failed |= Result.is_null();
            return isl::stat::ok();
          })
          .is_error() ||
      Failed)
    return Quota.refusal("overwritten values");

  isl::union_set Written = Writes.range();
  for (const auto &S : P.Statements)
    for (unsigned R = 0; R < S->Reads.size(); ++R) {
      const Dataflow::ReadFlow &F = D.Reads[{S.get(), R}];
      isl::set Result = S->Reads[R]
                            .Relation.intersect_domain(F.LiveIn)
                            .to_union_map()
                            .intersect_range(Written)
                            .domain()
                            .extract_set(S->Domain.get_space());
      for (const Dataflow::Source &Src : F.Sources)
        Result = Result.unite(
            D.WriteOverwritten[{Src.Writer, Src.Write}].apply(Src.Map));
      Result = coalesceChecked(Result);
      if (Result.is_null())
        return Quota.refusal("overwritten values");
      D.ReadOverwritten[{S.get(), R}] = Result;
    }
  return Error::success();
}

Expected<Dataflow> FlowProblem::run() {
  IslQuota Quota(Ctx.get());
  Sinks = Writes = Schedule = isl::union_map::empty(Ctx);
  for (const auto &S : P.Statements) {
    isl::boolean Empty = S->Domain.is_empty();
    if (Empty.is_error())
      return Quota.refusal("domain of " + S->Name);
    if (Empty.is_true())
      continue;
    isl::map Time = P.Order.intersect_domain(S->Domain.to_union_set()).as_map();
    if (Time.is_null())
      return Quota.refusal("order of " + S->Name);
    for (unsigned R = 0; R < S->Reads.size(); ++R)
      addAccess(*S, Time, R, 'r', 0);
    for (unsigned W = 0; W < S->Writes.size(); ++W) {
      if (S->Writes[W].Kind == AccessKind::Accumulate)
        addAccess(*S, Time, W, 'a', 2 * W + 1);
      addAccess(*S, Time, W, 'w', 2 * W + 2);
    }
  }
  if (Sinks.is_null() || Writes.is_null() || Schedule.is_null())
    return Quota.refusal("accesses");
  Dataflow D;
  if (Error E = readFlow(D))
    return std::move(E);
  if (Error E = readOverwritten(D))
    return std::move(E);
  return D;
}

Expected<Dataflow> pardiff::computeDataflow(const Program &P) {
  return FlowProblem(P).run();
}

Dataflow pardiff::assumeAllFlows(const Program &P) {
  Dataflow D;
  DenseSet<const Array *> Written;
  for (const auto &S : P.Statements)
    for (const Access &W : S->Writes)
      Written.insert(W.Arr);
  auto AddSources = [&](const Statement &To, const Array *A,
                        Dataflow::ReadFlow &F) {
    F.LiveIn = To.Domain;
    for (const auto &From : P.Statements)
      for (const auto &[W, Write] : enumerate(From->Writes))
        if (Write.Arr == A)
          F.Sources.push_back(
              {From.get(), unsigned(W),
               isl::map::from_domain_and_range(From->Domain, To.Domain)});
  };
  for (const auto &S : P.Statements) {
    for (const auto &[R, Read] : enumerate(S->Reads)) {
      Dataflow::Key K = {S.get(), unsigned(R)};
      AddSources(*S, Read.Arr, D.Reads[K]);
      D.ReadOverwritten[K] = Written.contains(Read.Arr)
                                 ? S->Domain
                                 : isl::set::empty(S->Domain.get_space());
    }
    for (const auto &[W, Write] : enumerate(S->Writes)) {
      Dataflow::Key K = {S.get(), unsigned(W)};
      D.WriteOverwritten[K] = S->Domain;
      if (Write.Kind == AccessKind::Accumulate)
        AddSources(*S, Write.Arr, D.Accumulates[K]);
    }
  }
  return D;
}
