// Gradients where the condition of a nest holds and where it does not: sizes of 0, 1, 2
// and below, arrays that overlap, rows that overlap, one shadow for two arguments. Both
// sides of the condition give the same numbers.
// RUN: %clang -O0 %s -o %t.0 -lm && %t.0
// RUN: %clang -O2 %s -o %t.2 -lm && %t.2
// RUN: %clang -O1 -DOTHER_ENGINE -mllvm -pardiff-force-fallback %s -o %t.f -lm && %t.f
// RUN: %clang -O1 -mllvm -pardiff-report=%t.json -c %s -o %t.o
// RUN: %FileCheck %s --check-prefix=REPORT < %t.json
// REPORT-NOT: "recovered": false

#include "check.h"
#include <assert.h>

enum { Max = 12 };
static double x[Max], y[Max], dx[Max], dy[Max], want[Max];

/* The same values in every run, and shadows with seeds. */
static void start(void) {
  for (int i = 0; i < Max; i++) {
    x[i] = 0.5 + 0.1 * i;
    y[i] = 1.5 - 0.1 * i;
    dx[i] = 0.25 * i;
    dy[i] = 1 + i;
  }
}

static double walk(const double *first, const double *last) {
  double s = 0;
  for (; first != last; ++first)
    s += *first * *first;
  return s;
}

static void test_walk(int n) {
  start();
  __pardiff_autodiff((void *)walk, pardiff_dup, x, dx, pardiff_const, x + n);
  for (int i = 0; i < Max; i++)
    want[i] = 0.25 * i + (i < n ? 2 * x[i] : 0);
  check_close("walk", dx, want, Max, 1e-12);
}

static void zeroed(int n, const double *x, double *y) {
#ifdef OTHER_ENGINE /* it does not differentiate heap buffers yet */
  double t[Max] = {0};
#else
  double *t = calloc(n, sizeof(double));
  if (!t)
    return;
#endif
  for (int i = 1; i < n; i++)
    t[i] += x[i] * x[i - 1];
  for (int i = 0; i < n; i++)
    y[i] = t[i] * x[i];
#ifndef OTHER_ENGINE
  free(t);
#endif
}

static void test_zeroed(int n) {
  start();
  __pardiff_autodiff((void *)zeroed, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup, y,
                     dy);
  for (int i = 0; i < Max; i++)
    want[i] = 0.25 * i;
  for (int i = 1; i < n; i++) { /* y = x[i]^2 x[i-1] */
    want[i] += (1 + i) * 2 * x[i] * x[i - 1];
    want[i - 1] += (1 + i) * x[i] * x[i];
  }
  check_close("zeroed", dx, want, Max, 1e-12);
}

static void asserted(int n, const double *x, double *y) {
  assert(n >= 0);
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[n - 1 - i];
}

static void test_asserted(int n) {
  start();
  __pardiff_autodiff((void *)asserted, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup,
                     y, dy);
  for (int i = 0; i < Max; i++)
    want[i] = 0.25 * i + (i < n ? (1 + i + n - i) * x[n - 1 - i] : 0);
  check_close("asserted", dx, want, Max, 1e-12);
}

static void square(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

/* y is x, one element further: each element is the square of the one before. */
static void test_overlap(int n) {
  start();
  double before[Max];
  memcpy(before, x, sizeof x);
  for (int i = 0; i < Max; i++)
    want[i] = dx[i];
  double value = before[0], values[Max];
  for (int i = 0; i < n; i++, value *= value)
    values[i] = value;
  for (int i = n - 1; i >= 0; i--) {
    double seed = want[i + 1];
    want[i + 1] = 0;
    want[i] += 2 * values[i] * seed;
  }
  __pardiff_autodiff((void *)square, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup,
                     x + 1, dx + 1);
  check_close("overlap", dx, want, Max, 1e-12);
}

/* Shadows that overlap where the arrays do not. */
static void test_shared_shadow(int n) {
  start();
  for (int i = 0; i < Max; i++)
    want[i] = 0.25 * i;
  for (int i = n - 1; i >= 0; i--) {
    double seed = want[i];
    want[i] = 2 * x[i] * seed;
  }
  __pardiff_autodiff((void *)square, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup, y,
                     dx);
  check_close("shared shadow", dx, want, Max, 1e-12);
}

static double product(int n, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

static void test_one_shadow(int n) {
  start();
  __pardiff_autodiff((void *)product, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup, y,
                     dx);
  for (int i = 0; i < Max; i++)
    want[i] = 0.25 * i + (i < n ? x[i] + y[i] : 0);
  check_close("one shadow", dx, want, Max, 1e-12);
}

static void rows(long n, long m, long ld, const double *A, double *y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      y[j] += A[i * ld + j] * A[i * ld + j];
}

static void test_rows(long n, long m, long ld) {
  start();
  __pardiff_autodiff((void *)rows, pardiff_const, n, pardiff_const, m, pardiff_const, ld,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
  for (int i = 0; i < Max; i++)
    want[i] = 0.25 * i;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      want[i * ld + j] += 2 * x[i * ld + j] * (1 + j);
  check_close("rows", dx, want, Max, 1e-12);
}

static void wraps(unsigned n, unsigned m, unsigned from, const double *x, double *y) {
  for (unsigned i = 0; i < n; i++)
    y[i] += x[from + i * m] * x[i];
}

/* from + i * m wraps around to small numbers. */
static void test_wraps(unsigned n, unsigned m, unsigned from) {
  start();
  __pardiff_autodiff((void *)wraps, pardiff_const, n, pardiff_const, m, pardiff_const, from,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
  for (int i = 0; i < Max; i++)
    want[i] = 0.25 * i;
  for (unsigned i = 0; i < n; i++) {
    want[from + i * m] += (1 + i) * x[i];
    want[i] += (1 + i) * x[from + i * m];
  }
  check_close("wraps", dx, want, Max, 1e-12);
}

int main(void) {
  for (int k = -2; k < 6; k++) {
    int n = check_size(k);
    if (n >= 0) {
      test_walk(n);
      test_zeroed(n);
      test_asserted(n);
    }
    test_overlap(n);
    test_shared_shadow(n);
    test_one_shadow(n);
    test_rows(n, 2, check_size(2));
    test_rows(n, 2, check_size(1));
    test_rows(2, n, check_size(3));
    test_rows(n, n < 3 ? n : 3, check_size(0));
  }
  test_wraps(check_size(3), check_size(2), check_size(4));
  test_wraps(check_size(3), -(unsigned)check_size(1), check_size(4));
#ifdef CHECK_PLAIN
  return 0;
#else
  return check_done();
#endif
}
