//===- Schedule/Legality.cpp - Does a schedule tree keep a program's meaning
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule/Legality.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace pardiff;

namespace {

/// Time of each statement's instances under a schedule, one function for each
/// coordinate.
class Times {
public:
  Times(const Program &P, const isl::union_map &Schedule);
  const std::vector<isl::pw_aff> &operator[](unsigned S) const {
    return Time[S];
  }

private:
  std::vector<std::vector<isl::pw_aff>> Time; ///< empty if there is none
};

} // namespace

Times::Times(const Program &P, const isl::union_map &Schedule) {
  for (const auto &S : P.Statements) {
    isl::union_map M = Schedule.intersect_domain(isl::union_set(S->Domain));
    Time.emplace_back();
    if (M.is_empty().is_false())
      Time.back() = getCoordinates(M.as_map());
  }
}

/// True if all pairs of M go from earlier to strictly later points.
static bool goesForward(isl::map M, ArrayRef<isl::pw_aff> From,
                        ArrayRef<isl::pw_aff> To, bool Backwards) {
  for (unsigned I = 0; I < From.size() && I < To.size(); ++I) {
    if (isEmpty(M))
      return true;
    isl::map Wrong =
        Backwards ? whereLess(From[I], To[I]) : whereGreater(From[I], To[I]);
    if (!isEmpty(M.intersect(Wrong)))
      return false;
    M = M.intersect(whereEqual(From[I], To[I]));
  }
  return isEmpty(M);
}

/// Checks the loop of a band below a mark.
static bool isParallel(const Program &P, const isl::schedule_node &Band,
                       ArrayRef<PairConflict> Conflicts) {
  isl::union_set Domain = Band.domain();
  Times Outer(P, Band.prefix_schedule_union_map().intersect_domain(Domain));
  auto Partial = Band.as<isl::schedule_node_band>().partial_schedule();
  if (Partial.is_null())
    return false;
  isl::union_map Schedule =
      isl::manage(isl_union_map_from_multi_union_pw_aff(Partial.release()));
  Times Own(P, Schedule.intersect_domain(Domain));
  for (const PairConflict &C : Conflicts) {
    const auto &X = Own[C.S], &Y = Own[C.T];
    if (X.empty() || Y.empty())
      continue; // not in this loop
    isl::map M = C.Any;
    // Only the instances below this node: others of the same statement are
    // somewhere else in the tree.
    for (unsigned I = 0; I < Outer[C.S].size() && I < Outer[C.T].size(); ++I)
      M = M.intersect(whereEqual(Outer[C.S][I], Outer[C.T][I]));
    for (unsigned I = 0; I < X.size(); ++I) {
      isl::map Apart = whereLess(X[I], Y[I]).unite(whereGreater(X[I], Y[I]));
      if (!isEmpty(M.intersect(Apart)))
        return false;
    }
  }
  return true;
}

std::string pardiff::findIllegal(const Program &P, const isl::schedule &Tree,
                                 ArrayRef<PairConflict> Conflicts) {
  if (Tree.is_null() || !Tree.domain().is_equal(P.getDomain()).is_true())
    return "instances are missing";
  Times Time(P, Tree.map());
  for (const PairConflict &C : Conflicts)
    if (!goesForward(C.Before, Time[C.S], Time[C.T], /*Backwards=*/false) ||
        !goesForward(C.After, Time[C.S], Time[C.T], /*Backwards=*/true))
      return "a dependence between " + P.Statements[C.S]->Name + " and " +
             P.Statements[C.T]->Name + " goes backwards";

  std::string Wrong;
  isl::stat Ok = Tree.root().foreach_descendant_top_down(
      [&](isl::schedule_node Node) -> isl::boolean {
        if (isl_schedule_node_get_type(Node.get()) != isl_schedule_node_mark)
          return true;
        isl::id Id = isl::manage(isl_schedule_node_mark_get_id(Node.get()));
        if (Id.is_null() || Id.name() != "parallel")
          return true;
        isl::schedule_node Band = Node.child(0);
        if (isl_schedule_node_get_type(Band.get()) != isl_schedule_node_band ||
            !isParallel(P, Band, Conflicts))
          Wrong = "a parallel loop carries a dependence";
        return true;
      });
  if (!Ok.is_ok() && Wrong.empty())
    return "the tree cannot be read";
  return Wrong;
}
