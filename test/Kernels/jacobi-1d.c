// Two arrays smoothed in turns: the adjoint of a three-point stencil gathers.
// RUN: %check-levels --nest=1 %s
//= kept for A B: nothing
//= kept for all: nothing

#include "check.h"

static void jacobi_1d(int tsteps, int n, double *A, double *B) {
  for (int t = 0; t < tsteps; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}

static int tsteps, n;
static double *A, *dA, *B, *dB;

static double primal(void) {
  jacobi_1d(tsteps, n, A, B);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)jacobi_1d, pardiff_const, tsteps, pardiff_const, n,
                     pardiff_dup, A, dA, pardiff_dup, B, dB);
  return 0;
}

static void scatter(double *from, double *to) {
  for (int i = n - 2; i >= 1; i--) {
    to[i - 1] += 0.33333 * from[i];
    to[i] += 0.33333 * from[i];
    to[i + 1] += 0.33333 * from[i];
    from[i] = 0;
  }
}

static void reference(void) {
  for (int t = 0; t < tsteps; t++) {
    scatter(dA, dB);
    scatter(dB, dA);
  }
}

int main(void) {
  tsteps = check_size(5), n = check_size(20);
  A = check_active("A", n, -1, 1, &dA);
  B = check_active("B", n, -1, 1, &dB);
  return check_gradient(primal, gradient, reference);
}
