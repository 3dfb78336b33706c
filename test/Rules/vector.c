/* In IR that was vectorised before, with the vector functions of glibc.
 *
 * RUN: %plain-clang -O3 -ffast-math -fveclib=libmvec -S -emit-llvm %s -o %t.ll
 * RUN: %FileCheck %s --input-file=%t.ll
 * RUN: %opt -passes=pardiff %t.ll -o %t.bc
 * RUN: %plain-clang -O1 %t.bc -lmvec -lm -o %t && %t
 *
 * CHECK: call fast <2 x double> @_ZGVbN2v_sin(
 * CHECK: call fast <2 x double> @_ZGVbN2v_exp(
 */
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>

__attribute__((noinline)) void f(int n, double *x, double *y) {
#pragma clang loop vectorize_width(2) interleave(disable)
  for (int i = 0; i < n; i++)
    y[i] = sin(x[i]) * exp(x[i]) * x[i];
}

int main(void) {
  volatile int size = 9;
  int n = size, failures = 0;
  double x[9], dx[9] = {0}, y[9], dy[9];
  for (int i = 0; i < n; i++)
    x[i] = 0.3 * i - 1, dy[i] = i + 1;
  __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup, y, dy);
  for (int i = 0; i < n; i++) {
    double want = (i + 1) * exp(x[i]) *
                  ((cos(x[i]) + sin(x[i])) * x[i] + sin(x[i]));
    if (!(fabs(dx[i] - want) <= 1e-8 * (1 + fabs(want))))
      ++failures, printf("%d: %g, expected %g\n", i, dx[i], want);
  }
  return failures != 0;
}
