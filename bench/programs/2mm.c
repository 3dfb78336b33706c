/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* D := alpha A B C + beta D. */
#include "bench.h"

enum { n = 480 };
static const double alpha = 1.5, beta = 1.2;

static void two(int m, double alpha, double beta, double (*restrict T)[m],
                double (*restrict A)[m], double (*restrict B)[m],
                double (*restrict C)[m], double (*restrict D)[m]) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++)
      T[i][j] = 0;
    for (int k = 0; k < m; k++)
      for (int j = 0; j < m; j++)
        T[i][j] += alpha * A[i][k] * B[k][j];
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++)
      D[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j < m; j++)
        D[i][j] += T[i][k] * C[k][j];
  }
}

static double *T, *A, *B, *C, *D, *dT, *dA, *dB, *dC, *dD;
const char *const name = "2mm";
Field gradients[5];

void allocate(void) {
  T = numbers(n * n), A = numbers(n * n), B = numbers(n * n),
  C = numbers(n * n), D = numbers(n * n);
  dT = numbers(n * n), dA = numbers(n * n), dB = numbers(n * n),
  dC = numbers(n * n), dD = numbers(n * n);
  gradients[0] = (Field){dA, n * n};
  gradients[1] = (Field){dB, n * n};
  gradients[2] = (Field){dC, n * n};
  gradients[3] = (Field){dD, n * n};
}

void start(void) {
  fill(A, n * n, -1, 1, 1), fill(B, n * n, -1, 1, 2), fill(C, n * n, -1, 1, 3),
      fill(D, n * n, -1, 1, 4);
  memset(dA, 0, n * n * sizeof *dA), memset(dB, 0, n * n * sizeof *dB),
      memset(dC, 0, n * n * sizeof *dC), memset(dT, 0, n * n * sizeof *dT);
  fill(dD, n * n, -1, 1, 5);
}

void primal(void) {
  two(n, alpha, beta, (void *)T, (void *)A, (void *)B, (void *)C, (void *)D);
}

void ours(void) {
  __pardiff_autodiff((void *)two, pardiff_const, n, pardiff_const, alpha,
                     pardiff_const, beta, pardiff_dup, T, dT, pardiff_dup, A,
                     dA, pardiff_dup, B, dB, pardiff_dup, C, dC, pardiff_dup, D,
                     dD);
}

/* Row i of X += s * Y Z. */
static void rowTimes(int i, double s, double *restrict X,
                     const double *restrict Y, const double *restrict Z) {
  for (int k = 0; k < n; k++) {
    double y = s * Y[i * n + k];
    for (int j = 0; j < n; j++)
      X[i * n + j] += y * Z[k * n + j];
  }
}

/* Row i of X += s * Y Z^T. */
static void rowTimesTransposed(int i, double s, double *restrict X,
                               const double *restrict Y,
                               const double *restrict Z) {
  for (int k = 0; k < n; k++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += Y[i * n + j] * Z[k * n + j];
    X[i * n + k] += s * sum;
  }
}

/* Row k of X += s * Y^T Z. */
static void transposedTimes(int k, double s, double *restrict X,
                            const double *restrict Y,
                            const double *restrict Z) {
  for (int i = 0; i < n; i++) {
    double y = s * Y[i * n + k];
    for (int j = 0; j < n; j++)
      X[k * n + j] += y * Z[i * n + j];
  }
}

void hand(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        T[i * n + j] = 0, D[i * n + j] *= beta;
      rowTimes(i, alpha, T, A, B);
      rowTimes(i, 1, D, T, C);
      rowTimesTransposed(i, 1, dT, dD, C);
      rowTimesTransposed(i, alpha, dA, dT, B);
    }
#pragma omp for
    for (int k = 0; k < n; k++) {
      transposedTimes(k, 1, dC, T, dD);
      transposedTimes(k, alpha, dB, A, dT);
    }
#pragma omp for
    for (int i = 0; i < n * n; i++)
      dT[i] = 0, dD[i] *= beta;
  }
}
