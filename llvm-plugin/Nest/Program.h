//===- Nest/Program.h - The model of an affine loop nest --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The polyhedral model that the nest engine works on. A `Nest` holds what all
// programs of one nest share: the isl context, arrays, parameters and the
// module of the bodies. A `Program` is a list of statements with an order. The
// primal, its augmented forward sweep and its adjoint are three Programs over
// one Nest, so tape, adjoint, schedule, code generation, printer and executor
// all know one form only.
//
// A statement instance S(i) means:
//   1. read element R_k(i) of every access in Reads, in order -> r_0 .. r_n-1
//   2. call the body, a pure function:  (w_0 .. w_m-1) = Body(r..., i..., p...)
//   3. for every access in Writes, in order:
//        Write:       element W_k(i)  = w_k
//        Accumulate:  element W_k(i) += w_k
// All reads of an instance happen before all its writes.
//
// An access may have a guard, a pure function like the body whose result tells
// whether the access happens. Where it does not, r_k is zero and w_k is
// dropped: the element may be memory that is out of bounds, or constant. In the
// model the access happens always; that is exact, because
//   - a statement with a guarded Write reads the element's old value, under a
//     guard too, and w_k is that value where the guard does not hold;
//   - no result that matters depends on r_k where its guard does not hold.
// But w_k is not what the element holds where the guard does not hold, and
// nobody but the statement, under the same guard, may touch the element for its
// sake. So the value of a guarded access is no copy, cannot be recomputed and
// is on no common tape; a tape is written under the guard of the access whose
// value it keeps; and accesses of shadows have the guards of their primals.
//
// Invariants, checked by verifyProgram (Nest/Verify.h):
//   - names of arrays, statements and parameters are unique in their Nest; they
//     are isl tuple ids / parameter ids (the ids carry no user pointer)
//   - every relation is single valued and total on its statement's domain
//   - Order maps every instance to a point of one common space, injectively
//   - Tree, where present, has the same instances as Order, respects every
//     dependence, and carries only bands, sequences, filters and marks
//   - a body reads and writes no memory, cannot throw, returns always
//   - neither does a guard; that of a read only uses the reads in front of it
//
// isl objects are the C++ bindings of isl/isl-noexceptions.h. A null object
// means that an operation failed (operation limit or an isl error): every step
// checks.
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_PROGRAM_H
#define PARDIFF_NEST_PROGRAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "isl/isl-noexceptions.h"
#include <memory>
#include <string>
#include <vector>

namespace pardiff {

/// Where the elements of an array live.
enum class ArrayKind {
  Memory, ///< memory that exists outside the nest: behind an argument, a global
  Local,  ///< an alloca or allocation that begins and ends within the function
  Slot,   ///< one element: a demoted scalar, argument by value or the result
  Shadow, ///< the adjoint of another array (Array::Of)
  Tape    ///< values kept for the reverse sweep (Array::Of)
};

struct Array;

/// Where the elements of a view are: a function
///   (address of each array of Arrays..., index..., parameters...) -> { bytes }
/// that tells how far behind Base element (index...) is; of a range both ends,
/// Nest/LoopArrays.h. It alone reads arrays; the nest does not write to these.
struct Subscript {
  llvm::Function *Fn = nullptr;
  llvm::SmallVector<Array *, 2> Arrays; ///< in the order of Fn's loads
};

/// An array of the nest. Elements are addressed row-major by Shape.
struct Array {
  std::string Name;
  ArrayKind Kind = ArrayKind::Memory;
  llvm::Type *ElemTy = nullptr;

  /// Address of element (0, ..., 0) in the function that holds the nest, valid
  /// in its entry block. Null for shadows and tapes until code is emitted.
  llvm::Value *Base = nullptr;

  /// Extents, outermost first, as functions of the parameters. The outermost
  /// extent of Memory arrays is not known and is a null pw_aff. A slot has no
  /// dimensions.
  llvm::SmallVector<isl::pw_aff, 4> Shape;

  /// The same extents as i64 values of the function that holds the nest, where
  /// they exist there already (inner extents of Memory and Local; the outermost
  /// is null); empty for all others, shadows of them too.
  llvm::SmallVector<llvm::Value *, 4> Extents;

  /// Shadow and Tape: the primal array.
  Array *Of = nullptr;

  /// A view: x[at[i]] is element i of a view of x. The nest only reads what
  /// lies behind a view, and its shadow, a view of x's shadow, is only
  /// accumulated into; or the nest only accumulates into it, and its shadow is
  /// only read. So the model may take the elements of a view for different
  /// ones, although they need not be. Code that accumulates in parallel may
  /// not, and the primal's sums keep their order (isScatter). Null for nearly
  /// all arrays.
  std::shared_ptr<const Subscript> View;

  /// Shadow: number of leading dimensions that privatisation added.
  unsigned PrivateDims = 0;

