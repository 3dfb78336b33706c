// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What forward mode does not do, with the reason.
//
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s
#include <pardiff/pardiff.h>
#include <stdlib.h>

static double f(double x, double y) { return x * y; }
static double g(double *x, double *work) {
  work[0] = x[0] * x[0];
  return work[0];
}
static double h(double *x) { return qsort(x, 2, 8, NULL), x[0]; }
static double p(const double *x) __attribute__((pure));
double elsewhere(const double *x) __attribute__((pure));
static double p(const double *x) { return elsewhere(x) * x[0]; }
extern int pardiff_interleave;
static double kept;
static double viaGlobal(double x) { return kept = x * x, kept; }

double use(double *x, double *dx, int n) {
  double s = 0;
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: this marker is not supported: argument 1 of 'f' is an output; forward mode returns no derivatives of arguments, use pardiff_dup and a tangent
  s += __pardiff_fwddiff((void *)f, pardiff_out, x[0], pardiff_const, x[1]);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: this marker is not supported: 'pardiff_width': the number behind it must be a constant between 1 and 64
  s += __pardiff_fwddiff((void *)f, pardiff_width, n, pardiff_dup, x[0], 1.0, pardiff_const, x[1]);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: an argument with a shadow is not followed by it: argument 1 of 'f' and 1 of its shadows is followed by 'pardiff_const'
  s += __pardiff_fwddiff((void *)f, pardiff_width, 2, pardiff_dup, x[0], 1.0, pardiff_const, x[1]);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: an argument with a shadow is not followed by it: argument 2 of 'f' has no marker and the one before has; mark each value
  s += __pardiff_fwddiff((void *)f, pardiff_dup, x[0], 1.0, x[1], 1.0);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: this marker is not supported: 'pardiff_interleave'
  s += __pardiff_fwddiff((void *)f, pardiff_interleave, x[0], 1.0, x[1], 1.0);
  // CHECK-DAG: error: pardiff: an active value is stored in memory that is marked inactive
  s += __pardiff_fwddiff((void *)g, pardiff_dup, x, dx, pardiff_const, x);
  // CHECK-DAG: error: pardiff: the function that is called here has no definition that can be differentiated: call of qsort
  s += __pardiff_fwddiff((void *)h, pardiff_dup, x, dx);
  // CHECK-DAG: error: pardiff: the function that is called here has no definition that can be differentiated: call of elsewhere
  s += __pardiff_fwddiff((void *)p, pardiff_dup, x, dx);
  // CHECK-DAG: error: pardiff: this access to memory cannot be reversed: a global variable has one tangent; use a width of 1
  __pardiff_fwddiff_void((void *)viaGlobal, pardiff_width, 2, x[0], 1.0, 2.0);
  return s;
}
// CHECK: 9 errors generated
