//===- Driver/Options.cpp - The driver's options --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<std::string> ReportPath(
    "pardiff-report",
    cl::desc("Write what was done for each autodiff call, as JSON; a folder "
             "gets one file for each module, - is the standard output"),
    cl::value_desc("file or folder"));

StringRef pardiff::getReportPath() { return ReportPath; }
