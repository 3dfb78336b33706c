//===- Tape/Forward.cpp - The augmented forward sweep ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three ways to fill the cells of a tape, in order of preference:
//
//   - the writer stores its result twice, where one write of one statement
//   makes all
//     versions on the tape, and each of its instances makes one; several
//     writers, for a tape to which values have moved (MergeTapes.h);
//   - a copy: one statement with an instance for each cell, as far out in the
//   order
//     as the array holds the right versions. In front of everything, it is a
//     snapshot; in front of the loops that read them, a loop over the elements;
//   - the statements that read (or, for results, write) the values store them,
//   as many
//     of them as the cells need. This is how the value of a guarded access is
//     kept, under its guard; its tape serves no others.
//
// Chains of choices: the statement gets the tapes of its chain as further reads
// and writes, which keep its iterators plus one at the last replacement. One
// statement in front of everything sets them to zero.
//
// A copy's place is a prefix of time, the first readers' one, cut off as early
// as possible; the copy runs before all else that shares the prefix. Whether
// the array holds the right versions there is proven by the same exact dataflow
// that the plan stands on: the copy's versions must equal those the plan asks
// for.
//
//===----------------------------------------------------------------------===//

#include "Tape/Forward.h"
#include "Body/Body.h"
#include "Support/FlowTimes.h"
#include "Support/IslUtils.h"
#include "Support/Reason.h"
#include "Tape/TapeIndex.h"
#include "Tape/TupleId.h"
#include "Tape/Versions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "isl/map.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// A statement that copies elements of an array to a tape, or sets it to zero.
struct Copy {
  const Tape *T;
  Array *From; ///< null: zero
  isl::set Cells;
  isl::map Element; ///< [cell] -> From[e]
  isl::map Prefix;  ///< [cell] -> [t_0, ..., t_(Depth-1)]
  unsigned Depth;
  /// One of the statements that it serves, and its iterators that are the first
  /// coordinates of the cell.
  const Statement *Reader;
  SmallVector<unsigned, 4> Iterators;
};

/// A statement that stores one of its values to a tape as well.
struct Store {
  const Tape *T;
  unsigned Index;
  bool IsResult;
  isl::map Cell; ///< S[i] -> [cell]
};

class ForwardBuilder {
public:
  ForwardBuilder(const Program &P, const TapePlan &Plan, const Dataflow &D)
      : P(P), Plan(Plan), N(*P.N), Ctx(N.Ctx.get()), V(P, D), F(N),
        Quota(N.Ctx.get(), 4 * DefaultIslOperations) {}

  Expected<Program> run();

private:
  Error fill(const Tape &T);
  std::optional<std::pair<const Statement *, Store>>
  findWriter(const Tape &T, const isl::map &Version) const;
  bool fillByWriters(const Tape &T);
  bool fillByCopy(const Tape &T, Array *From, bool HasMoved,
                  const isl::set &Cells, isl::set &Rest);
  Error fillByReaders(const Tape &T, isl::set &Rest, bool HasMoved);
  isl::union_map getVersionsAt(const Copy &C);
  bool extend(Copy &C, const isl::set &Cells) const;
  void widen(Copy &C) const;
  Error fillByStores(const Tape &T, isl::set &Rest,
                     function_ref<bool(const TapedValue &)> Which);

  isl::map getTime(const Statement &S) const;
  Error addStores(Statement &S, ArrayRef<Store> Stores);
  Error addChoice(Statement &S, const Choice &C);
  Error addCopies();
  std::string getFreeName(StringRef Wanted) const;

  const Program &P;
  const TapePlan &Plan;
  Nest &N;
  isl::ctx Ctx;
  Versions V;
  Program F;
  IslQuota Quota;
  SmallVector<Copy, 4> Copies;
  MapVector<const Statement *, SmallVector<Store, 2>> Stores;
};

} // namespace

bool pardiff::isReadInPlace(const TapePlan &Plan, const Array &A) {
  auto InPlace = [&](const auto &Entry) {
    return Entry.second.How == Keep::InPlace && Entry.second.From.Arr == &A;
  };
  return any_of(Plan.Reads, InPlace) || any_of(Plan.Results, InPlace);
}

