// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With -pardiff-count-sides the program learns which side of its run-time
// condition each nest takes: the nest engine's where the arrays are apart, the
// flow engine's where they overlap, both with the right derivative. A nest that
// is a function and one inside of other control flow. Without the option nothing
// is called.
//
// RUN: %clang -O0 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t0 && %t0
// RUN: %clang -O1 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t1 && %t1
// RUN: %clang -O2 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t2 && %t2
// RUN: %clang -O3 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t3 && %t3
// RUN: %clang -O2 %s -DCOUNTED=0 -o %t4 && %t4
// RUN: %clang -O2 %s -DCOUNTED=0 -mllvm -pardiff-count-sides -mllvm -pardiff-force-fallback -o %t5 && %t5
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <string.h>

#ifndef COUNTED
#define COUNTED 1
#endif

static int sides[2];
void pardiff_count_side(const char *function, int line, int holds) {
  (void)line;
  if (!strcmp(function, "scale") || !strcmp(function, "repeat"))
    sides[holds]++;
}

static void scale(int n, double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

static void repeat(int n, double *x, double *y) {
  double s = 0;
  do {
    for (int i = 0; i < n; i++)
      y[i] = x[i] * x[i];
    s += y[0] + 1;
  } while (s < 0.5);
}

static int failures;
static void check(const char *name, int holds, double *dx, double want) {
  if (sides[holds] != COUNTED || sides[!holds] || *dx != want)
    printf("%s: held %d, did not %d, derivative %g instead of %g\n", name,
           sides[1], sides[0], *dx, want),
        failures = 1;
}

int main() {
  enum { n = 40 };
#define CHECK(f)                                                               \
  {                                                                            \
    double x[n], y[n], dx[n] = {0}, dy[n];                                     \
    for (int i = 0; i < n; i++)                                                \
      x[i] = 2 + i, dy[i] = 1;                                                 \
    sides[0] = sides[1] = 0;                                                   \
    __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, x, dx,        \
                       pardiff_dup, y, dy);                                    \
    check(#f, 1, dx, 4);                                                       \
    double z[n + 1], dz[n + 1];                                                \
    for (int i = 0; i <= n; i++)                                               \
      z[i] = 1 + 0.01 * i, dz[i] = 0;                                          \
    dz[2] = 1;                                                                 \
    sides[0] = sides[1] = 0;                                                   \
    __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, z, dz,        \
                       pardiff_dup, z + 1, dz + 1);                            \
    check(#f, 0, dz, 4);                                                       \
  }
  CHECK(scale);
  CHECK(repeat);
  return failures;
}
