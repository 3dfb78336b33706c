// What is stored and multiplied under a condition that never holds may be constant, or may
// not exist at all.
// RUN: %check-levels --no-plain --nest=0 %s
//= kept for all: y n

#include "check.h"

static const double constants[100] = {1, 2, 3}, others[100] = {1};
static int n;
static double *x, *dx, *y, *dy;

void scale(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    if (x[i] > 2)
      y[i] *= x[i];
}

void sum(int n, const double *restrict x, const double *restrict y,
                double *restrict s) {
  for (int i = 0; i < n; i++)
    if (x[i] > 2)
      s[i] += y[i] * x[i];
    else
      s[i] -= x[i];
}

static void gradient(double *data, double *shadow) {
  y = data, dy = shadow;
  __pardiff_autodiff((void *)scale, pardiff_const, n, pardiff_dup, x, dx,
                     pardiff_dup, y, dy);
}

int main(void) {
  n = check_size(100);
  x = malloc(n * sizeof(double)), dx = calloc(n, sizeof(double));
  for (int i = 0; i < n; i++)
    x[i] = check_random(0, 1);
  double *zero = calloc(n, sizeof(double)), *one = calloc(n, sizeof(double)),
         *s = calloc(n, sizeof(double)), *ds = calloc(n, sizeof(double));
  gradient((double *)constants, (double *)others);
  check_close("constant", dx, zero, n, 0);
  gradient((double *)16, (double *)16384);
  check_close("nowhere", dx, zero, n, 0);
  for (int i = 0; i < n; i++)
    dx[i] = 0, ds[i] = 1, one[i] = -1;
  __pardiff_autodiff((void *)sum, pardiff_const, n, pardiff_dup, x, dx,
                     pardiff_dup, (double *)16, (double *)16384, pardiff_dup, s,
                     ds);
  check_close("sum", dx, one, n, 0);
  free(zero), free(one), free(s), free(ds);
  return check_done();
}
