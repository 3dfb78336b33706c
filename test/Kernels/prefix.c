// A recurrence whose value is the product of all before it: serial in both directions,
// and every step's value is needed in reverse.
// RUN: %check-levels --nest=serial %s
//= kept for all: local n

#include "check.h"

static double prefix(int n, const double *a, const double *b, double *s) {
  double last = 1;
  for (int i = 0; i < n; i++) {
    last = a[i] * last + sin(b[i]) * last * last;
    s[i] = last;
  }
  return last;
}

static int n;
static double *a, *da, *b, *db, *s, *ds;

static double primal(void) { return prefix(n, a, b, s); }

static double gradient(void) {
  __pardiff_autodiff((void *)prefix, pardiff_const, n, pardiff_dup, a, da,
                     pardiff_dup, b, db, pardiff_dup, s, ds);
  return 0;
}

static void reference(void) {
  primal();
  double seed = 1; // of the value
  for (int i = n - 1; i >= 0; i--) {
    double before = i ? s[i - 1] : 1;
    seed += ds[i];
    ds[i] = 0;
    da[i] += before * seed;
    db[i] += cos(b[i]) * before * before * seed;
    seed *= a[i] + 2 * sin(b[i]) * before;
  }
}

int main(void) {
  n = check_size(20);
  a = check_active("a", n, 0.5, 1, &da);
  b = check_active("b", n, -0.5, 0.5, &db);
  s = check_active("s", n, -1, 1, &ds);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, reference);
}
