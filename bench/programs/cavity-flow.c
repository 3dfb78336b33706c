/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Flow in a box under a moving lid: steps of time, each with a number of sweeps
 * of a solver for the pressure inside. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { n = 100, steps = 10, sweeps = 20 };

static void cavity_flow(int t, int s, int n, double (*restrict u)[n],
                        double (*restrict v)[n], double (*restrict p)[n],
                        double (*restrict un)[n], double (*restrict vn)[n],
                        double (*restrict pn)[n], double (*restrict b)[n]) {
  const double dt = 0.01, dx = 0.1, nu = 0.1;
  for (int r = 0; r < t; r++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        un[i][j] = u[i][j];
        vn[i][j] = v[i][j];
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double ux = (u[i][j + 1] - u[i][j - 1]) / (2 * dx);
        double vy = (v[i + 1][j] - v[i - 1][j]) / (2 * dx);
        double uy = (u[i + 1][j] - u[i - 1][j]) / (2 * dx);
        double vx = (v[i][j + 1] - v[i][j - 1]) / (2 * dx);
        b[i][j] = (ux + vy) / dt - ux * ux - 2 * uy * vx - vy * vy;
      }
    for (int q = 0; q < s; q++) {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          pn[i][j] = p[i][j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          p[i][j] =
              (pn[i][j + 1] + pn[i][j - 1] + pn[i + 1][j] + pn[i - 1][j]) / 4 -
              dx * dx / 4 * b[i][j];
      for (int i = 0; i < n; i++) {
        p[i][n - 1] = p[i][n - 2];
        p[i][0] = p[i][1];
      }
      for (int j = 0; j < n; j++) {
        p[0][j] = p[1][j];
        p[n - 1][j] = 0;
      }
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double uc = un[i][j], vc = vn[i][j];
        u[i][j] = uc - uc * dt / dx * (uc - un[i][j - 1]) -
                  vc * dt / dx * (uc - un[i - 1][j]) -
                  dt / (2 * dx) * (p[i][j + 1] - p[i][j - 1]) +
                  nu * dt *
                      (un[i][j + 1] + un[i][j - 1] + un[i + 1][j] +
                       un[i - 1][j] - 4 * uc);
        v[i][j] = vc - uc * dt / dx * (vc - vn[i][j - 1]) -
                  vc * dt / dx * (vc - vn[i - 1][j]) -
                  dt / (2 * dx) * (p[i + 1][j] - p[i - 1][j]) +
                  nu * dt *
                      (vn[i][j + 1] + vn[i][j - 1] + vn[i + 1][j] +
                       vn[i - 1][j] - 4 * vc);
      }
    for (int i = 0; i < n; i++) {
      u[i][0] = 0;
      u[i][n - 1] = 0;
      v[i][0] = 0;
      v[i][n - 1] = 0;
    }
    for (int j = 0; j < n; j++) {
      u[0][j] = 0;
      u[n - 1][j] = 1;
      v[0][j] = 0;
      v[n - 1][j] = 0;
    }
  }
}

enum { cells = n * n };
static double *u, *v, *p, *un, *vn, *pn, *b, *du, *dv, *dp, *dun, *dvn, *dpn,
    *db;
const char *const name = "cavity-flow";
Array checked[] = {{&u, &du, cells},   {&v, &dv, cells},   {&p, &dp, cells},
                   {&un, &dun, cells}, {&vn, &dvn, cells}, {&pn, &dpn, cells},
                   {&b, &db, cells},   {0, 0, 0}};

void allocate(void) {
  for (Array *a = checked; a->values; a++)
    *a->values = numbers(a->count), *a->shadow = numbers(a->count);
}

void start(void) {
  for (Array *a = checked; a->values; a++)
    fill(*a->values, a->count, 0, 0, 0), fill(*a->shadow, a->count, 0, 0, 0);
  fill(u, cells, -.1, .1, 1), fill(v, cells, -.1, .1, 2),
      fill(p, cells, 0, 1, 3);
  fill(du, cells, -1, 1, 4), fill(dv, cells, -1, 1, 5),
      fill(dp, cells, -1, 1, 6);
}

void primal(void) {
  cavity_flow(steps, sweeps, n, (void *)u, (void *)v, (void *)p, (void *)un,
              (void *)vn, (void *)pn, (void *)b);
}

void ours(void) {
  __pardiff_autodiff_void((void *)cavity_flow, pardiff_const, steps,
                          pardiff_const, sweeps, pardiff_const, n, pardiff_dup,
                          u, du, pardiff_dup, v, dv, pardiff_dup, p, dp,
                          pardiff_dup, un, dun, pardiff_dup, vn, dvn,
                          pardiff_dup, pn, dpn, pardiff_dup, b, db);
}
