// Distances on a sphere: sines, a square root and an angle for each pair of places.
// RUN: %check-levels --nest=0 %s
//= kept for a b c d r: nothing
//= kept for all: nothing

#include "check.h"

static void arc_distance(int n, double *a, double *b, double *c, double *d,
                         double *r) {
  for (int i = 0; i < n; i++) {
    double s = sin((c[i] - a[i]) / 2), t = sin((d[i] - b[i]) / 2);
    double h = s * s + cos(a[i]) * cos(c[i]) * t * t;
    r[i] = 2 * atan2(sqrt(h), sqrt(1 - h));
  }
}

static int n;
static double *a, *d_a, *b, *d_b, *c, *d_c, *d, *d_d, *r, *d_r;

static double primal(void) {
  arc_distance(n, a, b, c, d, r);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)arc_distance, pardiff_const, n, pardiff_dup, a,
                     d_a, pardiff_dup, b, d_b, pardiff_dup, c, d_c, pardiff_dup,
                     d, d_d, pardiff_dup, r, d_r);
  return 0;
}

int main(void) {
  n = check_size(40);
  a = check_active("a", n, 0.2, 1, &d_a);
  b = check_active("b", n, 0.2, 1, &d_b);
  c = check_active("c", n, 1.5, 2, &d_c);
  d = check_active("d", n, 2, 3, &d_d);
  r = check_active("r", n, -1, 1, &d_r);
  return check_gradient(primal, gradient, 0);
}
