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

#include "Inputs/two-arrays.h"
