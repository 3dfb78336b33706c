//===- Schedule/ContractShadows.cpp - Storage of private shadows ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A private shadow has an element for each iteration of the primal loops that
// own it. Where the tree brings all accesses to such an element into one
// iteration of some loops again, these iterations need no elements of their
// own:
//
//   - the loops (the outermost bands of the tree, up to some depth) own it: no
//     element is accessed in two of their iterations;
//   - a leading dimension has one value in each of their iterations: it is
//     dropped.
//
// An element is zero when its life begins. So either the array becomes a new,
// zero-filled copy in each iteration (Array::Scope), if it then has a small
// constant size; or the iterations share one copy, if they run one after the
// other and each leaves zeros behind (the last write of each element is a
// clear). Otherwise, and past a limit of isl's operations, the array stays as
// it is. Private copies of the forward sweep (PrivateCopies.h) are never read
// before they are written: what others left in them does not matter.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Conflicts.h"
#include "Schedule/Schedule.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace pardiff;

/// Elements of a copy that may live on a thread's stack.
static constexpr int64_t MaxScopeElements = 1024;
/// Operations of isl for one array. It stays as it is past that.
static constexpr unsigned long MaxOperations = 300000;

namespace {

struct Use {
  const Statement *S;
  const Access *A;
  bool Clear; ///< writes zero
};

/// The bands of the tree that are around all uses of an array.
struct Path {
  /// Nodes below the bands: Inside[k] has k + 1 of them around.
  std::vector<isl::schedule_node> Inside;
  /// Number of bands outside of the first parallel one.
  unsigned Serial = 0;
};

class Contraction {
public:
  Contraction(Program &P, Array &A) : P(P), A(A) {}
  void run();

private:
  void collectUses();
  Path findPath() const;
  isl::union_map getElements(const isl::schedule_node &Node) const;
  SmallVector<unsigned, 4> findFixedDims(const isl::union_map &Elements) const;
  bool isOwned(const isl::union_map &Elements) const;
  bool isLeftZero() const;
  bool isSmall(ArrayRef<unsigned> Dropped) const;
  bool drop(ArrayRef<unsigned> Dims);
  void addScope(isl::schedule_node Node);

  Program &P;
  Array &A;
  SmallVector<Use, 8> Uses;
};

} // namespace

/// True if write W of S always writes the constant zero.
static bool isClear(const Statement &S, unsigned W) {
  if (S.Writes[W].Kind != AccessKind::Write || S.Writes[W].Guard || !S.Body ||
      S.Body->empty())
    return false;
  auto *Ret = dyn_cast<ReturnInst>(S.Body->back().getTerminator());
  if (!Ret || !Ret->getReturnValue())
    return false;
  Value *V = FindInsertedValue(Ret->getReturnValue(), {W});
  auto *C = dyn_cast_or_null<Constant>(V);
  return C && C->isNullValue();
}

void Contraction::collectUses() {
  for (const auto &S : P.Statements) {
    for (const Access &R : S->Reads)
      if (R.Arr == &A)
        Uses.push_back({S.get(), &R, false});
    for (auto [K, W] : enumerate(S->Writes))
      if (W.Arr == &A)
        Uses.push_back({S.get(), &W, isClear(*S, K)});
  }
}

/// Descends from the root while all uses are in one child.
Path Contraction::findPath() const {
  isl::union_set Domain = isl::union_set::empty(P.Order.ctx());
  for (const Use &U : Uses)
    Domain = Domain.unite(isl::union_set(U.S->Domain));
  Path Result;
  bool Parallel = false;
  isl::schedule_node Node = P.Tree.root();
  while (!Node.is_null() && Node.has_children().is_true()) {
    switch (isl_schedule_node_get_type(Node.get())) {
    case isl_schedule_node_mark: {
      isl::id Id = isl::manage(isl_schedule_node_mark_get_id(Node.get()));
      Parallel |= nameOf(Id) == "parallel";
      Node = Node.child(0);
      break;
    }
    case isl_schedule_node_band:
      Node = Node.child(0);
      Result.Inside.push_back(Node);
      Result.Serial += !Parallel;
      break;
    case isl_schedule_node_sequence: {
      isl::schedule_node Next;
      int N = isl_schedule_node_n_children(Node.get());
      for (int I = 0; I < N; ++I)
        if (Domain.is_subset(Node.child(I).child(0).domain()).is_true())
          Next = Node.child(I);
      if (Next.is_null())
        return Result;
      Node = Next;
      break;
    }
    default:
      Node = Node.child(0);
    }
  }
  return Result;
}

/// { iteration of the bands around Node -> element of A used in it }
isl::union_map Contraction::getElements(const isl::schedule_node &Node) const {
  isl::union_map Prefix = Node.prefix_schedule_union_map();
  isl::union_map Result;
  for (const Use &U : Uses) {
    isl::union_map M = Prefix.intersect_domain(isl::union_set(U.S->Domain))
                           .reverse()
                           .apply_range(isl::union_map(U.A->Relation));
    Result = Result.is_null() ? M : Result.unite(M);
  }
  return Result;
}

bool Contraction::isOwned(const isl::union_map &Elements) const {
  return Elements.reverse().is_single_valued().is_true();
}

/// Leading dimensions with one value in each iteration.
SmallVector<unsigned, 4>
Contraction::findFixedDims(const isl::union_map &Elements) const {
  SmallVector<unsigned, 4> Dims;
  if (Elements.is_empty().is_true())
    return Dims;
  isl::map M = Elements.as_map();
  for (unsigned D = 0; D < A.PrivateDims; ++D) {
    unsigned N = dimOf(M, isl::dim::out);
    isl::map One = M.project_out(isl::dim::out, D + 1, N - D - 1)
                       .project_out(isl::dim::out, 0, D);
    if (One.is_single_valued().is_true())
      Dims.push_back(D);
  }
  return Dims;
}

