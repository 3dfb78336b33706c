// Pointers that walk, are chosen by data, and lie in a structure.
// RUN: %check-levels %s

#include "check.h"

struct pair {
  double *left, *right;
};

static double sum(const struct pair *p, int n) {
  double s = 0;
  for (const double *q = p->left; q != p->left + n; q++)
    s += *q * p->right[q - p->left];
  return s;
}

static double f(int n, double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double *z = x[i] > y[i] ? x : y;
    struct pair p = {z, x[i] > 1 ? y : x};
    s += sum(&p, n) * (i + 1);
    z[i] *= 0.9;
  }
  return s;
}

static int n;
static double *x, *dx, *y, *dy;

static double primal(void) { return f(n, x, y); }

static double gradient(void) {
  __pardiff_autodiff((void *)f, pardiff_const, n, pardiff_dup, x, dx, pardiff_dup,
                     y, dy);
  return 0;
}

int main(void) {
  n = check_size(12);
  x = check_active("x", n, 0.6, 1.4, &dx);
  y = check_active("y", n, 0.6, 1.4, &dy);
  check_tolerance = 1e-7;
  return check_gradient(primal, gradient, 0);
}
