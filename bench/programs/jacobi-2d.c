/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Five-point Jacobi iteration on a square, two half steps at a time. */
#include "bench.h"

enum { n = 1000, steps = 10 };

static void jacobi(int steps, int n, double (*restrict A)[n],
                   double (*restrict B)[n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] +
                         A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] +
                         B[i - 1][j]);
  }
}

static double *A, *B, *dA, *dB;
const char *const name = "jacobi-2d";
Field gradients[3];

void allocate(void) {
  A = numbers(n * n), B = numbers(n * n), dA = numbers(n * n),
  dB = numbers(n * n);
  gradients[0] = (Field){dA, n * n};
  gradients[1] = (Field){dB, n * n};
}

void start(void) {
  fill(A, n * n, 0, 1, 1), fill(B, n * n, 0, 1, 2);
  fill(dA, n * n, -1, 1, 3), fill(dB, n * n, -1, 1, 4);
}

void primal(void) { jacobi(steps, n, (void *)A, (void *)B); }

void ours(void) {
  __pardiff_autodiff((void *)jacobi, pardiff_const, steps, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, B, dB);
}

/* X(from) += stencil of dY, dY = 0: each point gathers from its inner
 * neighbours. */
static void gather(double (*restrict X)[n], double (*restrict Y)[n]) {
  /* rows and columns next to the edge have fewer neighbours: peeled */
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      int up = i >= 2, down = i <= n - 3, here = i >= 1 && i <= n - 2;
      if (up && down) {
        X[i][0] += 0.2 * Y[i][1];
        X[i][1] += 0.2 * (Y[i][1] + Y[i][2] + Y[i + 1][1] + Y[i - 1][1]);
        for (int j = 2; j < n - 2; j++)
          X[i][j] += 0.2 * (Y[i][j] + Y[i][j + 1] + Y[i][j - 1] + Y[i - 1][j] +
                            Y[i + 1][j]);
        X[i][n - 2] += 0.2 * (Y[i][n - 2] + Y[i][n - 3] + Y[i + 1][n - 2] +
                              Y[i - 1][n - 2]);
        X[i][n - 1] += 0.2 * Y[i][n - 2];
      } else {
        for (int j = 0; j < n; j++) {
          double s = 0;
          int in = j >= 1 && j <= n - 2;
          if (here && in)
            s += Y[i][j];
          if (here && j + 1 <= n - 2)
            s += Y[i][j + 1];
          if (here && j - 1 >= 1)
            s += Y[i][j - 1];
          if (in && i - 1 >= 1)
            s += Y[i - 1][j];
          if (in && i + 1 <= n - 2)
            s += Y[i + 1][j];
          X[i][j] += 0.2 * s;
        }
      }
    }
#pragma omp for
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        Y[i][j] = 0;
  }
}

void hand(void) {
  double (*a)[n] = (void *)A, (*b)[n] = (void *)B;
  for (int t = 0; t < steps; t++) {
#pragma omp parallel
    {
#pragma omp for
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j] +
                           a[i - 1][j]);
#pragma omp for
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j] +
                           b[i - 1][j]);
    }
  }
  for (int t = 0; t < steps; t++) {
    gather((void *)dB, (void *)dA);
    gather((void *)dA, (void *)dB);
  }
}
