//===- Schedule/LoopOptions.cpp - Loops that statements may share ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is decided from the distances of conflicting instances along two
// iterators: their minimum and maximum over all parameters. No other schedules
// are considered than iterators, reversed or not, shifted by a small constant.
//
//===----------------------------------------------------------------------===//

#include "Schedule/LoopOptions.h"
#include "Schedule/Strides.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Sequence.h"
#include "isl/map.h"
#include "isl/mat.h"

using namespace llvm;
using namespace pardiff;

/// Shifts beyond this cost more at the edges than they gain.
static constexpr int64_t MaxShift = 4;
/// Ranges that differ by no more than this are near.
static constexpr int64_t MaxRangeGap = 2 * MaxShift;
/// A loop with fewer iterations is short.
static constexpr int64_t ShortTrip = 8;

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

Distance Distance::negated() const {
  Distance D;
  D.Empty = Empty;
  if (Max)
    D.Min = -*Max;
  if (Min)
    D.Max = -*Min;
  return D;
}

Distance Distance::plus(int64_t Offset) const {
  Distance D = *this;
  if (D.Min)
    *D.Min += Offset;
  if (D.Max)
    *D.Max += Offset;
  return D;
}

/// A value that is small enough to count with.
static std::optional<int64_t> getSmall(const isl::val &V) {
  if (!V.is_int().is_true() || !V.abs().le(1 << 20).is_true())
    return std::nullopt;
  return V.num_si();
}

/// y - x if an equality of Piece, { [.. x ..] -> [.. y ..] }, states it.
static std::optional<int64_t> getStated(const isl::basic_map &Piece,
                                        unsigned DimS, unsigned DimT) {
  isl_mat *Eqs =
      isl_basic_map_equalities_matrix(Piece.get(), isl_dim_cst, isl_dim_in,
                                      isl_dim_out, isl_dim_param, isl_dim_div);
  auto Release = make_scope_exit([&] { isl_mat_free(Eqs); });
  int Rows = isl_mat_rows(Eqs), Cols = isl_mat_cols(Eqs);
  int X = 1 + DimS, Y = 1 + isl_basic_map_dim(Piece.get(), isl_dim_in) + DimT;
  auto Get = [&](int Row, int Col) {
    return isl::manage(isl_mat_get_element_val(Eqs, Row, Col));
  };
  for (int Row = 0; Row < Rows; ++Row) {
    isl::val A = Get(Row, X);
    if (!A.is_zero().is_false() || !Get(Row, Y).eq(A.neg()).is_true())
      continue;
    auto IsZero = [&](int Col) {
      return Col == X || Col == Y || Get(Row, Col).is_zero().is_true();
    };
    if (all_of(seq(1, Cols), IsZero))
      return getSmall(Get(Row, 0).div(A));
  }
  return std::nullopt;
}

/// The distance if equalities state it: that is much cheaper than to search.
static std::optional<Distance> getStatedDistance(const isl::map &M,
                                                 unsigned DimS, unsigned DimT) {
  Distance D;
  isl::basic_map_list Pieces = M.basic_map_list();
  int N = isl_basic_map_list_n_basic_map(Pieces.get());
  for (int I = 0; I < N; ++I) {
    std::optional<int64_t> V = getStated(Pieces.at(I), DimS, DimT);
    if (!V)
      return std::nullopt;
    D.Min = D.Min ? std::min(*D.Min, *V) : *V;
    D.Max = D.Max ? std::max(*D.Max, *V) : *V;
  }
  return N > 0 ? std::optional(D) : std::nullopt;
}

