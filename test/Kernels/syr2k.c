// The lower triangle of C := alpha (A B^T + B A^T) + beta C.
// RUN: %check-levels --nest=0 %s
//= kept for A C: nothing
//= kept for all: nothing

#include "check.h"

static void syr2k(int n, int m, double *C, double *A, double *B) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i * n + j] *= 0.75;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i * n + j] += A[j * m + k] * 1.5 * B[i * m + k] +
                        B[j * m + k] * 1.5 * A[i * m + k];
  }
}

static int n, m;
static double *C, *d_C, *A, *d_A, *B, *d_B;

static double primal(void) {
  syr2k(n, m, C, A, B);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)syr2k, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, C, d_C, pardiff_dup, A, d_A, pardiff_dup, B,
                     d_B);
  return 0;
}

int main(void) {
  n = check_size(8);
  m = check_size(6);
  C = check_active("C", n * n, -1, 1, &d_C);
  A = check_active("A", n * m, -1, 1, &d_A);
  B = check_active("B", n * m, -1, 1, &d_B);
  return check_gradient(primal, gradient, 0);
}
