//===- Schedule/PrivateCopies.h - Slots of their own for iterations -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_PRIVATECOPIES_H
#define PARDIFF_SCHEDULE_PRIVATECOPIES_H

#include "Nest/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace pardiff {

/// Slots and locals of a program that were replaced by private copies.
class PrivateCopies {
public:
  explicit PrivateCopies(Program &P) : P(P) {}

  /// Replaces each slot and local that neither brings values in nor, by
  /// NeededAfter, out, and whose values do not cross iterations of its outer
  /// loops, by a new array with a leading dimension for each of these loops.
  /// Excluded: arrays to leave as they are.
  void create(llvm::function_ref<bool(const Array &)> NeededAfter,
              const llvm::SmallSetVector<Array *, 4> &Excluded);
  bool empty() const { return Copies.empty(); }

  /// After contractShadows: the arrays whose copies would still need memory for
  /// each iteration, and more dimensions than any array that P uses anyway.
  llvm::SmallVector<Array *, 4> getLarge() const;
  /// After mergeSerial: the copies that need memory.
  llvm::SmallVector<Array *, 2> getUnscoped() const;
  /// Where a copy lost all its dimensions but got no scope, the original array
  /// serves.
  void mergeSerial();
  /// Takes back everything.
  void restore();

private:
  struct Copy {
    Array *Of, *New;
  };
  void replace(Array &Of, unsigned NumLoops);
  void remove(const Array *A);

  Program &P;
  llvm::SmallVector<Copy, 4> Copies;
  struct OldAccesses {
    llvm::SmallVector<Access, 4> Reads;
    llvm::SmallVector<Access, 2> Writes;
  };
  std::vector<OldAccesses> Old;
};

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_PRIVATECOPIES_H
