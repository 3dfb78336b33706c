//===- Tape/Plan.cpp - What is kept for the reverse sweep, and where ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each statement the vjp of its body tells which reads it needs. A result
// of the statement may replace some of them (output form): of the forms "no
// result", "results still in place" and "all results" the one that keeps fewest
// values is taken. Then each needed value gets one verdict for all of its
// instances:
//
//   1. in place: an array holds the value to the end (and lasts longer, where
//   others run between the sweeps). Not always the array that
//   was
//      read: a copy elsewhere will do (Versions::getFinalPlaces).
//   2. recompute, where that is next to nothing and all it needs is in place.
//   3. tape, where the versions have fewer dimensions than their reader.
//   4. recompute from what is kept by now: one producer, one affine instance,
//   no
//      more than a fixed number of operations.
//   5. tape. A taped value counts as kept for 4, so 4 and 5 alternate.
//
// A value that fits into a tape that exists already joins it. In the end the
// values of one tape move to another one if that has their versions, or nearly
// all of them, in other cells (MergeTapes.cpp). Values of inactive and integer
// data are treated alike. Never is one read split between array and tape.
//
// A chain of choices (Choices.h) for which values would have to be stored keeps
// the place of its last replacement instead, if that is less. A result that
// only a division by a value that is kept anyway took out of memory is had by
// multiplying, where fast-math flags allow it (Inverse.h).
//
// The values of guarded accesses (Nest/Program.h) are for their statement
// alone: in place, or on a tape of their own.
//
// Not attempted: other inversions, producers that differ from instance to
// instance.
//
//===----------------------------------------------------------------------===//

#include "Tape/Plan.h"
#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "Tape/Inverse.h"
#include "Tape/MergeTapes.h"
#include "Tape/TapeIndex.h"
#include "Tape/Versions.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;
using namespace pardiff;

/// Operations (BodyFacts.h) that a value in fewer dimensions than its reader
/// may cost to compute again, and any value. A store and a load cost 1 to 4.
static constexpr unsigned CheapRecompute = 4, MaxRecompute = 48;
/// Producers of producers.
static constexpr unsigned MaxDepth = 4;

namespace {

using Key = Dataflow::Key;

/// A read or a result of a statement that has to be kept.
struct Need {
  const Statement *S;
  unsigned Index;
  bool IsResult;

  bool operator==(const Need &O) const {
    return S == O.S && Index == O.Index && IsResult == O.IsResult;
  }
};

/// Decisions that hold if a value is recomputed.
struct Trial {
  MapVector<Key, KeptValue> New;
  SmallVector<Key, 4> Path; ///< reads that are being recomputed
  unsigned Cost = 0;
};

class Planner {
public:
  Planner(const Program &P, const Activity &A, const Dataflow &D)
      : P(P), N(*P.N), A(A), D(D), V(P, D), Quota(N.Ctx.get(), MaxOperations),
        Chains(findChoices(P, D)) {}

  Expected<TapePlan> run();

private:
  /// The search asks many small questions; together they take more than one
  /// flow.
  static constexpr unsigned long MaxOperations = 4 * DefaultIslOperations;

  /// The chosen form of a statement's vjp: what it needs, and its price.
  struct Form {
    const Statement *S;
    SmallVector<Need, 4> Uses;
    SmallVector<Key, 1> Inverted; ///< results that Uses stands for
    double Price = 0;
    bool FollowsChoice = false;
  };
  Error chooseForms();
  Expected<Form> chooseForm(const Statement &S, const isl::union_set &Covered);
  Error build(const Statement &S, Function &Body, const SmallBitVector &Seeds,
              const SmallBitVector &Known, Form &F);
  double getPrice(ArrayRef<Need> Uses, const isl::union_set &Covered);

  isl::map getElement(const Need &X) const;
  isl::union_map getVersions(const Need &X);
  const IndexedValue &getIndex(const Need &X);

  std::optional<KeptValue> findInPlace(const Need &X, const isl::set &Where);
  std::optional<KeptValue> lookForPlace(const Need &X, const isl::set &Where);
  bool isKept(const Key &K, const isl::set &Where, unsigned Limit,
              unsigned Depth, Trial &T);
  bool dependsOn(const Key &K, const Trial &T) const;
  bool recompute(const Need &X, unsigned Limit);
  bool join(const Need &X, bool OnlyIfFree);
  void putOnTape(const Need &X);
  bool joinIfFree(const Need &X);
  const Inversion *getInversion(const Need &X);
  void addInverses();
  Error finishTapes();
  Error addChoiceTapes();

