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

#include "Inputs/two-arrays.h"
