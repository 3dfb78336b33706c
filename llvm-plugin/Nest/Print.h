//===- Nest/Print.h - Print a program for people and tests ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_NEST_PRINT_H
#define PARDIFF_NEST_PRINT_H

#include "Nest/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace pardiff {

/// Prints arrays, parameters, statements with bodies, order and tree. The
/// format is described at the head of Print.cpp; the executor in test/executor
/// reads it. Title: "primal", "forward", "adjoint".
void printProgram(const Program &P, llvm::StringRef Title,
                  llvm::raw_ostream &OS);

} // namespace pardiff

#endif // PARDIFF_NEST_PRINT_H
