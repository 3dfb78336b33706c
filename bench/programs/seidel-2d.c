/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Means of nine neighbours, in place: no loop is parallel as it stands. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { n = 400, steps = 20 };

static void seidel(int steps, int n, double (*A)[n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] +
                   A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1] +
                   A[i + 1][j] + A[i + 1][j + 1]) /
                  9;
}

static double *A, *dA;
const char *const name = "seidel-2d";
Array checked[] = {{&A, &dA, n *n}, {0, 0, 0}};

void allocate(void) { A = numbers(n * n), dA = numbers(n * n); }

void start(void) { fill(A, n * n, 0, 1, 1), fill(dA, n * n, -1, 1, 2); }

void primal(void) { seidel(steps, n, (void *)A); }

void ours(void) {
  __pardiff_autodiff_void((void *)seidel, pardiff_const, steps, pardiff_const,
                          n, pardiff_dup, A, dA);
}