  /// Name of a mark in the program's Tree, set by contractShadows; empty for
  /// nearly all arrays. If set, the array lives below that mark only: each time
  /// control reaches the mark there is a new copy, of constant size and filled
  /// with zeros, for the code below it. The mark may be inside of a parallel
  /// loop: then each thread has its own. Nobody else allocates such an array.
  std::string Scope;

  /// Slot and Local: true if its last values are seen after the nest (the slot
  /// of the function's result). Memory is always seen.
  bool LiveOut = false;
  /// Slot and Local: its first values come from outside (an argument by value,
  /// an initialiser in the entry block).
  bool LiveIn = false;
  /// Memory: nobody but the nest writes it until the reverse sweep has read it.
  bool Lasts = true;

  unsigned getNumDims() const { return Shape.size(); }
  bool isFloat() const { return ElemTy->isFloatingPointTy(); }
  /// Memory that exists before and after the nest.
  bool isExternal() const {
    return Kind == ArrayKind::Memory || LiveIn || LiveOut;
  }
};

enum class AccessKind { Read, Write, Accumulate };

/// An access of a statement: instance -> element.
struct Access {
  AccessKind Kind = AccessKind::Read;
  Array *Arr = nullptr;
  isl::map Relation; ///< Stmt[i] -> Array[e]
  /// The arguments of the statement's body -> { i1 }; null: it happens always.
  llvm::Function *Guard = nullptr;
};

/// A sum of the primal into elements that are read from memory, x[at[i]] += v.
/// Its result in the body is what is added.
inline bool isScatter(const Access &A) {
  return A.Kind == AccessKind::Accumulate && A.Arr->View &&
         A.Arr->Kind == ArrayKind::Memory;
}

/// A statement of a program. See the head of this file for its meaning.
struct Statement {
  std::string Name;
  isl::set Domain; ///< { Stmt[i] }, with the context's constraints intersected
  /// Identity of the loop behind each iterator: two statements that share an id
  /// were in the same loop of the source.
  llvm::SmallVector<unsigned, 4> Loops;
  llvm::SmallVector<Access, 4> Reads;
  llvm::SmallVector<Access, 2> Writes;

  /// (reads..., iterators as i64..., parameters as i64...) -> { writes... },
  /// always a literal struct, straight-line code in one block.
  llvm::Function *Body = nullptr;

  /// Adjoint and forward programs: the primal statement it comes from.
  const Statement *Origin = nullptr;
  llvm::DebugLoc Loc;

  unsigned getNumIterators() const { return Loops.size(); }
  /// True if some access has a guard.
  bool isGuarded() const;
  /// The guards of its accesses, each once, those of reads first, in order.
  llvm::SmallVector<llvm::Function *, 2> getGuards() const;
};

/// A parameter of the nest: an isl parameter and its value at run time.
struct Parameter {
  isl::id Id;
  llvm::Value *V = nullptr; ///< i64, available in the entry block
};

/// What the programs of one nest share.
class Nest {
public:
  explicit Nest(std::shared_ptr<isl_ctx> C) : Ctx(std::move(C)) {}
  Nest(const Nest &) = delete;
  Nest &operator=(const Nest &) = delete;

  // Declared first: it must outlive every isl object below.
  std::shared_ptr<isl_ctx> Ctx;

  std::string Name; ///< of the function
  std::vector<std::unique_ptr<Array>> Arrays;
  /// In the order of the bodies' last arguments.
  llvm::SmallVector<Parameter, 8> Params;
  isl::set Context; ///< what is known of the parameters
  /// Holds the bodies; its own module, so the user's module is not touched.
  std::unique_ptr<llvm::Module> Bodies;

  Array *findArray(llvm::StringRef Name) const {
    for (const auto &A : Arrays)
      if (A->Name == Name)
        return A.get();
    return nullptr;
  }
  /// Adds an array with a name that is not taken yet: Name, Name_1, ...
  Array *addArray(llvm::StringRef Name, ArrayKind Kind, llvm::Type *ElemTy);
};

/// Statements and their order, over the arrays of a Nest.
class Program {
public:
  explicit Program(Nest &N) : N(&N) {}
  Program(Program &&) = default;
  Program &operator=(Program &&) = default;

  Nest *N;
  std::vector<std::unique_ptr<Statement>> Statements;
  isl::union_map Order; ///< { Stmt[i] -> [t...] }: the meaning of the program
  /// How to emit it. The band below a mark "parallel" is parallel; marks that
  /// are the Scope of arrays have other names. Once contractShadows has run it
  /// is the meaning of the program in place of Order.
  isl::schedule Tree;

  Statement *find(llvm::StringRef Name) const {
    for (const auto &S : Statements)
      if (S->Name == Name)
        return S.get();
    return nullptr;
  }
  isl::union_set getDomain() const;
};

} // namespace pardiff

#endif // PARDIFF_NEST_PROGRAM_H
