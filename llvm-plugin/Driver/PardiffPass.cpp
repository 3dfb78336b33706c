//===- Driver/PardiffPass.cpp - Serve every request of a module -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/PardiffPass.h"

using namespace llvm;
using namespace pardiff;

PreservedAnalyses PardiffPass::run(Module &M, ModuleAnalysisManager &MAM) {
  return PreservedAnalyses::all();
}
