// y := A^T (A x): a reduction and a scatter of rows inside one loop.
// RUN: %check-levels --nest=0 %s
//= kept for A tmp y: nothing
//= kept for all: nothing

#include "check.h"

static void atax(int m, int n, double A[m][n], double x[n], double y[n],
                 double tmp[m]) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  for (int i = 0; i < m; i++) {
    tmp[i] = 0.0;
    for (int j = 0; j < n; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
}

static int m, n;
static double *A, *dA, *x, *dx, *y, *dy, *tmp, *dtmp;

static double primal(void) {
  atax(m, n, (void *)A, x, y, tmp);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)atax, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, x, dx, pardiff_dup, y, dy,
                     pardiff_dup, tmp, dtmp);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      dA[i * n + j] += tmp[i] * dy[j];
      dtmp[i] += A[i * n + j] * dy[j];
    }
    for (int j = 0; j < n; j++) {
      dA[i * n + j] += x[j] * dtmp[i];
      dx[j] += A[i * n + j] * dtmp[i];
    }
    dtmp[i] = 0;
  }
  memset(dy, 0, n * sizeof(double));
}

int main(void) {
  m = check_size(9), n = check_size(11);
  A = check_active("A", m * n, -1, 1, &dA);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, -1, 1, &dy);
  tmp = check_active("tmp", m, -1, 1, &dtmp);
  return check_gradient(primal, gradient, reference);
}