isl::map ForwardBuilder::getTime(const Statement &S) const {
  isl::map T = P.Order.intersect_domain(S.Domain.to_union_set()).as_map();
  return isl::manage(isl_map_reset_tuple_id(T.release(), isl_dim_out));
}

//===----------------------------------------------------------------------===//
// Who fills a tape
//===----------------------------------------------------------------------===//

/// The write that makes the versions of Version ({ [cell] -> version }), if all
/// of its instances do, each of them one.
std::optional<std::pair<const Statement *, Store>>
ForwardBuilder::findWriter(const Tape &T, const isl::map &Version) const {
  auto [Name, Number] =
      StringRef(nameOf(Version.range_tuple_id())).rsplit("__w");
  const Statement *S = P.find(Name);
  unsigned W;
  if (!S || Number.getAsInteger(10, W))
    return std::nullopt;
  isl::map Cell = Version.reverse().set_domain_tuple(tupleId(Ctx, S->Name));
  if (!Cell.is_single_valued().is_true() ||
      !S->Domain.is_subset(Cell.domain()).is_true() ||
      S->Writes[W].Kind != AccessKind::Write || S->Writes[W].Guard)
    return std::nullopt;
  return std::pair(S, Store{&T, W, true, Cell});
}

bool ForwardBuilder::fillByWriters(const Tape &T) {
  if (T.Versions.is_null())
    return false;
  bool HasMoved =
      any_of(T.Values, [](const TapedValue &X) { return X.HasMoved; });
  if (!HasMoved && !T.Versions.isa_map().is_true())
    return false;
  SmallVector<std::pair<const Statement *, Store>, 2> Writers;
  isl::stat Ok = T.Versions.foreach_map([&](const isl::map &Version) {
    auto Found = findWriter(T, Version);
    if (!Found)
      return isl::stat::error();
    Writers.push_back(*Found);
    return isl::stat::ok();
  });
  if (Ok.is_error())
    return false;
  // In the order of the program and not of isl's hashing.
  for (const auto &S : P.Statements)
    for (unsigned W = 0; W < S->Writes.size(); ++W)
      for (const auto &[Writer, X] : Writers)
        if (Writer == S.get() && X.Index == W)
          Stores[Writer].push_back(X);
  return true;
}

/// The versions that a copy at its place finds, { [cell] -> version }; null on
/// an isl error.
isl::union_map ForwardBuilder::getVersionsAt(const Copy &C) {
  // Time: prefix, then -1 for the copy and 0 for all else, the rest of the
  // time, the write's number.
  isl::union_map Sources = isl::union_map::empty(Ctx), Schedule = Sources;
  isl::union_map Names = Sources;
  unsigned NumTimes = 0;
  for (const auto &S : P.Statements)
    for (const auto &[W, Write] : enumerate(S->Writes)) {
      if (Write.Arr != C.From || S->Domain.is_empty().is_true())
        continue;
      std::string Name = nameOfWrite(*S, W);
      isl::map Time = getTime(*S);
      NumTimes = dimOf(Time, isl::dim::out);
      Time = isl::manage(
          isl_map_insert_dims(Time.release(), isl_dim_out, C.Depth, 1));
      Time = Time.fix_si(isl::dim::out, C.Depth, 0).add_dims(isl::dim::out, 1);
      Time = Time.fix_si(isl::dim::out, NumTimes + 1, W);
      Schedule = Schedule.unite(
          Time.set_domain_tuple(tupleId(Ctx, Name)).to_union_map());
      isl::map Rel = Write.Relation.intersect_domain(S->Domain);
      Sources = Sources.unite(
          Rel.set_domain_tuple(tupleId(Ctx, Name)).to_union_map());
      isl::map Rename =
          S->Domain.identity().set_domain_tuple(tupleId(Ctx, Name));
      Names = Names.unite(Rename.to_union_map().apply_range(V.ofWrite(*S, W)));
    }
  std::string InName = nameOfLiveIn(*C.From);
  if (NumTimes == 0)
    return C.Element.set_range_tuple(tupleId(Ctx, InName)).to_union_map();

  isl::map Time = C.Prefix;
  Time = Time.add_dims(isl::dim::out, NumTimes + 2 - C.Depth);
  for (unsigned I = C.Depth; I < NumTimes + 2; ++I)
    Time = Time.fix_si(isl::dim::out, I, I == C.Depth ? -1 : 0);
  Schedule = Schedule.unite(
      Time.set_domain_tuple(tupleId(Ctx, "copy")).to_union_map());
  isl::union_flow Flow =
      isl::union_access_info(
          C.Element.set_domain_tuple(tupleId(Ctx, "copy")).to_union_map())
          .set_must_source(Sources)
          .set_schedule_map(hideConstants(Schedule))
          .compute_flow();
  if (Flow.is_null())
    return isl::union_map();
  isl::union_map Found =
      dropShift(Flow.must_dependence()).reverse().apply_range(Names);
  isl::map In =
      dropShift(Flow.must_no_source())
          .extract_map(
              C.Element.set_domain_tuple(tupleId(Ctx, "copy")).get_space());
  Found = Found.unite(In.set_range_tuple(tupleId(Ctx, InName)).to_union_map());
  // Anonymous cells again.
  isl::map Anonymous =
      C.Cells.identity().set_domain_tuple(tupleId(Ctx, "copy"));
  return Anonymous.reverse().to_union_map().apply_range(Found);
}

