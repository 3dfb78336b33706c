// A symmetric matrix of which a triangle is read, times a matrix.
// RUN: %check-levels --nest=1 %s
//= kept for A C: nothing
//= kept for all: nothing

#include "check.h"

static void symm(int m, int n, double *C, double *A, double *B) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        C[k * n + j] += 1.5 * B[i * n + j] * A[i * m + k];
        sum += B[k * n + j] * A[i * m + k];
      }
      C[i * n + j] =
          0.75 * C[i * n + j] + 1.5 * B[i * n + j] * A[i * m + i] + 1.5 * sum;
    }
}

static int m, n;
static double *C, *d_C, *A, *d_A, *B, *d_B;

static double primal(void) {
  symm(m, n, C, A, B);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)symm, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, C, d_C, pardiff_dup, A, d_A, pardiff_dup, B,
                     d_B);
  return 0;
}

int main(void) {
  m = check_size(6);
  n = check_size(5);
  C = check_active("C", m * n, -1, 1, &d_C);
  A = check_active("A", m * m, -1, 1, &d_A);
  B = check_active("B", m * n, -1, 1, &d_B);
  return check_gradient(primal, gradient, 0);
}
