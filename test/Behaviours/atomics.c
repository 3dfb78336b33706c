/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Atomic sums, differences, exchanges, loads and stores of numbers: right in both modes, with the value
 * before used and not, and what is added to shadows is added atomically.
 * RUN: %clang -O0 %s -o %t -lm && %t
 * RUN: %clang -O1 %s -o %t -lm && %t
 * RUN: %clang -O2 %s -o %t -lm && %t
 * RUN: %clang -O3 %s -o %t -lm && %t
 * RUN: %clang -O1 -fopenmp %s -o %t -lm && %t
 * RUN: %clang -O1 -S -emit-llvm %s -o - | %FileCheck %s
 * RUN: %not %clang -O1 -DLARGEST -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LARGEST
 * RUN: %not %clang -O1 -DINACTIVE -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=INACTIVE
 */
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>

#define RELAXED __ATOMIC_RELAXED

enum { n = 5 };

#ifdef LARGEST
/* LARGEST: error: pardiff: this atomic operation is not supported
 */
static void f(double *x, double *s) {
  s[0] = x[0];
  __atomic_fetch_max(&s[0], x[1], RELAXED);
}
#else
/* CHECK-LABEL: define {{.*}}@pardiff.flow.f(
 * CHECK-DAG: atomicrmw fadd ptr %{{.*}}, double %{{.*}} monotonic
 * CHECK-DAG: atomicrmw xchg ptr %{{.*}}, double %{{.*}} monotonic
 */
static void f(double *x, double *s) {
  for (int i = 0; i < n; i++)
    __atomic_fetch_add(&s[i % 2], x[i] * x[i], RELAXED);
  /* the value before goes on */
  double before = __atomic_fetch_sub(&s[1], sin(x[0]) * s[0], RELAXED);
  _Atomic double *a = (_Atomic double *)&s[2];
  *a = before * x[1];
  double seen = *a;
  double *last = &s[3], new = seen * x[2], old;
  __atomic_exchange(last, &new, &old, __ATOMIC_SEQ_CST);
  s[4] += old * old * seen;
  __atomic_fetch_add(&s[5], 2.0, RELAXED); /* no derivative enters */
  s[4] *= __atomic_fetch_add(&s[5], x[3], RELAXED);
}
#endif

void gradient(double *x, double *dx, double *s, double *ds) {
#ifdef INACTIVE
  /* INACTIVE: error: pardiff: an active value is stored in memory that is marked inactive
   */
  __pardiff_autodiff_void((void *)f, pardiff_dup, x, dx, pardiff_const, s);
#else
  __pardiff_autodiff_void((void *)f, pardiff_dup, x, dx, pardiff_dup, s, ds);
#endif
}

void tangent(double *x, double *dx, double *s, double *ds) {
  __pardiff_fwddiff_void((void *)f, pardiff_dup, x, dx, pardiff_dup, s, ds);
}

static void sum(double *y, double *p, double *total) {
  for (int i = 0; i < 20000; i++)
    __atomic_fetch_add(total, y[i] * *(_Atomic double *)p, RELAXED);
}

void gradient_of_sum(double *y, double *dy, double *p, double *dp,
                     double *total, double *dtotal) {
  __pardiff_autodiff_void((void *)sum, pardiff_dup, y, dy, pardiff_dup, p, dp,
                          pardiff_dup, total, dtotal);
}

enum { m = 6 };
static const double x0[n] = {.3, -.7, 1.1, .4, .9},
                    s0[m] = {.2, .5, -.1, .8, 1.3, .6},
                    weight[m] = {1, -.5, .3, .7, .2, -.9};

static double value(const double *x, const double *s) {
  double px[n], ps[m], sum = 0;
  for (int i = 0; i < n; i++)
    px[i] = x[i];
  for (int i = 0; i < m; i++)
    ps[i] = s[i];
  f(px, ps);
  for (int i = 0; i < m; i++)
    sum += weight[i] * ps[i];
  return sum;
}

static int expect(const char *what, double is, double shall) {
  if (fabs(is - shall) <= 1e-8 * (1 + fabs(shall)))
    return 0;
  printf("%s: %.12g instead of %.12g\n", what, is, shall);
  return 1;
}

int main(void) {
  int failed = 0;
  double dx[n] = {0}, ds[m], x[n], s[m], direction[n + m];
  for (int i = 0; i < n; i++)
    x[i] = x0[i];
  for (int i = 0; i < m; i++)
    s[i] = s0[i], ds[i] = weight[i];
  gradient(x, dx, s, ds);
  double along = 0, h = 1e-5, xp[n], xm[n], sp[m], sm[m];
  for (int j = 0; j < n + m; j++) {
    for (int i = 0; i < n; i++)
      xp[i] = x0[i] + h * (i == j), xm[i] = x0[i] - h * (i == j);
    for (int i = 0; i < m; i++)
      sp[i] = s0[i] + h * (n + i == j), sm[i] = s0[i] - h * (n + i == j);
    double slope = (value(xp, sp) - value(xm, sm)) / (2 * h);
    failed |= expect(j < n ? "dx" : "ds", j < n ? dx[j] : ds[j - n], slope);
    direction[j] = cos(j);
    along += direction[j] * slope;
  }
  double tx[n], ts[m], sum = 0;
  for (int i = 0; i < n; i++)
    x[i] = x0[i], tx[i] = direction[i];
  for (int i = 0; i < m; i++)
    s[i] = s0[i], ts[i] = direction[n + i];
  tangent(x, tx, s, ts);
  for (int i = 0; i < m; i++)
    sum += weight[i] * ts[i];
  failed |= expect("tangent", sum, along);

  /* what threads have in common */
  enum { threads = 4, each = 20000 };
  static double y[threads][each], dy[threads][each];
  double p = 3, dp = 0, total = 0, dtotal = 1, all = 0;
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < each; i++)
      y[t][i] = t + i % 7, all += y[t][i];
#pragma omp parallel for num_threads(threads)
  for (int t = 0; t < threads; t++)
    gradient_of_sum(y[t], dy[t], &p, &dp, &total, &dtotal);
  failed |= expect("dp", dp, all);
  failed |= expect("dtotal", dtotal, 1);
  for (int t = 0; t < threads; t++)
    failed |= expect("dy", dy[t][t], 3);
  return failed;
}
