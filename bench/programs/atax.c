/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* y := A^T (A x). */
#include "bench.h"

enum { m = 2000, n = 1800 };

static void atax(int m, int n, double (*restrict A)[n], double *restrict x,
                 double *restrict y, double *restrict t) {
  for (int j = 0; j < n; j++)
    y[j] = 0;
  for (int i = 0; i < m; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++)
      t[i] += A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] += A[i][j] * t[i];
  }
}

static double *A, *x, *y, *t, *dA, *dx, *dy, *dt;
const char *const name = "atax";
Field gradients[5];

void allocate(void) {
  A = numbers(m * n), x = numbers(n), y = numbers(n), t = numbers(m);
  dA = numbers(m * n), dx = numbers(n), dy = numbers(n), dt = numbers(m);
  gradients[0] = (Field){dA, m * n};
  gradients[1] = (Field){dx, n};
  gradients[2] = (Field){dy, n};
}

void start(void) {
  fill(A, m * n, -1, 1, 1), fill(x, n, -1, 1, 2);
  memset(dA, 0, m * n * sizeof *dA), memset(dx, 0, n * sizeof *dx);
  fill(dy, n, -1, 1, 3), memset(dt, 0, m * sizeof *dt);
}

void primal(void) { atax(m, n, (void *)A, x, y, t); }

void ours(void) {
  __pardiff_autodiff((void *)atax, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, x, dx, pardiff_dup, y, dy,
                     pardiff_dup, t, dt);
}

/* y = A^T t and dx = A^T dt are sums over rows: each thread has its own. A row
 * of A is read once a sweep. */
void hand(void) {
  memset(y, 0, n * sizeof *y);
#pragma omp parallel for reduction(+ : y[:n])
  for (int i = 0; i < m; i++) {
    const double *restrict a = A + (long)i * n;
    double s = 0;
    for (int j = 0; j < n; j++)
      s += a[j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] += a[j] * s;
    t[i] = s;
  }
#pragma omp parallel for reduction(+ : dx[:n])
  for (int i = 0; i < m; i++) {
    const double *restrict a = A + (long)i * n;
    double *restrict da = dA + (long)i * n;
    double s = 0, ti = t[i];
    for (int j = 0; j < n; j++)
      s += a[j] * dy[j];
    for (int j = 0; j < n; j++) {
      da[j] += ti * dy[j] + s * x[j];
      dx[j] += s * a[j];
    }
  }
  memset(dy, 0, n * sizeof *dy);
}
