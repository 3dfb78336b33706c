// Forward substitution.
// RUN: %check-levels --nest=1 %s
//= kept for L x: nothing
//= kept for all: nothing

#include "check.h"

static void trisolv(int n, double *L, double *x, double *b) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i * n + j] * x[j];
    x[i] /= 1 + L[i * n + i];
  }
}

static int n;
static double *L, *d_L, *x, *d_x, *b, *d_b;

static double primal(void) {
  trisolv(n, L, x, b);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)trisolv, pardiff_const, n, pardiff_dup, L, d_L,
                     pardiff_dup, x, d_x, pardiff_dup, b, d_b);
  return 0;
}

int main(void) {
  n = check_size(10);
  L = check_active("L", n * n, 0.1, 0.5, &d_L);
  x = check_active("x", n, -1, 1, &d_x);
  b = check_active("b", n, -1, 1, &d_b);
  return check_gradient(primal, gradient, 0);
}
