// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode has no tape, and its loops vectorise like the function's.
//
// RUN: %clang -O2 -S -emit-llvm %s -o - | %FileCheck %s
#include <pardiff/pardiff.h>

static void scale(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}

// CHECK-LABEL: define {{.*}}@tangent
// CHECK-NOT: call {{.*}}alloc
// CHECK: fmul <2 x double>
// CHECK-LABEL: define {{.*}}@end
void tangent(int n, const double *x, const double *dx, double *y, double *dy) {
  __pardiff_fwddiff_void((void *)scale, n, pardiff_dup, x, dx, pardiff_dup, y,
                         dy);
}
void end(void) {}
