// A switch in a loop.
// RUN: %check-levels %s

#include "check.h"

static double f(int n, double *x, double *y) {
  double s = 1;
  for (int i = 0; i < n; i++)
    switch ((int)(4 * x[i])) {
    case 2:
      s *= x[i];
      break;
    case 3:
      s += x[i] * y[i];
      break;
    case 4:
      s -= exp(-y[i]);
    default:
      s *= 1 + 0.1 * sin(x[i]);
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
