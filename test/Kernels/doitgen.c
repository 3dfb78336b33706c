// A product in place, by way of a vector that each pair of iterations uses anew.
// RUN: %check-levels --nest=1 %s
//= kept for A: nothing
//= kept for all: A r * q * p

#include "check.h"

static void doitgen(int r, int q, int p, double *A, double *C4) {
  for (int i = 0; i < r; i++)
    for (int j = 0; j < q; j++) {
      double sum[p];
      for (int k = 0; k < p; k++) {
        sum[k] = 0;
        for (int s = 0; s < p; s++)
          sum[k] += A[(i * q + j) * p + s] * C4[s * p + k];
      }
      for (int k = 0; k < p; k++)
        A[(i * q + j) * p + k] = sum[k];
    }
}

static int r, q, p;
static double *A, *d_A, *C4, *d_C4;

static double primal(void) {
  doitgen(r, q, p, A, C4);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)doitgen, pardiff_const, r, pardiff_const, q,
                     pardiff_const, p, pardiff_dup, A, d_A, pardiff_dup, C4,
                     d_C4);
  return 0;
}

int main(void) {
  r = check_size(4);
  q = check_size(3);
  p = check_size(5);
  A = check_active("A", r * q * p, -1, 1, &d_A);
  C4 = check_active("C4", p * p, -1, 1, &d_C4);
  return check_gradient(primal, gradient, 0);
}
