// Sums into elements that an array tells: by single elements and by rows, with elements
// that are hit several times and others that are not. Their derivatives are gathers.
// RUN: %check-levels --nest=0 %s
//= kept for all: nothing

#include "check.h"

static void histogram(int n, int m, const int *bin, const double *w, const double *x,
                      double *h, double *g, double *s) {
  for (int i = 0; i < n; i++)
    h[bin[i]] += w[i] * w[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = sin(x[i * m + j]);
      s[i * m + j] = v;
      g[bin[i] * m + j] -= v * w[i];
    }
}

static int n, m, bin[32];
static double *w, *dw, *x, *dx, *h, *dh, *g, *dg, *s, *ds;

static double primal(void) {
  histogram(n, m, bin, w, x, h, g, s);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)histogram, pardiff_const, n, pardiff_const, m, pardiff_const,
                     bin, pardiff_dup, w, dw, pardiff_dup, x, dx, pardiff_dup, h, dh,
                     pardiff_dup, g, dg, pardiff_dup, s, ds);
  return 0;
}

int main(void) {
  n = check_size(17);
  m = check_size(3);
  for (int i = 0; i < n; i++)
    bin[i] = i * i % 7;
  w = check_active("w", n, -1, 1, &dw);
  x = check_active("x", n * m, -1, 1, &dx);
  h = check_active("h", 7, -1, 1, &dh);
  g = check_active("g", 7 * m, -1, 1, &dg);
  s = check_active("s", n * m, -1, 1, &ds);
  return check_gradient(primal, gradient, 0);
}
