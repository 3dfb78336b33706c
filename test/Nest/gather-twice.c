// A gather by distances in bytes, whose address is computed from nothing but what is
// read, and the second derivative of a gather.
// RUN: %clang -O0 %s -lm -o %t0 && %t0
// RUN: %clang -O2 %s -lm -o %t2 && %t2
// RUN: %clang -O2 -fopenmp %s -lm -o %t3 && env OMP_NUM_THREADS=2 %t3

#include "check.h"

static void bytes(int n, const long *at, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double v = *(const double *)((const char *)x + at[i]);
    y[i] = v * v;
  }
}

static void cubes(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[0] += x[at[i]] * x[at[i]] * x[at[i]];
}

static void derivative(int n, const int *at, const double *x, double *dx) {
  double y[1] = {0}, dy[1] = {1};
  __pardiff_autodiff((void *)cubes, pardiff_const, n, pardiff_const, at,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
}

int main(void) {
  long far[4] = {0, 16, 16, 8};
  int at[4] = {0, 2, 2, 1};
  double x[3] = {1, 2, 3}, dx[3] = {0}, y[4], dy[4] = {1, 1, 1, 1};
  __pardiff_autodiff((void *)bytes, pardiff_const, 4, pardiff_const, far,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
  check_close("bytes", dx, (double[]){2, 4, 12}, 3, 1e-12);

  double v[3] = {0}, d[3] = {0}, w[3] = {1, 1, 1};
  __pardiff_autodiff((void *)derivative, pardiff_const, 4, pardiff_const, at,
                     pardiff_dup, x, v, pardiff_dup, d, w);
  check_close("second", v, (double[]){6, 12, 36}, 3, 1e-12);
  return check_done();
}