  KeptValue &entry(const Need &X) {
    return (X.IsResult ? Plan.Results : Plan.Reads)[{X.S, X.Index}];
  }

  const Program &P;
  Nest &N;
  const Activity &A;
  const Dataflow &D;
  Versions V;
  IslQuota Quota;
  SmallVector<Need, 16> Needs;
  DenseMap<Key, IndexedValue> Indices; ///< by statement and code()
  /// What findInPlace said, by statement and code().
  DenseMap<Key, SmallVector<std::pair<isl::set, std::optional<KeptValue>>, 1>>
      Places;
  DenseMap<Key, unsigned> Costs;     ///< of recomputed reads
  SmallVector<TapeIndex, 4> Layouts; ///< of the tapes
  DenseMap<const Statement *, Choice> Chains;
  DenseMap<Key, std::optional<Inversion>> Inversions; ///< by result
  SmallVector<Key, 4> Inverted; ///< results that are had in this way
  /// Values (statement and code()) that do not fit on a tape (its number).
  DenseSet<std::pair<std::pair<const Statement *, unsigned>, unsigned>>
      Conflicts;
  TapePlan Plan;
};

} // namespace

static const Access &getAccess(const Need &X) {
  return X.IsResult ? X.S->Writes[X.Index] : X.S->Reads[X.Index];
}

/// One number for reads and results.
static unsigned code(const Need &X) { return 2 * X.Index + X.IsResult; }

isl::map Planner::getElement(const Need &X) const {
  return getAccess(X).Relation.intersect_domain(X.S->Domain);
}

isl::union_map Planner::getVersions(const Need &X) {
  return X.IsResult ? V.ofWrite(*X.S, X.Index) : V.ofRead(*X.S, X.Index);
}

const IndexedValue &Planner::getIndex(const Need &X) {
  auto [It, New] = Indices.try_emplace({X.S, code(X)});
  if (New)
    It->second = chooseIndex(*X.S, getElement(X), getVersions(X));
  return It->second;
}

bool pardiff::isGuarded(const Tape &T) {
  return any_of(T.Values, [](const TapedValue &X) {
    return (X.IsResult ? X.S->Writes[X.Index] : X.S->Reads[X.Index]).Guard;
  });
}

SmallBitVector pardiff::getGuardOperands(const Statement &S) {
  SmallBitVector Used(S.Reads.size());
  for (const Function *Guard : S.getGuards())
    for (unsigned R = 0; R < S.Reads.size(); ++R)
      if (usesArgument(*Guard, R))
        Used.set(R);
  return Used;
}

//===----------------------------------------------------------------------===//
// What the vjps need
//===----------------------------------------------------------------------===//

/// Builds one form of S's vjp and lists what it uses. Results that can be had
/// by inverting a division stand for what that takes.
Error Planner::build(const Statement &S, Function &Body,
                     const SmallBitVector &Seeds, const SmallBitVector &Known,
                     Form &F) {
  SmallVector<unsigned, 4> Active;
  for (const auto &[R, Read] : enumerate(S.Reads))
    if (A.isActive(Read.Arr))
      Active.push_back(R);
  Expected<Vjp> Product = buildVjp(Body, S.Reads.size(), Active, Seeds, Known);
  if (!Product)
    return Product.takeError();
  SmallBitVector UsesRead = Product->UsesRead;
  UsesRead |= getGuardOperands(S);
  for (unsigned R : UsesRead.set_bits())
    F.Uses.push_back({&S, R, false});
  for (unsigned W : Product->UsesResult.set_bits()) {
    const Inversion *I = getInversion({&S, W, true});
    if (I) {
      F.Uses.push_back({I->Of, I->Divisor, false});
      F.Uses.push_back({I->Of, I->Quotient, true});
      F.Inverted.push_back({&S, W});
    } else {
      F.Uses.push_back({&S, W, true});
    }
  }
  Product->Fn->eraseFromParent();
  return Error::success();
}

