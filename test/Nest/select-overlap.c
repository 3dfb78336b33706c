// Gradients of statements in which loads hit what the same iteration stored before, in
// some iterations and in different ways; also with each value kept by the instance that
// reads it, as is done where dataflow is too much work, and with loops that are not cut.
// RUN: %check-levels --nest=serial %s
// RUN: %clang -O2 -mllvm -pardiff-nest-only -mllvm -pardiff-tape-by-instance %s -o %t -lm && %t
// RUN: %clang -O2 -mllvm -pardiff-nest-only -mllvm -pardiff-atomic-loops %s -o %t -lm && %t
// RUN: %clang -O1 -mllvm -pardiff-nest-only -mllvm -pardiff-keep-order %s -o %t -lm && %t

#include "check.h"

static double kernel(int n, double *x, double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[(i + j) / 2] += 0.1 * y[i] * y[j];
      y[j] = 0.5 * x[i] * y[j] + 0.1 * y[n - 1 - j];
      sum += y[i] * x[n - 1 - i];
    }
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++) {
      x[i] = 0.3 * x[i] * x[n - 1 - i];
      y[n - 1 - i] = sin(x[i]);
      x[n - 1 - i] += y[i] * y[i];
    }
  return sum;
}

static int n;
static double *x, *dx, *y, *dy;

static double primal(void) { return kernel(n, x, y); }

static double gradient(void) {
  __pardiff_autodiff((void *)kernel, pardiff_const, n, pardiff_dup, x, dx,
                     pardiff_dup, y, dy);
  return 0;
}

int main(void) {
  n = check_size(7);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, 0.5, 1, &dy);
  return check_gradient(primal, gradient, 0);
}
