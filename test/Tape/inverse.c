// What a division took out of memory is had again by multiplying, if fast-math flags
// allow that; otherwise it is computed again or kept.
//
// RUN: %plain-clang -O1 -g0 -ffast-math -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.strict.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output \
// RUN:   %t.strict.bc | %FileCheck %s --check-prefix=STRICT
// RIGHT-NOT: {{[1-9][0-9]*}} wrong

#include <math.h>

// STRICT-LABEL: tape plan of normalise:
// STRICT-NOT: inverse
// CHECK-LABEL: tape plan of normalise:
// CHECK: result S0[{{.}}] y: recompute result 0 of S1_inverse at {{.*}} -> S1[i0]
// CHECK: read S1[{{.}}] s: in place
// CHECK: result S1[0] y: in place
// RIGHT: {{[1-9][0-9]*}} kept values, 0 wrong
void normalise(int n, double *restrict x, double *restrict y, double *restrict s) {
  for (int i = 0; i < n; i++)
    y[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    y[i] /= s[i];
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

// The quotient is gone as well.
// CHECK-LABEL: tape plan of twice:
// CHECK-NOT: inverse
void twice(int n, double *restrict x, double *restrict y, double *restrict s) {
  for (int i = 0; i < n; i++)
    y[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    y[i] /= s[i];
  for (int i = 0; i < n; i++)
    y[i] = y[i] * y[i] * s[i];
}

// Only some of the values are divided.
// CHECK-LABEL: tape plan of half:
// CHECK-NOT: inverse
void half(int n, double *restrict x, double *restrict y, double *restrict s) {
  for (int i = 0; i < 2 * n; i++)
    y[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    y[i] /= s[i];
}

// A product is not inverted: its factor may be zero.
// CHECK-LABEL: tape plan of product:
// CHECK-NOT: inverse
void product(int n, double *restrict x, double *restrict y, double *restrict s) {
  for (int i = 0; i < n; i++)
    y[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    y[i] *= s[i];
}
