//===- Schedule/Legality.cpp - Check a schedule tree ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks down the tree with the conflicts that are still open at a node: those
// between instances that everything above leaves together.
//
//===----------------------------------------------------------------------===//

#include "Schedule/Legality.h"
#include "Support/IslUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pardiff;

namespace {

class Checker {
public:
  explicit Checker(const Program &P) : P(P) {}

  /// Returns true if everything below Node is legal.
  bool check(const isl::schedule_node &Node, std::vector<PairConflict> Open,
             bool Parallel = false);

  std::string Wrong;

private:
  bool checkBand(const isl::schedule_node &Node, std::vector<PairConflict> Open,
                 bool Parallel);
  bool checkSequence(const isl::schedule_node &Node,
                     ArrayRef<PairConflict> Open);
  bool fail(const PairConflict &C, StringRef What);

  const Program &P;
};

} // namespace

bool Checker::fail(const PairConflict &C, StringRef What) {
  Wrong = ("a conflict between " + P.Statements[C.S]->Name + " and " +
           P.Statements[C.T]->Name + " " + What)
              .str();
  return false;
}

/// The schedule of one statement in a band; null if it has none there.
static isl::pw_aff getMember(const isl::union_pw_aff &Band,
                             const Statement &S) {
  isl::pw_aff Member = isl::manage(isl_union_pw_aff_extract_pw_aff(
      Band.get(),
      isl_space_add_dims(isl_space_from_domain(S.Domain.space().release()),
                         isl_dim_out, 1)));
  return S.Domain.is_subset(Member.domain()).is_true() ? Member.gist(S.Domain)
                                                       : Member;
}

bool Checker::checkBand(const isl::schedule_node &Node,
                        std::vector<PairConflict> Open, bool Parallel) {
  isl::multi_union_pw_aff Band =
      Node.as<isl::schedule_node_band>().partial_schedule();
  for (unsigned I = 0, E = dimOf(Band, isl::dim::out); I < E; ++I) {
    isl::union_pw_aff Member = Band.at(I);
    std::vector<PairConflict> Left;
    for (PairConflict &C : Open) {
      isl::pw_aff X = getMember(Member, *P.Statements[C.S]);
      isl::pw_aff Y = getMember(Member, *P.Statements[C.T]);
      isl::map Less = whereLess(X, Y), Greater = whereGreater(X, Y);
      if (Parallel && (!isEmpty(C.Any.intersect(Less)) ||
                       !isEmpty(C.Any.intersect(Greater))))
        return fail(C, "crosses iterations of a parallel loop");
      if (!isEmpty(C.Before.intersect(Greater)) ||
          !isEmpty(C.After.intersect(Less)))
        return fail(C, "goes backwards");
      isl::map Equal = whereEqual(X, Y);
      C.Any = C.Any.intersect(Equal);
      if (isEmpty(C.Any))
        continue;
      C.Before = C.Before.intersect(Equal);
      C.After = C.After.intersect(Equal);
      Left.push_back(std::move(C));
    }
    Open = std::move(Left);
  }
  return check(Node.child(0), std::move(Open));
}

bool Checker::checkSequence(const isl::schedule_node &Node,
                            ArrayRef<PairConflict> Open) {
  int N = isl_schedule_node_n_children(Node.get());
  std::vector<isl::union_set> Filters;
  std::vector<std::vector<PairConflict>> Inside(N);
  for (int I = 0; I < N; ++I)
    Filters.push_back(
        isl::manage(isl_schedule_node_filter_get_filter(Node.child(I).get())));
  // Children with instances of a statement.
  std::vector<SmallVector<std::pair<int, isl::set>, 2>> Parts;
  for (const auto &S : P.Statements) {
    Parts.emplace_back();
    for (int I = 0; I < N; ++I) {
      isl::set Part = Filters[I].extract_set(S->Domain.space());
      if (!Part.is_empty().is_true())
        Parts.back().push_back({I, Part});
    }
  }
  for (const PairConflict &C : Open) {
    bool Whole = Parts[C.S].size() == 1 && Parts[C.T].size() == 1;
    for (const auto &[I, PartS] : Parts[C.S]) {
      for (const auto &[J, PartT] : Parts[C.T]) {
        auto Restrict = [&, &PartS = PartS, &PartT = PartT](isl::map M) {
          return Whole ? M : M.intersect_domain(PartS).intersect_range(PartT);
        };
        PairConflict New = C;
        if (I == J) {
          New.Any = Restrict(C.Any);
          if (isEmpty(New.Any))
            continue;
          New.Before = Restrict(C.Before);
          New.After = Restrict(C.After);
          Inside[I].push_back(std::move(New));
          continue;
        }
        if (!isEmpty(Restrict(I < J ? C.After : C.Before)))
          return fail(C, "goes backwards");
      }
    }
  }
  for (int I = 0; I < N; ++I)
    if (!check(Node.child(I).child(0), std::move(Inside[I])))
      return false;
  return true;
}

/// True if there is a mark "parallel" at Node or below.
static bool hasParallel(const isl::schedule_node &Node) {
  return Node
      .every_descendant([](isl::schedule_node N) -> isl::boolean {
        if (isl_schedule_node_get_type(N.get()) != isl_schedule_node_mark)
          return true;
        isl::id Id = isl::manage(isl_schedule_node_mark_get_id(N.get()));
        return nameOf(Id) != "parallel";
      })
      .is_false();
}

bool Checker::check(const isl::schedule_node &Node,
                    std::vector<PairConflict> Open, bool Parallel) {
  if (Node.is_null())
    return false;
  // Without parallel loops only ordered conflicts matter.
  if (!Parallel && !hasParallel(Node))
    erase_if(Open, [](const PairConflict &C) {
      return isEmpty(C.Before) && isEmpty(C.After);
    });
  isl_schedule_node_type Type = isl_schedule_node_get_type(Node.get());
  if (Parallel && Type != isl_schedule_node_band)
    return false;
  switch (Type) {
  case isl_schedule_node_domain:
    return check(Node.child(0), std::move(Open));
  case isl_schedule_node_mark: {
    isl::id Id = isl::manage(isl_schedule_node_mark_get_id(Node.get()));
    return check(Node.child(0), std::move(Open), nameOf(Id) == "parallel");
  }
  case isl_schedule_node_band:
    return checkBand(Node, std::move(Open), Parallel);
  case isl_schedule_node_sequence:
    return checkSequence(Node, Open);
  case isl_schedule_node_filter: {
    // isl leaves filters behind that let everything pass.
    isl::union_set Passed =
        isl::manage(isl_schedule_node_filter_get_filter(Node.get()));
    if (!Node.domain().is_subset(Passed).is_true()) {
      Wrong = "a filter drops instances";
      return false;
    }
    return check(Node.child(0), std::move(Open));
  }
  case isl_schedule_node_leaf:
    // Instances that nothing keeps apart.
    for (const PairConflict &C : Open)
      if (!isEmpty(C.Before) || !isEmpty(C.After))
        return fail(C, "is not ordered");
    return true;
  default:
    Wrong = "the tree has nodes that are not understood";
    return false;
  }
}

std::string pardiff::findIllegal(const Program &P, const isl::schedule &Tree,
                                 ArrayRef<PairConflict> Conflicts) {
  if (Tree.is_null() || !Tree.domain().is_equal(P.getDomain()).is_true())
    return "instances are missing";
  Checker C(P);
  if (C.check(Tree.root(), Conflicts))
    return "";
  return C.Wrong.empty() ? "the tree cannot be read" : C.Wrong;
}
