// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rest of a test of double f(int n, double *x, double *y): both arrays are
// active. Included behind f, so it has no guard.

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
