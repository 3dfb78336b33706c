// The numeric checks accept a right gradient and find each kind of wrong one: a wrong
// number, a lost accumulation, a primal result that changed, a write outside the array.
// RUN: %check-levels %s
// RUN: %not %check-levels --levels=1 %s -- -DWRONG_VALUE | %FileCheck %s --check-prefix=VALUE
// RUN: %not %check-levels --levels=1 %s -- -DLOST | %FileCheck %s --check-prefix=LOST
// RUN: %not %check-levels --levels=1 %s -- -DSEED_KEPT | %FileCheck %s --check-prefix=KEPT
// RUN: %not %check-levels --levels=1 %s -- -DPRIMAL | %FileCheck %s --check-prefix=PRIMAL
// RUN: %not %check-levels --levels=1 %s -- -DOUTSIDE | %FileCheck %s --check-prefix=OUTSIDE
// RUN: %not %check-levels --levels=1 %s -- -DOTHER_PRIMAL | %FileCheck %s --check-prefix=OTHER
// VALUE: dx against the reference[3]: got
// VALUE: 1 of 5 entries off
// LOST: dx against differences: 5 of 5 entries off
// KEPT: dy against differences: 5 of 5 entries off
// PRIMAL: primal result y of the gradient: failed
// OUTSIDE: no write outside of x: failed
// OTHER: primal results differ from those without the plugin

#include "check.h"

static int n;
static double *x, *dx, *y, *dy;

static double primal(void) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
#if defined(OTHER_PRIMAL) && !defined(CHECK_PLAIN)
  y[0] += 1;
#endif
  return 0;
}

static double gradient(void) {
  primal();
  for (int i = 0; i < n; ++i) {
#ifdef LOST
    dx[i] = 0;
#endif
    dx[i] += 2 * x[i] * dy[i];
#ifndef SEED_KEPT
    dy[i] = 0;
#endif
  }
#ifdef WRONG_VALUE
  dx[3] *= 1.001;
#endif
#ifdef PRIMAL
  y[2] += 1e-12;
#endif
#ifdef OUTSIDE
  dx[n] += 1;
#endif
  return 0;
}

static void reference(void) {
  for (int i = 0; i < n; ++i)
    dx[i] += 2 * x[i] * dy[i];
  memset(dy, 0, n * sizeof(double));
}

int main(void) {
  n = check_size(5);
  x = check_active("x", n, -1, 1, &dx);
  y = check_active("y", n, -1, 1, &dy);
  return check_gradient(primal, gradient, reference);
}
