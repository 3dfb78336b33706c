// Floating-point values whose bits are computed with as integers: what the derivative is
// cannot be told, also where the function never touches them as floating point. (That a
// sign is turned, can: test/Prepare/copies.c.)
// RUN: %not %clang -O0 -gline-tables-only -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:
// RUN: %not %clang -O2 -gline-tables-only -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:
#include <pardiff/pardiff.h>
#include <stdint.h>
#include <string.h>

static void twice(int n, double *x) {
  for (int i = 0; i < n; i++) {
    int64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    bits += INT64_C(1) << 52;
    // CHECK: bits.c:[[@LINE+1]]:{{.*}} error: pardiff: the bits of a floating-point value are used as an integer{{$}}
    memcpy(&x[i], &bits, sizeof bits);
  }
}
void derivative(int n, double *x, double *dx) {
  __pardiff_autodiff_void((void *)twice, pardiff_const, n, pardiff_dup, x, dx);
}

// An array of counts that is marked is none of this.
static double count(int n, const double *x, int *counts) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    counts[i] += x[i] > 0;
    sum += x[i] * x[i];
  }
  return sum;
}
void counted(int n, double *x, double *dx, int *counts) {
  __pardiff_autodiff_void((void *)count, pardiff_const, n, pardiff_dup, x, dx,
                          pardiff_const, counts);
}
// CHECK: 1 error generated
