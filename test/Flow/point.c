// One element of a matrix at a place that is not known before is written between loops over
// all of it.
// RUN: %check-levels %s

#include "check.h"

static double point(int steps, int n, int m, double v[n][m], const double *x,
                    int a, int b) {
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[i][j] = v[i][j] * v[i][j] + 0.1 * (v[i - 1][j] + v[i][j - 1]);
    v[a][b] += x[t] * v[a][b];
    for (int j = 0; j < m; j++)
      sum += v[a][j];
  }
  return sum;
}

static int steps, n, m, a, b;
static double *v, *dv, *x, *dx;

static double primal(void) { return point(steps, n, m, (void *)v, x, a, b); }

static double gradient(void) {
  __pardiff_autodiff((void *)point, pardiff_const, steps, pardiff_const, n,
                     pardiff_const, m, pardiff_dup, v, dv, pardiff_dup, x, dx,
                     pardiff_const, a, pardiff_const, b);
  return 0;
}

int main(void) {
  steps = check_size(4), n = check_size(6), m = check_size(7);
  a = check_size(2), b = check_size(3);
  v = check_active("v", n * m, -1, 1, &dv);
  x = check_active("x", steps, -1, 1, &dx);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, 0);
}
