//===- Emit/Arrays.cpp - Addresses and alias scopes of arrays -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One alias scope for each array. A pair of arrays is told apart if
//   - one of them is memory of the function alone: a slot, a local, a tape, or
//     allocated by this component;
//   - the nest's condition compares their ranges;
//   - both are primal arrays: those that alias analysis does not tell apart are
//   in the
//     condition, unless both are only read, where the metadata is harmless;
//   - their bases are different identified objects.
// The scopes are declared in the entry block
// (llvm.experimental.noalias.scope.decl), so that they end with the call when
// the function is inlined into a loop.
//
//===----------------------------------------------------------------------===//

#include "Emit/Arrays.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace pardiff;

static std::pair<const Array *, const Array *> inOrder(const Array *A,
                                                       const Array *B) {
  return std::less<const Array *>()(B, A) ? std::pair(B, A) : std::pair(A, B);
}

void EmittedArrays::addDisjoint(const Array *A, const Array *B) {
  Disjoint.insert(inOrder(A, B));
}

bool EmittedArrays::isOwnMemory(const Array &A) const {
  if (Allocated.contains(&A))
    return true;
  switch (A.Kind) {
  case ArrayKind::Local:
  case ArrayKind::Slot:
  case ArrayKind::Tape:
    return true;
  case ArrayKind::Shadow:
    return A.Of && A.Of->Kind != ArrayKind::Memory;
  case ArrayKind::Memory:
    return false;
  }
  return false;
}

bool EmittedArrays::areDisjoint(const Array &A, const Array &B) const {
  if (&A == &B || A.Base == B.Base)
    return false;
  // A view and what it leads to, and the shadows of such.
  if (A.Of && B.Of && A.Of->Base == B.Of->Base && (A.View || B.View))
    return false;
  if (isOwnMemory(A) || isOwnMemory(B) || Disjoint.contains(inOrder(&A, &B)))
    return true;
  if (PrimalDisjoint && A.Kind == ArrayKind::Memory &&
      B.Kind == ArrayKind::Memory)
    return true;
  const Value *ObjA = getUnderlyingObject(A.Base);
  const Value *ObjB = getUnderlyingObject(B.Base);
  return ObjA != ObjB && isIdentifiedObject(ObjA) && isIdentifiedObject(ObjB);
}

Value *EmittedArrays::getKnownExtent(const Array &A, unsigned Dim) const {
  if (Dim < A.Extents.size())
    return A.Extents[Dim];
  // A shadow has the extents of its primal behind those that privatisation
  // added.
  if (A.Of && A.Kind == ArrayKind::Shadow && Dim >= A.PrivateDims)
    return getKnownExtent(*A.Of, Dim - A.PrivateDims);
  return nullptr;
}

Value *EmittedArrays::emitAddress(const Array &A, ArrayRef<Value *> Index,
                                  ArrayRef<Value *> Extents,
                                  IRBuilder<> &B) const {
  Value *Offset = nullptr;
  for (unsigned D = 0; D < Index.size(); ++D) {
    if (Offset)
      Offset = B.CreateNSWAdd(B.CreateNSWMul(Offset, Extents[D - 1]), Index[D]);
    else
      Offset = Index[D];
  }
  if (!Offset)
    return A.Base;
  // The base of memory that was not allocated here need not point into the
  // object: the primal may have moved it by an offset.
  if (Allocated.contains(&A) || isa<AllocaInst>(A.Base))
    return B.CreateInBoundsGEP(A.ElemTy, A.Base, Offset);
  return B.CreateGEP(A.ElemTy, A.Base, Offset);
}

MDNode *EmittedArrays::getScope(const Array &A) {
  MDNode *&Scope = Scopes[&A];
  if (Scope)
    return Scope;
  MDBuilder MDB(F.getContext());
  if (!Domain)
    Domain = MDB.createAnonymousAliasScopeDomain("pardiff");
  Scope = MDB.createAnonymousAliasScope(Domain, A.Name);
  IRBuilder<> B(F.getContext());
  BasicBlock &Entry = F.getEntryBlock();
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  // It takes a list of one scope.
  B.CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), {Scope}));
  return Scope;
}

void EmittedArrays::addScopes(Instruction &I, const Array &A) {
  auto [It, New] = Metadata.try_emplace(&A);
  if (New) {
    SmallVector<llvm::Metadata *, 8> Others;
    for (const auto &Other : N.Arrays)
      if (Other->Base && areDisjoint(A, *Other))
        Others.push_back(getScope(*Other));
    It->second.Own = MDNode::get(F.getContext(), {getScope(A)});
    if (!Others.empty())
      It->second.Others = MDNode::get(F.getContext(), Others);
  }
  I.setMetadata(LLVMContext::MD_alias_scope, It->second.Own);
  if (It->second.Others)
    I.setMetadata(LLVMContext::MD_noalias, It->second.Others);
}
