/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* s := A^T r and q := A p, the two products of a BiCG step. */
#include "bench.h"

enum { n = 2000, m = 1800 };

static void bicg(int n, int m, double (*restrict A)[m], double *restrict s,
                 double *restrict q, double *restrict p, double *restrict r) {
  for (int j = 0; j < m; j++)
    s[j] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < m; j++) {
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
    }
  }
}

static double *A, *s, *q, *p, *r, *dA, *ds, *dq, *dp, *dr;
const char *const name = "bicg";
Field gradients[6];

void allocate(void) {
  A = numbers(n * m), s = numbers(m), q = numbers(n), p = numbers(m),
  r = numbers(n);
  dA = numbers(n * m), ds = numbers(m), dq = numbers(n), dp = numbers(m),
  dr = numbers(n);
  gradients[0] = (Field){dA, n * m};
  gradients[1] = (Field){ds, m};
  gradients[2] = (Field){dq, n};
  gradients[3] = (Field){dp, m};
  gradients[4] = (Field){dr, n};
}

void start(void) {
  fill(A, n * m, -1, 1, 1), fill(p, m, -1, 1, 2), fill(r, n, -1, 1, 3);
  memset(dA, 0, n * m * sizeof *dA), memset(dp, 0, m * sizeof *dp),
      memset(dr, 0, n * sizeof *dr);
  fill(ds, m, -1, 1, 4), fill(dq, n, -1, 1, 5);
}

void primal(void) { bicg(n, m, (void *)A, s, q, p, r); }

void ours(void) {
  __pardiff_autodiff((void *)bicg, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, A, dA, pardiff_dup, s, ds, pardiff_dup, q, dq,
                     pardiff_dup, p, dp, pardiff_dup, r, dr);
}

/* s and dp are sums over rows: each thread has its own. A row of A is read once
 * a sweep. */
void hand(void) {
  memset(s, 0, m * sizeof *s);
#pragma omp parallel for reduction(+ : s[ : m])
  for (int i = 0; i < n; i++) {
    const double *restrict a = A + (long)i * m;
    double sum = 0, ri = r[i];
    for (int j = 0; j < m; j++) {
      s[j] += ri * a[j];
      sum += a[j] * p[j];
    }
    q[i] = sum;
  }
#pragma omp parallel for reduction(+ : dp[ : m])
  for (int i = 0; i < n; i++) {
    const double *restrict a = A + (long)i * m;
    double *restrict da = dA + (long)i * m;
    double sum = 0, ri = r[i], dqi = dq[i];
    for (int j = 0; j < m; j++) {
      da[j] += ri * ds[j] + p[j] * dqi;
      sum += a[j] * ds[j];
      dp[j] += a[j] * dqi;
    }
    dr[i] += sum;
    dq[i] = 0;
  }
  memset(ds, 0, m * sizeof *ds);
}
