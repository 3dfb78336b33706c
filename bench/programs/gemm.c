/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* C := alpha A B + beta C. */
#include "bench.h"

enum { n = 640 };
static const double alpha = 1.5, beta = 1.2;

static void gemm(int m, double alpha, double beta, double (*restrict C)[m],
                 double (*restrict A)[m], double (*restrict B)[m]) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j < m; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}

static double *A, *B, *C, *dA, *dB, *dC;
const char *const name = "gemm";
Field gradients[4];

void allocate(void) {
  A = numbers(n * n), B = numbers(n * n), C = numbers(n * n);
  dA = numbers(n * n), dB = numbers(n * n), dC = numbers(n * n);
  gradients[0] = (Field){dA, n * n};
  gradients[1] = (Field){dB, n * n};
  gradients[2] = (Field){dC, n * n};
}

void start(void) {
  fill(A, n * n, -1, 1, 1), fill(B, n * n, -1, 1, 2), fill(C, n * n, -1, 1, 3);
  memset(dA, 0, n * n * sizeof *dA), memset(dB, 0, n * n * sizeof *dB);
  fill(dC, n * n, -1, 1, 4);
}

void primal(void) { gemm(n, alpha, beta, (void *)C, (void *)A, (void *)B); }

void ours(void) {
  __pardiff_autodiff((void *)gemm, pardiff_const, n, pardiff_const, alpha,
                     pardiff_const, beta, pardiff_dup, C, dC, pardiff_dup, A,
                     dA, pardiff_dup, B, dB);
}

/* dA = alpha dC B^T, dB = alpha A^T dC, dC *= beta; rows of dA and dB in
 * parallel. */
void hand(void) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        C[i * n + j] *= beta;
      for (int k = 0; k < n; k++) {
        double a = alpha * A[i * n + k];
        for (int j = 0; j < n; j++)
          C[i * n + j] += a * B[k * n + j];
      }
    }
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) {
        double s = 0;
        for (int j = 0; j < n; j++)
          s += dC[i * n + j] * B[k * n + j];
        dA[i * n + k] += alpha * s;
      }
#pragma omp for
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++) {
        double a = alpha * A[i * n + k];
        for (int j = 0; j < n; j++)
          dB[k * n + j] += a * dC[i * n + j];
      }
#pragma omp for
    for (int i = 0; i < n * n; i++)
      dC[i] *= beta;
  }
}