/// Smallest box around Set, as far as isl finds it.
static isl::set getBox(const isl::set &Set) {
  isl::set Box;
  for (unsigned I = 0, N = dimOf(Set, isl::dim::set); I < N; ++I) {
    isl::set One = Set.project_out(isl::dim::set, I + 1, N - I - 1)
                       .project_out(isl::dim::set, 0, I);
    One = isl::set(coalesceChecked(One).simple_hull());
    Box = Box.is_null()
              ? One
              : isl::manage(isl_set_flat_product(Box.release(), One.release()));
  }
  return Box;
}

/// The one affine function that M is, for all of Domain; M itself if it is
/// none.
static isl::map extendTo(const isl::map &M, const isl::set &Domain) {
  isl::pw_multi_aff F = coalesceChecked(M.as_pw_multi_aff()).gist(M.domain());
  F = coalesceChecked(F);
  if (F.is_null() || isl_pw_multi_aff_n_piece(F.get()) != 1)
    return M;
  isl::map Result = M;
  F.foreach_piece([&](isl::set, isl::multi_aff A) {
    Result = A.as_map().intersect_domain(Domain);
    return isl::stat::ok();
  });
  return Result;
}

/// Fills Cells, all of them read by values in array From, with a copy, and what
/// else of Rest finds its value there at that time. Takes them from Rest.
bool ForwardBuilder::fillByCopy(const Tape &T, Array *From, bool HasMoved,
                                const isl::set &Cells, isl::set &Rest) {
  if (T.Versions.is_null())
    return false;
  Copy C = {&T, From, Cells, isl::map(), isl::map(), 0, nullptr, {}};
  isl::map Times;
  for (const TapedValue &X : T.Values) {
    if (X.IsResult || X.HasMoved != HasMoved || X.S->Reads[X.Index].Arr != From)
      continue;
    if (!C.Reader) {
      C.Reader = X.S;
      C.Iterators = X.Iterators;
    }
    isl::map ByCell = X.Cell.reverse().intersect_domain(Cells);
    isl::map Element = ByCell.apply_range(X.S->Reads[X.Index].Relation);
    isl::map Time = ByCell.apply_range(getTime(*X.S));
    C.Element = C.Element.is_null() ? Element : C.Element.unite(Element);
    Times = Times.is_null() ? Time : Times.unite(Time);
  }
  if (!C.Reader)
    return false;
  C.Element = getFirstImages(coalesceChecked(C.Element));
  if (!Cells.is_subset(C.Element.domain()).is_true() ||
      !isOnePiece(C.Element, /*NoDivs=*/false))
    return false;
  // Cells of several pieces, such as what a stencil reads.
  SmallVector<isl::set, 2> Sizes;
  if (isl_set_n_basic_set(Cells.get()) > 1)
    Sizes.push_back(coalesceChecked(getBox(Cells).intersect(Rest)));
  Sizes.push_back(Cells);
  unsigned NumTimes = dimOf(Times, isl::dim::out);
  for (C.Depth = 0; C.Depth <= NumTimes; ++C.Depth) {
    C.Prefix = Times.project_out(isl::dim::out, C.Depth, NumTimes - C.Depth);
    C.Prefix = coalesceChecked(getFirstImages(coalesceChecked(C.Prefix)));
    if (C.Prefix.is_null())
      return false;
    if (!isOnePiece(C.Prefix, /*NoDivs=*/false))
      continue;
    for (const isl::set &Size : Sizes) {
      Copy Tried = C;
      if (Size.is_null() || (&Size != &Sizes.back() && !extend(Tried, Size)))
        continue;
      isl::union_map Found = getVersionsAt(Tried);
      if (Found.is_null() || !Found
                                  .is_equal(T.Versions.intersect_domain(
                                      Tried.Cells.to_union_set()))
                                  .is_true())
        continue;
      widen(Tried);
      Rest = coalesceChecked(Rest.subtract(Tried.Cells));
      Copies.push_back(Tried);
      return true;
    }
  }
  return false;
}

