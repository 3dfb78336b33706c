// One matrix by rows and by columns.
// RUN: %check-levels --nest=0 %s
//= kept for A x1 x2: nothing
//= kept for all: nothing

#include "check.h"

static void mvt(int n, double *x1, double *x2, double *z1, double *z2,
                double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x1[i] += A[i * n + j] * z1[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x2[i] += A[j * n + i] * z2[j];
}

static int n;
static double *x1, *d_x1, *x2, *d_x2, *z1, *d_z1, *z2, *d_z2, *A, *d_A;

static double primal(void) {
  mvt(n, x1, x2, z1, z2, A);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)mvt, pardiff_const, n, pardiff_dup, x1, d_x1,
                     pardiff_dup, x2, d_x2, pardiff_dup, z1, d_z1, pardiff_dup,
                     z2, d_z2, pardiff_dup, A, d_A);
  return 0;
}

int main(void) {
  n = check_size(9);
  x1 = check_active("x1", n, -1, 1, &d_x1);
  x2 = check_active("x2", n, -1, 1, &d_x2);
  z1 = check_active("z1", n, -1, 1, &d_z1);
  z2 = check_active("z2", n, -1, 1, &d_z2);
  A = check_active("A", n * n, -1, 1, &d_A);
  return check_gradient(primal, gradient, 0);
}
