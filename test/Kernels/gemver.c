// A rank-2 update in place, then x and w by products with the updated matrix and its
// transpose: every nest reads what the one before wrote.
// RUN: %check-levels --nest=0 %s
//= kept for A w x: nothing
//= kept for all: nothing

#include "check.h"

static void gemver(int n, double alpha, double beta, double A[n][n],
                   double u1[n], double v1[n], double u2[n], double v2[n],
                   double w[n], double x[n], double y[n], double z[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] = x[i] + beta * A[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
}

static int n;
static double *A, *dA, *u1, *du1, *v1, *dv1, *u2, *du2, *v2, *dv2, *w, *dw, *x,
    *dx, *y, *dy, *z, *dz, *alpha, *dalpha;

static double primal(void) {
  gemver(n, *alpha, 1.2, (void *)A, u1, v1, u2, v2, w, x, y, z);
  return 0;
}

static double gradient(void) {
  *dalpha += __pardiff_autodiff(
      (void *)gemver, pardiff_const, n, pardiff_out, *alpha, pardiff_const, 1.2,
      pardiff_dup, A, dA, pardiff_dup, u1, du1, pardiff_dup, v1, dv1,
      pardiff_dup, u2, du2, pardiff_dup, v2, dv2, pardiff_dup, w, dw,
      pardiff_dup, x, dx, pardiff_dup, y, dy, pardiff_dup, z, dz);
  return 0;
}

static void reference(void) {
  primal(); // A and x are final from here on
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      *dalpha += A[i * n + j] * x[j] * dw[i];
      dA[i * n + j] += *alpha * x[j] * dw[i];
      dx[j] += *alpha * A[i * n + j] * dw[i];
    }
  for (int i = 0; i < n; i++) {
    dz[i] += dx[i];
    for (int j = 0; j < n; j++) {
      dA[j * n + i] += 1.2 * y[j] * dx[i];
      dy[j] += 1.2 * A[j * n + i] * dx[i];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      du1[i] += v1[j] * dA[i * n + j];
      dv1[j] += u1[i] * dA[i * n + j];
      du2[i] += v2[j] * dA[i * n + j];
      dv2[j] += u2[i] * dA[i * n + j];
    }
}

int main(void) {
  n = check_size(9);
  A = check_active("A", n * n, -1, 1, &dA);
  u1 = check_active("u1", n, -1, 1, &du1);
  v1 = check_active("v1", n, -1, 1, &dv1);
  u2 = check_active("u2", n, -1, 1, &du2);
  v2 = check_active("v2", n, -1, 1, &dv2);
  w = check_active("w", n, -1, 1, &dw);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, -1, 1, &dy);
  z = check_active("z", n, -1, 1, &dz);
  alpha = check_active("alpha", 1, 0.5, 2, &dalpha);
  return check_gradient(primal, gradient, reference);
}
