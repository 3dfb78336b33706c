//===- Contract/GradientReport.h - Describe a gradient ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_CONTRACT_GRADIENTREPORT_H
#define PARDIFF_CONTRACT_GRADIENTREPORT_H

#include "Contract/Derive.h"
#include "Emit/Cost.h"
#include "Support/Report.h"

namespace pardiff {

/// Writes down what the programs of a gradient keep, on which conditions they
/// run and how each loop runs.
void fillReport(const GradientPrograms &Programs, NestReport &Report);

/// Writes down what the two sweeps cost.
void fillCosts(const SweepCost &Forward, const SweepCost &Adjoint,
               const Formulas &In, NestReport &Report);

} // namespace pardiff

#endif // PARDIFF_CONTRACT_GRADIENTREPORT_H
