//===- Prepare/Passes.cpp - Make the passes of this component available to opt ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/Prepare.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

void pardiff::registerPreparePasses(PassBuilder &PB) {}
