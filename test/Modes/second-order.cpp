// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second derivatives in three ways, of functions with branches and memory on the
// heap: forward over reverse against differences of gradients, forward over
// forward and reverse over forward against forward over reverse. Nothing leaks.
// Refused are recursive functions, and global variables with derivatives: they
// have one shadow only.
//
// RUN: %clangxx -std=c++17 -O0 -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 && %t0
// RUN: %clangxx -std=c++17 -O1 -Xclang -llvm-verify-each %s -o %t1 && %t1
// RUN: %clangxx -std=c++17 -O2 %s -o %t2 && %t2
// RUN: %clangxx -std=c++17 -O3 -fopenmp %s -o %t3 && %t3
// RUN: %clangxx -std=c++17 -O2 -mllvm -pardiff-force-fallback %s -o %t4 && %t4
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t1
// RUN: %not %clangxx -std=c++17 -DRECURSIVE -c %s -o %t5 2>&1 | %FileCheck %s
// RUN: %not %clangxx -std=c++17 -O0 -DGLOBALS -c %s -o %t5 2>&1 | %FileCheck %s --check-prefix=GLOBALS
// RUN: %not %clangxx -std=c++17 -O2 -mllvm -pardiff-force-fallback -DGLOBALS -c %s -o %t5 2>&1 | %FileCheck %s --check-prefix=GLOBALS
// GLOBALS-COUNT-2: error: pardiff: this access to memory cannot be reversed: the derivative of a global variable is differentiated in turn
// CHECK: error: pardiff: a call that is not inlined passes or returns a structure in a way that is not supported

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <class Result, class... T> Result __pardiff_autodiff(T...);
template <class Result, class... T> Result __pardiff_fwddiff(T...);

static double nest(double *x, int n) {
  double s = 0;
  for (int i = 1; i < n; ++i)
    s += x[i] * x[i] * x[i - 1] + std::sin(x[i]);
  return s;
}

static double branches(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    double t = x[i];
    while (t > 0.3)
      t *= 0.5 * x[i];
    s += x[i] > 0.8 ? s * t : t * t * x[i];
  }
  return s;
}

static double heap(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double *b = (double *)malloc(2 * sizeof(double));
    b[0] = x[i] * x[i];
    b[1] = std::exp(b[0] * s * 0.1);
    s += b[0] * b[1];
    free(b);
  }
  return s;
}

static double global = 1;
static void setGlobal(double v) { global = v * v; }
__attribute__((unused)) static double globals(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    setGlobal(x[i] + 0.1 * s);
    s += global * x[i];
  }
  return s;
}

__attribute__((unused)) static double recurse(double *x, int n) {
  return n == 0 ? 1 : x[n - 1] * x[n - 1] * recurse(x, n - 1) + x[0];
}

template <double (*f)(double *, int)> void gradient(double *x, double *g, int n) {
  __pardiff_autodiff<void>((void *)f, x, g, n);
}
template <double (*f)(double *, int)>
double directional(double *x, double *v, int n) {
  return __pardiff_fwddiff<double>((void *)f, x, v, n);
}

static int failures;
static void compare(const char *name, const char *what, double got, double want,
                    double tolerance) {
  if (!(std::fabs(got - want) <= tolerance * (1 + std::fabs(want)))) {
    printf("%s, %s: %.12g, not %.12g\n", name, what, got, want);
    failures = 1;
  }
}

template <double (*f)(double *, int)> void check(const char *name) {
  const int n = 5;
  double start[n], x[n], v[n], w[n], g[n], hv[n], zero[n] = {0};
  for (int i = 0; i < n; ++i) {
    start[i] = 0.7 + 0.13 * i - 0.02 * i * i;
    v[i] = 0.3 * i - 0.5;
    w[i] = 1 - 0.4 * i;
  }
  // Forward over reverse: the gradient, and the Hessian times v.
  memcpy(x, start, sizeof x);
  memset(g, 0, sizeof g);
  memset(hv, 0, sizeof hv);
  __pardiff_fwddiff<void>((void *)gradient<f>, x, v, g, hv, n);
  double whv = 0;
  for (int i = 0; i < n; ++i)
    whv += w[i] * hv[i];
  // Differences of gradients.
  double up[n] = {0}, down[n] = {0}, h = 1e-5;
  for (int i = 0; i < n; ++i)
    x[i] = start[i] + h * v[i];
  gradient<f>(x, up, n);
  for (int i = 0; i < n; ++i)
    x[i] = start[i] - h * v[i];
  gradient<f>(x, down, n);
  for (int i = 0; i < n; ++i)
    compare(name, "Hessian", hv[i], (up[i] - down[i]) / (2 * h), 1e-6);
  // Forward over forward.
  memcpy(x, start, sizeof x);
  double vv[n];
  memcpy(vv, v, sizeof v);
  double second =
      __pardiff_fwddiff<double>((void *)directional<f>, x, w, vv, zero, n);
  compare(name, "forward over forward", second, whv, 1e-11);
  // Reverse over forward.
  memcpy(x, start, sizeof x);
  double dx[n] = {0}, dv[n] = {0}, sum = 0;
  __pardiff_autodiff<void>((void *)directional<f>, x, dx, vv, dv, n);
  for (int i = 0; i < n; ++i) {
    sum += w[i] * dx[i];
    compare(name, "gradient by the direction", dv[i], g[i], 1e-11);
  }
  compare(name, "reverse over forward", sum, whv, 1e-11);
}
#define CHECK(f) check<f>(#f)

int main() {
  CHECK(nest);
  CHECK(branches);
  CHECK(heap);
#ifdef GLOBALS
  CHECK(globals);
#endif
#ifdef RECURSIVE
  CHECK(recurse);
#endif
  return failures;
}
