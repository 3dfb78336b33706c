//===- Flow/MemoryTypes.h - What memory holds -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_FLOW_MEMORYTYPES_H
#define PARDIFF_FLOW_MEMORYTYPES_H

#include "Flow/Calls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include <map>
#include <optional>
#include <vector>

namespace pardiff {

/// Where a copied or filled region holds floating-point values and pointers.
struct MemoryLayout {
  /// Bytes after which the fields come again; 0: they do not.
  uint64_t Period = 0;
  /// Offsets from the begin of the region, and the type there: a floating-point
  /// type or a pointer.
  llvm::SmallVector<std::pair<uint64_t, llvm::Type *>, 4> Fields;
  /// Other functions may know it.
  bool IsExternal = false;

  bool holdsPointers() const {
    return any_of(Fields, [](auto &F) { return F.second->isPointerTy(); });
  }
  bool holdsFloats() const {
    return any_of(Fields, [](auto &F) { return !F.second->isPointerTy(); });
  }
};

/// The types of memory in one function.
class MemoryTypes {
public:
  MemoryTypes(const llvm::Function &F, llvm::ArrayRef<PairedCall> Calls);

  /// The layout of Length bytes (not known: nothing) from P on; nothing if it
  /// is not known.
  std::optional<MemoryLayout> getLayout(const llvm::Value *P,
                                        std::optional<uint64_t> Length);

  /// The layout of what is copied from Source to Dest.
  std::optional<MemoryLayout> getCopyLayout(const llvm::Value *Dest,
                                            const llvm::Value *Source,
                                            std::optional<uint64_t> Length);

  /// True if floating-point values are read or written in the object P points
  /// to.
  bool holdsFloats(const llvm::Value *P);

  /// True if what P points to, exactly there, may be floating-point values that
  /// are read or written as such.
  bool mayHoldFloatsAt(const llvm::Value *P) {
    Ref R = getRef(P);
    return R.isSet() && mayHoldFloats(R, 1);
  }

  /// True if loads, stores or the type of a variable tell what is in the object
  /// P points to, not by way of copies or other pointers to it.
  bool hasDirectEvidence(const llvm::Value *P) const;

  /// True if an access by an integer type is one to an integer: floating-point
  /// values are elsewhere in the object, or nobody else sees it, or what is
  /// stored is a constant that is no floating-point value of note.
  bool isInteger(const llvm::Instruction &Access);

private:
  /// What is known of a pointer: an object, and the offset in it, exactly
  /// (Stride 0) or modulo Stride. An index in an array of a structure leads to
  /// one of Count places in the structure, Step bytes apart.
  struct Ref {
    unsigned Object = ~0u;
    uint64_t Offset = 0, Stride = 0;
    uint64_t Step = 0, Count = 1;
    bool isSet() const { return Object != ~0u; }
    /// The same with a stride only.
    Ref flatten() const;
    void addIndex(uint64_t Size, uint64_t NumElements);
  };
  /// An access, or a field of a type.
  struct Evidence {
    uint64_t Offset, Stride;
    llvm::Type *Ty;
    bool Bounded = false; ///< one of the places of an index
  };
  struct Object {
    unsigned Parent;                                       ///< union-find
    std::map<std::pair<uint64_t, uint64_t>, Ref> Contents; ///< pointers in it
    bool External = false; ///< comes from outside, or goes there
    /// Made of objects whose offsets agree only modulo this; 0: they agree.
    uint64_t Modulus = 0;
  };

  unsigned create();
  unsigned find(unsigned Object);
  bool unite(unsigned A, unsigned B);
  bool uniteAt(const Ref &A, const Ref &B);
  void addModulus(const Ref &A, const Ref &B);
  bool join(Ref &Into, Ref From);
  Ref getRef(const llvm::Value *P);
  bool visit(const llvm::Instruction &I);
  bool visitEffects(const llvm::Instruction &I);
  bool visitCall(const llvm::CallBase &Call);
  Ref addContent(const Ref &R, Ref Value, bool &Changed);
  bool mayHoldFloats(Ref R, uint64_t Size);
  bool markExternal(const Ref &R);
  Ref computeGEP(const llvm::GEPOperator &GEP);
  void addEvidence(const Ref &R, llvm::Type *Ty);
  void addTypes(const llvm::Instruction &I);

  const llvm::DataLayout &DL;
  llvm::DenseMap<const llvm::Value *, const PairedCall *> Paired;
  /// F's blocks, and those of the functions that are parts of it.
  std::vector<const llvm::BasicBlock *> Blocks;
  /// What the pointer parameters of the parts are.
  llvm::MapVector<const llvm::Argument *, const llvm::Value *> PartParams;
  std::vector<Object> Objects;
  unsigned NumUnions = 0;
  llvm::DenseMap<const llvm::Value *, Ref> Refs;
  std::map<unsigned, std::vector<Evidence>> Types; ///< by the object's root
};

/// Refuses integers that are loaded from memory with a shadow, computed with,
/// and stored in such memory, where nothing shows that they are integers.
/// (checkFloatBits of Prepare sees to memory of which more is known.) HasShadow
/// tells whether the memory that a pointer leads to has one.
llvm::Error
checkCopies(const llvm::Function &F, MemoryTypes &Types,
            llvm::function_ref<bool(const llvm::Value *)> HasShadow);

/// Refuses a call of a string's function (Support/Library.h) that is passed the
/// bytes of floating-point values in memory with a shadow: such functions may
/// be told to copy anything. Other calls are all right.
llvm::Error checkText(const llvm::CallBase &Call, MemoryTypes &Types,
                      llvm::function_ref<bool(const llvm::Value *)> HasShadow);

} // namespace pardiff

#endif // PARDIFF_FLOW_MEMORYTYPES_H
