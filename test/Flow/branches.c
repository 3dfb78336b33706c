// A condition on a value that a later iteration overwrites.
// RUN: %check-levels %s

#include "check.h"

static double f(int n, double *x, double *y) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    if (x[i + 1] * y[i] < 1)
      x[i + 1] = sin(x[i]) * y[i];
    else
      s += x[i + 1] * x[i];
  }
  return s;
}

#include "Inputs/two-arrays.h"
