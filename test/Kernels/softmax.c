// Softmax of rows with the maximum taken off: a chain of max, a sum, and a division.
// RUN: %check-levels --nest=0 %s
//= kept for x y: local m (3 times)
//= kept for all: local m (3 times)

#include "check.h"

static void softmax(int m, int n, const double *x, double *y) {
  for (int i = 0; i < m; i++) {
    double top = x[i * n];
    for (int j = 1; j < n; j++)
      top = x[i * n + j] > top ? x[i * n + j] : top;
    double sum = 0;
    for (int j = 0; j < n; j++) {
      y[i * n + j] = exp(x[i * n + j] - top);
      sum += y[i * n + j];
    }
    for (int j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}

static int m, n;
static double *x, *dx, *y, *dy;

static double primal(void) {
  softmax(m, n, x, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)softmax, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, x, dx, pardiff_dup, y, dy);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < m; i++) {
    double dot = 0;
    for (int j = 0; j < n; j++)
      dot += y[i * n + j] * dy[i * n + j];
    for (int j = 0; j < n; j++) {
      dx[i * n + j] += y[i * n + j] * (dy[i * n + j] - dot);
      dy[i * n + j] = 0;
    }
  }
}

int main(void) {
  m = check_size(7), n = check_size(9);
  x = check_active("x", m * n, -2, 2, &dx);
  y = check_active("y", m * n, -1, 1, &dy);
  check_step = 1e-5; // keep the place of the maximum
  return check_gradient(primal, gradient, reference);
}
