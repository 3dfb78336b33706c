// A clip and a sum, element by element: a chain of a maximum and a minimum.
// RUN: %check-levels --nest=0 %s
//= kept for y r: nothing
//= kept for all: nothing

#include "check.h"

static void compute(int n, int m, double *x, double *y, double *r) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = x[i * m + j];
      v = v < 2 ? 2 : v;
      v = v > 10 ? 10 : v;
      r[i * m + j] = v * 4 + y[i * m + j] * 3 + 9;
    }
}

static int n, m;
static double *x, *d_x, *y, *d_y, *r, *d_r;

static double primal(void) {
  compute(n, m, x, y, r);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)compute, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, x, d_x, pardiff_dup, y, d_y, pardiff_dup, r,
                     d_r);
  return 0;
}

int main(void) {
  n = check_size(6);
  m = check_size(7);
  x = check_active("x", n * m, 0, 12, &d_x);
  y = check_active("y", n * m, -1, 1, &d_y);
  r = check_active("r", n * m, -1, 1, &d_r);
  return check_gradient(primal, gradient, 0);
}
