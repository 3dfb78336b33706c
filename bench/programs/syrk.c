/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lower triangle of C := alpha A A^T + beta C. */
#include "bench.h"

enum { n = 560, m = 480 };
static const double alpha = 1.5, beta = 1.2;

static void syrk(int n, int m, double alpha, double beta,
                 double (*restrict C)[n], double (*restrict A)[m]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}

static double *A, *C, *dA, *dC;
const char *const name = "syrk";
Field gradients[3];

void allocate(void) {
  A = numbers(n * m), C = numbers(n * n);
  dA = numbers(n * m), dC = numbers(n * n);
  gradients[0] = (Field){dA, n * m};
  gradients[1] = (Field){dC, n * n};
}

void start(void) {
  fill(A, n * m, -1, 1, 1), fill(C, n * n, -1, 1, 2);
  memset(dA, 0, n * m * sizeof *dA);
  fill(dC, n * n, -1, 1, 3);
}

void primal(void) { syrk(n, m, alpha, beta, (void *)C, (void *)A); }

void ours(void) {
  __pardiff_autodiff((void *)syrk, pardiff_const, n, pardiff_const, m,
                     pardiff_const, alpha, pardiff_const, beta, pardiff_dup, C,
                     dC, pardiff_dup, A, dA);
}

/* dA_i = alpha (sum_(j <= i) dC_ij A_j + sum_(j >= i) dC_ji A_j) */
void hand(void) {
#pragma omp parallel
  {
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double s = 0;
        for (int k = 0; k < m; k++)
          s += A[i * m + k] * A[j * m + k];
        C[i * n + j] = beta * C[i * n + j] + alpha * s;
      }
#pragma omp for
    for (int i = 0; i < n; i++) {
      double *restrict d = dA + i * m;
      for (int j = 0; j < n; j++) {
        double c = alpha * (j < i   ? dC[i * n + j]
                            : j > i ? dC[j * n + i]
                                    : 2 * dC[i * n + i]);
        for (int k = 0; k < m; k++)
          d[k] += c * A[j * m + k];
      }
    }
#pragma omp for
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        dC[i * n + j] *= beta;
  }
}
