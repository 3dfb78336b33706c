/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small functions in whose adjoints every part matters: what mutate.py makes mistakes in.
 */
#include <math.h>

/* A time loop over a nonlinear stencil: a tape with an index for the time. */
void steps(int t, int n, double *restrict u, double *restrict v) {
  for (int k = 0; k < t; ++k) {
    for (int i = 1; i < n - 1; ++i)
      v[i] = u[i] + 0.1 * u[i] * (u[i + 1] - 2 * u[i - 1]);
    for (int i = 1; i < n - 1; ++i)
      u[i] = v[i] - 0.2 * v[i - 1] * v[i + 1];
  }
}

/* Rows with scalars of their own: taped scalars, private shadows, a parallel loop. */
void rows(int m, int n, double a[restrict m][n], double *restrict out) {
  for (int i = 0; i < m; ++i) {
    double sum = 1, last = 0.5;
    for (int j = 0; j < n; ++j) {
      sum = sum + a[i][j] * last;
      last = sum * 0.5 - a[i][j];
    }
    for (int j = 0; j < n; ++j)
      a[i][j] = exp(-a[i][j]) / (sum * last + 3);
    out[i] = sum * sum * last;
  }
}

/* A condition on data, and an update that reads its own element. */
void relaxed(int m, int n, double a[restrict m][n], double *restrict x) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double up = x[j] * a[i][j], down = x[j] - a[i][j] * a[i][j];
      x[j] = a[i][j] > 1 ? up : down;
    }
}

/* A recurrence in place, forwards and back. */
void sweep(int n, double *restrict d, double *restrict c) {
  for (int i = 1; i < n; ++i)
    d[i] = d[i] - c[i] * d[i - 1] * d[i];
  for (int i = n - 2; i >= 0; --i)
    d[i] = d[i] / (2 + c[i] * d[i + 1]);
}
