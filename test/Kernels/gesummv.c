// Two products of a matrix and a vector in one loop, with scalars.
// RUN: %check-levels --nest=0 %s
//= kept for A y: nothing
//= kept for all: nothing

#include "check.h"

static void gesummv(int n, double *A, double *B, double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j++) {
      s += A[i * n + j] * x[j];
      t += B[i * n + j] * x[j];
    }
    y[i] = 1.5 * s + 0.5 * t;
  }
}

static int n;
static double *A, *d_A, *B, *d_B, *x, *d_x, *y, *d_y;

static double primal(void) {
  gesummv(n, A, B, x, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)gesummv, pardiff_const, n, pardiff_dup, A, d_A,
                     pardiff_dup, B, d_B, pardiff_dup, x, d_x, pardiff_dup, y,
                     d_y);
  return 0;
}

int main(void) {
  n = check_size(9);
  A = check_active("A", n * n, -1, 1, &d_A);
  B = check_active("B", n * n, -1, 1, &d_B);
  x = check_active("x", n, -1, 1, &d_x);
  y = check_active("y", n, -1, 1, &d_y);
  return check_gradient(primal, gradient, 0);
}
