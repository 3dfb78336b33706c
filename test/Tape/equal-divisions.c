// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a value lies has two integer divisions that are equal where the sizes are (a step
// of two, two bounds): isl's smallest image wrote out of bounds there.
// RUN: %check-levels --levels=0,2 --modes=serial %s

#include "check.h"

static double kernel(int n, int m, int ld, double u, double *restrict x,
                     double *restrict y) {
  double sums[64];
  for (int i = 0; i < ld; ++i)
    sums[i] = 0.1 * i * u;
  for (int t = 0; t < 3; ++t) {
    double first = x[3 * ld + 3] * 0.5;
    for (int i = 0; i < m; i += 2) {
      for (int j = 0; j < n; j += 1) {
        for (int k = 0; k < m; k += 1)
          sums[i + 2] += 0.5 * tanh(x[(j + 2) * ld + i] * (y[k + 2] - first));
        double r = sums[j + 2] * 0.5;
        for (int k = 0; k < m; k += 1)
          x[(j + 2) * ld + k + 2] += (0.573 + sums[i + 2]) * 0.08;
        x[(i + 1) * ld + j + 4] += 0.2 * r;
      }
    }
  }
  return 0;
}

static int n, m, ld;
static double *x, *dx, *y, *dy;

static double primal(void) { return kernel(n, m, ld, 0.7, x, y); }

static double gradient(void) {
  __pardiff_autodiff((void *)kernel, pardiff_const, n, pardiff_const, m,
                     pardiff_const, ld, pardiff_const, 0.7, pardiff_dup, x, dx,
                     pardiff_dup, y, dy);
  return 0;
}

int main(void) {
  n = check_size(4), m = check_size(4), ld = check_size(10);
  x = check_active("x", ld * ld, -1, 1, &dx);
  y = check_active("y", ld, -1, 1, &dy);
  return check_gradient(primal, gradient, 0);
}
