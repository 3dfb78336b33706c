/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* B := alpha A^T B in place, A unit lower triangular. */
#include "bench.h"

enum { m = 600, n = 600 };
static const double alpha = 1.5;

static void trmm(int m, int n, double alpha, double (*restrict A)[m],
                 double (*restrict B)[n]) {
  for (int i = 0; i < m; i++) {
    for (int k = i + 1; k < m; k++)
      for (int j = 0; j < n; j++)
        B[i][j] += A[k][i] * B[k][j];
    for (int j = 0; j < n; j++)
      B[i][j] *= alpha;
  }
}

static double *A, *B, *dA, *dB, *old, *seed;
const char *const name = "trmm";
Field gradients[3];

void allocate(void) {
  A = numbers(m * m), B = numbers(m * n), dA = numbers(m * m),
  dB = numbers(m * n);
  old = numbers(m * n), seed = numbers(m * n);
  gradients[0] = (Field){dA, m * m};
  gradients[1] = (Field){dB, m * n};
}

void start(void) {
  fill(A, m * m, -1, 1, 1), fill(B, m * n, -1, 1, 2);
  fill(dA, m * m, 0, 0, 0), fill(dB, m * n, -1, 1, 3);
}

void primal(void) { trmm(m, n, alpha, (void *)A, (void *)B); }

void ours(void) {
  __pardiff_autodiff_void((void *)trmm, pardiff_const, m, pardiff_const, n,
                          pardiff_const, alpha, pardiff_dup, A, dA, pardiff_dup,
                          B, dB);
}

/* Row i of B takes rows below it as they were, so a copy of B makes all rows
 * independent; row k of dB takes rows of the seed above it. */
void hand(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < m * n; i++) {
      old[i] = B[i];
      seed[i] = dB[i] *= alpha;
    }
#pragma omp for schedule(static, 4) nowait
    for (int i = 0; i < m; i++) {
      for (int k = i + 1; k < m; k++)
        for (int j = 0; j < n; j++)
          B[i * n + j] += A[k * m + i] * old[k * n + j];
      for (int j = 0; j < n; j++)
        B[i * n + j] *= alpha;
    }
#pragma omp for schedule(static, 4)
    for (int k = 0; k < m; k++)
      for (int i = 0; i < k; i++) {
        double s = 0, a = A[k * m + i];
        for (int j = 0; j < n; j++) {
          s += seed[i * n + j] * old[k * n + j];
          dB[k * n + j] += a * seed[i * n + j];
        }
        dA[k * m + i] += s;
      }
  }
}
