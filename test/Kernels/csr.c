// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix with rows of different lengths (CSR) times a vector: the loop over a row
// is an operation of the nest that reads arrays. The adjoint adds to the shadows of the
// matrix and of the vector, atomically where rows are done in parallel. Some rows are
// empty, and x is also read in the ordinary way.
// RUN: %check-levels --nest=0 --atomic %s
//= kept for a x y: nothing
//= kept for all: nothing

#include "check.h"
#include <stdlib.h>

static void csr(int n, const int *start, const int *column, const double *a,
                const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0.5 * x[i] * x[i];
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += a[k] * x[column[k]] * x[column[k]];
    y[i] = sum;
  }
}

static int n, *start, *column;
static double *a, *da, *x, *dx, *y, *dy;

static double primal(void) {
  csr(n, start, column, a, x, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)csr, pardiff_const, n, pardiff_const, start,
                     pardiff_const, column, pardiff_dup, a, da, pardiff_dup, x,
                     dx, pardiff_dup, y, dy);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < n; i++) {
    for (int k = start[i]; k < start[i + 1]; k++) {
      int c = column[k];
      da[k] += x[c] * x[c] * dy[i];
      dx[c] += 2 * a[k] * x[c] * dy[i];
    }
    dx[i] += x[i] * dy[i];
    dy[i] = 0;
  }
}

int main(void) {
  n = check_size(300);
  start = malloc(sizeof(int) * (n + 1));
  start[0] = 0;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + i % 7;
  a = check_active("a", start[n], -1, 1, &da);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, -1, 1, &dy);
  column = malloc(sizeof(int) * (start[n] + 1));
  // Few columns: many rows accumulate into one element.
  for (int k = 0; k < start[n]; k++)
    column[k] = (k * 7919 % 13) * n / 13;
  return check_gradient(primal, gradient, reference);
}
