//===- Emit/Cost.h - Work, span and barriers of a sweep ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PARDIFF_EMIT_COST_H
#define PARDIFF_EMIT_COST_H

#include "Emit/Formula.h"
#include "Emit/LoopAst.h"

namespace pardiff {

/// Formulas of the nest's parameters, for large parameters.
struct SweepCost {
  Formula Work;     ///< instructions of all instances
  Formula Span;     ///< the same on as many threads as there are iterations
  Formula Barriers; ///< parallel regions that are entered
  Formula Bytes;    ///< what the instances read and write in memory
};

/// Instructions that entering and leaving a parallel region take as long as.
inline constexpr double BarrierWork = 10000;

/// Instructions of one instance. Calls and divisions count for several.
double getWork(const Statement &S);

/// The costs of the loops of a program over N. All marked loops count as
/// parallel, whether they become threads or not.
SweepCost getCost(const LoopAst &Ast, const Nest &N, Formulas &In);

/// How much faster Threads threads are than one where all parameters are Value,
/// after Brent: the span, and an equal part of the rest. Never less than 1.
double getSpeedup(const SweepCost &Forward, const SweepCost &Adjoint,
                  const Formulas &In, double Value, double Threads);

} // namespace pardiff

#endif // PARDIFF_EMIT_COST_H
