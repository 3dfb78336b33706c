//===- Flow/Records.h - Values of iterations, kept for the reverse sweep -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that the reverse sweep needs lives in a cell (an alloca): the forward
// sweep stores it there where it is defined. A cell of a value outside all
// loops simply stays. The cells of a loop make up its record: at the end of
// each iteration (at the latch, or on the edge that leaves the loop) the record
// goes onto the loop's tape, at the index of the iteration, counted over the
// whole run; the reverse sweep takes the record back into the cells before it
// runs the iteration backwards. So a loop keeps as many bytes for an iteration
// as its cells have, and nothing if it needs none. Tapes double when full.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_RECORDS_H
#define PARDIFF_FLOW_RECORDS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

class Records {
public:
  Records(llvm::Function &F) : F(F) {}

  /// A cell of type Ty whose value belongs to an iteration of L (null: no
  /// loop).
  llvm::AllocaInst *createCell(llvm::Type *Ty, const llvm::Loop *L,
                               const llvm::Twine &Name);

  /// Remembers that the record of L is put away before Forward and taken back
  /// before Reverse: an end of its iteration, in both sweeps.
  void addIterationEnd(const llvm::Loop *L, llvm::Instruction *Forward,
                       llvm::Instruction *Reverse);

  /// Trips, known before Entry, is the number of records that L will have in
  /// all.
  void setTrips(const llvm::Loop *L, llvm::Value *Trips,
                llvm::Instruction *Entry) {
    Tapes[L].Trips = Trips;
    Tapes[L].Entry = Entry;
  }

  /// Emits all of it, and frees the tapes before End. Call once, when all cells
  /// are known.
  void emit(llvm::Instruction *End);

private:
  struct LoopTape {
    llvm::SmallVector<llvm::AllocaInst *, 8> Cells;
    llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>, 4>
        Ends;
    llvm::Value *Trips = nullptr; ///< null: not known before
    llvm::Instruction *Entry = nullptr;
  };
  llvm::Function &getGrow();

  llvm::Function &F;
  llvm::MapVector<const llvm::Loop *, LoopTape> Tapes;
};

} // namespace pardiff

#endif // PARDIFF_FLOW_RECORDS_H
