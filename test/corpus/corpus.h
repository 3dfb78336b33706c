/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Around a program of the corpus: double f(double *x, int n), which may write x, is
 * differentiated, and its gradient compared with central differences, twice. Each program
 * defines WRAP, the way in which f reaches double feature(double *x, int n).
 */
#ifdef __cplusplus
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
template <class Result, class... T> Result __pardiff_autodiff(T...);
#define AUTODIFF __pardiff_autodiff<void>
#else
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __pardiff_autodiff(void *, ...);
#define AUTODIFF __pardiff_autodiff
#endif
extern int pardiff_const, pardiff_dup;

static double feature(double *x, int n);

#if WRAP == 0 /* as it is */
static double f(double *x, int n) { return feature(x, n); }
#elif WRAP == 1 /* in a loop that runs until something happens */
static double f(double *x, int n) {
  double s = 0;
  int k = 0;
  do {
    s = 0.25 * s * s + feature(x, n) * x[k];
  } while (++k < 2 && s < 1e6);
  return s;
}
#elif WRAP == 2 /* inside a recursive function: two halves with a frame */
static double descend(double *x, int n, int depth) {
  if (depth == 0)
    return feature(x, n);
  double y = descend(x, n, depth - 1);
  return 0.5 * y * x[depth] + y;
}
static double f(double *x, int n) { return descend(x, n, 2); }
#else /* through a pointer */
typedef double (*Function)(double *, int);
static double other(double *x, int n) { return x[0] * n; }
static double call(Function g, double *x, int n) { return g(x, n); }
static Function choose(int k) { return k % 2 ? feature : other; }
static double f(double *x, int n) { return call(choose(n), x, n) + call(choose(n + 1), x, n); }
#endif

int main(void) {
  enum { n = 7 };
  double start[n], x[n], dx[n], worst = 0, norm = 0;
  int i, k;
  for (i = 0; i < n; ++i)
    start[i] = 0.7137 + 0.1319 * i - 0.02071 * i * i;
  for (k = 0; k < 2; ++k) {
    memcpy(x, start, sizeof x);
    memset(dx, 0, sizeof dx);
    AUTODIFF((void *)f, x, dx, (int)n);
  }
  for (i = 0; i < n; ++i) {
    double h = STEP, value[2], expected;
    for (k = 0; k < 2; ++k) {
      memcpy(x, start, sizeof x);
      x[i] += k ? h : -h;
      value[k] = f(x, n);
    }
    expected = (value[1] - value[0]) / (2 * h);
    if (!(fabs(expected - dx[i]) / (1 + fabs(expected)) < TOLERANCE))
      printf("dx[%d] = %.12g, expected %.12g\n", i, dx[i], expected), worst = 1;
    norm = fmax(norm, fabs(expected));
  }
  if (!(norm > 1e-3))
    printf("the gradient is zero\n"), worst = 1;
  return worst != 0;
}
