// The five-point stencil in two dimensions.
// RUN: %check-levels --nest=1 %s
//= kept for A B: nothing
//= kept for all: nothing

#include "check.h"

static void jacobi_2d(int tsteps, int n, double A[n][n], double B[n][n]) {
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] +
                         A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] +
                         B[i - 1][j]);
  }
}

static int tsteps, n;
static double *A, *dA, *B, *dB;

static double primal(void) {
  jacobi_2d(tsteps, n, (void *)A, (void *)B);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)jacobi_2d, pardiff_const, tsteps, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, B, dB);
  return 0;
}

static void scatter(double *from, double *to) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      double seed = 0.2 * from[i * n + j];
      to[i * n + j] += seed;
      to[i * n + j - 1] += seed;
      to[i * n + j + 1] += seed;
      to[(i + 1) * n + j] += seed;
      to[(i - 1) * n + j] += seed;
      from[i * n + j] = 0;
    }
}

static void reference(void) {
  for (int t = 0; t < tsteps; t++) {
    scatter(dA, dB);
    scatter(dB, dA);
  }
}

int main(void) {
  tsteps = check_size(3), n = check_size(9);
  A = check_active("A", n * n, -1, 1, &dA);
  B = check_active("B", n * n, -1, 1, &dB);
  return check_gradient(primal, gradient, reference);
}
