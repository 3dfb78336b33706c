/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Three-point Jacobi iteration on a line, two half steps at a time. */
#include "bench.h"

enum { n = 1000000, steps = 10 };

static void jacobi(int steps, int n, double *restrict A, double *restrict B) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}

static double *A, *B, *dA, *dB;
const char *const name = "jacobi-1d";
Field gradients[3];

void allocate(void) {
  A = numbers(n), B = numbers(n), dA = numbers(n), dB = numbers(n);
  gradients[0] = (Field){dA, n};
  gradients[1] = (Field){dB, n};
}

void start(void) {
  fill(A, n, 0, 1, 1), fill(B, n, 0, 1, 2), fill(dA, n, -1, 1, 3),
      fill(dB, n, -1, 1, 4);
}

void primal(void) { jacobi(steps, n, A, B); }

void ours(void) {
  __pardiff_autodiff((void *)jacobi, pardiff_const, steps, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, B, dB);
}

/* X += stencil of Y, Y := 0 inside. */
static void gather(double *restrict X, double *restrict Y) {
#pragma omp single
  {
    X[0] += 0.33333 * Y[1];
    X[1] += 0.33333 * (Y[1] + Y[2]);
    X[n - 2] += 0.33333 * (Y[n - 3] + Y[n - 2]);
    X[n - 1] += 0.33333 * Y[n - 2];
  }
#pragma omp for
  for (int i = 2; i < n - 2; i++)
    X[i] += 0.33333 * (Y[i - 1] + Y[i] + Y[i + 1]);
#pragma omp for
  for (int i = 1; i < n - 1; i++)
    Y[i] = 0;
}

void hand(void) {
#pragma omp parallel
  {
    for (int t = 0; t < steps; t++) {
#pragma omp for
      for (int i = 1; i < n - 1; i++)
        B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
#pragma omp for
      for (int i = 1; i < n - 1; i++)
        A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
    for (int t = 0; t < steps; t++) {
      gather(dB, dA);
      gather(dA, dB);
    }
  }
}
