// The derivatives of an argument by value and of the weights of a stencil are sums over
// a whole parallel loop: they are right, and the same bits for any number of threads,
// more threads than iterations included. A loop of no or of one iteration works too.
// RUN: %clang -O2 -fopenmp %s -o %t -lm -mllvm -pardiff-report=%t.json
// RUN: %t
// RUN: %FileCheck %s < %t.json
// CHECK: "adjoint_loops"
// CHECK: "scheme": "{{parallel|chunked|gather}}"
// CHECK: "sum_partial_d_

#include <math.h>
#include <omp.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <string.h>

static void stencil(int n, int m, double scale, const double *w, double (*x)[m],
                    double (*y)[m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      y[i][j] = scale * (w[0] * x[i][j - 1] + w[1] * x[i][j] + w[2] * x[i][j + 1]);
}

enum { N = 301, M = 203 };
static double x[N * M], dx[N * M], y[N * M], dy[N * M];
static const double w[3] = {0.5, -1.25, 0.75};

static double gradient(int n, int m, double *dw) {
  memset(dw, 0, 3 * sizeof *dw);
  memset(dx, 0, sizeof dx);
  for (int i = 0; i < N * M; i++) {
    x[i] = sin(0.1 * i);
    dy[i] = cos(0.3 * i);
  }
  return __pardiff_autodiff((void *)stencil, pardiff_const, n, pardiff_const, m, 2.0,
                            pardiff_dup, w, dw, pardiff_dup, x, dx, pardiff_dup, y, dy);
}

static int check(int n, int m) {
  double scale = 0, sums[3] = {0, 0, 0}, first = 0, firstSums[3];
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 0; k < 3; k++) {
        double v = sin(0.1 * (i * m + j - 1 + k)) * cos(0.3 * (i * m + j));
        sums[k] += 2.0 * v;
        scale += w[k] * v;
      }
  int bad = 0;
  for (int threads = 1; threads <= 5; threads++) {
    double dw[3];
    omp_set_num_threads(threads);
    double d = gradient(n, m, dw);
    bad += !(fabs(d - scale) <= 1e-9 * (1 + fabs(scale)));
    for (int k = 0; k < 3; k++)
      bad += !(fabs(dw[k] - sums[k]) <= 1e-9 * (1 + fabs(sums[k])));
    if (threads == 1) {
      first = d;
      memcpy(firstSums, dw, sizeof dw);
    }
    bad += memcmp(&d, &first, sizeof d) != 0 || memcmp(dw, firstSums, sizeof dw) != 0;
  }
  if (bad)
    printf("n = %d, m = %d: %d differences\n", n, m, bad);
  return bad;
}

int main(void) {
  return check(N, M) + check(1, M) + check(0, M) + check(N, 3) + check(2, 2) != 0;
}
