// Durbin's recursion for a Toeplitz system: reads run against the loop, two scalars are
// carried from step to step.
// RUN: %check-levels --nest=1 %s
//= kept for r y z: local n (2 times), y (n - 1) * (n - 1)
//= kept for all: local n (2 times), y (n - 1) * (n - 1)

#include "check.h"

static void durbin(int n, double r[n], double y[n], double z[n]) {
  y[0] = -r[0];
  double beta = 1.0, alpha = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    double sum = 0.0;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
}

static int n;
static double *r, *dr, *y, *dy, *z, *dz;

static double primal(void) {
  durbin(n, r, y, z);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)durbin, pardiff_const, n, pardiff_dup, r, dr,
                     pardiff_dup, y, dy, pardiff_dup, z, dz);
  return 0;
}

int main(void) {
  n = check_size(9);
  r = check_active("r", n, -0.2, 0.2, &dr);
  y = check_active("y", n, -1, 1, &dy);
  z = check_active("z", n, -1, 1, &dz);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, 0);
}