/// The inversion by which X, a result, is had again; null if it is in place or
/// there is none whose quotient is in place.
const Inversion *Planner::getInversion(const Need &X) {
  auto [It, New] = Inversions.try_emplace({X.S, X.Index});
  if (New && !findInPlace(X, X.S->Domain)) {
    auto Found = findInversion(P, D, *X.S, X.Index);
    if (Found &&
        findInPlace({Found->Of, Found->Quotient, true}, Found->Of->Domain))
      Inversions[{X.S, X.Index}] = Found;
  }
  const std::optional<Inversion> &I = Inversions[{X.S, X.Index}];
  return I ? &*I : nullptr;
}

/// Number of cells that the values not in place would take, each tape once. The
/// versions in Covered are free.
double Planner::getPrice(ArrayRef<Need> Uses, const isl::union_set &Covered) {
  double Price = 0;
  SmallVector<std::pair<const Array *, TapeIndex>, 4> Seen;
  for (const Need &X : Uses) {
    if (findInPlace(X, X.S->Domain) ||
        getVersions(X).range().is_subset(Covered).is_true())
      continue;
    const IndexedValue &I = getIndex(X);
    if (I.Cell.is_null())
      return 1e30;
    const Access &Acc = getAccess(X);
    if (is_contained(Seen,
                     std::pair(static_cast<const Array *>(Acc.Arr), I.Index)))
      continue;
    Seen.push_back({Acc.Arr, I.Index});
    Price += I.Size;
  }
  return Price;
}

/// The cheapest of the forms of S's vjp; results in place win a tie, since they
/// save operations.
Expected<Planner::Form> Planner::chooseForm(const Statement &S,
                                            const isl::union_set &Covered) {
  Form Best = {&S, {}, {}, 0};
  SmallBitVector Seeds(S.Writes.size()), None = Seeds, InPlace = Seeds,
                                         All = Seeds;
  for (const auto &[W, Write] : enumerate(S.Writes)) {
    Seeds[W] = A.isActive(Write.Arr) && !D.isDead(S, W);
    All[W] = Write.Kind == AccessKind::Write && Write.Arr->isFloat();
    Need Result = {&S, unsigned(W), true};
    InPlace[W] = All[W] && findInPlace(Result, S.Domain);
  }
  if (Seeds.none() ||
      none_of(S.Reads, [&](const Access &R) { return A.isActive(R.Arr); }))
    return Best;

  bool IsFirst = true;
  auto Consider = [&](Function &Body, const SmallBitVector &Known,
                      const Choice *C) -> Error {
    Form F = {&S, {}, {}, 0};
    if (Error E = build(S, Body, Seeds, Known, F))
      return E;
    F.Price = getPrice(F.Uses, Covered);
    if (C) {
      F.FollowsChoice = true;
      F.Price += C->Moving.size() * estimateBox(C->Cell.range());
    }
    if (IsFirst || F.Price < Best.Price)
      Best = std::move(F);
    IsFirst = false;
    return Error::success();
  };
  SmallVector<SmallBitVector, 3> Forms = {InPlace, None, All};
  for (const auto &[I, Known] : enumerate(Forms)) {
    if (is_contained(ArrayRef(Forms).take_front(I), Known))
      continue;
    if (Error E = Consider(*S.Body, Known, nullptr))
      return std::move(E);
    if (Best.Price == 0)
      return Best;
  }
  auto Chain = Chains.find(&S);
  if (Chain == Chains.end() || !Seeds[Chain->second.Write])
    return Best;
  const Choice &C = Chain->second;
  for (SmallBitVector Known : Forms) {
    // What the element holds is not what Chosen computes.
    Known.reset(C.Write);
    if (Error E = Consider(*C.Chosen, Known, &C))
      return std::move(E);
  }
  return Best;
}

