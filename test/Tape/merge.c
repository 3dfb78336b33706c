// Values whose versions another tape holds already, or nearly all of them, are looked up there:
// one tape for what several reads keep, by whatever index. Each version is kept once.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -DPLAN -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-forward>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=FORWARD
// RIGHT: {{[1-9][0-9]*}} kept values, 0 wrong
// RIGHT-NOT: {{[1-9][0-9]*}} wrong
// RUN: %check-levels --nest=serial %s

#ifdef PLAN
#define static
#else
#include "check.h"
#endif

// Each operand is on the tape of the element itself, before or after iteration k.
// CHECK-LABEL: tape plan of paths:
// CHECK: read S0[0] p: tape {{.*}}[1 + i0, i1, i0] : i2 > i0; {{.*}}[i0, i1, i0] : i2 <= i0 }
// CHECK: tape {{.*}}of p: double [n][n][n]; 3 values
// CHECK-NOT: tape
static void paths(int n, double p[restrict n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        p[i][j] *= 1 + p[i][k] * p[k][j];
}

// What an iteration leaves is what the next one finds; there is one more value, from in front of
// the loop, and it is stored there.
// CHECK-LABEL: tape plan of steps:
// CHECK: read S[[A:[0-9]+]][0] slot: tape {{.*}}[1 + i0] }
// CHECK: tape {{.*}}: double [1 + n]; 2 values
// CHECK-NOT: tape
// FORWARD-LABEL: program forward of steps
// FORWARD: domain [n] -> { [[FILL:fill]][i0] :
// FORWARD: domain [n] -> { [[FIRST:fill_1]][-1] :
// FORWARD: order {{.*}}[[FILL]][i0] -> [1, 0, i0, 2, -2, 0, i0]{{.*}}[[FIRST]][-1] -> [1, -1,
static void steps(int n, const double *restrict x, double *restrict y, double *restrict z) {
  double s = x[0];
  for (int i = 0; i < n; i++) {
    y[i] += s * x[i];
    for (int j = 0; j < 4; j++)
      s += 0.1 * x[j];
    z[i] += s * x[i];
  }
}

// Here one more value takes a whole row more, which is no less than a tape of its own.
// CHECK-LABEL: tape plan of rows:
// CHECK: tape {{.*}}: double [m][n]; 1 value
// CHECK: tape {{.*}}: double [m]; 1 value
// CHECK-NOT: tape
static void rows(int m, int n, const double *restrict x, double *restrict y, double *restrict z) {
  double s = x[0];
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      y[i] += s * x[j];
      s += 0.1 * x[j];
    }
    z[i] += s * x[i];
  }
}

// CHECK-LABEL: tape plan of last:
static void last(int n, const double *restrict x, double *restrict y) { y[0] += x[0]; }

#ifndef PLAN
static int n;
static double *p, *dp, *x, *dx, *y, *dy, *z, *dz, *u, *du, *v, *dv;

static double primal(void) {
  paths(n, (void *)p);
  steps(n, x, y, z);
  rows(n - 1, n, x, u, v);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)rows, pardiff_const, n - 1, pardiff_const, n, pardiff_dup, x, dx,
                     pardiff_dup, u, du, pardiff_dup, v, dv);
  __pardiff_autodiff((void *)steps, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup, y, dy,
                     pardiff_dup, z, dz);
  __pardiff_autodiff((void *)paths, pardiff_const, n, pardiff_dup, p, dp);
  return 0;
}

int main(void) {
  n = check_size(7);
  p = check_active("p", n * n, -0.3, 0.3, &dp);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, -1, 1, &dy);
  z = check_active("z", n, -1, 1, &dz);
  u = check_active("u", n, -1, 1, &du);
  v = check_active("v", n, -1, 1, &dv);
  return check_gradient(primal, gradient, 0);
}
#endif
