// A triangular matrix times a matrix, in place.
// RUN: %check-levels --nest=0 %s
//= kept for A B: B (m - 1) * n
//= kept for all: B (m - 1) * n

#include "check.h"

static void trmm(int m, int n, double *A, double *B) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < m; k++)
        B[i * n + j] += A[k * m + i] * B[k * n + j];
      B[i * n + j] *= 1.5;
    }
}

static int m, n;
static double *A, *d_A, *B, *d_B;

static double primal(void) {
  trmm(m, n, A, B);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)trmm, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, A, d_A, pardiff_dup, B, d_B);
  return 0;
}

int main(void) {
  m = check_size(7);
  n = check_size(6);
  A = check_active("A", m * m, -1, 1, &d_A);
  B = check_active("B", m * n, -1, 1, &d_B);
  return check_gradient(primal, gradient, 0);
}
