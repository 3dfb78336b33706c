//===- Adjoint/AdjointStatement.h - Build one adjoint statement -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An adjoint statement evaluates some fields of a vector-Jacobian product at
// the instances of a primal statement and stores or accumulates them into
// shadows. This component finds the values that the product needs as the tape
// plan says (in place, on a tape, recomputed by the producer's body) and builds
// the pure body around it. An access of a shadow has the guard of its primal,
// and so has a value that a guarded access left in place or on a tape.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_ADJOINT_ADJOINTSTATEMENT_H
#define PARDIFF_ADJOINT_ADJOINTSTATEMENT_H

#include "Body/Body.h"
#include "Nest/Program.h"
#include "Tape/Plan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace pardiff {

/// One write of an adjoint statement: the sum of some fields of the vjp (none:
/// zero) goes into a shadow.
struct ShadowWrite {
  AccessKind Kind = AccessKind::Accumulate;
  const Array *Primal = nullptr; ///< whose shadow
  isl::map Relation;             ///< S[i] -> element of Primal
  llvm::SmallVector<unsigned, 2> Fields;
  /// Guards of S; it happens where one of them holds. Empty: always.
  llvm::SmallVector<llvm::Function *, 1> Guards;
};

class AdjointStatementBuilder {
public:
  AdjointStatementBuilder(
      Nest &N, const TapePlan &Plan,
      const llvm::MapVector<const Array *, Array *> &Shadows);
  ~AdjointStatementBuilder();

  /// Builds statement Name at the instances Domain (a subset of S's domain, in
  /// S's tuple) that performs Writes in order. V is a vjp of S's body; null if
  /// no write has fields. The seed of result w is the shadow of write w of S.
  /// If S follows a choice, the seed of its write counts where the tapes of the
  /// chain say so.
  llvm::Expected<std::unique_ptr<Statement>>
  build(llvm::StringRef Name, const Statement &S, const isl::set &Domain,
        const Vjp *V, llvm::ArrayRef<ShadowWrite> Writes);

  /// Builds the statement that ends a chain of choices in reverse, at the
  /// chains' first instances in Domain: what was replaced loses its adjoint.
  llvm::Expected<std::unique_ptr<Statement>>
  buildChoiceEnd(llvm::StringRef Name, const Choice &C, const isl::set &Domain);

  /// Relation of an access to the shadow: the private dimensions in front,
  /// which are the first iterators of the statement.
  isl::map getShadowRelation(const Array &Shadow, const isl::map &Primal) const;

private:
  struct Value;
  /// A guard of the primal statement and where its arguments come from.
  struct GuardValue;

  llvm::Expected<std::unique_ptr<Value>> resolve(const KeptValue &K,
                                                 const isl::map &Here,
                                                 unsigned Depth,
                                                 int Guard = -1);
  llvm::Error emitIndices(const isl::map &Instance,
                          llvm::ArrayRef<llvm::Value *> Iterators,
                          llvm::ArrayRef<llvm::Value *> Params,
                          llvm::IRBuilder<> &B,
                          llvm::SmallVectorImpl<llvm::Value *> &Out);
  llvm::Expected<llvm::Value *>
  emitValue(const Value &V, llvm::Function &F,
            llvm::ArrayRef<llvm::Value *> Iterators,
            llvm::ArrayRef<llvm::Value *> Params, llvm::IRBuilder<> &B);
  void clear();
  llvm::Error
  addGuards(Statement &New, const Statement &S,
            llvm::ArrayRef<llvm::SmallVector<unsigned, 1>> WriteGuards);
  unsigned addRead(Array &A, const isl::map &Relation, int Guard = -1);
  llvm::Expected<int> addGuard(llvm::Function *Guard, const Statement &S,
                               const isl::map &Here);
  llvm::Expected<std::unique_ptr<Value>>
  resolveRead(const Statement &S, unsigned R, const isl::map &Here);
  llvm::Expected<llvm::Function *> emitGuard(llvm::ArrayRef<unsigned> Which,
                                             const Statement &S,
                                             llvm::FunctionType *BodyTy,
                                             const llvm::Twine &Name);
  std::unique_ptr<Statement> start(llvm::StringRef Name, const Statement &S,
                                   const isl::set &Domain) const;
  llvm::Error finish(Statement &New, const isl::set &Domain);

  Nest &N;
  const TapePlan &Plan;
  const llvm::MapVector<const Array *, Array *> &Shadows;
  // Of the statement being built:
  llvm::SmallVector<Access, 8> Reads;
  llvm::SmallVector<int, 8> ReadGuards; ///< in Guards; negative: none
  std::vector<std::unique_ptr<GuardValue>> Guards;
};

} // namespace pardiff

#endif // PARDIFF_ADJOINT_ADJOINTSTATEMENT_H
