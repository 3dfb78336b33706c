// Two values of an element, of which less is said than is kept.
//= kept for x: nothing
//= kept for all: x n

#include "check.h"

static void sines(int n, double *x, double *y) {
  double last = 1;
  for (int i = 0; i < n; i++) {
    last = sin(last) * y[i];
    x[i] = sin(x[i]) * y[i] + last;
  }
}

static int n;
static double *x, *dx, *y, *dy;

double gradient(void) {
  return __pardiff_autodiff((void *)sines, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup,
                            y, dy);
}