/// Lets C fill Cells, more than it does. False, and nothing changed, if that
/// would read elements that the program does not access, so that may not exist.
bool ForwardBuilder::extend(Copy &C, const isl::set &Cells) const {
  isl::map Element = extendTo(C.Element, Cells),
           Prefix = extendTo(C.Prefix, Cells);
  isl::set Elements = Element.range();
  if (Elements.is_null() || Prefix.is_null() ||
      !Cells.is_subset(Element.domain()).is_true() ||
      !Cells.is_subset(Prefix.domain()).is_true())
    return false;
  isl::set Accessed = isl::set::empty(Elements.get_space());
  for (const auto &S : P.Statements)
    for (const Access &A : concat<const Access>(S->Reads, S->Writes))
      if (A.Arr == C.From && !A.Guard)
        Accessed =
            Accessed.unite(A.Relation.intersect_domain(S->Domain).range());
  if (!Elements.is_subset(coalesceChecked(Accessed)).is_true())
    return false;
  C.Cells = Cells;
  C.Element = Element;
  C.Prefix = Prefix;
  return true;
}

/// Lets a copy of cells of several pieces fill the box around them, if no other
/// value is kept there and no more than half of the box is of no use: its loops
/// have plain bounds.
void ForwardBuilder::widen(Copy &C) const {
  if (isl_set_n_basic_set(C.Cells.get()) < 2)
    return;
  isl::set Box = getBox(C.Cells), Room = C.T->Shift.domain();
  if (Box.is_null() || Room.is_null() || isl_set_n_basic_set(Room.get()) != 1)
    return;
  Box = coalesceChecked(Box.intersect(Room));
  if (!C.Cells.is_subset(Box).is_true() ||
      !Box.subtract(C.Cells).is_disjoint(C.T->Cells).is_true())
    return;
  double Largest = 0;
  C.Cells.foreach_basic_set([&](isl::basic_set Piece) {
    Largest = std::max(Largest, estimateBox(isl::set(Piece)));
    return isl::stat::ok();
  });
  if (2 * Largest >= estimateBox(Box))
    extend(C, Box);
}

/// Lets statements store values of T, until no cell of Rest is left or there is
/// no further value.
Error ForwardBuilder::fillByStores(
    const Tape &T, isl::set &Rest,
    function_ref<bool(const TapedValue &)> Which) {
  SmallVector<std::pair<double, const TapedValue *>, 4> Candidates;
  for (const TapedValue &X : T.Values)
    if (Which(X))
      Candidates.push_back({-estimateBox(X.Cell.range()), &X});
  llvm::stable_sort(Candidates, llvm::less_first());
  for (const auto &[Size, X] : Candidates) {
    isl::set Mine = X->Cell.range();
    isl::boolean Useless = Rest.is_disjoint(Mine);
    if (Useless.is_error())
      return Quota.refusal("cells of " + T.Arr->Name);
    if (Useless.is_true())
      continue;
    Stores[X->S].push_back({&T, X->Index, X->IsResult, X->Cell});
    Rest = coalesceChecked(Rest.subtract(Mine));
  }
  return Error::success();
}

