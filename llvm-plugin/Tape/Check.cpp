//===- Tape/Check.cpp - Check a tape plan by brute force ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every value is a number: a fresh one for what an instance computes, that of
// the read for a copy, one for each element that is read before it is written.
// After the run, each kept value is looked up in memory where the plan says it
// is and compared with the number that the primal read. For opt
// -passes='check<pardiff-tape>'.
//
//===----------------------------------------------------------------------===//

#include "Tape/Check.h"
#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "Tape/BodyFacts.h"
#include "isl/map.h"
#include "isl/point.h"
#include "isl/set.h"
#include "isl/val.h"
#include <map>
#include <set>
#include <vector>

using namespace llvm;
using namespace pardiff;

namespace {

using Point = std::vector<long>;
using Table = std::map<Point, Point>;

class Checker {
public:
  Checker(const Program &P, const TapePlan &Plan, const Program &F, int Size,
          raw_ostream &OS)
      : P(P), Plan(Plan), F(F), Size(Size), OS(OS),
        Quota(P.N->Ctx.get(), /*MaxOperations=*/0) {}

  unsigned run();

private:
  isl::set fix(isl::set S) const;
  Table enumerate(const isl::map &M) const;
  void execute();
  void compare(const Statement &S, unsigned Index, bool IsResult,
               const KeptValue &K);
  void report(const Statement &S, unsigned Index, const Point &I,
              StringRef What);

  const Program &P;
  const TapePlan &Plan;
  const Program &F;
  int Size;
  raw_ostream &OS;
  IslQuota Quota;
  unsigned Fresh = 0, Compared = 0, Wrong = 0;
  std::map<std::pair<const Array *, Point>, unsigned> Memory;
  /// Numbers of what was read and computed, by primal statement, index,
  /// instance.
  std::map<std::tuple<const Statement *, unsigned, Point>, unsigned> Read,
      Computed;
};

} // namespace

/// Sets the parameters to about Size; to what the context allows if need be.
isl::set Checker::fix(isl::set S) const {
  isl::set Values = P.N->Context;
  for (unsigned I = 0; I < P.N->Params.size(); ++I) {
    isl::id Id = P.N->Params[I].Id;
    Values = Values.align_params(
        isl::manage(isl_space_params_alloc(Values.ctx().get(), 0))
            .add_param(Id));
    int Pos = Values.find_dim_by_id(isl::dim::param, Id);
    for (int Value : {Size + int(I % 2), Size, Size + 1, 2 * Size, 0, 1, 100}) {
      isl::set Fixed = Values.fix_si(isl::dim::param, Pos, Value);
      if (Fixed.is_empty().is_false()) {
        Values = Fixed;
        break;
      }
    }
  }
  return S.intersect_params(Values);
}

Table Checker::enumerate(const isl::map &M) const {
  Table Result;
  if (M.is_null())
    return Result;
  unsigned NumIn = dimOf(M, isl::dim::in);
  isl::set Wrapped = isl::manage(isl_set_flatten(M.wrap().release()));
  fix(Wrapped).foreach_point([&](isl::point Pt) {
    Point In, Out;
    for (unsigned I = 0, N = dimOf(Wrapped, isl::dim::set); I < N; ++I) {
      isl_val *V = isl_point_get_coordinate_val(Pt.get(), isl_dim_set, I);
      (I < NumIn ? In : Out).push_back(isl_val_get_num_si(V));
      isl_val_free(V);
    }
    Result[In] = Out;
    return isl::stat::ok();
  });
  return Result;
}

void Checker::execute() {
  struct Instance {
    Point Time;
    unsigned S;
    Point I;
    bool operator<(const Instance &O) const { return Time < O.Time; }
  };
  std::vector<Instance> Instances;
  std::vector<std::vector<Table>> Reads, Writes;
  for (const auto &[Number, S] : llvm::enumerate(F.Statements)) {
    isl::map Time = F.Order.intersect_domain(S->Domain.to_union_set()).as_map();
    for (const auto &[I, T] : enumerate(Time))
      Instances.push_back({T, unsigned(Number), I});
    Reads.emplace_back();
    Writes.emplace_back();
    for (const Access &A : S->Reads)
      Reads.back().push_back(enumerate(A.Relation.intersect_domain(S->Domain)));
    for (const Access &A : S->Writes)
      Writes.back().push_back(
          enumerate(A.Relation.intersect_domain(S->Domain)));
  }
  std::stable_sort(Instances.begin(), Instances.end());
  for (const Instance &X : Instances) {
    const Statement &S = *F.Statements[X.S];
    std::vector<unsigned> In;
    for (const auto &[R, A] : llvm::enumerate(S.Reads)) {
      auto [It, New] = Memory.insert({{A.Arr, Reads[X.S][R][X.I]}, 0});
      if (New)
        It->second = ++Fresh;
      In.push_back(It->second);
      Read[{S.Origin, unsigned(R), X.I}] = It->second;
    }
    std::map<Value *, unsigned> Values;
    for (const auto &[W, A] : llvm::enumerate(S.Writes)) {
      unsigned Number;
      if (auto Copied = getResultFacts(S, W).CopyOf) {
        Number = In[*Copied];
      } else {
        auto [It, New] = Values.insert({getResult(*S.Body, W), 0});
        if (New)
          It->second = ++Fresh;
        Number = It->second;
      }
      if (A.Kind == AccessKind::Accumulate)
        Number = ++Fresh;
      Memory[{A.Arr, Writes[X.S][W][X.I]}] = Number;
      Computed[{S.Origin, unsigned(W), X.I}] = Number;
    }
  }
  OS << "  " << Instances.size() << " instances";
}

