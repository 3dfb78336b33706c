// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a length that depends on data, inside of a nest: an operation of the nest each,
// whose elements are done in parallel. Two arguments (forward mode), six (reverse mode), a
// loop that may be left at once, a length that is read, an integer among the results, a
// loop in the loop, single precision, and one that is not chosen where its derivative is
// not finite.
// RUN: %check-levels --nest=0 %s

#include "check.h"

static void kernel(int n, const int *restrict count, const double *restrict m,
                   const double *restrict c, double *restrict x,
                   double *restrict y, float *restrict z,
                   const double *restrict p) {
  for (int i = 0; i < n; ++i) {
    /* Kepler's equation by Newton's iteration. */
    double e = m[i], step;
    do {
      step = (e - c[i] * sin(e) - m[i]) / (1 - c[i] * cos(e));
      e -= step;
    } while (fabs(step) > 1e-12);
    x[i] = e * x[i];

    /* Left at once for small numbers, where p[i] is out of bounds; tells how
     * often it went round. */
    double r = count[i] < 4 ? y[i] : 0.1 * y[i];
    int rounds = 0;
    while (r > 0.4) {
      r *= 0.5 * p[i] + 0.1;
      rounds++;
    }

    /* Six numbers, a length from memory. */
    double a = x[i], b = m[i], d = c[i], f = r, g = y[i], h = 0.3;
    for (int k = 0; k < count[i]; ++k) {
      double t = a * d - b * sin(h);
      b = a + 0.1 * f;
      a = t + g * 0.2;
      for (double w = a; fabs(w) > 0.5; w *= 0.5)
        h += 0.1 * w * f;
      f *= g;
    }
    y[i] = a + b * h + rounds * r;

    /* 1 / 0 where it is not chosen. */
    double u = count[i] * m[i], v = u;
    do
      v = 1 / v;
    while (v * c[i] < -1);
    y[i] += count[i] > 0 ? v : 0;

    float s = z[i];
    do
      s = 0.5f * (s + 2 / s);
    while (s * s - 2 > 1e-3f);
    z[i] = s * (i + 1);
  }
}

static int n, *count;
static double *m, *dm, *c, *dc, *x, *dx, *y, *dy, *p, *dp;
static float z[16], dz[16];

static double primal(void) {
  for (int i = 0; i < n; ++i)
    z[i] = 3 + i;
  kernel(n, count, m, c, x, y, z, p);
  return 0;
}

static double gradient(void) {
  for (int i = 0; i < n; ++i)
    z[i] = 3 + i, dz[i] = 0;
  __pardiff_autodiff((void *)kernel, pardiff_const, n, pardiff_const, count, m,
                     dm, c, dc, x, dx, y, dy, z, dz, p, dp);
  for (int i = 0; i < n; ++i)
    /* Newton's iteration ends where its start does not matter. */
    check_true("the start of a converged iteration", fabs(dz[i]) < 1e-2);
  return 0;
}

int main(void) {
  n = check_size(9);
  count = malloc(n * sizeof *count);
  for (int i = 0; i < n; ++i)
    count[i] = i < 6 ? i % 4 : 4;
  m = check_active("m", n, 0.5, 2, &dm);
  c = check_active("c", n, 0.1, 0.6, &dc);
  x = check_active("x", n, 0.5, 1, &dx);
  y = check_active("y", n, 0.1, 2, &dy);
  /* Behind the sixth element is memory that must not be touched. */
  p = check_active("p", 6, 0.1, 0.6, &dp);
  return check_gradient(primal, gradient, 0);
}
