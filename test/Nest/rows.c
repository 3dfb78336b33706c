// Rows whose length is a sum, accessed at constant rows and from the end: what scalar
// evolution makes of the offsets does not show the rows. The nest engine still takes it.
// RUN: %check-levels --nest=serial %s

#include "check.h"

static void rows(long n, long m, double (*restrict x)[n + 8],
                 double (*restrict y)[m + 8]) {
  for (long j = 0; j < m; ++j)
    y[5][j + 4] *= x[5][4];
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      y[i + 6][j + 4] *= cos(x[j + 4][(n - 1 - i) + 4]) + x[3][i + 1];
}

static long n, m;
static double *x, *dx, *y, *dy;

static double primal(void) {
  rows(n, m, (void *)x, (void *)y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)rows, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
  return 0;
}

int main(void) {
  n = check_size(5), m = check_size(4);
  x = check_active("x", (m + 8) * (n + 8), -1, 1, &dx);
  y = check_active("y", (n + 8) * (m + 8), -1, 1, &dy);
  return check_gradient(primal, gradient, 0);
}
