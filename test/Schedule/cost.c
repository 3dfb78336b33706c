// What a triangular sum costs, exactly: n (n + 1) / 2 instances, on as many threads as there
// are rows the longest of them, one region in each sweep.
// RUN: %clang -O2 -g -fopenmp -c %s -o %t.o -mllvm -pardiff-report=%t.json
// RUN: %FileCheck %s < %t.json
// CHECK: "scale": {
// CHECK-NEXT: "adjoint": {
// CHECK-NEXT: "barriers": "1",
// CHECK-NEXT: "bytes": "16 * n * n + 16 * n",
// CHECK-NEXT: "span": "[[ROW:[0-9]+]] * n",
// CHECK-NEXT: "work": "[[HALF:[0-9.]+]] * n * n + [[HALF]] * n"
// CHECK: "barrier_work": 10000,
// CHECK-NEXT: "forward": {
// CHECK-NEXT: "barriers": "1",
// CHECK-NEXT: "bytes": "12 * n * n + 12 * n",
// CHECK: "tape_bytes": "0"
#include <pardiff/pardiff.h>

static void rows(int n, double (*restrict x)[n], double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i] += x[i][j] * x[i][j];
}

void use(int n, double *x, double *dx, double *y, double *dy) {
  __pardiff_autodiff_void((void *)rows, n, x, dx, y, dy);
}
