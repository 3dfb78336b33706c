// A parallel loop inside of two serial ones is entered often. Where it has little work the
// runtime library is not even called, where it has much its iterations are shared: the
// derivatives are right on both sides.
// RUN: %clang -O2 -fopenmp %s -o %t -lm -mllvm -pardiff-report=%t.json
// RUN: %t
// RUN: %FileCheck %s < %t.json
// CHECK: "adjoint_loops"
// CHECK: "depth": 2,
// CHECK-NEXT: "scheme": "{{parallel|gather|chunked}}"
// RUN: %clang -O2 -fopenmp %s -S -emit-llvm -o - | %FileCheck %s --check-prefix=IR
// The runtime library decides in __kmpc_fork_call_if; here a branch does.
// IR-COUNT-2: call {{.*}} @__kmpc_fork_call(

#include <math.h>
#include <omp.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void neighbours(int n, int m, int k, double (*restrict x)[m][k],
                       double (*restrict y)[m][k], double *restrict row) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < m; c++) {
      for (int a = 0; a < k; a++)
        row[a] = x[i][c][a] * x[i][c][a];
      for (int a = 1; a < k - 1; a++)
        y[i][c][a] = row[a - 1] * row[a + 1];
    }
}

static int check(int n, int m, int k, int threads) {
  long size = (long)n * m * k, bad = 0;
  double *x = calloc(size + k, 8), *y = calloc(size + k, 8), *row = calloc(k + 1, 8);
  double *dx = calloc(size + k, 8), *dy = calloc(size + k, 8), *drow = calloc(k + 1, 8);
  double *seed = calloc(size + k, 8);
  for (long i = 0; i < size; i++) {
    x[i] = 1 + 0.5 * sin(i);
    dy[i] = seed[i] = i % k == 0 || i % k == k - 1 ? 0 : cos(3 * i);
  }
  omp_set_num_threads(threads);
  __pardiff_autodiff((void *)neighbours, pardiff_const, n, pardiff_const, m, pardiff_const, k,
                     pardiff_dup, x, dx, pardiff_dup, y, dy, pardiff_dup, row, drow);
  for (long i = 0; i < size; i++) {
    double want = 0;
    if (i % k + 2 < k)
      want += seed[i + 1] * x[i + 2] * x[i + 2];
    if (i % k >= 2)
      want += seed[i - 1] * x[i - 2] * x[i - 2];
    bad += !(fabs(dx[i] - 2 * x[i] * want) <= 1e-12);
  }
  if (bad)
    printf("%d, %d, %d, %d threads: %ld differences\n", n, m, k, threads, bad);
  free(x), free(y), free(row), free(dx), free(dy), free(drow), free(seed);
  return bad != 0;
}

int main(void) {
  return check(20, 30, 50, 2) + check(20, 30, 50, 1) + check(2, 3, 20000, 2) +
         check(2, 3, 20000, 3) + check(1, 1, 3, 2) + check(3, 0, 5, 2) +
         check(3, 3, 1, 2) + check(3, 3, 0, 2);
}
