// C := alpha A B + beta C, with derivatives of the two scalars as a struct.
// RUN: %check-levels --nest=0 %s
//= kept for A C: nothing
//= kept for all: C m * n

#include "check.h"

static void gemm(int m, int n, int k, double alpha, double beta, double C[m][n],
                 double A[m][k], double B[k][n]) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      C[i][j] *= beta;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++)
        C[i][j] += alpha * A[i][l] * B[l][j];
  }
}

static int m, n, k;
static double *A, *dA, *B, *dB, *C, *dC, *alpha, *dalpha, *beta, *dbeta;

static double primal(void) {
  gemm(m, n, k, *alpha, *beta, (void *)C, (void *)A, (void *)B);
  return 0;
}

static double gradient(void) {
#ifndef CHECK_PLAIN
  struct two {
    double alpha, beta;
  };
  extern struct two __pardiff_autodiff_two(void *, ...);
  struct two d = __pardiff_autodiff_two(
      (void *)gemm, pardiff_const, m, pardiff_const, n, pardiff_const, k,
      pardiff_out, *alpha, pardiff_out, *beta, pardiff_dup, C, dC, pardiff_dup,
      A, dA, pardiff_dup, B, dB);
  *dalpha += d.alpha;
  *dbeta += d.beta;
#endif
  return 0;
}

static void reference(void) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double seed = dC[i * n + j];
      for (int l = 0; l < k; l++) {
        *dalpha += A[i * k + l] * B[l * n + j] * seed;
        dA[i * k + l] += *alpha * B[l * n + j] * seed;
        dB[l * n + j] += *alpha * A[i * k + l] * seed;
      }
      *dbeta += C[i * n + j] * seed;
      dC[i * n + j] = *beta * seed;
    }
}

int main(void) {
  m = check_size(7), n = check_size(8), k = check_size(9);
  A = check_active("A", m * k, -1, 1, &dA);
  B = check_active("B", k * n, -1, 1, &dB);
  C = check_active("C", m * n, -1, 1, &dC);
  alpha = check_active("alpha", 1, 0.5, 2, &dalpha);
  beta = check_active("beta", 1, 0.5, 2, &dbeta);
  return check_gradient(primal, gradient, reference);
}
