// Cholesky's factorisation in place: a value is overwritten many times, every read
// overlaps with the statement's own array.
// RUN: %check-levels --nest=2 %s
//= kept for A: nothing
//= kept for all: nothing

#include "check.h"

static void cholesky(int n, double A[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}

static int n;
static double *A, *dA;

static double primal(void) {
  cholesky(n, (void *)A);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)cholesky, pardiff_const, n, pardiff_dup, A, dA);
  return 0;
}

// By blocks of one: Smith's backward sweep over the factor L, which is in A.
static void reference(void) {
  primal();
  for (int i = n - 1; i >= 0; i--) {
    dA[i * n + i] /= 2 * A[i * n + i];
    for (int k = 0; k < i; k++)
      dA[i * n + k] -= 2 * A[i * n + k] * dA[i * n + i];
    for (int j = i - 1; j >= 0; j--) {
      dA[i * n + j] /= A[j * n + j];
      dA[j * n + j] -= A[i * n + j] * dA[i * n + j];
      for (int k = 0; k < j; k++) {
        dA[i * n + k] -= A[j * n + k] * dA[i * n + j];
        dA[j * n + k] -= A[i * n + k] * dA[i * n + j];
      }
    }
  }
}

int main(void) {
  n = check_size(8);
  A = check_active("A", n * n, -1, 1, &dA);
  for (int i = 0; i < n; i++)
    check_start(A)[i * n + i] += n; // positive definite
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, reference);
}
