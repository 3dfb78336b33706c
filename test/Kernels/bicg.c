// s := A^T r and q := A p in one loop nest.
// RUN: %check-levels --nest=0 %s
//= kept for A s q: nothing
//= kept for all: nothing

#include "check.h"

static void bicg(int m, int n, double A[n][m], double s[m], double q[n],
                 double p[m], double r[n]) {
  for (int i = 0; i < m; i++)
    s[i] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0.0;
    for (int j = 0; j < m; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
}

static int m, n;
static double *A, *dA, *s, *ds, *q, *dq, *p, *dp, *r, *dr;

static double primal(void) {
  bicg(m, n, (void *)A, s, q, p, r);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)bicg, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, s, ds, pardiff_dup, q, dq,
                     pardiff_dup, p, dp, pardiff_dup, r, dr);
  return 0;
}

static void reference(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      dA[i * m + j] += r[i] * ds[j] + p[j] * dq[i];
      dr[i] += A[i * m + j] * ds[j];
      dp[j] += A[i * m + j] * dq[i];
    }
  memset(ds, 0, m * sizeof(double));
  memset(dq, 0, n * sizeof(double));
}

int main(void) {
  m = check_size(10), n = check_size(8);
  A = check_active("A", m * n, -1, 1, &dA);
  s = check_active("s", m, -1, 1, &ds);
  q = check_active("q", n, -1, 1, &dq);
  p = check_active("p", m, -1, 1, &dp);
  r = check_active("r", n, -1, 1, &dr);
  return check_gradient(primal, gradient, reference);
}
