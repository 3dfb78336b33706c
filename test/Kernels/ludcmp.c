// A factorisation with forward and backward substitution, on an array that is declared with
// its extents: flat, the diagonal in the loop that runs down could not be told from a row.
// RUN: %check-levels --nest=serial %s
//= kept for A x y: nothing
//= kept for all: nothing

#include "check.h"

static void ludcmp(int n, double A[n][n], const double *b, double *x,
                   double *y) {
  for (int i = 0; i < n; i++)
    A[i][i] += n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = A[i][j];
      for (int k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) {
      double w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    double w = b[i];
    for (int j = 0; j < i; j++)
      w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    double w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}

static int n;
static double *A, *d_A, *b, *d_b, *x, *d_x, *y, *d_y;

static double primal(void) {
  ludcmp(n, (double (*)[n])A, b, x, y);
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
