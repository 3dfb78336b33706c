// Loops with several exits, continue and an early return.
// RUN: %check-levels %s

#include "check.h"

static double f(int n, double *x, double *y) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    if (x[i] > 1.35 && i > 3)
      return s * y[i];
    for (int j = 0; j < n; j++) {
      if (y[j] < 0.7)
        continue;
      s += 0.01 * x[i] * y[j] * s;
      if (s > 1.9)
        break;
    }
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
