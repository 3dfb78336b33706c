// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the gradient of double f(double *x, int n) with central differences,
// and forward mode in one direction with the gradient. x is restored before each
// evaluation.

#ifndef GRADIENT_H
#define GRADIENT_H

#include <cmath>
#include <cstdio>
#include <cstring>

template <class Result, class... T> Result __pardiff_autodiff(T...);
template <class Result, class... T> Result __pardiff_fwddiff(T...);

static int failures = 0;

template <double (*f)(double *, int)> void check(const char *name) {
  const int n = 7;
  double start[n], x[n], dx[n] = {0}, worst = 0, norm = 0;
  for (int i = 0; i < n; ++i)
    start[i] = x[i] = 0.7 + 0.13 * i - 0.02 * i * i;
  // Twice: nothing may be left from the first time. (What f overwrites takes
  // its adjoint with it, so dx starts from zero.)
  for (int k = 0; k < 2; ++k) {
    memcpy(x, start, sizeof x);
    memset(dx, 0, sizeof dx);
    __pardiff_autodiff<void>((void *)f, x, dx, n);
  }
  double direction[n], product = 0, size = 1e-3;
  for (int i = 0; i < n; ++i) {
    direction[i] = 0.3 * i - 0.8;
    product += dx[i] * direction[i];
    size += fabs(dx[i] * direction[i]);
  }
  memcpy(x, start, sizeof x);
  double tangent = __pardiff_fwddiff<double>((void *)f, x, direction, n);
  if (!(fabs(tangent - product) <= 1e-10 * size)) {
    printf("%s: forward mode gives %g, the gradient %g\n", name, tangent,
           product);
    failures = 1;
  }
  for (int i = 0; i < n; ++i) {
    double h = 1e-6, value[2];
    for (int k = 0; k < 2; ++k) {
      memcpy(x, start, sizeof x);
      x[i] += k ? h : -h;
      value[k] = f(x, n);
    }
    double expected = (value[1] - value[0]) / (2 * h);
    worst = fmax(worst, fabs(expected - dx[i]) / (1 + fabs(expected)));
    norm = fmax(norm, fabs(expected));
  }
  if (!(worst < 1e-6) || !(norm > 1e-3)) {
    printf("%s: wrong by %g (norm %g)\n", name, worst, norm);
    failures = 1;
  }
}

#define CHECK(f) check<f>(#f)

#endif // GRADIENT_H
