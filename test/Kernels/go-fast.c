// A scalar from a diagonal is added to every element.
// RUN: %check-levels --nest=1 %s
//= kept for a r: nothing
//= kept for all: nothing

#include "check.h"

static void go_fast(int n, double *a, double *r) {
  double trace = 0;
  for (int i = 0; i < n; i++)
    trace += tanh(a[i * n + i]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      r[i * n + j] = a[i * n + j] + trace;
}

static int n;
static double *a, *d_a, *r, *d_r;

static double primal(void) {
  go_fast(n, a, r);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)go_fast, pardiff_const, n, pardiff_dup, a, d_a,
                     pardiff_dup, r, d_r);
  return 0;
}

int main(void) {
  n = check_size(9);
  a = check_active("a", n * n, -1, 1, &d_a);
  r = check_active("r", n * n, -1, 1, &d_r);
  return check_gradient(primal, gradient, 0);
}
