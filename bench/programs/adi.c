/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Diffusion by steps that are implicit in one direction after the other. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { n = 200, steps = 10 };

static void adi(int steps, int n, double (*restrict u)[n],
                double (*restrict v)[n], double (*restrict p)[n],
                double (*restrict q)[n]) {
  const double a = -0.3, b = 1.6, c = a, d = -0.2, e = 1.4, f = d;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0][i] = 1;
      p[i][0] = 0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - f * u[j][i + 1] -
                   a * q[i][j - 1]) /
                  (a * p[i][j - 1] + b);
      }
      v[n - 1][i] = 1;
      for (int j = n - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1;
      p[i][0] = 0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - c * v[i + 1][j] -
                   d * q[i][j - 1]) /
                  (d * p[i][j - 1] + e);
      }
      u[i][n - 1] = 1;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

static double *u, *v, *p, *q, *du, *dv, *dp, *dq;
const char *const name = "adi";
Array checked[] = {{&u, &du, n *n},
                   {&v, &dv, n *n},
                   {&p, &dp, n *n},
                   {&q, &dq, n *n},
                   {0, 0, 0}};

void allocate(void) {
  u = numbers(n * n), v = numbers(n * n), p = numbers(n * n),
  q = numbers(n * n);
  du = numbers(n * n), dv = numbers(n * n), dp = numbers(n * n),
  dq = numbers(n * n);
}

void start(void) {
  fill(u, n * n, 0, 1, 1), fill(v, n * n, 0, 1, 2), fill(p, n * n, 0, 1, 3),
      fill(q, n * n, 0, 1, 4);
  fill(du, n * n, -1, 1, 5), fill(dv, n * n, 0, 0, 0), fill(dp, n * n, 0, 0, 0),
      fill(dq, n * n, 0, 0, 0);
}

void primal(void) { adi(steps, n, (void *)u, (void *)v, (void *)p, (void *)q); }

void ours(void) {
  __pardiff_autodiff_void((void *)adi, pardiff_const, steps, pardiff_const, n,
                          pardiff_dup, u, du, pardiff_dup, v, dv, pardiff_dup,
                          p, dp, pardiff_dup, q, dq);
}