/// Fills cells of Rest that values which have moved to T, or those which have
/// not, read or compute.
Error ForwardBuilder::fillByReaders(const Tape &T, isl::set &Rest,
                                    bool HasMoved) {
  MapVector<Array *, isl::set> Read;
  isl::set All = isl::set::empty(Rest.get_space());
  for (const TapedValue &X : T.Values) {
    if (X.IsResult || X.HasMoved != HasMoved)
      continue;
    isl::set Cells = X.Cell.range();
    All = All.unite(Cells);
    isl::set &Mine = Read[X.S->Reads[X.Index].Arr];
    Mine = Mine.is_null() ? Cells : Mine.unite(Cells);
  }
  // Results that no read of the same cell covers.
  if (!Rest.is_subset(All).is_true())
    if (Error E = fillByStores(T, Rest, [&](const TapedValue &X) {
          return X.IsResult && X.HasMoved == HasMoved;
        }))
      return E;
  for (const auto &[A, Cells] : Read) {
    isl::set Mine = coalesceChecked(Cells.intersect(Rest));
    if (Mine.is_null())
      return Quota.refusal("cells of " + T.Arr->Name);
    if (Mine.is_empty().is_true() || fillByCopy(T, A, HasMoved, Mine, Rest))
      continue;
    if (Error E = fillByStores(T, Rest, [&, From = A](const TapedValue &X) {
          return !X.IsResult && X.HasMoved == HasMoved &&
                 X.S->Reads[X.Index].Arr == From;
        }))
      return E;
  }
  return Error::success();
}

