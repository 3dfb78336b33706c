// isl splits a triangular parallel loop into one whose iterations have something to do
// with several elements and a last iteration without a loop around. The loop inside of
// that is a sum in order: the threads must not share it.
// RUN: %clang -O2 -fno-vectorize -fopenmp -ffp-contract=off %s -o %t -lm -mllvm -pardiff-report=%t.json
// RUN: %t
// RUN: %FileCheck %s < %t.json
// CHECK: "scheme": "parallel"

#include <math.h>
#include <omp.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <string.h>

static void products(int n, int m, double (*restrict x)[m],
                     double (*restrict y)[m]) {
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < n; k++)
      for (int j = i; j < m; j++)
        y[i][j] += x[k][i] * x[k][j];
  }
  for (int i = 0; i < m; i++)
    for (int j = i + 1; j < m; j++)
      y[j][i] = y[i][j];
}

enum { N = 20000, M = 7 };
static double x[N * M], dx[N * M], y[M * M], dy[M * M], first[N * M + M * M];

static int check(int n, int m, int threads) {
  memset(dx, 0, sizeof dx);
  memset(y, 0, sizeof y);
  for (int i = 0; i < n * m; i++)
    x[i] = sin(0.1 * i);
  for (int i = 0; i < m * m; i++)
    dy[i] = cos(0.3 * i);
  omp_set_num_threads(threads);
  __pardiff_autodiff_void((void *)products, pardiff_const, n, pardiff_const, m,
                          pardiff_dup, x, dx, pardiff_dup, y, dy);
  double bad = 0;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      double want = 0;
      for (int k = 0; k < n; k++)
        want += x[k * m + i] * x[k * m + j];
      bad = fmax(bad, fabs(y[i * m + j] - want) / (1 + fabs(want)));
    }
    for (int k = 0; k < n; k++) {
      double want = 0;
      for (int j = 0; j < m; j++) {
        double seed = cos(0.3 * (i * m + j)) + cos(0.3 * (j * m + i));
        want += seed * x[k * m + j];
      }
      bad = fmax(bad, fabs(dx[k * m + i] - want));
    }
  }
  if (threads == 1) {
    memcpy(first, y, sizeof y);
    memcpy(first + M * M, dx, sizeof dx);
  }
  int same = !memcmp(first, y, sizeof y) && !memcmp(first + M * M, dx, sizeof dx);
  if (!(bad <= 1e-9) || !same)
    printf("n %d m %d, %d threads: off by %g, %s bits\n", n, m, threads, bad,
           same ? "the same" : "other");
  return !(bad <= 1e-9) || !same;
}

static int checkAll(int n, int m) {
  int bad = 0;
  for (int threads = 1; threads <= 8; threads++)
    bad += check(n, m, threads);
  return bad;
}

int main(void) {
  int bad = checkAll(N, M);
  for (int m = 0; m <= 3; m++)
    bad += checkAll(500, m) + checkAll(1, m) + checkAll(0, m);
  return bad != 0;
}
