// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Missing shadows. A null shadow of memory stops the program with a message, in
// both engines, unless there is no memory. Structures may hold pointers without
// shadows: nests inside other control flow see that at run time. Memory that is
// marked inactive and carries active values from one nest to the next is an
// error, not a lost derivative.
//
// RUN: %clang -O2 %s -o %t && %t
// RUN: %not --crash %t 1 2>&1 | %FileCheck %s --check-prefix=NEST
// RUN: %not --crash %t 1 2 2>&1 | %FileCheck %s --check-prefix=FLOW
// NEST: pardiff: stopped: the shadow of argument 2 of 'nest' is a null pointer
// FLOW: pardiff: stopped: the shadow of argument 3 of 'loop' is a null pointer
// RUN: %clang -O0 %s -o %t0 && %t0
// RUN: %clang -O1 -g %s -o %t1 && %t1
// RUN: %clang -O3 %s -o %t3 && %t3
// RUN: %not %clang -O2 -DINACTIVE -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=INACTIVE
// INACTIVE: error: pardiff: an active value is stored in memory that is marked inactive
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>

static double nest(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
static double loop(int n, const double *x, double *y) {
  double s = 0;
  for (int k = 0; k < 40 && s < 100; k++) {
    for (int i = 0; i < n; i++)
      y[i] = x[i] * x[i] + 0.5 * y[i];
    s += y[k % n];
  }
  return s;
}

struct arrays {
  int n;
  double *a, *b;
};
// b may have no shadow: then it is inactive.
static double fields(struct arrays *p, double tol) {
  double s = 0;
  for (int k = 0; k < 40 && s < tol; k++)
    for (int i = 0; i < p->n; i++)
      s += p->a[i] * p->b[i] * (1 + s * 0.01);
  return s;
}

#define N 20
static double a[N], b[N], da[N], db[N];

static double at(double *place, double h, double tol) {
  struct arrays p = {N, a, b};
  double old = *place;
  *place = old + h;
  double v = fields(&p, tol);
  *place = old;
  return v;
}

static int check_fields(int with_b) {
  struct arrays p = {N, a, b}, dp = {0, da, with_b ? db : NULL};
  int bad = 0;
  for (int i = 0; i < N; i++)
    da[i] = db[i] = 0;
  __pardiff_autodiff_void((void *)fields, pardiff_dup, &p, &dp, pardiff_const, 50.0);
  for (int i = 0; i < N; i += 3) {
    double ea = (at(&a[i], 1e-6, 50) - at(&a[i], -1e-6, 50)) / 2e-6;
    double eb = (at(&b[i], 1e-6, 50) - at(&b[i], -1e-6, 50)) / 2e-6;
    bad |= !(fabs(ea - da[i]) < 1e-6 * fabs(ea)) || !(fabs(with_b ? eb - db[i] : db[i]) < 1e-6 * fabs(eb));
  }
  if (bad)
    printf("fields: wrong (%d)\n", with_b);
  return bad;
}

int main(int argc, char **argv) {
  double dx[N] = {0};
  for (int i = 0; i < N; i++)
    a[i] = 0.5 + 0.01 * i, b[i] = 1 - 0.02 * i;
  if (argc == 2)
    __pardiff_autodiff_void((void *)nest, N, a, (double *)NULL);
  if (argc == 3)
    __pardiff_autodiff_void((void *)loop, N, a, dx, b, (double *)NULL);
  __pardiff_autodiff_void((void *)nest, 0, (double *)NULL, (double *)NULL);
#ifdef INACTIVE
  __pardiff_autodiff_void((void *)loop, N, pardiff_dup, a, dx, pardiff_const, b);
#endif
  return check_fields(1) | check_fields(0);
}
