// A factorisation in place; the adjoint uses the factors.
// RUN: %check-levels --nest=serial %s
//= kept for A: nothing
//= kept for all: nothing

#include "check.h"

static void lu(int n, double *A) {
  for (int i = 0; i < n; i++)
    A[i * n + i] += n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
      A[i * n + j] /= A[j * n + j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        A[i * n + j] -= A[i * n + k] * A[k * n + j];
  }
}

static int n;
static double *A, *d_A;

static double primal(void) {
  lu(n, A);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)lu, pardiff_const, n, pardiff_dup, A, d_A);
  return 0;
}

int main(void) {
  n = check_size(7);
  A = check_active("A", n * n, 0.1, 1, &d_A);
  return check_gradient(primal, gradient, 0);
}
