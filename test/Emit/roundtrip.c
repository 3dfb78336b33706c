// Nests that are recovered and emitted again behave as before, to the last bit, at every
// level: in the order of the program, in the order that Schedule chooses and in
// parallel. The sizes are large enough that parallel regions run on both threads.
// The flags forbid contraction, so that equal arithmetic gives equal bits.
//
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -ffp-contract=off -S -emit-llvm %s -o %t.ll
// RUN: %plain-clang -O1 -ffp-contract=off %s -lm -o %t.exe
// RUN: %t.exe > %t.expected
//
// RUN: %opt -passes='pardiff-prepare,pardiff-roundtrip' -verify-each -pass-remarks-missed=pardiff -S %t.ll -o %t.serial.ll 2> %t.remarks
// RUN: %FileCheck %s --check-prefix=REMARKS --allow-empty < %t.remarks
// RUN: %plain-clang -O0 -Wno-override-module %t.serial.ll -lm -o %t.serial0 && %t.serial0 > %t.out && diff %t.expected %t.out
// RUN: %plain-clang -O1 -Wno-override-module %t.serial.ll -lm -o %t.serial1 && %t.serial1 > %t.out && diff %t.expected %t.out
// RUN: %plain-clang -O2 -Wno-override-module %t.serial.ll -lm -o %t.serial2 && %t.serial2 > %t.out && diff %t.expected %t.out
// RUN: %plain-clang -O3 -Wno-override-module %t.serial.ll -lm -o %t.serial3 && %t.serial3 > %t.out && diff %t.expected %t.out
//
// RUN: %opt -passes='pardiff-prepare,pardiff-roundtrip<schedule>' -verify-each -S %t.ll -o %t.schedule.ll
// RUN: %plain-clang -O3 -Wno-override-module %t.schedule.ll -lm -o %t.schedule3 && %t.schedule3 > %t.out && diff %t.expected %t.out
//
// RUN: %opt -passes='pardiff-prepare,pardiff-roundtrip<parallel>' -verify-each -S %t.ll -o %t.parallel.ll
// RUN: %FileCheck %s --check-prefix=PARALLEL < %t.parallel.ll
// RUN: %plain-clang -O0 -Wno-override-module -fopenmp %t.parallel.ll -lm -o %t.parallel0 && %t.parallel0 > %t.out && diff %t.expected %t.out
// RUN: %plain-clang -O3 -Wno-override-module -fopenmp %t.parallel.ll -lm -o %t.parallel3 && %t.parallel3 > %t.out && diff %t.expected %t.out
//
// Only main and the printing are no nests.
// REMARKS-NOT: {{gemm|jacobi|softmax|triangle|mixed|table|divmod|empty|dot}}:
// Triangular nests are shared guided, others statically.
// PARALLEL-DAG: call {{.*}}@__kmpc_fork_call
// PARALLEL-DAG: call {{.*}}@__kmpc_for_static_init_8u(
// PARALLEL-DAG: call {{.*}}@__kmpc_dispatch_init_8u(

#include <math.h>
#include <stdio.h>

enum { N = 120 };
static double A[N][N], B[N][N], C[N][N], x[N], y[N];
static float f[N];
static int weights[N];

__attribute__((noinline)) void gemm(int n, int m, int p, double a[restrict n][m],
                                    double b[restrict m][p], double c[restrict n][p]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++) {
      double s = 0;
      for (int k = 0; k < m; k++)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

__attribute__((noinline)) void jacobi(int t, int n, double a[restrict n][n],
                                      double b[restrict n][n]) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.25 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
  }
}

__attribute__((noinline)) void softmax(int n, int m, double a[restrict n][m],
                                       double b[restrict n][m]) {
  for (int i = 0; i < n; i++) {
    double max = a[i][0], sum = 0;
    for (int j = 1; j < m; j++)
      max = a[i][j] > max ? a[i][j] : max;
    for (int j = 0; j < m; j++) {
      b[i][j] = exp(a[i][j] - max);
      sum += b[i][j];
    }
    for (int j = 0; j < m; j++)
      b[i][j] /= sum;
  }
}

// The work of an iteration depends on its number.
__attribute__((noinline)) void triangle(int n, double a[restrict n][n],
                                        double b[restrict n][n],
                                        double c[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = j; k <= i; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// Elements of several types, one of them integer.
__attribute__((noinline)) void mixed(int n, const float *restrict u,
                                     const int *restrict w, double *restrict v) {
  for (int i = 0; i < n; i++)
    v[i] += (double)u[i] * w[n - 1 - i];
}

// A constant size, a global array, a conditional value.
__attribute__((noinline)) void table(double limit) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      C[i][j] = C[i][j] < limit ? C[i][j] : limit + i - j;
}

// Subscripts with divisions and steps.
__attribute__((noinline)) void divmod(int n, double *restrict u, double *restrict v) {
  for (int i = 0; i < n; i++)
    u[i / 3] += v[i % 4] + i;
  for (int i = 0; i < n; i += 3)
    v[i] = u[i] - 1;
}

// No iteration at all.
__attribute__((noinline)) void empty(int n, double *restrict u) {
  for (int i = 5; i < n; i++)
    for (int j = i; j < n - 1; j++)
      u[i] += u[j];
}

__attribute__((noinline)) double dot(int n, const double *u, const double *v) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += u[i] * v[i];
  return s;
}

static void fill(double *p, int n, int seed) {
  for (int i = 0; i < n; i++)
    p[i] = (i * 37 + seed * 11) % 101 / 101.0 - 0.4;
}

static void print(const char *name, const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i] * (i % 89 + 1);
  printf("%s %a %a\n", name, s, p[n / 2]);
}

int main(void) {
  fill(&A[0][0], N * N, 1), fill(&B[0][0], N * N, 2), fill(&C[0][0], N * N, 3);
  fill(x, N, 4), fill(y, N, 5);
  for (int i = 0; i < N; i++)
    f[i] = i * 0.5f, weights[i] = i % 7 - 3;
  gemm(N, N, N, A, B, C), print("gemm", &C[0][0], N * N);
  jacobi(4, N, A, B), print("jacobi", &A[0][0], N * N);
  softmax(N, N, A, B), print("softmax", &B[0][0], N * N);
  triangle(N, A, B, C), print("triangle", &C[0][0], N * N);
  mixed(N, f, weights, x), print("mixed", x, N);
  table(0.2), print("table", &C[0][0], N * N);
  divmod(N, x, y), print("divmod", x, N), print("divmod", y, N);
  empty(4, x), empty(0, x), empty(-3, x), print("empty", x, N);
  gemm(0, 3, 0, A, B, C), gemm(1, 1, 1, A, B, C), print("gemm", &C[0][0], N * N);
  printf("dot %a\n", dot(N, x, y));
}
