// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split mode of a nest that reads inactive arrays, as a whole function and inside of
// other control flow: the nest engine's side is taken, although there is no shadow
// pointer. Two lists of markers for one function have a pair each.
//
// RUN: %clang -O0 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t0 && %t0
// RUN: %clang -O1 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t1 && %t1
// RUN: %clang -O2 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t2 && %t2
// RUN: %clang -O3 -gline-tables-only %s -mllvm -pardiff-count-sides -o %t3 && %t3
#include <pardiff/pardiff.h>
#include <stdio.h>

static int sides[2];
void pardiff_count_side(const char *function, int line, int holds) {
  (void)function, (void)line;
  sides[holds]++;
}

static void scale(int n, const double *a, double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = a[i] * x[i] * x[i];
}

static void repeat(int n, const double *a, double *x, double *y) {
  double s = 0;
  do {
    for (int i = 0; i < n; i++)
      y[i] = a[i] * x[i] * x[i];
    s += y[0] + 1;
  } while (s < 0.5);
}

void __pardiff_reverse_void(void *, ...);

static int failures;
static void check(const char *name, double got, double want) {
  if (sides[1] != 1 || sides[0] || got != want)
    printf("%s: held %d, did not %d, derivative %g instead of %g\n", name,
           sides[1], sides[0], got, want),
        failures = 1;
}

int main() {
  enum { n = 40 };
#define CHECK(f)                                                               \
  {                                                                            \
    double a[n], da[n] = {0}, x[n], y[n], dx[n] = {0}, dy[n];                  \
    for (int i = 0; i < n; i++)                                                \
      a[i] = 3, x[i] = 2 + i, dy[i] = 1;                                       \
    sides[0] = sides[1] = 0;                                                   \
    void *tape =                                                               \
        __pardiff_augmentfwd((void *)f, pardiff_const, n, pardiff_const, a,    \
                             pardiff_dup, x, dx, pardiff_dup, y, dy);          \
    __pardiff_reverse_void((void *)f, pardiff_const, n, pardiff_const, a,      \
                           pardiff_dup, x, dx, pardiff_dup, y, dy, tape);      \
    check(#f ", a inactive", dx[0], 12);                                       \
    for (int i = 0; i < n; i++)                                                \
      dy[i] = 1;                                                               \
    sides[0] = sides[1] = 0;                                                   \
    tape = __pardiff_augmentfwd((void *)f, pardiff_const, n, pardiff_dup, a,   \
                                da, pardiff_const, x, pardiff_dup, y, dy);     \
    __pardiff_reverse_void((void *)f, pardiff_const, n, pardiff_dup, a, da,    \
                           pardiff_const, x, pardiff_dup, y, dy, tape);        \
    check(#f ", x inactive", da[1], 9);                                        \
  }
  CHECK(scale);
  CHECK(repeat);
  return failures;
}
