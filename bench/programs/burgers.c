/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Burgers' equation in one dimension: every step needs its values in reverse.
 */
#include "bench.h"

enum { n = 400000, steps = 20 };
static const double r = 0.05, s = 0.1; /* dt / dx and nu dt / dx^2 */

static void burgers(int steps, int n, double r, double s, double *restrict u,
                    double *restrict v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      v[i] = u[i];
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i] - r * v[i] * (v[i] - v[i - 1]) +
             s * (v[i + 1] - 2 * v[i] + v[i - 1]);
  }
}

static double *u, *v, *du, *dv, *history;
const char *const name = "burgers";
Field gradients[3];

void allocate(void) {
  u = numbers(n), v = numbers(n), du = numbers(n), dv = numbers(n);
  history = numbers((long)steps * n);
  gradients[0] = (Field){du, n};
  gradients[1] = (Field){dv, n};
}

void start(void) {
  fill(u, n, 0, 1, 1), fill(v, n, 0, 1, 2), fill(du, n, -1, 1, 3),
      fill(dv, n, -1, 1, 4);
}

void primal(void) { burgers(steps, n, r, s, u, v); }

void ours(void) {
  __pardiff_autodiff((void *)burgers, pardiff_const, steps, pardiff_const, n,
                     pardiff_const, r, pardiff_const, s, pardiff_dup, u, du,
                     pardiff_dup, v, dv);
}

void hand(void) {
  for (int t = 0; t < steps; t++) {
    double *restrict h = history + (long)t * n;
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < n; i++)
        h[i] = v[i] = u[i];
#pragma omp for
      for (int i = 1; i < n - 1; i++)
        u[i] = h[i] - r * h[i] * (h[i] - h[i - 1]) +
               s * (h[i + 1] - 2 * h[i] + h[i - 1]);
    }
  }
  for (int t = steps - 1; t >= 0; t--) {
    const double *restrict h = history + (long)t * n;
    /* v[j] is used by u[j-1] (s), u[j] and u[j+1] (r h + s) */
    int last = n - 1;
    dv[0] += (r * h[1] + s) * du[1];
    dv[1] +=
        (1 - r * (2 * h[1] - h[0]) - 2 * s) * du[1] + (r * h[2] + s) * du[2];
    dv[last] += s * du[last - 1];
    dv[last - 1] +=
        (1 - r * (2 * h[last - 1] - h[last - 2]) - 2 * s) * du[last - 1] +
        s * du[last - 2];
#pragma omp parallel
    {
#pragma omp for
      for (int j = 2; j < n - 2; j++)
        dv[j] += s * du[j - 1] +
                 (1 - r * (2 * h[j] - h[j - 1]) - 2 * s) * du[j] +
                 (r * h[j + 1] + s) * du[j + 1];
      /* u[0] and u[n-1] keep their value and their adjoint */
#pragma omp for
      for (int j = 1; j < n - 1; j++) {
        du[j] = dv[j];
        dv[j] = 0;
      }
    }
    du[0] += dv[0], du[last] += dv[last];
    dv[0] = dv[last] = 0;
  }
}
