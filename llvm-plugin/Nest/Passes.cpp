//===- Nest/Passes.cpp - Make the passes of this component available to opt ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest/Recover.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

void pardiff::registerNestPasses(PassBuilder &PB) {}
