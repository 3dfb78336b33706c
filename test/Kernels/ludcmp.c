// A factorisation with forward and backward substitution, which divides by a diagonal
// that it walks up: as a whole that is no nest, only parts of it are.
// RUN: %check-levels %s

#include "check.h"

static void ludcmp(int n, double *A, double *b, double *x, double *y) {
  for (int i = 0; i < n; i++)
    A[i * n + i] += n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = A[i * n + j];
      for (int k = 0; k < j; k++)
        w -= A[i * n + k] * A[k * n + j];
      A[i * n + j] = w / A[j * n + j];
    }
    for (int j = i; j < n; j++) {
      double w = A[i * n + j];
      for (int k = 0; k < i; k++)
        w -= A[i * n + k] * A[k * n + j];
      A[i * n + j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    double w = b[i];
    for (int j = 0; j < i; j++)
      w -= A[i * n + j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    double w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= A[i * n + j] * x[j];
    x[i] = w / A[i * n + i];
  }
}

static int n;
static double *A, *d_A, *b, *d_b, *x, *d_x, *y, *d_y;

static double primal(void) {
  ludcmp(n, A, b, x, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)ludcmp, pardiff_const, n, pardiff_dup, A, d_A,
                     pardiff_dup, b, d_b, pardiff_dup, x, d_x, pardiff_dup, y,
                     d_y);
  return 0;
}

int main(void) {
  n = check_size(7);
  A = check_active("A", n * n, 0.1, 1, &d_A);
  b = check_active("b", n, -1, 1, &d_b);
  x = check_active("x", n, -1, 1, &d_x);
  y = check_active("y", n, -1, 1, &d_y);
  return check_gradient(primal, gradient, 0);
}
