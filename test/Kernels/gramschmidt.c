// Columns are made orthogonal in place: their values before are kept.
// RUN: %check-levels --nest=1 %s
//= kept for A Q R: A (n - 1) * m * (n - 1)
//= kept for all: A (n - 1) * m * (n - 1)

#include "check.h"

static void gramschmidt(int m, int n, double *A, double *Q, double *R) {
  for (int k = 0; k < n; k++) {
    double norm = 0;
    for (int i = 0; i < m; i++)
      norm += A[i * n + k] * A[i * n + k];
    R[k * n + k] = sqrt(norm);
    for (int i = 0; i < m; i++)
      Q[i * n + k] = A[i * n + k] / R[k * n + k];
    for (int j = k + 1; j < n; j++) {
      R[k * n + j] = 0;
      for (int i = 0; i < m; i++)
        R[k * n + j] += Q[i * n + k] * A[i * n + j];
      for (int i = 0; i < m; i++)
        A[i * n + j] -= Q[i * n + k] * R[k * n + j];
    }
  }
}

static int m, n;
static double *A, *d_A, *Q, *d_Q, *R, *d_R;

static double primal(void) {
  gramschmidt(m, n, A, Q, R);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)gramschmidt, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, A, d_A, pardiff_dup, Q, d_Q, pardiff_dup, R,
                     d_R);
  return 0;
}

int main(void) {
  m = check_size(8);
  n = check_size(5);
  A = check_active("A", m * n, 0.5, 2, &d_A);
  Q = check_active("Q", m * n, -1, 1, &d_Q);
  R = check_active("R", n * n, -1, 1, &d_R);
  check_step = 1e-5;
  check_tolerance = 1e-4;
  return check_gradient(primal, gradient, 0);
}
