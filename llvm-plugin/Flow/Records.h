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
// each iteration (in the last block that all of them run, or else at the latch
// and on the edges that leave the loop) the record
// goes behind the last one on the loop's tape; the reverse sweep takes the
// record back into the cells before it runs the iteration backwards. So a loop
// keeps as many bytes for an iteration as its cells have, and nothing if it
// needs none.
//
// A tape is a list of chunks: a header, then records.
//
//   chunk: { the chunk before it, the end of the records there,
//            bytes of all chunks so far }  record  record ...
//
// Where the number of iterations is known when the loop begins, there is room
// for all of them in one chunk; else each iteration looks whether there is room
// for one more. A new chunk is a fixed part of what the tape has already, so
// that little of it is left empty. The reverse sweep frees a chunk when it has
// taken its first record.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_RECORDS_H
#define PARDIFF_FLOW_RECORDS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

/// V, a value of the forward sweep, as it is stored on a tape: never undefined,
/// as it may be where the reverse sweep does not need it. LLVM (loop-idiom in
/// 22) takes an undefined value and the constant stored behind it for one fill
/// with undefined bytes, and what the constant says is lost.
llvm::Value *emitDefined(llvm::Value *V, llvm::IRBuilder<> &B);

class Records {
public:
  Records(llvm::Function &F) : F(F) {}

  /// A cell of type Ty whose value belongs to an iteration of L (null: no
  /// loop). It is stored in the forward sweep before the reverse sweep, which
  /// runs the same way back, reads it.
  llvm::AllocaInst *createCell(llvm::Type *Ty, const llvm::Loop *L,
                               const llvm::Twine &Name);

  /// V is what the forward sweep stores in Cell.
  void setValue(llvm::AllocaInst *Cell, llvm::Instruction &V) {
    Values[Cell] = &V;
  }

  /// A variable of type Ty that is zero at first.
  llvm::AllocaInst *createVariable(llvm::Type *Ty, const llvm::Twine &Name);

  /// Remembers that the record of L is put away before Forward and taken back
  /// before Reverse: an end of its iteration, in both sweeps.
  void addIterationEnd(const llvm::Loop *L, llvm::Instruction *Forward,
                       llvm::Instruction *Reverse);

  /// All iterations of L come by Forward once, and backwards by Reverse: the
  /// place to put records away and take them back if no cell of L is needed
  /// behind Forward.
  void setCommonEnd(const llvm::Loop *L, llvm::Instruction *Forward,
                    llvm::Instruction *Reverse) {
    Tapes[L].Common = {Forward, Reverse};
  }

  /// Trips, known where L begins, is the number of its iterations.
  void setTrips(const llvm::Loop *L, llvm::Value *Trips) {
    Tapes[L].Trips = Trips;
  }

  /// L is entered after Forward; the reverse sweep has left it before Reverse.
  void setEntry(const llvm::Loop *L, llvm::Instruction *Forward,
                llvm::Instruction *Reverse) {
    Tapes[L].Entry = {Forward, Reverse};
  }

  /// Emits all of it. Call once, when all cells are known. Begin: the first
  /// block of the reverse sweep.
  void emit(llvm::BasicBlock &Begin);

  /// Afterwards: frees all tapes as they are at B.
  void emitFree(llvm::IRBuilder<> &B);

private:
  struct LoopTape {
    llvm::SmallVector<llvm::AllocaInst *, 8> Cells;
    llvm::SmallVector<std::pair<llvm::Instruction *, llvm::Instruction *>, 4>
        Ends;
    std::pair<llvm::Instruction *, llvm::Instruction *> Entry, Common;
    llvm::Value *Trips = nullptr; ///< null: not known before
    llvm::StructType *Record = nullptr;
    /// Variables: the last chunk, the end of its records, its end.
    llvm::AllocaInst *Chunk = nullptr, *Next = nullptr, *Limit = nullptr;
  };
  void layOut(LoopTape &T);
  void emitReserve(LoopTape &T, llvm::Value *IsFull, llvm::Value *Need,
                   llvm::Value *Least, llvm::Instruction *Before);
  void emitPop(LoopTape &T, llvm::Instruction *Before);
  void storeValues(const llvm::DominatorTree &DT);
  bool isPutAwayAtOnce(const LoopTape &T, const llvm::DominatorTree &DT,
                       const llvm::BasicBlock &Begin) const;
  void emitPush(LoopTape &T, llvm::Instruction *Before);
  void emitTake(LoopTape &T, llvm::Instruction *Before);
  void mark(llvm::Instruction *Access);
  void markOthers();
  llvm::Function &getGrow();
  llvm::Function &getShrink();

  llvm::Function &F;
  llvm::MapVector<const llvm::Loop *, LoopTape> Tapes;
  /// What the forward sweep stores in cells. Those that are known wherever a
  /// record is put away need no store.
  llvm::MapVector<llvm::AllocaInst *, llvm::Instruction *> Values;
  llvm::SmallVector<llvm::Instruction *, 32> Accesses; ///< of records
};

} // namespace pardiff

#endif // PARDIFF_FLOW_RECORDS_H
