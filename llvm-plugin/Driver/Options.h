//===- Driver/Options.h - The driver's options ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_DRIVER_OPTIONS_H
#define PARDIFF_DRIVER_OPTIONS_H

#include "llvm/ADT/StringRef.h"

namespace pardiff {

/// -pardiff-report: where the JSON report goes; empty if nowhere.
llvm::StringRef getReportPath();

} // namespace pardiff

#endif // PARDIFF_DRIVER_OPTIONS_H
