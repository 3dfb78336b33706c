// A value that an inner loop leaves behind is kept for every iteration of the loops around it,
// beside another loop in the same body.
// RUN: %check-levels %s

#include "check.h"

static double nested(int n, int m, const double *x, const double *y) {
  double t = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      double s = x[i];
      for (int l = 0; l < m; l++)
        s += x[l] * y[j];
      t += sin(s);
    }
    for (int j = 0; j < n; j++) {
      double s = y[i];
      for (int l = 0; l < j; l++)
        s *= x[l] + y[j];
      t += sin(s);
    }
  }
  return t;
}

static int n, m;
static double *x, *dx, *y, *dy;

static double primal(void) { return nested(n, m, x, y); }

static double gradient(void) {
  __pardiff_autodiff((void *)nested, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
  return 0;
}

int main(void) {
  n = check_size(6), m = check_size(5);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, -1, 1, &dy);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, 0);
}
