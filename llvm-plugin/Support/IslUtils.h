//===- Support/IslUtils.h - Small helpers around isl ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// isl reports failure by null objects and by a third truth value. Nothing else
// tells: LLVM is built without assertions here, so every result is checked.
//
// The pattern for a piece of polyhedral work:
//
//   IslQuota Quota(N.Ctx.get());        // errors return null, operations are
//   counted isl::union_map Flow = ...; if (Flow.is_null())
//     return Quota.refusal("dataflow"); // operation limit, or an error inside
//     isl
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SUPPORT_ISLUTILS_H
#define PARDIFF_SUPPORT_ISLUTILS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "isl/isl-noexceptions.h"
#include <sstream>
#include <string>

namespace pardiff {

/// Operations after which isl gives up. The largest nests measured need 500
/// 000.
inline constexpr unsigned long DefaultIslOperations = 2000000;

/// While it lives, isl returns null instead of aborting when something goes
/// wrong, and stops after the given number of operations. Restores both at the
/// end, and clears the error. May be nested: the inner one has a budget of its
/// own.
class IslQuota {
public:
  explicit IslQuota(isl_ctx *Ctx,
                    unsigned long MaxOperations = DefaultIslOperations);
  ~IslQuota();
  IslQuota(const IslQuota &) = delete;
  IslQuota &operator=(const IslQuota &) = delete;

  /// True if the operation limit was reached since the start.
  bool exceeded() const;
  /// A refusal (Reason::IslFailed) that tells whether it was the limit, and in
  /// What.
  llvm::Error refusal(const llvm::Twine &What) const;

private:
  isl_ctx *Ctx;
  unsigned long OldMax;
  int OldOnError;
};

/// The three values of isl::boolean: an error is neither true nor false.
inline bool isTrue(isl::boolean B) { return B.is_true(); }
inline bool isFalse(isl::boolean B) { return B.is_false(); }

/// isl's own notation, which it can parse again; "null" for a null object.
template <typename T> std::string toString(const T &Obj) {
  if (Obj.is_null())
    return "null";
  std::ostringstream OS;
  OS << Obj;
  return OS.str();
}
/// A schedule tree on one line (isl's YAML in flow style).
std::string toString(const isl::schedule &S);

/// The size of a dimension, or 0 on an error.
template <typename T> unsigned dimOf(const T &Obj, isl::dim Type) {
  isl::size N = Obj.dim(Type);
  return N.is_error() ? 0 : unsigned(N);
}

/// The same with fewer pieces, where that can be trusted. isl itself joins
/// pieces with integer divisions in a wrong way:
///   { [i] : 0 <= i < n and (i <= 1 or i mod 3 = 0) }
/// becomes i mod 3 <= 1. So with divisions the result is compared with the
/// original, which stays if they are not equal.
isl::set coalesceChecked(const isl::set &S);
isl::map coalesceChecked(const isl::map &M);
isl::union_set coalesceChecked(const isl::union_set &S);
isl::union_map coalesceChecked(const isl::union_map &M);
isl::pw_aff coalesceChecked(const isl::pw_aff &E);
isl::pw_multi_aff coalesceChecked(const isl::pw_multi_aff &E);

/// One image of each element of M's domain: M itself if it has no more, else
/// the lexicographically smallest ones. Null where isl cannot be trusted: with
/// two integer divisions in one piece that become equal by the piece's
/// equalities it writes out of bounds (align_context_divs of isl_tab_pip.c
/// finds the first one for both).
isl::map getFirstImages(const isl::map &M);

/// Name of a tuple id or parameter id; empty for a null id.
inline std::string nameOf(const isl::id &Id) {
  return Id.is_null() ? std::string() : Id.name();
}

/// { a -> b : a is executed before b }, from an order { Stmt[i] -> [t...] }.
isl::union_map happensBefore(const isl::union_map &Order);

/// The order as a schedule tree: one band over all dimensions of time.
isl::schedule scheduleFromOrder(const isl::union_map &Order);

} // namespace pardiff

#endif // PARDIFF_SUPPORT_ISLUTILS_H
