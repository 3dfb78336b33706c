// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flattened grid with ghost cells, a column of it, and planes of constant number:
// 1 * (m + 2) + j becomes m + 2 + j before the rows are looked for, and with rows read
// as m elements a model may be exact and yet hold for no grid. The nest engine takes all
// of it at every size.
// RUN: %check-levels --nest=serial %s

#include "check.h"

#define AT(i, j) ((i) * (m + 2) + (j))

static void grid(long n, long m, double *restrict u, double *restrict v) {
  for (long j = 0; j < m + 2; ++j) {
    u[AT(0, j)] = u[AT(1, j)] * u[AT(2, j)];
    u[AT(n + 1, j)] = u[AT(n, j)] * 0.5;
  }
  for (long i = 1; i <= n; ++i)
    for (long j = 1; j <= m; ++j)
      v[AT(i, j)] = u[AT(i, j)] * (u[AT(i - 1, j)] + u[AT(i, m + 1 - j)]);
}

static void column(long n, long m, double (*restrict c)[m + 2],
                   double *restrict y) {
  for (long i = 0; i < n; ++i)
    y[i] *= c[i + 1][1];
}

static void planes(long n, long m, double (*restrict p)[n + 2][m + 2],
                   double *restrict y) {
  for (long i = 0; i < n; ++i)
    y[i] *= p[1][i + 1][1] + p[2][2][1];
}

static long n, m;
static double *u, *du, *v, *dv, *c, *dc, *p, *dp, *y, *dy;

static double primal(void) {
  grid(n, m, u, v);
  column(n, m, (void *)c, y);
  planes(n, m, (void *)p, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)grid, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, u, du, pardiff_dup, v, dv);
  double *first = malloc((n + 1) * sizeof *first);
  memcpy(first, y, n * sizeof *first);
  column(n, m, (void *)c, y);
  __pardiff_autodiff((void *)planes, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, p, dp, pardiff_dup, y, dy);
  __pardiff_autodiff((void *)column, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, c, dc, pardiff_dup, first, dy);
  free(first);
  return 0;
}

int main(void) {
  n = check_size(5), m = check_size(4);
  u = check_active("u", (n + 2) * (m + 2), -1, 1, &du);
  v = check_active("v", (n + 2) * (m + 2), -1, 1, &dv);
  c = check_active("c", (n + 2) * (m + 2), -1, 1, &dc);
  p = check_active("p", 3 * (n + 2) * (m + 2), -1, 1, &dp);
  y = check_active("y", n, -1, 1, &dy);
  return check_gradient(primal, gradient, 0);
}
