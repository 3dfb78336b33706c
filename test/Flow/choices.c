/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a choice does not choose leaves no trace in a gradient, though it is computed: its
 * derivative is infinite or NaN. (LLVM computes quotients and roots ahead of the branch.)
 *
 * RUN: %clang -O0 -mllvm -pardiff-force-fallback %s -lm -o %t && %t
 * RUN: %clang -O1 -mllvm -pardiff-force-fallback %s -lm -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback -fno-math-errno %s -lm -o %t && %t
 * RUN: %clang -O3 -mllvm -pardiff-force-fallback -fno-math-errno %s -lm -o %t && %t
 * RUN: %clang -O2 -fno-math-errno %s -lm -o %t && %t
 */
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>

static void quotient(int n, double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] != 0 ? 3 / x[i] : 2 * x[i];
}

static void root(int n, double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double r = sqrt(x[i]);
    y[i] = x[i] > 0 ? r * x[i] + 1 / r : x[i];
  }
}

/* one choice in another, and a value that goes both ways */
static void nested(int n, double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double q = 1 / x[i], r = sqrt(q);
    double inner = x[i] < 1 ? r : q;
    y[i] = x[i] > 0 ? inner * q : 5 * x[i];
  }
}

static void largest(int n, double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = fmin(1 / fabs(x[i]), 5.0) + fmax(-1 / fabs(x[i]), x[i]);
}

typedef double vector __attribute__((ext_vector_type(4)));

static void lanes(int n, double *x, double *y) {
  vector v = {x[0], x[1], x[2], x[3]}, q = 1 / v;
  vector r = v != 0 ? q * q : 3 * v;
  vector s = r * v;
  for (int i = 0; i < 4; i++)
    y[i] = s[i];
}

static int failed;

static void expect(const char *name, int i, double is, double shall) {
  if (fabs(is - shall) <= 1e-12 * (1 + fabs(shall)))
    return;
  printf("%s, %d: %.15g instead of %.15g\n", name, i, is, shall);
  failed = 1;
}

#define CHECK(f, ...)                                                          \
  {                                                                            \
    double x[4] = {0, 2, -0.5, 0.25}, y[4], dx[4] = {0}, dy[4] = {1, 1, 1, 1}; \
    const double want[4] = {__VA_ARGS__};                                      \
    __pardiff_autodiff((void *)f, pardiff_const, four, pardiff_dup, x, dx,     \
                       pardiff_dup, y, dy);                                    \
    for (int i = 0; i < 4; i++)                                                \
      expect(#f, i, dx[i], want[i]);                                           \
  }

int main(void) {
  volatile int n = 4;
  int four = n;
  CHECK(quotient, 2, -0.75, -12, -48);
  CHECK(root, 1, 1.5 * sqrt(2) - 0.5 * pow(2, -1.5), 1, 0.75 - 4);
  CHECK(nested, 5, -0.25, 5, -1.5 * pow(0.25, -2.5));
  CHECK(largest, 1, 1 - 0.25, 1 + 4, 1 - 16);
  CHECK(lanes, 0, -0.25, -4, -16);
  return failed;
}
