// A stencil in place: no loop is parallel as it stands.
// RUN: %check-levels --nest=serial %s
//= kept for A: nothing
//= kept for all: nothing

#include "check.h"

static void seidel_2d(int t, int n, double *A) {
  for (int s = 0; s < t; s++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i * n + j] =
            (A[(i - 1) * n + j - 1] + A[(i - 1) * n + j] +
             A[(i - 1) * n + j + 1] + A[i * n + j - 1] + A[i * n + j] +
             A[i * n + j + 1] + A[(i + 1) * n + j - 1] + A[(i + 1) * n + j] +
             A[(i + 1) * n + j + 1]) /
            9;
}

static int t, n;
static double *A, *d_A;

static double primal(void) {
  seidel_2d(t, n, A);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)seidel_2d, pardiff_const, t, pardiff_const, n,
                     pardiff_dup, A, d_A);
  return 0;
}

int main(void) {
  t = check_size(3);
  n = check_size(8);
  A = check_active("A", n * n, -1, 1, &d_A);
  return check_gradient(primal, gradient, 0);
}
