// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over rows of different lengths that read arrays: an operation of the nest each,
// which is one nest. Graph attention (a maximum, a sum, and a weighted sum for each
// feature), sums that are kept in memory, also of rows that are empty, a condition in the
// row, a loop in the loop over the row, a factor of each row, and one of all rows.
// RUN: %check-levels --nest=0 --atomic %s

#include "check.h"
#include <stdlib.h>

enum { D = 3 };

static void kernel(int n, const int *start, const int *column, const double *a,
                   const double *x, const double *w, const double *all,
                   double *y, double *z, double *u) {
  for (int i = 0; i < n; i++) {
    double largest = -1e30, sum = 1e-9;
    for (int k = start[i]; k < start[i + 1]; k++)
      largest = fmax(largest, x[i * D] * w[column[k]]);
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += exp(x[i * D] * w[column[k]] - largest);
    for (int d = 0; d < D; d++) {
      double s = 0;
      for (int k = start[i]; k < start[i + 1]; k++)
        s += exp(x[i * D] * w[column[k]] - largest) / sum * x[column[k] * D + d];
      y[i * D + d] = s;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int k = start[i]; k < start[i + 1]; k++)
      z[i] += a[k] * w[column[k]];
    u[i] = 0.1 * u[i] * u[i];
    for (int k = start[i]; k < start[i + 1]; k++)
      u[i] -= a[k] * a[k] * w[i] * all[1];
  }
  for (int i = 0; i < n; i++) {
    int low = start[i], high = start[i + 1];
    double s = z[i];
    for (int k = low; k < high; k++) {
      double t = 0;
      for (int d = 0; d < D; d++)
        t += x[i * D + d] * x[column[k] * D + d];
      if (a[k] > 0)
        s += w[column[k]] * t;
      if (column[k] != i)
        s *= 1 - 0.1 * a[k];
    }
    z[i] = s * u[i];
  }
}

static int n, *start, *column;
static double *a, *da, *x, *dx, *w, *dw, *all, *dall, *y, *dy, *z, *dz, *u, *du;

static double primal(void) {
  kernel(n, start, column, a, x, w, all, y, z, u);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)kernel, pardiff_const, n, pardiff_const, start,
                     pardiff_const, column, a, da, x, dx, w, dw, all, dall, y,
                     dy, z, dz, u, du);
  return 0;
}

int main(void) {
  n = check_size(30);
  start = malloc(sizeof(int) * (n + 1));
  start[0] = 2;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + i * 3 % 5;
  column = malloc(sizeof(int) * (start[n] + 1));
  for (int k = 0; k < start[n]; k++)
    column[k] = (k * 7919 % 13) * n / 13;
  a = check_active("a", start[n], -1, 1, &da);
  x = check_active("x", n * D, -1, 1, &dx);
  w = check_active("w", n, -1, 1, &dw);
  all = check_active("all", 2, 0.5, 1, &dall);
  y = check_active("y", n * D, -1, 1, &dy);
  z = check_active("z", n, -1, 1, &dz);
  u = check_active("u", n, -1, 1, &du);
  return check_gradient(primal, gradient, 0);
}
