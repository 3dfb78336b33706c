// A loop that ends when a value is small enough: the number of iterations is data.
// RUN: %check-levels %s

#include "check.h"

static double f(int n, double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double r = y[i];
    while (fabs(r * r - x[i]) > 1e-13)
      r = 0.5 * (r + x[i] / r);
    s += r * (i + 1);
  }
  return s;
}

static int n;
static double *x, *dx, *y, *dy;

static double primal(void) { return f(n, x, y); }

static double gradient(void) {
  __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup,
                     y, dy);
  return 0;
}

int main(void) {
  n = check_size(12);
  x = check_active("x", n, 0.6, 1.4, &dx);
  y = check_active("y", n, 0.6, 1.4, &dy);
  check_tolerance = 1e-7;
  return check_gradient(primal, gradient, 0);
}
