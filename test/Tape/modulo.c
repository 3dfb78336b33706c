// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements are overwritten depends on whether a counter is even. isl
// joins the pieces of such sets in a wrong way (Support/IslUtils.h), by which
// A[i + 4][i + 5] of the second loop counted as still in place for all i: a
// wrong gradient. What isl gives is compared with what it was given.
//
// RUN: %clang -O0 %s -o %t0 -lm && %t0
// RUN: %clang -O1 %s -o %t1 -lm && %t1
// RUN: %clang -O2 %s -o %t2 -lm && %t2
// RUN: %clang -O3 %s -o %t3 -lm && %t3
// RUN: %plain-clang -O1 -g0 -fno-discard-value-names -Xclang -disable-llvm-passes -DPLAN \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// CHECK-NOT: {{[1-9][0-9]*}} wrong
// CHECK: 18 kept values, 0 wrong
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __pardiff_autodiff(void *, ...);
extern int pardiff_const, pardiff_dup;
double f(long n, double (*restrict A)[n + 8]) {
  double front = 0;
  for (long i = 0; i < n; ++i)
    front += 0.1 * A[5][i + 4] * sin(A[5][i + 4]);
  for (long i = 0; i < n; ++i)
    A[i + 4][i + 2] = sin(A[i + 4][i + 5]);
  for (long i = 0; i < n; i += 2)
    for (long j = n - 1; j >= i; --j)
      if (i <= 2)
        A[i + 6][j + 4] += sin(A[j + 4][j + 4]);

  double loss = front;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      loss += A[i + 4][j + 4] * (0.3 + 0.05 * j);
  return loss;
}
#ifndef PLAN
int main(void) {
  int bad = 0;
  for (long n = 1; n < 9; n++) {
    int N = (n + 8) * (n + 8);
    double *A = malloc(N * 8), *d = calloc(N, 8), *s = malloc(N * 8);
    for (int k = 0; k < N; k++)
      s[k] = 0.3 + 0.01 * (k % 37);
    memcpy(A, s, N * 8);
    __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, A, d);
    for (int k = 0; k < N; k++) {
      double h = 1e-6;
      memcpy(A, s, N * 8);
      A[k] += h;
      double p = f(n, (void *)A);
      memcpy(A, s, N * 8);
      A[k] -= h;
      double m = f(n, (void *)A);
      double w = (p - m) / (2 * h);
      if (fabs(w - d[k]) > 1e-6)
        printf("n=%ld [%d][%d]: %g want %g\n", n, (int)(k / (n + 8)),
               (int)(k % (n + 8)), d[k], w),
            bad++;
    }
  }
  return bad != 0;
}
#endif
