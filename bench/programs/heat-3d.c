/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The heat equation in a cube, two half steps at a time. */
#include "bench.h"

enum { n = 120, steps = 5 };

static void heat(int steps, int n, double (*restrict A)[n][n],
                 double (*restrict B)[n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          B[i][j][k] =
              0.125 * (A[i + 1][j][k] - 2 * A[i][j][k] + A[i - 1][j][k]) +
              0.125 * (A[i][j + 1][k] - 2 * A[i][j][k] + A[i][j - 1][k]) +
              0.125 * (A[i][j][k + 1] - 2 * A[i][j][k] + A[i][j][k - 1]) +
              A[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[i][j][k] =
              0.125 * (B[i + 1][j][k] - 2 * B[i][j][k] + B[i - 1][j][k]) +
              0.125 * (B[i][j + 1][k] - 2 * B[i][j][k] + B[i][j - 1][k]) +
              0.125 * (B[i][j][k + 1] - 2 * B[i][j][k] + B[i][j][k - 1]) +
              B[i][j][k];
  }
}

enum { N = n * n * n };
static double *A, *B, *dA, *dB;
const char *const name = "heat-3d";
Field gradients[3];

void allocate(void) {
  A = numbers(N), B = numbers(N), dA = numbers(N), dB = numbers(N);
  gradients[0] = (Field){dA, N};
  gradients[1] = (Field){dB, N};
}

void start(void) {
  fill(A, N, 0, 1, 1), fill(B, N, 0, 1, 2);
  fill(dA, N, -1, 1, 3), fill(dB, N, -1, 1, 4);
}

void primal(void) { heat(steps, n, (void *)A, (void *)B); }

void ours(void) {
  __pardiff_autodiff((void *)heat, pardiff_const, steps, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, B, dB);
}

/* Y := stencil of X, inside. */
static void step(double (*restrict Y)[n][n], double (*restrict X)[n][n]) {
#pragma omp for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        Y[i][j][k] =
            0.125 * (X[i + 1][j][k] + X[i - 1][j][k] + X[i][j + 1][k] +
                     X[i][j - 1][k] + X[i][j][k + 1] + X[i][j][k - 1]) +
            0.25 * X[i][j][k];
}

/* X += stencil of dY, dY := 0 inside. The rows next to the edge of dY are
 * those of a cube whose outermost layer counts as zero. */
static void gather(double (*restrict X)[n][n], double (*restrict Y)[n][n]) {
#pragma omp for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int up = i >= 2 && j >= 1 && j <= n - 2,
          down = i <= n - 3 && j >= 1 && j <= n - 2,
          left = j >= 2 && i >= 1 && i <= n - 2,
          right = j <= n - 3 && i >= 1 && i <= n - 2,
          here = i >= 1 && i <= n - 2 && j >= 1 && j <= n - 2;
      double *restrict x = X[i][j];
      if (up && down && left && right) {
        const double *restrict y = Y[i][j], *restrict u = Y[i - 1][j],
                               *restrict d = Y[i + 1][j],
                               *restrict l = Y[i][j - 1],
                               *restrict r = Y[i][j + 1];
        x[0] += 0.125 * y[1];
        x[1] += 0.125 * (u[1] + d[1] + l[1] + r[1] + y[2]) + 0.25 * y[1];
        for (int k = 2; k < n - 2; k++)
          x[k] += 0.125 * (u[k] + d[k] + l[k] + r[k] + y[k - 1] + y[k + 1]) +
                  0.25 * y[k];
        x[n - 2] += 0.125 * (u[n - 2] + d[n - 2] + l[n - 2] + r[n - 2] +
                             y[n - 3]) +
                    0.25 * y[n - 2];
        x[n - 1] += 0.125 * y[n - 2];
        continue;
      }
      if (up)
        for (int k = 1; k < n - 1; k++)
          x[k] += 0.125 * Y[i - 1][j][k];
      if (down)
        for (int k = 1; k < n - 1; k++)
          x[k] += 0.125 * Y[i + 1][j][k];
      if (left)
        for (int k = 1; k < n - 1; k++)
          x[k] += 0.125 * Y[i][j - 1][k];
      if (right)
        for (int k = 1; k < n - 1; k++)
          x[k] += 0.125 * Y[i][j + 1][k];
      if (here) {
        for (int k = 1; k < n - 1; k++)
          x[k - 1] += 0.125 * Y[i][j][k];
        for (int k = 1; k < n - 1; k++)
          x[k] += 0.25 * Y[i][j][k];
        for (int k = 1; k < n - 1; k++)
          x[k + 1] += 0.125 * Y[i][j][k];
      }
    }
#pragma omp for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        Y[i][j][k] = 0;
}

void hand(void) {
#pragma omp parallel
  {
    for (int t = 0; t < steps; t++) {
      step((void *)B, (void *)A);
      step((void *)A, (void *)B);
    }
    for (int t = 0; t < steps; t++) {
      gather((void *)dB, (void *)dA);
      gather((void *)dA, (void *)dB);
    }
  }
}
