//===- Nest/ScopReader.h - Copy the model out of Polly's Scop ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is keyed by Polly's objects and SCEVs, never by Polly's names:
// those depend on the names of values, which release builds of clang drop, and
// two of them may be equal. Our names are for people; they are unique.
//
// Reading does not change the function. What has to be computed in its entry
// block (values of parameters and extents, slots for scalars) is noted here and
// built by materialise, when Polly's objects are gone.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_SCOPREADER_H
#define PARDIFF_NEST_SCOPREADER_H

#include "Nest/Program.h"
#include "Nest/Recover.h"
#include "polly/ScopInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace llvm {
class AAResults;
class ScalarEvolution;
} // namespace llvm

namespace pardiff {

class AccessGuards;
class PendingBody;
struct PendingView;

/// A part of a statement of Polly's: the part of its domain on which one body
/// is right.
struct StatementPiece {
  Statement *S;
  isl::set Domain;
};

class ScopReader {
public:
  /// OnlyBoundsAssumed: of all that Polly assumed, nothing but the bounds of
  /// subscripts matters.
  ScopReader(polly::Scop &S, bool OnlyBoundsAssumed, Nest &N, Program &P,
             llvm::Function &F, llvm::ScalarEvolution &SE,
             const AccessGuards &Guards);
  ~ScopReader();

  /// Fills the nest, the program and Cond.Valid.
  llvm::Error read(Conditions &Cond);

  /// True if Cond, which was read, holds for some sizes out of a few.
  bool isUsual(const Conditions &Cond) const;

  /// Computes parameters, extents and addresses in F's entry block. Polly's
  /// objects are not used, so they may be gone. A slot for an argument by value
  /// is stored to.
  llvm::Error materialise();

  //===--- for the extraction of bodies
  //-------------------------------------===//

  polly::Scop &getScop() const { return S; }
  Nest &getNest() const { return N; }
  llvm::ScalarEvolution &getSE() const { return SE; }
  const AccessGuards &getGuards() const { return Guards; }

  /// Array behind a Polly array; made on first use.
  llvm::Expected<Array *> getArray(const polly::ScopArrayInfo *SAI,
                                   const llvm::Instruction *At);
  /// The access relation with our names, restricted to Domain (a set of S's
  /// space).
  llvm::Expected<isl::map> getRelation(const polly::MemoryAccess &MA,
                                       const Array &A, const isl::id &Stmt,
                                       const isl::set &Domain);
  /// Index of the parameter with this value; a new one if there is none yet.
  /// The value must not change inside the nest. Null index if its type does not
  /// fit.
  std::optional<unsigned> getParam(const llvm::SCEV *S);
  std::optional<unsigned> findParam(const llvm::SCEV *S) const;
  /// The slot that holds an argument by value.
  Array *getArgumentSlot(llvm::Argument &A);
  /// True if the expression has one value throughout the nest.
  bool isInvariant(const llvm::SCEV *S) const;
  /// The view behind a gather, or behind an argument of the call of a loop's
  /// function; empty on first use.
  PendingView &getView(const llvm::CallInst &Call, unsigned Param = 0);
  Array *addView(llvm::Value *Base, llvm::Type *ElemTy);

private:
  void addParameters();
  std::string makeName(llvm::StringRef Wanted, llvm::StringRef Fallback);
  isl::id makeId(llvm::StringRef Name) const;
  template <typename T> T renameParams(T Obj) const;
  llvm::Error readConditions(Conditions &Cond);
  llvm::Error readStatement(polly::ScopStmt &Stmt);
  llvm::Error addPieces(polly::ScopStmt &Stmt, isl::set Domain,
                        unsigned Budget);
  llvm::Error readOrder();
  isl::union_map renameStatements(const isl::union_map &M) const;
  isl::union_set renameStatements(const isl::union_set &S) const;
  isl::schedule readTree(isl::schedule_node Node, isl::union_set Domain) const;
  llvm::Error finishArrays();
  llvm::Error finishViews();
  llvm::Error finishConditions(Conditions &Cond);
  isl::set unrenamed(isl::set X, const isl::set &Model) const;
  unsigned getLoopId(const llvm::Loop *L);
  isl::set computeContext(const isl::set &Valid) const;

  polly::Scop &S;
  bool OnlyBoundsAssumed;
  Nest &N;
  Program &P;
  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  const AccessGuards &Guards;

  llvm::StringSet<> Names;
  llvm::SmallVector<const llvm::SCEV *, 8>
      ParamValues; ///< parallel to N.Params
  llvm::DenseMap<const llvm::SCEV *, unsigned> ParamIndex;
  llvm::MapVector<const polly::ScopArrayInfo *, Array *> Arrays;
  llvm::MapVector<llvm::Argument *, Array *> ArgumentSlots;
  /// Extents of each array as SCEVs, parallel to Array::Shape.
  llvm::DenseMap<const Array *, llvm::SmallVector<const llvm::SCEV *, 4>>
      ExtentValues;
  llvm::MapVector<polly::ScopStmt *, llvm::SmallVector<StatementPiece, 1>>
      Pieces;
  std::vector<std::pair<Statement *, std::unique_ptr<PendingBody>>> Bodies;
  llvm::MapVector<std::pair<const llvm::CallInst *, unsigned>,
                  std::unique_ptr<PendingView>>
      Views;
  llvm::DenseMap<const llvm::Loop *, unsigned> LoopIds;
  isl::set Valid; ///< without the bounds of subscripts
  isl::set Box;   ///< parameters that are not huge
  bool NeedsBox = false;
  unsigned NextStatement = 0;
};

} // namespace pardiff

#endif // PARDIFF_NEST_SCOPREADER_H
