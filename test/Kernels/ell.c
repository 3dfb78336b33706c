// A sparse matrix with rows of a fixed length (ELLPACK) times a vector, twice, and a
// look-up of rows of a table: gathers. The adjoint scatters, atomically where the loop is
// parallel; x is also read in the ordinary way, so its shadow is accumulated into in both.
// RUN: %check-levels --nest=0 --atomic %s
//= kept for all: nothing

#include "check.h"
#include <stdlib.h>

static void ell(int n, int k, const int *column, const double *a,
                const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0.5 * x[i] * x[i];
    for (int j = 0; j < k; j++) {
      double v = x[column[i * k + j]];
      sum += a[i * k + j] * v * v;
    }
    y[i] = sum;
  }
}

static int n, k, *column;
static double *a, *da, *x, *dx, *y, *dy;

static double primal(void) {
  ell(n, k, column, a, x, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)ell, pardiff_const, n, pardiff_const, k,
                     pardiff_const, column, pardiff_dup, a, da, pardiff_dup, x,
                     dx, pardiff_dup, y, dy);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < k; j++) {
      int c = column[i * k + j];
      da[i * k + j] += x[c] * x[c] * dy[i];
      dx[c] += 2 * a[i * k + j] * x[c] * dy[i];
    }
    dx[i] += x[i] * dy[i];
    dy[i] = 0;
  }
}

int main(void) {
  n = check_size(300);
  k = check_size(7);
  a = check_active("a", (long)n * k, -1, 1, &da);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, -1, 1, &dy);
  column = malloc(sizeof(int) * (n * k + 1));
  // Few columns: many rows accumulate into one element.
  for (int i = 0; i < n * k; i++)
    column[i] = (i * 7919 % 13) * n / 13;
  return check_gradient(primal, gradient, reference);
}