Distance pardiff::getDistance(const isl::map &M, unsigned DimS, unsigned DimT) {
  Distance D;
  isl::set Pairs = M.wrap();
  D.Empty = Pairs.is_empty().is_true();
  if (D.Empty || Pairs.is_null())
    return D;
  if (auto Stated = getStatedDistance(M, DimS, DimT))
    return *Stated;
  isl::local_space LS(Pairs.space());
  unsigned FirstT = dimOf(M, isl::dim::in);
  isl::aff X = isl::aff::var_on_domain(LS, isl::dim::set, FirstT + DimT)
                   .sub(isl::aff::var_on_domain(LS, isl::dim::set, DimS));
  D.Min = getSmall(Pairs.min_val(X));
  D.Max = getSmall(Pairs.max_val(X));
  return D;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

std::vector<StatementInfo> pardiff::getStatementInfos(const Program &P) {
  std::vector<StatementInfo> Result;
  for (const auto &S : P.Statements) {
    StatementInfo I;
    I.S = S.get();
    I.StrideCost = getStrideCosts(*S);
    unsigned N = S->getNumIterators();
    I.Short.resize(N);
    I.NeedPrivate.resize(N);
    isl::map SameOuter = isl::map::from_domain_and_range(S->Domain, S->Domain);
    for (unsigned D = 0; D < N; ++D) {
      I.Lower.push_back(S->Domain.dim_min(D));
      I.Upper.push_back(S->Domain.dim_max(D));
      std::optional<int64_t> Last = getDistance(SameOuter, D, D).Max;
      if (Last && *Last + 1 < ShortTrip)
        I.Short.set(D);
      SameOuter = SameOuter.equate(isl::dim::in, D, isl::dim::out, D);
    }
    I.Degree = N - I.Short.count();
    Result.push_back(std::move(I));
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

const LevelItem &Level::getItem(unsigned Stmt) const {
  return *find_if(Items, [&](const LevelItem &I) { return I.Stmt == Stmt; });
}

Level Level::restrictTo(ArrayRef<unsigned> Stmts) const {
  std::vector<LevelItem> NewItems;
  std::vector<PairConflict> NewPairs;
  for (const LevelItem &I : Items)
    if (is_contained(Stmts, I.Stmt))
      NewItems.push_back(I);
  for (const PairConflict &C : Pairs)
    if (is_contained(Stmts, C.S) && is_contained(Stmts, C.T))
      NewPairs.push_back(C);
  return Level(P, Infos, std::move(NewItems), std::move(NewPairs));
}

Level Level::enter(const LoopShape &L) const {
  std::vector<LevelItem> NewItems;
  for (const LevelItem &I : Items) {
    const LoopMember *M = L.find(I.Stmt);
    if (!M)
      continue;
    LevelItem New = I;
    New.Outer.push_back(getCoordinate(P, L, *M));
    if (L.Chunk) {
      New.Chunked = M->Dim;
    } else {
      New.Used.set(M->Dim);
      if (New.Chunked == M->Dim)
        New.Chunked = std::nullopt;
    }
    NewItems.push_back(std::move(New));
  }
  std::vector<PairConflict> NewPairs;
  for (const PairConflict &C : Pairs) {
    const LoopMember *X = L.find(C.S), *Y = L.find(C.T);
    if (!X || !Y)
      continue;
    if (L.Chunk) { // conflicting instances are at one point of the loop
      NewPairs.push_back(C);
      continue;
    }
    isl::map Same =
        whereEqual(getCoordinate(P, L, *X), getCoordinate(P, L, *Y));
    PairConflict New = C;
    New.Any = C.Any.intersect(Same);
    if (isEmpty(New.Any))
      continue;
    New.Before = C.Before.intersect(Same);
    New.After = C.After.intersect(Same);
    NewPairs.push_back(std::move(New));
  }
  return Level(P, Infos, std::move(NewItems), std::move(NewPairs));
}

bool Level::mustPrecede(unsigned S, unsigned T) const {
  for (const PairConflict &C : Pairs) {
    if (C.S == S && C.T == T && !isEmpty(C.Before))
      return true;
    if (C.S == T && C.T == S && !isEmpty(C.After))
      return true;
  }
  return false;
}

bool Level::shareArray(unsigned S, unsigned T) const {
  auto Uses = [](const Statement &X, const Array *A) {
    auto Is = [&](const Access &Acc) { return Acc.Arr == A; };
    return any_of(X.Reads, Is) || any_of(X.Writes, Is);
  };
  const Statement &X = *P.Statements[S], &Y = *P.Statements[T];
  auto Shared = [&](const Access &Acc) { return Uses(Y, Acc.Arr); };
  return any_of(X.Reads, Shared) || any_of(X.Writes, Shared);
}

/// Tarjan's algorithm. Edges[V]: the successors of node V.
static std::vector<SmallVector<unsigned, 4>>
findComponents(ArrayRef<SmallVector<unsigned, 8>> Edges) {
  unsigned N = Edges.size();
  struct Frame {
    unsigned Node, Next;
  };
  std::vector<unsigned> Index(N, ~0u), Low(N, 0), Stack;
  std::vector<bool> OnStack(N, false);
  std::vector<SmallVector<unsigned, 4>> Result;
  unsigned Count = 0;
  for (unsigned Root = 0; Root < N; ++Root) {
    if (Index[Root] != ~0u)
      continue;
    SmallVector<Frame, 16> Work = {{Root, 0}};
    while (!Work.empty()) {
      auto &[V, Next] = Work.back();
      if (Next == 0 && Index[V] == ~0u) {
        Index[V] = Low[V] = Count++;
        Stack.push_back(V);
        OnStack[V] = true;
      }
      if (Next < Edges[V].size()) {
        unsigned W = Edges[V][Next++];
        if (Index[W] == ~0u)
          Work.push_back({W, 0});
        else if (OnStack[W])
          Low[V] = std::min(Low[V], Index[W]);
        continue;
      }
      unsigned Done = V;
      Work.pop_back();
      if (!Work.empty())
        Low[Work.back().Node] = std::min(Low[Work.back().Node], Low[Done]);
      if (Low[Done] != Index[Done])
        continue;
      SmallVector<unsigned, 4> Comp;
      unsigned W;
      do {
        W = Stack.back();
        Stack.pop_back();
        OnStack[W] = false;
        Comp.push_back(W);
      } while (W != Done);
      sort(Comp);
      Result.push_back(std::move(Comp));
    }
  }
  return Result;
}

std::vector<SmallVector<unsigned, 4>> Level::getComponents() const {
  // Nodes are positions in Items.
  auto NodeOf = [&](unsigned Stmt) {
    return unsigned(
        find_if(Items, [&](const LevelItem &I) { return I.Stmt == Stmt; }) -
        Items.begin());
  };
  std::vector<SmallVector<unsigned, 8>> Edges(Items.size());
  for (const PairConflict &C : Pairs) {
    if (C.S == C.T)
      continue;
    if (!isEmpty(C.Before))
      Edges[NodeOf(C.S)].push_back(NodeOf(C.T));
    if (!isEmpty(C.After))
      Edges[NodeOf(C.T)].push_back(NodeOf(C.S));
  }
  std::vector<SmallVector<unsigned, 4>> Comps = findComponents(Edges);

  // Take the first component, by program order, of those without predecessors.
  sort(Comps,
       [](const auto &A, const auto &B) { return A.front() < B.front(); });
  std::vector<unsigned> CompOf(Items.size());
  for (auto [I, Comp] : enumerate(Comps))
    for (unsigned V : Comp)
      CompOf[V] = I;
  std::vector<unsigned> Waiting(Comps.size(), 0);
  for (unsigned V = 0; V < Edges.size(); ++V)
    for (unsigned W : Edges[V])
      if (CompOf[V] != CompOf[W])
        ++Waiting[CompOf[W]];
  std::vector<bool> Done(Comps.size(), false);
  std::vector<SmallVector<unsigned, 4>> Result;
  while (Result.size() < Comps.size()) {
    unsigned C = 0;
    while (Done[C] || Waiting[C])
      ++C;
    Done[C] = true;
    SmallVector<unsigned, 4> Stmts;
    for (unsigned V : Comps[C]) {
      Stmts.push_back(Items[V].Stmt);
      for (unsigned W : Edges[V])
        if (CompOf[W] != C)
          --Waiting[CompOf[W]];
    }
    Result.push_back(std::move(Stmts));
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Options of one component
//===----------------------------------------------------------------------===//

Distance Level::distance(unsigned Pair, Which W, unsigned DimS, unsigned DimT) {
  auto [It, New] = Distances.try_emplace({Pair, W, DimS, DimT});
  if (New) {
    const PairConflict &C = Pairs[Pair];
    const isl::map &M = W == Which::Any      ? C.Any
                        : W == Which::Before ? C.Before
                                             : C.After;
    It->second = getDistance(M, DimS, DimT);
  }
  return It->second;
}

/// For each loop of the source that is around all of Comp and not used yet: the
/// iterators. A single statement needs no ids.
std::vector<SmallVector<LoopMember, 4>>
Level::getCommonLoops(ArrayRef<unsigned> Comp) const {
  std::vector<SmallVector<LoopMember, 4>> Result;
  const LevelItem &First = getItem(Comp.front());
  const Statement &S = *P.Statements[First.Stmt];
  for (unsigned D = 0; D < S.getNumIterators(); ++D) {
    if (First.Used[D])
      continue;
    SmallVector<LoopMember, 4> Members;
    for (unsigned Stmt : Comp) {
      const LevelItem &I = getItem(Stmt);
      const auto &Loops = P.Statements[Stmt]->Loops;
      unsigned Dim =
          Stmt == First.Stmt ? D : find(Loops, S.Loops[D]) - Loops.begin();
      if (Dim == Loops.size() || I.Used[Dim])
        break;
      Members.push_back({Stmt, Dim, 0});
    }
    if (Members.size() == Comp.size())
      Result.push_back(std::move(Members));
  }
  return Result;
}

unsigned Level::getOuterGain(ArrayRef<LoopMember> Members) const {
  unsigned Gain = 0;
  for (const LoopMember &M : Members)
    if (getItem(M.Stmt).countFree() > 1)
      Gain += Infos[M.Stmt].StrideCost[M.Dim]
              << (2 * getItem(M.Stmt).countFree());
  return Gain;
}

/// Finds shifts with which no two iterations conflict.
bool Level::alignToZero(ArrayRef<unsigned> Comp,
                        SmallVectorImpl<LoopMember> &Members) {
  auto MemberOf = [&](unsigned Stmt) {
    return find_if(Members, [&](auto &M) { return M.Stmt == Stmt; });
  };
  SmallVector<bool, 8> Placed(Members.size(), false);
  Placed[0] = true;
  for (bool Progress = true; Progress;) {
    Progress = false;
    for (auto [I, C] : enumerate(Pairs)) {
      auto X = MemberOf(C.S), Y = MemberOf(C.T);
      if (X == Members.end() || Y == Members.end())
        continue;
      bool &PX = Placed[X - Members.begin()], &PY = Placed[Y - Members.begin()];
      Distance D = distance(I, Which::Any, X->Dim, Y->Dim);
      if (D.Empty)
        continue;
      if (!D.isConstant())
        return false;
      if (PX && !PY)
        Y->Shift = X->Shift - *D.Min;
      else if (PY && !PX)
        X->Shift = Y->Shift + *D.Min;
      else
        continue;
      PX = PY = Progress = true;
    }
    // A part of the component that no conflict ties to the first one.
    if (!Progress) {
      auto Free = find(Placed, false);
      if (Free != Placed.end())
        *Free = Progress = true;
    }
  }
  for (auto [I, C] : enumerate(Pairs)) {
    auto X = MemberOf(C.S), Y = MemberOf(C.T);
    if (X == Members.end() || Y == Members.end())
      continue;
    Distance D = distance(I, Which::Any, X->Dim, Y->Dim);
    if (!D.Empty && (!D.isConstant() || *D.Min + Y->Shift - X->Shift != 0))
      return false;
  }
  return true;
}

SmallVector<LoopOption, 4> Level::getParallelOptions(ArrayRef<unsigned> Comp) {
  SmallVector<LoopOption, 4> Result;
  for (auto &Members : getCommonLoops(Comp)) {
    bool AllShort = all_of(Members, [&](const LoopMember &M) {
      return Infos[M.Stmt].Short[M.Dim];
    });
    if (AllShort || !alignToZero(Comp, Members))
      continue;
    LoopOption O;
    O.OuterGain = getOuterGain(Members);
    O.Shape.Members = std::move(Members);
    Result.push_back(std::move(O));
  }
  return Result;
}

/// True if no ordered conflict goes backwards.
bool Level::isLegalSerial(const LoopShape &L) {
  for (auto [I, C] : enumerate(Pairs)) {
    const LoopMember *X = L.find(C.S), *Y = L.find(C.T);
    if (!X || !Y)
      continue;
    for (Which W : {Which::Before, Which::After}) {
      Distance D = distance(I, W, X->Dim, Y->Dim);
      if (D.Empty)
        continue;
      if (L.Reversed)
        D = D.negated();
      D = D.plus(Y->Shift - X->Shift);
      if (W == Which::After)
        D = D.negated();
      if (!D.Min || *D.Min < 0)
        return false;
    }
  }
  return true;
}

SmallVector<LoopOption, 4> Level::getSerialOptions(ArrayRef<unsigned> Comp) {
  SmallVector<LoopOption, 4> Result;
  for (auto &Members : getCommonLoops(Comp)) {
    for (bool Reversed : {false, true}) {
      LoopOption O;
      O.Shape.Members = Members;
      O.Shape.Reversed = Reversed;
      if (!isLegalSerial(O.Shape))
        continue;
      O.OuterGain = getOuterGain(Members);
      Result.push_back(std::move(O));
    }
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Options of two
//===----------------------------------------------------------------------===//

std::optional<LoopOption> Level::join(const LoopOption &A, const LoopOption &B,
                                      bool Parallel) {
  if (A.Shape.Reversed != B.Shape.Reversed)
    return std::nullopt;
  std::optional<int64_t> Low, High, Ordered, Exclusive;
  for (auto [I, C] : enumerate(Pairs)) {
    const LoopMember *X = A.Shape.find(C.S), *Y = B.Shape.find(C.T);
    bool Swapped = !X;
    if (Swapped) {
      X = A.Shape.find(C.T);
      Y = B.Shape.find(C.S);
    }
    if (!X || !Y)
      continue;
    // Distance of Y from X, before B is shifted.
    auto Get = [&](Which W) {
      Distance D = Swapped ? distance(I, W, Y->Dim, X->Dim).negated()
                           : distance(I, W, X->Dim, Y->Dim);
      if (A.Shape.Reversed)
        D = D.negated();
      return D.plus(Y->Shift - X->Shift);
    };
    Distance Any = Get(Which::Any);
    if (Any.Empty)
      continue;
    if (Parallel) {
      if (!Any.isConstant() || (Ordered && *Ordered != -*Any.Min))
        return std::nullopt;
      Ordered = -*Any.Min;
      continue;
    }
    Distance First = Get(Swapped ? Which::After : Which::Before);
    if (!First.Empty) {
      if (!First.Min)
        return std::nullopt;
      Low = std::max(Low.value_or(-*First.Min), -*First.Min);
      if (First.isConstant())
        Ordered = std::max(Ordered.value_or(-*First.Min), -*First.Min);
    }
    Distance Last = Get(Swapped ? Which::Before : Which::After);
    if (!Last.Empty) {
      if (!Last.Max)
        return std::nullopt;
      High = std::min(High.value_or(-*Last.Max), -*Last.Max);
    }
    if (First.Empty && Last.Empty && Any.isConstant() && !Exclusive)
      Exclusive = -*Any.Min;
  }
  int64_t Offset = Ordered ? *Ordered : Exclusive.value_or(0);
  if (Low)
    Offset = std::max(Offset, *Low);
  if (High && Offset > *High)
    Offset = *High;
  if ((Low && Offset < *Low) || std::abs(Offset) > MaxShift)
    return std::nullopt;

  LoopOption J = A;
  for (LoopMember M : B.Shape.Members) {
    M.Shift += Offset;
    J.Shape.Members.push_back(M);
  }
  J.OuterGain = A.OuterGain + B.OuterGain;
  return J;
}

bool Level::haveNearRanges(const LoopShape &L, const LoopMember &X,
                           const LoopMember &Y) const {
  const StatementInfo &S = Infos[X.Stmt], &T = Infos[Y.Stmt];
  if ((getItem(X.Stmt).Chunked == X.Dim) != (getItem(Y.Stmt).Chunked == Y.Dim))
    return false;
  auto Near = [&](isl::pw_aff A, isl::pw_aff B) {
    isl::pw_aff Gap = A.sub(B);
    int64_t Shift = X.Shift - Y.Shift;
    auto Min = getSmall(isl::manage(isl_pw_aff_min_val(Gap.copy())));
    auto Max = getSmall(isl::manage(isl_pw_aff_max_val(Gap.copy())));
    if (!Min || !Max)
      return false;
    if (L.Reversed)
      Shift = -Shift;
    return *Min + Shift >= -MaxRangeGap && *Max + Shift <= MaxRangeGap;
  };
  return Near(S.Lower[X.Dim], T.Lower[Y.Dim]) &&
         Near(S.Upper[X.Dim], T.Upper[Y.Dim]);
}

/// { instance -> [outer loops..., x] }
isl::map Level::getPlace(const LoopShape &L, const LoopMember &M) const {
  const LevelItem &I = getItem(M.Stmt);
  isl::set D = P.Statements[M.Stmt]->Domain;
  isl::pw_aff_list List = isl::manage(
      isl_pw_aff_list_alloc(isl_set_get_ctx(D.get()), I.Outer.size() + 1));
  for (const isl::pw_aff &X : I.Outer)
    List = List.add(X);
  List = List.add(getCoordinate(P, L, M));
  isl::space Space =
      isl::manage(isl_space_add_dims(isl_space_from_domain(D.space().release()),
                                     isl_dim_out, I.Outer.size() + 1));
  isl::multi_pw_aff F(Space, List);
  return isl::map(F.as_map()).intersect_domain(D);
}

bool Level::haveSameRanges(const LoopShape &L) const {
  isl::set First = getPlace(L, L.Members.front()).range();
  return all_of(ArrayRef(L.Members).drop_front(), [&](const LoopMember &M) {
    return First.is_equal(getPlace(L, M).range()).is_true();
  });
}

/// The iterations of a loop and those around it, without regard to its own.
static isl::set anyX(const isl::set &Iterations) {
  return isl::manage(isl_set_eliminate(
      Iterations.copy(), isl_dim_set, dimOf(Iterations, isl::dim::set) - 1, 1));
}

isl::union_set Level::getCommonRows(const LoopShape &L) const {
  isl::set Common;
  for (const LoopMember &M : L.Members) {
    isl::set Rows = anyX(getPlace(L, M).range());
    Common = Common.is_null() ? Rows : Common.intersect(Rows);
  }
  isl::union_set Rows = isl::union_set::empty(P.Order.ctx());
  for (const LoopMember &M : L.Members)
    Rows = Rows.unite(
        isl::union_set(getPlace(L, M).intersect_range(Common).domain()));
  return coalesceChecked(Rows);
}

isl::union_set Level::getCore(const LoopShape &L, isl::union_set &Rows) const {
  isl::set Common;
  for (const LoopMember &M : L.Members) {
    isl::set Range = getPlace(L, M).range();
    Common = Common.is_null() ? Range : Common.intersect(Range);
  }
  isl::set AnyX = anyX(Common);
  isl::union_set Core = isl::union_set::empty(P.Order.ctx());
  Rows = Core;
  for (const LoopMember &M : L.Members) {
    isl::map Place = getPlace(L, M);
    Core = Core.unite(isl::union_set(Place.intersect_range(Common).domain()));
    Rows = Rows.unite(isl::union_set(Place.intersect_range(AnyX).domain()));
  }
  Rows = coalesceChecked(Rows);
  return coalesceChecked(Core);
}

bool Level::isVectorLoop(const LoopOption &L) {
  for (auto [I, C] : enumerate(Pairs)) {
    const LoopMember *X = L.Shape.find(C.S), *Y = L.Shape.find(C.T);
    if (!X || !Y)
      continue;
    for (Which W : {Which::Any, Which::Before, Which::After}) {
      if (W == Which::Any && C.S == C.T)
        continue; // a sum into one element
      Distance D = distance(I, W, X->Dim, Y->Dim);
      int64_t Shift = Y->Shift - X->Shift;
      if (L.Shape.Reversed)
        Shift = -Shift;
      if (!D.Empty && (!D.isConstant() || *D.Min + Shift != 0))
        return false;
    }
  }
  return true;
}