Error ForwardBuilder::fill(const Tape &T) {
  if (T.ChoiceOf) {
    isl::map Nowhere = isl::map::from_domain(T.Cells);
    Copies.push_back({&T, nullptr, T.Cells, isl::map(), Nowhere, 0, T.ChoiceOf,
                      Plan.Choices.at(T.ChoiceOf).Fixed});
    return Error::success();
  }
  isl::set Rest = T.Cells;
  if (isGuarded(T))
    return fillByStores(T, Rest, [](const TapedValue &) { return true; });
  if (fillByWriters(T))
    return Error::success();
  for (bool HasMoved : {false, true})
    if (!Rest.is_empty().is_true())
      if (Error E = fillByReaders(T, Rest, HasMoved))
        return E;
  if (!Rest.is_empty().is_true())
    return Quota.refusal("cells of " + T.Arr->Name);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

std::string ForwardBuilder::getFreeName(StringRef Wanted) const {
  std::string Name = Wanted.str();
  for (unsigned I = 1; F.find(Name) || P.find(Name); ++I)
    Name = (Wanted + "_" + Twine(I)).str();
  return Name;
}

/// Starts a body with the given reads, as many i64 arguments as the nest has
/// parameters plus NumIters, and the given results.
static Function *createBody(Nest &N, StringRef Name, ArrayRef<Type *> Reads,
                            unsigned NumIters, ArrayRef<Type *> Results) {
  LLVMContext &C = N.Bodies->getContext();
  SmallVector<Type *, 8> Args(Reads);
  Args.append(NumIters + N.Params.size(), Type::getInt64Ty(C));
  auto *Ty = FunctionType::get(StructType::get(C, Results), Args, false);
  Function *Body =
      Function::Create(Ty, GlobalValue::InternalLinkage, Name, *N.Bodies);
  BasicBlock::Create(C, "entry", Body);
  return Body;
}

static void createReturn(Function &Body, ArrayRef<Value *> Values,
                         IRBuilder<> &B) {
  Value *Result = PoisonValue::get(Body.getReturnType());
  for (const auto &[I, V] : enumerate(Values))
    Result = B.CreateInsertValue(Result, V, I);
  B.CreateRet(Result);
}

/// Gives S a write to a tape for each of Stores, and a body with their values.
Error ForwardBuilder::addStores(Statement &S, ArrayRef<Store> Added) {
  SmallVector<Type *, 4> Reads, Results;
  for (unsigned R = 0; R < S.Reads.size(); ++R)
    Reads.push_back(S.Body->getArg(R)->getType());
  for (const Access &W : S.Writes)
    Results.push_back(W.Arr->ElemTy);
  for (const Store &X : Added)
    Results.push_back(X.T->Arr->ElemTy);
  Function *Body = createBody(N, S.Body->getName().str() + ".forward", Reads,
                              S.getNumIterators(), Results);
  IRBuilder<> B(&Body->getEntryBlock());
  SmallVector<Value *, 8> Args;
  for (Argument &A : Body->args())
    Args.push_back(&A);
  SmallVector<Value *, 4> Values = inlineBody(*S.Body, Args, B);
  for (const Store &X : Added) {
    Values.push_back(X.IsResult ? Values[X.Index] : Args[X.Index]);
    isl::map Rel = X.Cell.apply_range(X.T->Shift).intersect_domain(S.Domain);
    if (Rel.is_null() || !S.Domain.is_subset(Rel.domain()).is_true())
      return Quota.refusal("store to " + X.T->Arr->Name);
    const Access &Of = X.IsResult ? S.Writes[X.Index] : S.Reads[X.Index];
    Function *Guard = Of.Guard;
    S.Writes.push_back(
        {AccessKind::Write, X.T->Arr, coalesceChecked(Rel), Guard});
  }
  createReturn(*Body, Values, B);
  S.Body = Body;
  return Error::success();
}

/// Lets S, whose body may have grown already, note where it replaces a value.
Error ForwardBuilder::addChoice(Statement &S, const Choice &C) {
  SmallVector<Type *, 4> Reads, Results;
  unsigned NumReads = S.Reads.size(), NumTapes = C.Tapes.size();
  for (unsigned R = 0; R < NumReads; ++R)
    Reads.push_back(S.Body->getArg(R)->getType());
  for (const Access &W : S.Writes)
    Results.push_back(W.Arr->ElemTy);
  for (Array *T : C.Tapes) {
    Reads.push_back(T->ElemTy);
    Results.push_back(T->ElemTy);
  }
  Function *Body = createBody(N, S.Body->getName().str() + ".choice", Reads,
                              S.getNumIterators(), Results);
  IRBuilder<> B(&Body->getEntryBlock());
  SmallVector<Value *, 8> Args;
  for (Argument &A : Body->args())
    if (A.getArgNo() < NumReads || A.getArgNo() >= NumReads + NumTapes)
      Args.push_back(&A);
  SmallVector<Value *, 4> Values = inlineBody(*S.Body, Args, B);
  Value *Replaces = inlineBody(*C.Replaces, Args, B).front();
  for (const auto &[K, T] : enumerate(C.Tapes)) {
    Value *Now = B.CreateAdd(Args[NumReads + C.Moving[K]], B.getInt64(1));
    Values.push_back(B.CreateSelect(Replaces, Now, Body->getArg(NumReads + K)));
    isl::map Rel = C.getPlace(*T);
    if (Rel.is_null())
      return Quota.refusal("store to " + T->Name);
    S.Reads.push_back({AccessKind::Read, T, Rel});
    S.Writes.push_back({AccessKind::Write, T, Rel});
  }
  createReturn(*Body, Values, B);
  simplifyBody(*Body);
  S.Body = Body;
  return Error::success();
}

/// Adds the copy statements and makes room for them in the order.
Error ForwardBuilder::addCopies() {
  unsigned NumTimes = 0, NumCells = 0, NextLoop = 0;
  for (const auto &S : P.Statements) {
    for (unsigned L : S->Loops)
      NextLoop = std::max(NextLoop, L + 1);
    if (!S->Domain.is_empty().is_true())
      NumTimes = dimOf(getTime(*S), isl::dim::out);
  }
  // The copies' coordinate in front of time dimension I, for the depths in use.
  SmallVector<bool, 8> Used(NumTimes + 1, false);
  for (const Copy &C : Copies) {
    Used[C.Depth] = true;
    NumCells = std::max(NumCells, dimOf(C.Cells, isl::dim::set));
  }
  unsigned NumNew = NumTimes + llvm::count(Used, true);
  // Time with a coordinate in front of each used depth up to Last, Rank in
  // front of depth Last and 0 elsewhere, filled up with zeros.
  auto Extend = [&](isl::map Time, unsigned Last, int Rank) {
    for (unsigned I = Last + 1; I-- > 0;) {
      if (!Used[I])
        continue;
      Time =
          isl::manage(isl_map_insert_dims(Time.release(), isl_dim_out, I, 1));
      Time = Time.fix_si(isl::dim::out, I, I == Last ? Rank : 0);
    }
    for (unsigned I = dimOf(Time, isl::dim::out); I < NumNew; ++I)
      Time = Time.add_dims(isl::dim::out, 1).fix_si(isl::dim::out, I, 0);
    return Time;
  };
  auto Zeros = [&](isl::map Time, unsigned Count) {
    for (unsigned I = 0, D = dimOf(Time, isl::dim::out); I < Count; ++I)
      Time = Time.add_dims(isl::dim::out, 1).fix_si(isl::dim::out, D + I, 0);
    return Time;
  };

  isl::union_map Order = isl::union_map::empty(Ctx);
  for (const auto &S : P.Statements)
    if (!S->Domain.is_empty().is_true())
      Order = Order.unite(
          Zeros(Extend(getTime(*S), NumTimes, 0), NumCells).to_union_map());
  for (const auto &[I, C] : enumerate(Copies)) {
    auto S = std::make_unique<Statement>();
    // Not after its array: isl hashes names, and those of arrays are others
    // with debug information.
    S->Name = getFreeName("fill");
    S->Domain = C.Cells.set_tuple_id(tupleId(Ctx, S->Name));
    unsigned NumDims = dimOf(C.Cells, isl::dim::set);
    // A coordinate that the place determines is one of the loops around it.
    isl::map Cell = C.Prefix.reverse();
    for (unsigned K = 0; K < NumDims; ++K) {
      isl::map One = Cell.project_out(isl::dim::out, K + 1, NumDims - K - 1)
                         .project_out(isl::dim::out, 0, K);
      bool Around = K < C.Iterators.size() && One.is_single_valued().is_true();
      S->Loops.push_back(Around ? C.Reader->Loops[C.Iterators[K]] : NextLoop++);
    }
    Type *Ty = C.T->Arr->ElemTy;
    S->Body = createBody(N, S->Name,
                         C.From ? ArrayRef<Type *>(Ty) : ArrayRef<Type *>(),
                         NumDims, Ty);
    IRBuilder<> B(&S->Body->getEntryBlock());
    createReturn(*S->Body,
                 C.From ? static_cast<Value *>(S->Body->getArg(0))
                        : Constant::getNullValue(Ty),
                 B);
    if (C.From)
      S->Reads.push_back({AccessKind::Read, C.From,
                          C.Element.set_domain_tuple(tupleId(Ctx, S->Name))});
    S->Writes.push_back({AccessKind::Write, C.T->Arr,
                         C.T->Shift.intersect_domain(C.Cells).set_domain_tuple(
                             tupleId(Ctx, S->Name))});
    S->Loc = C.Reader->Loc;
    isl::map Time = Extend(C.Prefix, C.Depth, int(I) - int(Copies.size()));
    isl::map Self = isl::manage(
        isl_map_reset_tuple_id(C.Cells.identity().release(), isl_dim_out));
    Time = Zeros(Time.flat_range_product(Self), NumCells - NumDims);
    Order = Order.unite(
        Time.set_domain_tuple(tupleId(Ctx, S->Name)).to_union_map());
    for (const Access &A : concat<Access>(S->Reads, S->Writes))
      if (A.Relation.is_null())
        return Quota.refusal("copy to " + C.T->Arr->Name);
    F.Statements.push_back(std::move(S));
  }
  if (Order.is_null())
    return Quota.refusal("order of the forward sweep");
  F.Order = Order;
  return Error::success();
}

Expected<Program> ForwardBuilder::run() {
  for (const auto &S : P.Statements) {
    auto Clone = std::make_unique<Statement>(*S);
    Clone->Origin = S.get();
    F.Statements.push_back(std::move(Clone));
  }
  F.Order = P.Order;
  for (const Tape &T : Plan.Tapes)
    if (Error E = fill(T))
      return std::move(E);
  if (Plan.Tapes.empty())
    F.Tree = P.Tree;
  for (const auto &S : F.Statements) {
    auto It = Stores.find(S->Origin);
    if (It != Stores.end())
      if (Error E = addStores(*S, It->second))
        return std::move(E);
    auto Chain = Plan.Choices.find(S->Origin);
    if (Chain != Plan.Choices.end())
      if (Error E = addChoice(*S, Chain->second))
        return std::move(E);
  }
  if (!Copies.empty())
    if (Error E = addCopies())
      return std::move(E);
  return std::move(F);
}

Expected<Program> pardiff::buildForward(const Program &P, const TapePlan &Plan,
                                        const Dataflow &D) {
  return ForwardBuilder(P, Plan, D).run();
}
