/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cholesky's factorisation, in place. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { n = 400 };

static void cholesky(int n, double (*A)[n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}

static double *A, *dA;
const char *const name = "cholesky";
Array checked[] = {{&A, &dA, n *n}, {0, 0, 0}};

void allocate(void) { A = numbers(n * n), dA = numbers(n * n); }

void start(void) {
  fill(A, n * n, -1, 1, 1), fill(dA, n * n, -1, 1, 2);
  for (int i = 0; i < n; i++)
    A[i * n + i] += n; /* positive definite */
}

void primal(void) { cholesky(n, (void *)A); }

void ours(void) {
  __pardiff_autodiff_void((void *)cholesky, pardiff_const, n, pardiff_dup, A,
                          dA);
}