/// True if what is left after dropping the dimensions has a small constant
/// size.
bool Contraction::isSmall(ArrayRef<unsigned> Dropped) const {
  int64_t Size = 1;
  for (auto [D, Extent] : enumerate(A.Shape)) {
    if (is_contained(Dropped, D))
      continue;
    if (Extent.is_null())
      return false;
    isl::val V = isl::manage(isl_pw_aff_max_val(Extent.copy()));
    isl::val Min = isl::manage(isl_pw_aff_min_val(Extent.copy()));
    if (!V.is_int().is_true() || !V.eq(Min).is_true() ||
        !V.le(MaxScopeElements).is_true() || !V.is_pos().is_true())
      return false;
    Size *= V.num_si();
    if (Size > MaxScopeElements)
      return false;
  }
  return true;
}

/// True if after everything else that is written into an element it is cleared.
bool Contraction::isLeftZero() const {
  isl::union_map Schedule = P.Tree.map();
  auto TimeOf = [&](const Statement &S) {
    isl::union_map M = Schedule.intersect_domain(isl::union_set(S.Domain));
    return M.is_empty().is_true() ? std::vector<isl::pw_aff>()
                                  : getCoordinates(M.as_map());
  };
  for (const Use &U : Uses) {
    if (U.A->Kind == AccessKind::Read || U.Clear)
      continue;
    std::vector<isl::pw_aff> Time = TimeOf(*U.S);
    isl::set Open = U.S->Domain;
    for (const Use &C : Uses) {
      if (!C.Clear)
        continue;
      isl::map Tied = U.A->Relation.apply_range(C.A->Relation.reverse());
      std::vector<isl::pw_aff> Later = TimeOf(*C.S);
      for (auto [X, Y] : zip(Time, Later)) {
        Open = Open.subtract(Tied.intersect(whereLess(X, Y)).domain());
        Tied = Tied.intersect(whereEqual(X, Y));
        if (isEmpty(Tied))
          break;
      }
    }
    if (!Open.is_empty().is_true())
      return false;
  }
  return true;
}

/// False, and nothing has changed, if isl fails.
bool Contraction::drop(ArrayRef<unsigned> Dims) {
  isl::id Id(P.Order.ctx(), A.Name);
  SmallVector<std::pair<Access *, isl::map>, 8> Dropped;
  for (const auto &S : P.Statements)
    for (Access &Acc : concat<Access>(S->Reads, S->Writes)) {
      if (Acc.Arr != &A)
        continue;
      isl::map M = Acc.Relation;
      for (unsigned D : reverse(Dims))
        M = M.project_out(isl::dim::out, D, 1);
      M = M.set_tuple_id(isl::dim::out, Id);
      if (M.is_null())
        return false;
      Dropped.push_back({&Acc, M});
    }
  for (auto &[Acc, M] : Dropped)
    Acc->Relation = M;
  for (unsigned D : reverse(Dims)) {
    A.Shape.erase(A.Shape.begin() + D);
    if (D < A.Extents.size())
      A.Extents.erase(A.Extents.begin() + D);
  }
  A.PrivateDims -= Dims.size();
  return true;
}

/// Puts the mark above Node, or takes the one that is there already.
void Contraction::addScope(isl::schedule_node Node) {
  isl::schedule_node Parent = Node.parent();
  if (isl_schedule_node_get_type(Node.get()) == isl_schedule_node_mark) {
    isl::id Id = isl::manage(isl_schedule_node_mark_get_id(Node.get()));
    if (nameOf(Id) != "parallel" && nameOf(Id) != RestMark) {
      A.Scope = nameOf(Id);
      return;
    }
  }
  A.Scope = "scope_" + A.Name;
  P.Tree = Node.insert_mark(A.Scope).schedule();
}

void Contraction::run() {
  collectUses();
  if (Uses.empty())
    return;
  Path Bands = findPath();
  // The deepest iterations that own the array fix the most dimensions.
  unsigned Depth = Bands.Inside.size();
  SmallVector<unsigned, 4> Fixed;
  for (; Depth > 0; --Depth) {
    isl::union_map Elements = getElements(Bands.Inside[Depth - 1]);
    if (!isOwned(Elements))
      continue;
    Fixed = findFixedDims(Elements);
    break;
  }
  if (Fixed.empty())
    return;
  // The outermost ones that fix as many give the longest lives.
  for (unsigned D = 1; D < Depth; ++D) {
    isl::union_map Elements = getElements(Bands.Inside[D - 1]);
    if (isOwned(Elements) && findFixedDims(Elements) == Fixed)
      Depth = D;
  }
  if (isSmall(Fixed)) {
    isl::schedule Tree = P.Tree;
    addScope(Bands.Inside[Depth - 1]);
    if (P.Tree.is_null() || !drop(Fixed)) {
      P.Tree = Tree;
      A.Scope.clear();
    }
  } else if (Depth <= Bands.Serial &&
             (A.Kind != ArrayKind::Shadow || isLeftZero())) {
    drop(Fixed);
  }
}

void pardiff::contractShadows(Program &P) {
  if (P.Tree.is_null())
    return;
  for (const auto &A : P.N->Arrays) {
    if (!A->PrivateDims)
      continue;
    IslQuota Quota(P.N->Ctx.get(), MaxOperations);
    Contraction(P, *A).run();
  }
}