void Checker::report(const Statement &S, unsigned Index, const Point &I,
                     StringRef What) {
  if (++Wrong > 5)
    return;
  OS << "\n  wrong: " << S.Name << '[' << Index << "] at";
  for (long X : I)
    OS << ' ' << X;
  OS << ": " << What;
}

void Checker::compare(const Statement &S, unsigned Index, bool IsResult,
                      const KeptValue &K) {
  Table Where =
      enumerate(K.How == Keep::Recompute ? K.Instance : K.From.Relation);
  auto &Values = IsResult ? Computed : Read;
  for (const auto &[I, Ignored] : enumerate(K.Domain.identity())) {
    ++Compared;
    auto It = Where.find(I);
    auto Value = Values.find({&S, Index, I});
    if (It == Where.end() || Value == Values.end()) {
      report(S, Index, I, "no place");
      continue;
    }
    if (K.How != Keep::Recompute) {
      auto Cell = Memory.find({K.From.Arr, It->second});
      if (Cell == Memory.end() || Cell->second != Value->second)
        report(S, Index, I, "another value there");
      continue;
    }
    auto Inverts = find_if(Plan.Inverses, [&](const auto &Inverse) {
      return &Inverse->S == K.Producer;
    });
    bool IsInverse = Inverts != Plan.Inverses.end();
    auto Made =
        IsInverse
            ? Read.find({(*Inverts)->Of, (*Inverts)->Dividend, It->second})
            : Computed.find({K.Producer, K.Write, It->second});
    if (Made == (IsInverse ? Read.end() : Computed.end()) ||
        Made->second != Value->second)
      report(S, Index, I, "another producer");
    auto Facts = getResultFacts(*K.Producer, K.Write);
    for (unsigned R : Facts.Reads.set_bits()) {
      auto Operand = Plan.Reads.find({K.Producer, R});
      isl::set At = fix(K.Instance.intersect_domain(fix(K.Domain)).range());
      if (Operand == Plan.Reads.end() ||
          !At.is_subset(Operand->second.Domain).is_true())
        report(S, Index, I, "an operand of the producer is not kept");
    }
  }
}

unsigned Checker::run() {
  execute();
  for (const auto &S : P.Statements) {
    for (unsigned R = 0; R < S->Reads.size(); ++R)
      if (auto It = Plan.Reads.find({S.get(), R}); It != Plan.Reads.end())
        compare(*S, R, false, It->second);
    for (unsigned W = 0; W < S->Writes.size(); ++W)
      if (auto It = Plan.Results.find({S.get(), W}); It != Plan.Results.end())
        compare(*S, W, true, It->second);
  }
  // Every cell of a tape is within its shape.
  for (const Tape &T : Plan.Tapes)
    for (const auto &[Cell, Index] : enumerate(T.Shift))
      for (const auto &[D, Extent] : llvm::enumerate(T.Arr->Shape)) {
        Table Value = enumerate(isl::map::from_pw_aff(Extent.insert_domain(
            isl::manage(isl_space_set_alloc(Extent.ctx().get(), 0, 0)))));
        long N = Value.empty() ? 0 : Value.begin()->second[0];
        if (Index[D] < 0 || Index[D] >= N) {
          ++Wrong;
          OS << "\n  wrong: " << T.Arr->Name << " has no index " << Index[D]
             << " in dimension " << D << " of " << N;
        }
      }
  OS << ", " << Compared << " kept values, " << Wrong << " wrong\n";
  return Wrong;
}

unsigned pardiff::checkPlan(const Program &P, const TapePlan &Plan,
                            const Program &F, int Size, raw_ostream &OS) {
  return Checker(P, Plan, F, Size, OS).run();
}
