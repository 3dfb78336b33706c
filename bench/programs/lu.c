/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gaussian elimination without pivots, in place. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { n = 400 };

static void lu(int n, double (*A)[n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

static double *A, *dA;
const char *const name = "lu";
Array checked[] = {{&A, &dA, n *n}, {0, 0, 0}};

void allocate(void) { A = numbers(n * n), dA = numbers(n * n); }

void start(void) {
  fill(A, n * n, -1, 1, 1), fill(dA, n * n, -1, 1, 2);
  for (int i = 0; i < n; i++)
    A[i * n + i] += n; /* no pivots needed */
}

void primal(void) { lu(n, (void *)A); }

void ours(void) {
  __pardiff_autodiff_void((void *)lu, pardiff_const, n, pardiff_dup, A, dA);
}
