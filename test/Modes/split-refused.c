// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong uses of split mode that the compiler sees.
//
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s
#include <pardiff/pardiff.h>

struct large { double v[8]; };
struct values { double a, b; };
struct values __pardiff_augmentfwd_values(void *, ...);
void __pardiff_augmentfwd_void(void *, ...);
double __pardiff_augmentsize_double(void *, ...);

static double f(double x, double y) { return x * y; }
static double byValue(struct large s) { return s.v[0]; }
static double twice(double x) {
  void *t = __pardiff_augmentfwd((void *)f, x, x);
  return __pardiff_reverse((void *)f, x, pardiff_const, x, 1.0, t);
}

double use(double x, void *t, int n) {
  double s = 0;
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the tape of split mode is not passed as it must be: the tape stands behind the arguments and the adjoint of the result
  s += __pardiff_reverse((void *)f, x, pardiff_const, x, 1.0);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the tape of split mode is not passed as it must be: the adjoint of the value that 'f' returns stands behind the arguments
  s += __pardiff_reverse((void *)f, x, pardiff_const, x, t);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the call passes too many arguments to the function to differentiate: 'f' takes 2
  s += __pardiff_reverse((void *)f, x, pardiff_const, x, 1.0, t, t);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the tape of split mode is not passed as it must be: pardiff_tape and pardiff_allocated stand together
  s += __pardiff_reverse((void *)f, pardiff_tape, t, x, pardiff_const, x, 1.0);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the tape of split mode is not passed as it must be: the tape takes 8 bytes (__pardiff_augmentsize), the size behind 'pardiff_allocated' is 4
  s += __pardiff_reverse((void *)f, pardiff_allocated, 4, pardiff_tape, t, x, pardiff_const, x, 1.0);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the tape of split mode is not passed as it must be: the size behind 'pardiff_allocated' must be a constant
  s += __pardiff_reverse((void *)f, pardiff_allocated, n, pardiff_tape, t, x, pardiff_const, x, 1.0);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: this marker is not supported: 'pardiff_primal_return': the forward sweep returns the result
  s += __pardiff_reverse((void *)f, pardiff_primal_return, x, pardiff_const, x, 1.0, t);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: this marker is not supported: 'pardiff_tape' outside of split mode
  s += __pardiff_autodiff((void *)f, pardiff_tape, t, x, pardiff_const, x);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the declaration of the entry point does not return what the derivative returns: the derivative of 'f' returns ptr; the declared type is { double, double }
  s += __pardiff_augmentfwd_values((void *)f, x, pardiff_const, x).a;
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: the declaration of the entry point does not return what the derivative returns: the derivative of 'f' returns ptr; the entry point is declared void
  __pardiff_augmentfwd_void((void *)f, x, pardiff_const, x);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: the function to differentiate has a parameter or result that is not supported: argument 1 of 'byValue' is a structure by value
  __pardiff_augmentfwd((void *)byValue, pardiff_const, *(struct large *)t);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: this marker is not supported: the tape's size is asked for with markers only
  s += __pardiff_augmentsize((void *)f, x);
  // CHECK-DAG: [[#@LINE+1]]:8: error: pardiff: the declaration of the entry point does not return what the derivative returns: the size of a tape is an integer, the call returns double
  s += __pardiff_augmentsize_double((void *)f, pardiff_out);
  // CHECK-DAG: error: pardiff: this entry point is not supported: split mode inside a function that is differentiated in turn
  s += __pardiff_fwddiff((void *)twice, x, 1.0);
  return s;
}
