//===- Tape/Redirect.cpp - Read memory instead of scalars -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for j: t[i] += A[i][j] * x[j];      t[i] = s, s = t[i] + A[i][j] * x[j]
//   for j: y[j] += A[i][j] * t[i];      y[j] += A[i][j] * s
//
// The compiler has the second loop read the scalar that the first one stored,
// on the right. Harmless in the primal; but in reverse the sum has two outputs,
// so each iteration has to merge their adjoints and is no sum any more.
//
// A scalar goes if each of its reads can be replaced: every instance that wrote
// the value stored the same one to one other array, at an element that is one
// affine function of the reader. That nothing has overwritten the element when
// it is read is not concluded but seen: the dataflow of the changed program
// must have the writers of the old one. Otherwise all stays as it was.
//
// Not attempted: scalars of which only some reads can be replaced.
//
//===----------------------------------------------------------------------===//

#include "Tape/Redirect.h"
#include "Body/Body.h"
#include "Support/IslUtils.h"
#include "Tape/Forward.h"
#include "Tape/TapeIndex.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// A read, and what it is replaced by.
struct Redirection {
  Statement *S;
  unsigned Read;
  Access New;
};

/// What is changed of a statement.
struct OldStatement {
  SmallVector<Access, 4> Reads;
  SmallVector<Access, 2> Writes;
  Function *Body;
};

} // namespace

/// Where the sources of read R of S stored its value in To; a null relation if
/// one of them did not.
static isl::map getElement(const Statement &S, const Dataflow::ReadFlow &Flow,
                           const Array &To) {
  isl::map Element;
  for (const Dataflow::Source &Src : Flow.Sources) {
    const Statement &W = *Src.Writer;
    Value *Stored = getResult(*W.Body, Src.Write);
    auto *Twin = find_if(W.Writes, [&](const Access &A) {
      return A.Arr == &To && A.Kind == AccessKind::Write && !A.Guard &&
             getResult(*W.Body, &A - W.Writes.begin()) == Stored;
    });
    if (Twin == W.Writes.end() || W.Writes[Src.Write].Kind != AccessKind::Write)
      return isl::map();
    isl::map Part = Src.Map.reverse().apply_range(Twin->Relation);
    Element = Element.is_null() ? Part : Element.unite(Part);
  }
  if (Element.is_null())
    return Element;
  Element = coalesceChecked(Element);
  return S.Domain.is_subset(Element.domain()).is_true() &&
                 Element.is_single_valued().is_true() &&
                 isOnePiece(Element, /*NoDivs=*/true)
             ? Element
             : isl::map();
}

/// The redirections of all reads of A; nothing if one has none.
static SmallVector<Redirection, 4>
findRedirections(const Program &P, const Dataflow &D, const Array &A) {
  SmallVector<Redirection, 4> Found;
  for (const auto &S : P.Statements) {
    for (const Access &W : S->Writes)
      if (W.Arr == &A && (W.Kind != AccessKind::Write || W.Guard))
        return {};
    for (const auto &[R, Read] : enumerate(S->Reads)) {
      if (Read.Arr != &A)
        continue;
      if (Read.Guard)
        return {};
      auto It = D.Reads.find({S.get(), unsigned(R)});
      if (It == D.Reads.end() || It->second.Sources.empty() ||
          !It->second.LiveIn.is_empty().is_true())
        return {};
      const Statement &First = *It->second.Sources[0].Writer;
      Access New;
      for (const Access &W : First.Writes) {
        if (W.Arr == &A || W.Arr->ElemTy != A.ElemTy)
          continue;
        isl::map Element = getElement(*S, It->second, *W.Arr);
        if (Element.is_null())
          continue;
        New = {AccessKind::Read, W.Arr, Element};
        break;
      }
      if (!New.Arr)
        return {};
      Found.push_back({S.get(), unsigned(R), New});
    }
  }
  return Found;
}

/// True if the writers of the reads are the same instances as before.
static bool haveSameWriters(ArrayRef<Redirection> Changed, const Dataflow &Old,
                            const Dataflow &New) {
  return all_of(Changed, [&](const Redirection &R) {
    const Dataflow::ReadFlow &A = Old.Reads.at({R.S, R.Read});
    const Dataflow::ReadFlow &B = New.Reads.at({R.S, R.Read});
    if (A.Sources.size() != B.Sources.size() || !B.LiveIn.is_empty().is_true())
      return false;
    return all_of(zip(A.Sources, B.Sources), [](const auto &Pair) {
      const auto &[X, Y] = Pair;
      return X.Writer == Y.Writer && X.Map.is_equal(Y.Map).is_true();
    });
  });
}

Error pardiff::redirectReads(Program &P, Dataflow &D) {
  SmallVector<const Array *, 4> Gone;
  SmallVector<Redirection, 8> Changed;
  for (const auto &A : P.N->Arrays) {
    bool IsScalar = A->Kind == ArrayKind::Slot || A->Kind == ArrayKind::Local;
    if (!IsScalar || A->isExternal() || !A->isFloat())
      continue;
    SmallVector<Redirection, 4> Found = findRedirections(P, D, *A);
    // A read that another one goes to stays what it is.
    auto Clash = [&](const Redirection &R) {
      return is_contained(Gone, R.New.Arr);
    };
    auto IsTarget = [&](const Redirection &R) { return R.New.Arr == A.get(); };
    if (Found.empty() || any_of(Found, Clash) || any_of(Changed, IsTarget))
      continue;
    Gone.push_back(A.get());
    Changed.append(Found);
  }
  if (Changed.empty())
    return Error::success();

  std::vector<OldStatement> Old;
  for (const auto &S : P.Statements)
    Old.push_back({S->Reads, S->Writes, S->Body});
  for (const Redirection &R : Changed)
    R.S->Reads[R.Read] = R.New;
  for (const auto &S : P.Statements) {
    auto IsKept = [&](unsigned W) {
      return !is_contained(Gone, S->Writes[W].Arr);
    };
    if (any_of(seq<unsigned>(0, S->Writes.size()), IsKept))
      dropWrites(*P.N, *S, IsKept, /*DropReads=*/false);
  }
  Expected<Dataflow> New = computeDataflow(P);
  if (New && haveSameWriters(Changed, D, *New)) {
    D = std::move(*New);
    return Error::success();
  }
  consumeError(New.takeError());
  for (auto [S, Before] : zip(P.Statements, Old)) {
    S->Reads = Before.Reads;
    S->Writes = Before.Writes;
    S->Body = Before.Body;
  }
  return Error::success();
}
