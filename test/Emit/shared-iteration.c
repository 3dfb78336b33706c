// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that share but one iteration of a loop. isl gave each a loop of its own, and
// with it its own zero-filled copy of what lives in one iteration: the adjoint got lost.
//
// RUN: %clang -O0 %s -o %t0 -lm && %t0
// RUN: %clang -O1 %s -o %t1 -lm && %t1
// RUN: %clang -O2 %s -o %t2 -lm && %t2
// RUN: %clang -O3 -fopenmp -mllvm -pardiff-min-region=0 %s -o %t3 -lm && %t3
// RUN: %plain-clang -O1 -g0 -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,print<pardiff-loops>' -disable-output %t.bc 2>&1 \
// RUN:   | %FileCheck %s
#include <math.h>
#include <stdio.h>
double __pardiff_autodiff(void *, ...);
extern int pardiff_const, pardiff_dup;

// One iteration of i does all the work. Its values live in it.
// CHECK-LABEL: ; function only
// CHECK:       ; adjoint
// CHECK:       // scope_
// CHECK-NOT:   // scope_
// CHECK:       ; function meeting
double only(long n, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++)
    if (i == 1) {
      double s = x[i] * x[i + 1], t = x[i + 2];
      for (int k = 0; k < 3; k++)
        s = s * 0.5 + x[i + 3];
      y[i] += s + 3 * t;
    }
  return 0;
}

// Iteration 5 is the last of one statement and the first of the other.
double meeting(long n, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    if (i <= 5) {
      s = x[i] * x[i + 1];
      for (int k = 0; k < 3; k++)
        s = s * 0.5 + x[i + 2];
      x[i] = 0.5 * s;
    }
    if (i >= 5)
      y[i] += s * 3;
  }
  return 0;
}

enum { N = 12 };
static double x[N + 8], y[N + 8], dx[N + 8], dy[N + 8];
typedef double fn(long, double *, double *);
static void fill(void) {
  for (int i = 0; i < N + 8; i++)
    x[i] = sin(0.3 + i), y[i] = 0, dx[i] = cos(i), dy[i] = 1 + 0.1 * i;
}
// What the shadows weigh.
static double run(fn *f) {
  f(N, x, y);
  double r = 0;
  for (int i = 0; i < N + 8; i++)
    r += cos(i) * x[i] + (1 + 0.1 * i) * y[i];
  return r;
}
static int check(fn *f, const char *name) {
  int bad = 0;
  double grad[N + 8];
  for (int i = 0; i < N + 8; i++)
    grad[i] = dx[i];
  for (int i = 0; i < N + 8; i++) {
    const double h = 1e-6;
    fill();
    x[i] += h;
    double p = run(f);
    fill();
    x[i] -= h;
    double w = (p - run(f)) / (2 * h);
    if (fabs(w - grad[i]) > 1e-7 * (1 + fabs(w)))
      printf("%s: x[%d] %g want %g\n", name, i, grad[i], w), bad = 1;
  }
  return bad;
}
int main(void) {
  fill();
  __pardiff_autodiff((void *)only, pardiff_const, (long)N, pardiff_dup, x, dx, pardiff_dup, y, dy);
  int bad = check(only, "only");
  fill();
  __pardiff_autodiff((void *)meeting, pardiff_const, (long)N, pardiff_dup, x, dx, pardiff_dup, y,
                     dy);
  return bad | check(meeting, "meeting");
}
