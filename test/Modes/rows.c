// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over rows that read arrays, in all modes: several lanes, split sweeps (with memory
// that lasts and that does not), forward mode, forward over reverse, inactive arrays, and
// single precision. All agree with closed forms.
// RUN: %clang -O0 -fopenmp %s -o %t0 -lm && env OMP_NUM_THREADS=3 %t0
// RUN: %clang -O1 -g -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t1 -lm && %t1
// RUN: %clang -O2 -fopenmp %s -o %t2 -lm && env OMP_NUM_THREADS=3 %t2
// RUN: %clang -O3 -fopenmp %s -o %t3 -lm && env OMP_NUM_THREADS=1 %t3
// RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -o %t4 -lm && %t4
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <string.h>

enum { N = 40, NNZ = 130 };
static int start[N + 1], column[NNZ];

#define ROWS(name, T)                                                          \
  static void name(int n, const int *start, const int *column, const T *a,     \
                   const T *x, T *y) {                                         \
    for (int i = 0; i < n; i++) {                                              \
      T s = 0;                                                                 \
      for (int k = start[i]; k < start[i + 1]; k++)                            \
        s += a[k] * x[column[k]] * x[column[k]];                               \
      y[i] = s;                                                                \
    }                                                                          \
  }
ROWS(rows, double)
ROWS(single, float)

void __pardiff_reverse_void(void *, ...);

static double a[NNZ], x[N], y[N];
static int failures;
static void check(const char *what, double got, double want) {
  if (!(fabs(got - want) <= 1e-12 + 1e-11 * fabs(want)))
    failures = 1, printf("%s: %g instead of %g\n", what, got, want);
}

static void init(void) {
  for (int k = 0; k < NNZ; k++)
    a[k] = cos(k), column[k] = k * 7919 % 13 * N / 13;
  for (int i = 0; i < N; i++)
    x[i] = sin(i), start[i + 1] = start[i] + i * 5 % 7;
}

/// Adds the products of w with the derivatives to da and dx.
static void reference(const double *w, double *da, double *dx) {
  for (int i = 0; i < N; i++)
    for (int k = start[i]; k < start[i + 1]; k++) {
      int c = column[k];
      if (da)
        da[k] += w[i] * x[c] * x[c];
      dx[c] += w[i] * 2 * a[k] * x[c];
    }
}

static void compare(const char *what, const double *w, const double *da,
                    const double *dx) {
  double wa[NNZ] = {0}, wx[N] = {0};
  reference(w, wa, wx);
  for (int k = 0; da && k < NNZ; k++)
    check(what, da[k], wa[k]);
  for (int i = 0; i < N; i++)
    check(what, dx[i], wx[i]);
}

#define COMMON pardiff_const, N, pardiff_const, start, pardiff_const, column
static double w[3][N];
static double da[3][NNZ], dx[3][N], dy[3][N];
static void seed(void) {
  memset(da, 0, sizeof da);
  memset(dx, 0, sizeof dx);
  for (int l = 0; l < 3; l++)
    for (int i = 0; i < N; i++)
      w[l][i] = dy[l][i] = cos(i * l + 1);
}

static void gradient(const double *x, double *dx) {
  double y[N], dy[N];
  for (int i = 0; i < N; i++)
    dy[i] = 1;
  __pardiff_autodiff_void((void *)rows, COMMON, pardiff_const, a, pardiff_dup,
                          x, dx, pardiff_dup, y, dy);
}

int main(void) {
  init();
  seed();
  __pardiff_autodiff_void((void *)rows, pardiff_width, 3, COMMON, pardiff_dup,
                          a, da[0], da[1], da[2], pardiff_dup, x, dx[0], dx[1],
                          dx[2], pardiff_dup, y, dy[0], dy[1], dy[2]);
  for (int l = 0; l < 3; l++)
    compare("lanes", w[l], da[l], dx[l]);

  seed();
  __pardiff_autodiff_void((void *)rows, COMMON, pardiff_dup, a, da[0],
                          pardiff_const, x, pardiff_dup, y, dy[0]);
  for (int i = 0; i < N; i++) {
    for (int k = start[i]; k < start[i + 1]; k++)
      check("x inactive", da[0][k], w[0][i] * x[column[k]] * x[column[k]]);
    check("x inactive", dx[0][i], 0);
  }
  seed();
  __pardiff_autodiff_void((void *)rows, COMMON, pardiff_const, a, pardiff_dup,
                          x, dx[0], pardiff_dup, y, dy[0]);
  compare("a inactive", w[0], 0, dx[0]);

  seed();
  void *tape =
      __pardiff_augmentfwd((void *)rows, COMMON, pardiff_dup, a, da[0],
                           pardiff_dup, x, dx[0], pardiff_dup, y, dy[0]);
  double xs[N], as[NNZ];
  int cs[NNZ];
  memcpy(xs, x, sizeof x), memcpy(as, a, sizeof a), memcpy(cs, column, sizeof cs);
  for (int k = 0; k < NNZ; k++)
    a[k] = 7, column[k] = 1;
  for (int i = 0; i < N; i++)
    x[i] = 9;
  __pardiff_reverse_void((void *)rows, COMMON, pardiff_dup, a, da[0],
                         pardiff_dup, x, dx[0], pardiff_dup, y, dy[0], tape);
  memcpy(x, xs, sizeof x), memcpy(a, as, sizeof a), memcpy(column, cs, sizeof cs);
  compare("split", w[0], da[0], dx[0]);

  double ty[N], tx[N];
  for (int i = 0; i < N; i++)
    tx[i] = cos(3 * i);
  __pardiff_fwddiff((void *)rows, COMMON, pardiff_const, a, pardiff_dup, x, tx,
                    pardiff_dup, y, ty);
  for (int i = 0; i < N; i++) {
    double want = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      want += 2 * a[k] * x[column[k]] * tx[column[k]];
    check("forward", ty[i], want);
  }

  double g[N] = {0}, tg[N] = {0}, want[N] = {0};
  __pardiff_fwddiff((void *)gradient, pardiff_dup, x, tx, pardiff_dup, g, tg);
  for (int i = 0; i < N; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      want[column[k]] += 2 * a[k] * tx[column[k]];
  for (int i = 0; i < N; i++)
    check("forward over reverse", tg[i], want[i]);

  float fa[NNZ], fx[N], fy[N], dfa[NNZ] = {0}, dfx[N] = {0}, dfy[N];
  for (int k = 0; k < NNZ; k++)
    fa[k] = a[k];
  for (int i = 0; i < N; i++)
    fx[i] = x[i], dfy[i] = w[0][i];
  __pardiff_autodiff_void((void *)single, COMMON, pardiff_dup, fa, dfa,
                          pardiff_dup, fx, dfx, pardiff_dup, fy, dfy);
  double wa[NNZ] = {0}, wx[N] = {0};
  reference(w[0], wa, wx);
  for (int i = 0; i < N; i++)
    if (!(fabs(dfx[i] - wx[i]) < 1e-4) || !(fabs(dfa[i] - wa[i]) < 1e-4))
      failures = 1, printf("single: %g instead of %g\n", dfx[i], wx[i]);
  return failures;
}
