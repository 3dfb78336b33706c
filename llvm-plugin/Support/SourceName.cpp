//===- Support/SourceName.cpp - What the user calls a value ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/SourceName.h"
#include "llvm/IR/DebugInfo.h"

using namespace llvm;

StringRef pardiff::getSourceName(Value *V) {
  if (V->hasName())
    return V->getName();
  SmallVector<DbgVariableRecord *, 2> Records;
  findDbgValues(V, Records);
  for (DbgVariableRecord *R : Records)
    if (R->getNumVariableLocationOps() == 1 && !R->getExpression()->isComplex())
      return R->getVariable()->getName();
  for (DbgVariableRecord *R : findDVRDeclares(V))
    return R->getVariable()->getName();
  return "";
}
