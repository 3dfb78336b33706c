// All shortest paths: every element is the minimum of itself and of a sum of two elements
// of the same matrix, which may be the element itself.
// RUN: %check-levels --nest=serial %s
//= kept for p: p n * n * n
//= kept for all: p n * n * n

#include "check.h"

static void floyd_warshall(int n, double p[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double by = p[i][k] + p[k][j];
        p[i][j] = p[i][j] < by ? p[i][j] : by;
      }
}

static int n;
static double *p, *dp;

static double primal(void) {
  floyd_warshall(n, (void *)p);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)floyd_warshall, pardiff_const, n, pardiff_dup, p, dp);
  return 0;
}

int main(void) {
  n = check_size(9);
  p = check_active("p", n * n, 0.1, 2, &dp);
  return check_gradient(primal, gradient, 0);
}
