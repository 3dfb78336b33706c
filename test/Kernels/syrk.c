// The lower triangle of C := alpha A A^T + beta C, arrays flat with int subscripts: one
// array is read twice by one statement, the loops are triangular.
// RUN: %check-levels --nest=0 %s
//= kept for A C: nothing
//= kept for all: nothing

#include "check.h"

static void syrk(int n, int m, double alpha, double beta, double *C,
                 const double *A) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i * n + j] += alpha * A[i * m + k] * A[j * m + k];
  }
}

static int n, m;
static double *A, *dA, *C, *dC;

static double primal(void) {
  syrk(n, m, 1.5, 0.75, C, A);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)syrk, pardiff_const, n, pardiff_const, m,
                     pardiff_const, 1.5, pardiff_const, 0.75, pardiff_dup, C,
                     dC, pardiff_dup, A, dA);
  return 0;
}

static void reference(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < m; k++) {
        dA[i * m + k] += 1.5 * A[j * m + k] * dC[i * n + j];
        dA[j * m + k] += 1.5 * A[i * m + k] * dC[i * n + j];
      }
      dC[i * n + j] *= 0.75;
    }
}

int main(void) {
  n = check_size(9), m = check_size(7);
  A = check_active("A", n * m, -1, 1, &dA);
  C = check_active("C", n * n, -1, 1, &dC);
  return check_gradient(primal, gradient, reference);
}
