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

#include "Inputs/two-arrays.h"
