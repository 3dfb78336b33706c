//===- Support/FlowTimes.h - Times for isl's dataflow -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// isl takes a time dimension in which two accesses have different constants for
// the order of statements in a loop body. If a third access has the counter of
// a loop there, of which the first two are iterations that were split off, it
// compares that with neither: it finds a source that another one overwrites.
//
// So every time is shifted by the same unknown. The order stays, and no
// dimension is a constant. The unknown is dropped from the result.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_FLOWTIMES_H
#define PARDIFF_SUPPORT_FLOWTIMES_H

#include "Support/IslUtils.h"
#include "isl/id.h"
#include "isl/map.h"
#include "isl/union_map.h"
#include <string>

namespace pardiff {

/// The parameter that is added to every time.
inline constexpr char TimeShift[] = "pardiff_shift";

/// Instances to times without constants. The range loses its name.
inline isl::map hideConstants(const isl::map &Time) {
  unsigned N = dimOf(Time, isl::dim::out);
  std::string From, To;
  for (unsigned I = 0; I < N; ++I) {
    std::string T = (I ? ", t" : "t") + std::to_string(I);
    From += T;
    To += T + " + " + TimeShift;
  }
  isl::map Unnamed =
      isl::manage(isl_map_reset_tuple_id(Time.copy(), isl_dim_out));
  return Unnamed.apply_range(
      isl::map(isl::ctx(Time.ctx()), std::string("[") + TimeShift + "] -> { [" +
                                         From + "] -> [" + To + "] }"));
}

inline isl::union_map hideConstants(const isl::union_map &Times) {
  isl::union_map Result = isl::union_map::empty(Times.ctx());
  isl::stat Ok = Times.foreach_map([&](isl::map M) {
    Result = Result.unite(hideConstants(M).to_union_map());
    return isl::stat::ok();
  });
  return Ok.is_ok() ? Result : isl::union_map();
}

/// A result of dataflow without the shift.
inline isl::union_map dropShift(const isl::union_map &M) {
  if (M.is_null())
    return M;
  return isl::manage(isl_union_map_project_out_param_id(
      M.copy(), isl_id_alloc(M.ctx().get(), TimeShift, nullptr)));
}

} // namespace pardiff

#endif // PARDIFF_SUPPORT_FLOWTIMES_H
