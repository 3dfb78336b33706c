//===- Schedule/TextProgram.h - Programs written by hand --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_SCHEDULE_TEXTPROGRAM_H
#define PARDIFF_SCHEDULE_TEXTPROGRAM_H

#include "Nest/Program.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace pardiff {

/// A program and its nest.
struct TextProgram {
  std::unique_ptr<Nest> N;
  std::unique_ptr<Program> P;
};

/// Reads the lines of Text that begin with ";;" (described in TextProgram.cpp).
llvm::Expected<TextProgram> parseTextProgram(llvm::StringRef Text,
                                             llvm::LLVMContext &Ctx);

} // namespace pardiff

#endif // PARDIFF_SCHEDULE_TEXTPROGRAM_H