/// Chooses the forms of all statements twice: first each for itself, then
/// knowing what the others keep anyway.
Error Planner::chooseForms() {
  SmallVector<Form, 16> Forms;
  isl::union_set Nothing = isl::union_set::empty(isl::ctx(N.Ctx.get()));
  for (const auto &S : P.Statements) {
    if (S->Domain.is_empty().is_true())
      continue;
    auto F = chooseForm(*S, Nothing);
    if (!F)
      return F.takeError();
    Forms.push_back(std::move(*F));
  }
  for (Form &F : Forms) {
    if (F.Price == 0)
      continue;
    isl::union_set Covered = Nothing;
    for (const Form &Other : Forms)
      if (&Other != &F && Other.Price > 0)
        for (const Need &X : Other.Uses)
          if (!findInPlace(X, X.S->Domain))
            Covered = Covered.unite(getVersions(X).range());
    auto Again = chooseForm(*F.S, Covered);
    if (!Again)
      return Again.takeError();
    F = std::move(*Again);
  }
  for (const Form &F : Forms) {
    append_range(Inverted, F.Inverted);
    for (const Need &X : F.Uses)
      if (!is_contained(Needs, X))
        Needs.push_back(X);
    if (F.FollowsChoice)
      Plan.Choices[F.S] = Chains[F.S];
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Still in place
//===----------------------------------------------------------------------===//

/// Where the array elements are that still hold X at the end, for the instances
/// in Where. Does not depend on what is decided, so it is computed once.
std::optional<KeptValue> Planner::findInPlace(const Need &X,
                                              const isl::set &Where) {
  auto &Known = Places[{X.S, code(X)}];
  for (const auto &[Set, Place] : Known)
    if (isl_set_plain_is_equal(Set.get(), Where.get()) == isl_bool_true)
      return Place;
  std::optional<KeptValue> Place = lookForPlace(X, Where);
  Known.push_back({Where, Place});
  return Place;
}

std::optional<KeptValue> Planner::lookForPlace(const Need &X,
                                               const isl::set &Where) {
  const Access &Acc = getAccess(X);
  KeptValue K;
  K.How = Keep::InPlace;
  K.Domain = Where;
  isl::set Lost = (X.IsResult ? D.WriteOverwritten : D.ReadOverwritten)
                      .lookup({X.S, X.Index});
  if (Lost.is_null())
    return std::nullopt;
  if (Acc.Arr->Lasts && Where.is_disjoint(Lost).is_true()) {
    K.From = {AccessKind::Read, Acc.Arr,
              Acc.Relation.intersect_domain(X.S->Domain)};
    return K;
  }
  // A copy of the same version elsewhere, for all instances in one array.
  isl::union_map Here = getVersions(X).intersect_domain(Where.to_union_set());
  for (const auto &Arr : N.Arrays) {
    if (Arr->ElemTy != Acc.Arr->ElemTy || Arr->Kind == ArrayKind::Tape ||
        Arr->Kind == ArrayKind::Shadow)
      continue;
    isl::union_map Place = Here.apply_range(V.getFinalPlaces(*Arr));
    if (!Place.is_empty().is_false())
      continue;
    isl::map M = coalesceChecked(getFirstImages(Place.as_map()));
    if (M.is_null() || !Where.is_subset(M.domain()).is_true() ||
        !isOnePiece(M, /*NoDivs=*/false))
      continue;
    K.From = {AccessKind::Read, Arr.get(), M};
    return K;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Recomputation
//===----------------------------------------------------------------------===//

/// True if what is kept for K is computed from the value of a read on T's path.
bool Planner::dependsOn(const Key &K, const Trial &T) const {
  SmallVector<Key, 8> Work = {K};
  DenseSet<Key> Seen;
  while (!Work.empty()) {
    Key X = Work.pop_back_val();
    if (is_contained(T.Path, X))
      return true;
    if (!Seen.insert(X).second)
      continue;
    // A new decision may replace the old one or not: follow both.
    auto Follow = [&](const KeptValue &Kept) {
      if (Kept.How == Keep::Recompute)
        for (unsigned R = 0; R < Kept.Producer->Reads.size(); ++R)
          Work.push_back({Kept.Producer, R});
    };
    auto Old = Plan.Reads.find(X);
    if (Old != Plan.Reads.end())
      Follow(Old->second);
    auto New = T.New.find(X);
    if (New != T.New.end())
      Follow(New->second);
  }
  return false;
}

/// True if read K can be had at the instances Where. T collects the decisions.
bool Planner::isKept(const Key &K, const isl::set &Where, unsigned Limit,
                     unsigned Depth, Trial &T) {
  if (T.Cost > Limit || is_contained(T.Path, K))
    return false;
  isl::set Needed = Where;
  bool IsNew = T.New.contains(K);
  auto Old = Plan.Reads.find(K);
  if (IsNew || Old != Plan.Reads.end()) {
    const KeptValue &Have = IsNew ? T.New[K] : Old->second;
    if (dependsOn(K, T))
      return false;
    if (Where.is_subset(Have.Domain).is_true()) {
      T.Cost += IsNew ? 1 : std::max(1u, Costs.lookup(K));
      return true;
    }
    Needed = coalesceChecked(Where.unite(Have.Domain));
  }
  Need X = {K.first, K.second, false};
  if (auto Kept = findInPlace(X, Needed)) {
    T.New[K] = *Kept;
    T.Cost += 1;
    return true;
  }
  if (Depth == 0)
    return false;

  auto It = D.Reads.find(K);
  if (It == D.Reads.end() || !Needed.is_disjoint(It->second.LiveIn).is_true())
    return false;
  const Dataflow::Source *Only = nullptr;
  for (const Dataflow::Source &Src : It->second.Sources) {
    if (Src.Map.range().is_disjoint(Needed).is_true())
      continue;
    if (Only)
      return false;
    Only = &Src;
  }
  if (!Only || Only->Writer->Writes[Only->Write].Kind != AccessKind::Write ||
      Only->Writer->Writes[Only->Write].Guard)
    return false;
  KeptValue Result;
  Result.How = Keep::Recompute;
  Result.Producer = Only->Writer;
  Result.Write = Only->Write;
  Result.Instance =
      coalesceChecked(Only->Map.reverse().intersect_domain(Needed));
  Result.Domain = Needed;
  if (!Needed.is_subset(Result.Instance.domain()).is_true() ||
      !isOnePiece(Result.Instance, /*NoDivs=*/true))
    return false;
  const ResultFacts &Facts = V.getFacts(*Result.Producer, Result.Write);
  T.Cost += Facts.Cost;
  T.Path.push_back(K);
  isl::set Producers = coalesceChecked(Result.Instance.range());
  for (unsigned R : Facts.Reads.set_bits())
    if (Result.Producer->Reads[R].Guard ||
        !isKept({Result.Producer, R}, Producers, Limit, Depth - 1, T))
      return false;
  T.Path.pop_back();
  if (T.Cost > Limit)
    return false;
  T.New[K] = Result;
  return true;
}

bool Planner::recompute(const Need &X, unsigned Limit) {
  if (X.IsResult)
    return false;
  Trial T;
  if (!isKept({X.S, X.Index}, X.S->Domain, Limit, MaxDepth, T))
    return false;
  for (auto &[K, Value] : T.New)
    Plan.Reads[K] = Value;
  Costs[{X.S, X.Index}] = T.Cost;
  return true;
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

/// Lists the subsets of {0, ..., N-1} with K members.
static void forEachSubset(unsigned N, unsigned K,
                          function_ref<bool(ArrayRef<unsigned>)> Visit) {
  SmallVector<unsigned, 4> Set;
  for (unsigned I = 0; I < K; ++I)
    Set.push_back(I);
  while (K <= N) {
    if (Visit(Set))
      return;
    unsigned I = K;
    while (I > 0 && Set[I - 1] == N - K + I - 1)
      --I;
    if (I == 0)
      return;
    ++Set[I - 1];
    for (; I < K; ++I)
      Set[I] = Set[I - 1] + 1;
  }
}

/// Puts X on a tape that exists. OnlyIfFree: only if that needs no more cells.
bool Planner::join(const Need &X, bool OnlyIfFree) {
  const IndexedValue &Own = getIndex(X);
  const Access &Acc = getAccess(X);
  if (Own.Cell.is_null() || Acc.Guard)
    return false;
  isl::union_map Mine = getVersions(X);
  unsigned NumIters = X.S->getNumIterators();
  unsigned NumElems = Acc.Arr->getNumDims();
  for (unsigned Number = 0; Number < Plan.Tapes.size(); ++Number) {
    pardiff::Tape &Tape = Plan.Tapes[Number];
    const TapeIndex &Layout = Layouts[Number];
    // Two versions in one cell: tapes only grow, so that stays.
    std::pair<std::pair<const Statement *, unsigned>, unsigned> Pair = {
        {X.S, code(X)}, Number};
    if (Conflicts.contains(Pair))
      continue;
    if (isGuarded(Tape))
      continue;
    if (Tape.Arr->ElemTy != Acc.Arr->ElemTy ||
        any_of(Layout.Elements, [&](unsigned E) { return E >= NumElems; }))
      continue;
    if (Tape.Arr->Of != Acc.Arr &&
        Tape.Versions.range().is_disjoint(Mine.range()).is_true())
      continue;
    IndexedValue Found;
    auto Try = [&](ArrayRef<unsigned> Iterators) {
      TapeIndex I;
      I.Iterators.assign(Iterators.begin(), Iterators.end());
      I.Elements = Layout.Elements;
      Found = tryIndex(*X.S, getElement(X), Mine, I, Tape.Versions);
      return !Found.Cell.is_null();
    };
    unsigned NumKept = Layout.Iterators.size();
    if (Own.Index.Iterators.size() != NumKept || !Try(Own.Index.Iterators))
      forEachSubset(NumIters, NumKept, Try);
    if (Found.Cell.is_null()) {
      Conflicts.insert(Pair);
      continue;
    }
    isl::set All = coalesceChecked(Tape.Cells.unite(Found.Cells));
    double Growth = estimateBox(All) - estimateBox(Tape.Cells);
    if (Growth > (OnlyIfFree ? 0 : Own.Size))
      continue;
    Tape.Cells = All;
    Tape.Versions = Tape.Versions.unite(
        Found.Cell.reverse().to_union_map().apply_range(Mine));
    Tape.Values.push_back(
        {X.S, X.Index, X.IsResult, Found.Cell, Found.Index.Iterators});
    return true;
  }
  return false;
}

void Planner::putOnTape(const Need &X) {
  KeptValue K;
  K.How = Keep::Tape;
  K.Domain = X.S->Domain;
  if (!join(X, /*OnlyIfFree=*/false)) {
    const IndexedValue &Own = getIndex(X);
    const Access &Acc = getAccess(X);
    Tape T;
    T.Arr =
        N.addArray(Acc.Arr->Name + "_tape", ArrayKind::Tape, Acc.Arr->ElemTy);
    T.Arr->Of = Acc.Arr;
    T.Values.push_back(
        {X.S, X.Index, X.IsResult, Own.Cell, Own.Index.Iterators});
    T.Cells = Own.Cells;
    T.Versions = Own.Cell.reverse().to_union_map().apply_range(getVersions(X));
    Plan.Tapes.push_back(std::move(T));
    Layouts.push_back(Own.Index);
  }
  entry(X) = K;
}

bool Planner::joinIfFree(const Need &X) {
  if (!join(X, /*OnlyIfFree=*/true))
    return false;
  KeptValue K;
  K.How = Keep::Tape;
  K.Domain = X.S->Domain;
  entry(X) = K;
  return true;
}

/// Shapes of the tapes, and the relations of the values on them.
Error Planner::finishTapes() {
  for (Tape &T : Plan.Tapes) {
    T.Cells = coalesceChecked(T.Cells);
    T.Versions = coalesceChecked(T.Versions);
    T.AllLiveIn = Versions::areLiveIn(T.Versions);
    isl::boolean Clean = T.Versions.is_single_valued();
    if (!makeShape(T.Cells, N.Context, T.Arr->Name, T.Arr->Shape, T.Shift) ||
        !Clean.is_true())
      return Quota.refusal("shape of a tape");
    for (const TapedValue &X : T.Values) {
      KeptValue &K = entry({X.S, X.Index, X.IsResult});
      isl::map Index = coalesceChecked(X.Cell.apply_range(T.Shift));
      if (X.HasMoved) {
        isl::map Simple =
            Index.gist_domain(X.S->Domain).intersect_domain(X.S->Domain);
        if (Simple.is_equal(Index).is_true())
          Index = Simple;
      }
      K.From = {AccessKind::Read, T.Arr, Index};
      if (!X.S->Domain.is_subset(K.From.Relation.domain()).is_true() ||
          !K.From.Relation.is_single_valued().is_true())
        return Quota.refusal("index of a tape");
    }
  }
  return Error::success();
}

/// The producers of results that are had by inverting a division.
void Planner::addInverses() {
  for (const Key &K : Inverted) {
    const Inversion &I = *Inversions[K];
    auto New = std::make_unique<InverseStatement>();
    New->Of = I.Of;
    New->Dividend = I.Dividend;
    Statement &S = New->S;
    S.Name = I.Of->Name + "_inverse";
    S.Domain = I.Of->Domain;
    S.Loops = I.Of->Loops;
    S.Reads = {I.Of->Reads[I.Divisor], I.Of->Writes[I.Quotient]};
    S.Writes = {I.Of->Writes[I.Quotient]};
    S.Body = buildInverse(I);
    S.Origin = I.Of;
    KeptValue Divisor = entry({I.Of, I.Divisor, false});
    KeptValue Quotient = entry({I.Of, I.Quotient, true});
    Plan.Reads[{&S, 0}] = Divisor;
    Plan.Reads[{&S, 1}] = Quotient;
    KeptValue Value;
    Value.How = Keep::Recompute;
    Value.Producer = &S;
    Value.Instance = I.Instance;
    Value.Domain = K.first->Domain;
    Plan.Results[K] = Value;
    Plan.Inverses.push_back(std::move(New));
  }
}

/// The tapes of chains of choices, in the order of the statements.
Error Planner::addChoiceTapes() {
  for (const auto &S : P.Statements) {
    auto It = Plan.Choices.find(S.get());
    if (It == Plan.Choices.end())
      continue;
    Choice &C = It->second;
    Array *Of = S->Writes[C.Write].Arr;
    for (unsigned I = 0; I < C.Moving.size(); ++I) {
      Tape T;
      T.ChoiceOf = S.get();
      T.Cells = coalesceChecked(C.Cell.range());
      T.Arr = N.addArray(Of->Name + "_choice", ArrayKind::Tape,
                         Type::getInt64Ty(N.Bodies->getContext()));
      T.Arr->Of = Of;
      if (!makeShape(T.Cells, N.Context, T.Arr->Name, T.Arr->Shape, T.Shift))
        return Quota.refusal("shape of a tape");
      if (I == 0)
        C.Place = coalesceChecked(C.Cell.apply_range(T.Shift));
      C.Tapes.push_back(T.Arr);
      Plan.Tapes.push_back(std::move(T));
    }
    if (!S->Domain.is_subset(C.Place.domain()).is_true() ||
        !C.Place.is_single_valued().is_true())
      return Quota.refusal("index of a tape");
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The order of decisions
//===----------------------------------------------------------------------===//

Expected<TapePlan> Planner::run() {
  if (Error E = chooseForms())
    return std::move(E);

  // Keeps in Left what Decide does not decide.
  SmallVector<Need, 16> Left = Needs;
  auto Decide = [&](auto TryTo) {
    erase_if(Left, [&](const Need &X) { return TryTo(X); });
  };
  Decide([&](const Need &X) {
    auto K = findInPlace(X, X.S->Domain);
    if (K)
      entry(X) = *K;
    return K.has_value();
  });
  Decide([&](const Need &X) { return recompute(X, CheapRecompute); });
  auto HasIndex = [&](const Need &X) { return !getIndex(X).Cell.is_null(); };
  if (!all_of(Left, HasIndex))
    return Quota.refusal("index of a tape");
  Decide([&](const Need &X) {
    if (getIndex(X).FreeDims >= X.S->getNumIterators())
      return false;
    putOnTape(X);
    return true;
  });
  while (!Left.empty()) {
    bool Any = false;
    Decide([&](const Need &X) {
      if (joinIfFree(X) || recompute(X, MaxRecompute))
        Any = true;
      else
        return false;
      return true;
    });
    if (Any || Left.empty())
      continue;
    putOnTape(Left.front());
    Left.erase(Left.begin());
  }
  // What is on a tape by now, for the sake of others, need not be recomputed.
  for (const Need &X : Needs)
    if (entry(X).How == Keep::Recompute &&
        Costs.lookup({X.S, X.Index}) > CheapRecompute)
      joinIfFree(X);
  if (Quota.exceeded())
    return Quota.refusal("tape plan");
  mergeTapes(Plan, V, N);
  if (Error E = finishTapes())
    return std::move(E);
  addInverses();
  if (Error E = addChoiceTapes())
    return std::move(E);
  return std::move(Plan);
}

Expected<TapePlan> pardiff::planTape(const Program &P, const Activity &A,
                                     const Dataflow &D) {
  return Planner(P, A, D).run();
}
