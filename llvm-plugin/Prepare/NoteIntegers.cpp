//===- Prepare/NoteIntegers.cpp - Fields that are integers ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without optimisation an access does not carry its C type, but its address
// names the field of a structure. That is lost when addresses are folded: that
// of the first field is that of the structure. So the type is put down first:
//
//   %p = getelementptr %struct.S, ptr %s, i32 0, i32 0     (an i32)
//   store i32 %v, ptr %p             ->    the same, !tbaa int
//
// Condition: the field is an integer of the size of the access, and no part of
// a union. A cast of a pointer to another structure can fake it, as it can fake
// the C type.
//
//===----------------------------------------------------------------------===//

#include "Prepare/Passes.h"
#include "Support/TypeTags.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace pardiff;

/// True if P is the address of a field of type Ty.
static bool isField(const Value *P, const Type *Ty) {
  auto *GEP = dyn_cast<GEPOperator>(P);
  if (!GEP || GEP->getResultElementType() != Ty)
    return false;
  bool InStruct = false;
  for (auto I = gep_type_begin(GEP), E = gep_type_end(GEP); I != E; ++I)
    if (StructType *Struct = I.getStructTypeOrNull()) {
      if (Struct->hasName() && Struct->getName().starts_with("union."))
        return false;
      InStruct = true;
    }
  return InStruct;
}

PreservedAnalyses NoteIntegersPass::run(Function &F,
                                        FunctionAnalysisManager &) {
  MDNode *Tag = getIntegerTag(F.getContext());
  for (Instruction &I : instructions(F)) {
    const Value *P = getLoadStorePointerOperand(&I);
    if (P && getLoadStoreType(&I)->isIntegerTy() &&
        !I.getMetadata(LLVMContext::MD_tbaa) &&
        isField(P, getLoadStoreType(&I)))
      I.setMetadata(LLVMContext::MD_tbaa, Tag);
  }
  return PreservedAnalyses::all();
}
