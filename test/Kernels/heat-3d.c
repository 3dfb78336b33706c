// The seven-point stencil in three dimensions, flat arrays.
// RUN: %check-levels --nest=1 %s
//= kept for A B: nothing
//= kept for all: nothing

#include "check.h"

static void step(int n, const double *A, double *B) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        B[(i * n + j) * n + k] =
            0.125 *
                (A[((i + 1) * n + j) * n + k] - 2.0 * A[(i * n + j) * n + k] +
                 A[((i - 1) * n + j) * n + k]) +
            0.125 * (A[(i * n + j + 1) * n + k] - 2.0 * A[(i * n + j) * n + k] +
                     A[(i * n + j - 1) * n + k]) +
            0.125 * (A[(i * n + j) * n + k + 1] - 2.0 * A[(i * n + j) * n + k] +
                     A[(i * n + j) * n + k - 1]) +
            A[(i * n + j) * n + k];
}

static void heat_3d(int tsteps, int n, double *A, double *B) {
  for (int t = 1; t <= tsteps; t++) {
    step(n, A, B);
    step(n, B, A);
  }
}

static int tsteps, n;
static double *A, *dA, *B, *dB;

static double primal(void) {
  heat_3d(tsteps, n, A, B);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)heat_3d, pardiff_const, tsteps, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, B, dB);
  return 0;
}

static void scatter(double *from, double *to) {
  int stride[3] = {n * n, n, 1};
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        int at = (i * n + j) * n + k;
        to[at] += 0.25 * from[at];
        for (int d = 0; d < 3; d++) {
          to[at - stride[d]] += 0.125 * from[at];
          to[at + stride[d]] += 0.125 * from[at];
        }
        from[at] = 0;
      }
}

static void reference(void) {
  for (int t = 0; t < tsteps; t++) {
    scatter(dA, dB);
    scatter(dB, dA);
  }
}

int main(void) {
  tsteps = check_size(2), n = check_size(6);
  A = check_active("A", n * n * n, -1, 1, &dA);
  B = check_active("B", n * n * n, -1, 1, &dB);
  return check_gradient(primal, gradient, reference);
}
