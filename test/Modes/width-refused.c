// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reverse mode of several seeds does not do, with the reason.
//
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s
#include <pardiff/pardiff.h>

static double g(double *x, double *y) { return y[0] = x[0] * x[0]; }
static double kept;
static double viaGlobal(double x) {
  for (kept = x; kept < 10;)
    kept *= kept + 2;
  return kept;
}
static double f(double a) { return a; }
static void scale(double *x) { x[0] *= 2; }
static void scaleReverse(double *x, double *dx) { dx[0] *= 2; }
static void scaleAugmented(double *x, double *dx) { x[0] *= 2; }
void *__pardiff_register_gradient_scale[] = {(void *)scale, (void *)scaleAugmented, (void *)scaleReverse};
struct two { double a, b; };
struct two __pardiff_autodiff_two(void *, ...);

void use(double *x, double *dx, double *y, double *dy, int n) {
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: this marker is not supported: 'pardiff_width': the number behind it must be a constant between 1 and 64
  __pardiff_autodiff_void((void *)g, pardiff_width, n, x, dx, dx, y, dy, dy);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: this marker is not supported: 'pardiff_width': the number behind it must be a constant between 1 and 64
  __pardiff_autodiff_void((void *)g, pardiff_width, 0, x, dx, dx, y, dy, dy);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: this marker is not supported: 'pardiff_width': the number behind it must be a constant between 1 and 64
  __pardiff_autodiff_void((void *)g, pardiff_width, 65, x, dx, dx, y, dy, dy);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: this marker is not supported: 'pardiff_width': it must stand in front of the arguments
  __pardiff_autodiff_void((void *)g, x, dx, pardiff_width, 2, y, dy, dy);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: the call passes too few arguments to the function to differentiate: 'g' takes 2, the call passes 1
  __pardiff_autodiff_void((void *)g, pardiff_width, 3, x, dx, dx, y);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: an argument with a shadow is not followed by it: argument 2 of 'g' and 2 of its shadows; the call ends there
  __pardiff_autodiff_void((void *)g, pardiff_width, 3, x, dx, dx, dx, y, dy, dy);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: an argument with a shadow is not followed by it: argument 1 of 'g' and 1 of its shadows is followed by 'pardiff_dup'
  __pardiff_autodiff_void((void *)g, pardiff_width, 2, pardiff_dup, x, dx, pardiff_dup, y, dy, dy);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: the call passes too many arguments to the function to differentiate: 'g' takes 2
  __pardiff_autodiff_void((void *)g, pardiff_width, 2, x, dx, dx, y, dy, dy, dy);
  // CHECK-DAG: [[#@LINE+1]]:11: error: pardiff: {{.*}}: the derivative of 'f' returns double, double; the declared type is double
  dx[0] = __pardiff_autodiff((void *)f, pardiff_width, 2, 1.0);
  // CHECK-DAG: error: pardiff: this access to memory cannot be reversed: a global variable has one derivative; use a width of 1
  __pardiff_autodiff_two((void *)viaGlobal, pardiff_width, 2, x[0]);
  // CHECK-DAG: error: pardiff: {{.*}}: the gradient registered for 'scale' has pointers, and can be called for one direction only
  __pardiff_autodiff_void((void *)scale, pardiff_width, 2, x, dx, dy);
  // CHECK-DAG: [[#@LINE+1]]:3: error: pardiff: this marker is not supported: 'pardiff_width' in split mode: there is one seed
  __pardiff_augmentfwd((void *)g, pardiff_width, 2, x, dx, dx, y, dy, dy);
}
// CHECK: 12 errors generated
