// A flow in a box: steps with a solver of a fixed number of sweeps inside, and borders.
// RUN: %check-levels --nest=2 %s
//= kept for u v p un vn pn b: u t * n * n, v t * n * n
//= kept for all: u t * n * n, v t * n * n

#include "check.h"

static void cavity_flow(int t, int s, int n, double *u, double *v, double *p,
                        double *un, double *vn, double *pn, double *b) {
  const double dt = 0.01, dx = 0.3, nu = 0.1;
  for (int r = 0; r < t; r++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        un[i * n + j] = u[i * n + j];
        vn[i * n + j] = v[i * n + j];
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double ux = (u[i * n + j + 1] - u[i * n + j - 1]) / (2 * dx);
        double vy = (v[(i + 1) * n + j] - v[(i - 1) * n + j]) / (2 * dx);
        double uy = (u[(i + 1) * n + j] - u[(i - 1) * n + j]) / (2 * dx);
        double vx = (v[i * n + j + 1] - v[i * n + j - 1]) / (2 * dx);
        b[i * n + j] = (ux + vy) / dt - ux * ux - 2 * uy * vx - vy * vy;
      }
    for (int q = 0; q < s; q++) {
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          pn[i * n + j] = p[i * n + j];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          p[i * n + j] = (pn[i * n + j + 1] + pn[i * n + j - 1] +
                          pn[(i + 1) * n + j] + pn[(i - 1) * n + j]) /
                             4 -
                         dx * dx / 4 * b[i * n + j];
      for (int i = 0; i < n; i++) {
        p[i * n + n - 1] = p[i * n + n - 2];
        p[i * n] = p[i * n + 1];
      }
      for (int j = 0; j < n; j++) {
        p[j] = p[n + j];
        p[(n - 1) * n + j] = 0;
      }
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double uc = un[i * n + j], vc = vn[i * n + j];
        u[i * n + j] = uc - uc * dt / dx * (uc - un[i * n + j - 1]) -
                       vc * dt / dx * (uc - un[(i - 1) * n + j]) -
                       dt / (2 * dx) * (p[i * n + j + 1] - p[i * n + j - 1]) +
                       nu * dt *
                           (un[i * n + j + 1] + un[i * n + j - 1] +
                            un[(i + 1) * n + j] + un[(i - 1) * n + j] - 4 * uc);
        v[i * n + j] =
            vc - uc * dt / dx * (vc - vn[i * n + j - 1]) -
            vc * dt / dx * (vc - vn[(i - 1) * n + j]) -
            dt / (2 * dx) * (p[(i + 1) * n + j] - p[(i - 1) * n + j]) +
            nu * dt *
                (vn[i * n + j + 1] + vn[i * n + j - 1] + vn[(i + 1) * n + j] +
                 vn[(i - 1) * n + j] - 4 * vc);
      }
    for (int i = 0; i < n; i++) {
      u[i * n] = 0;
      u[i * n + n - 1] = 0;
      v[i * n] = 0;
      v[i * n + n - 1] = 0;
    }
    for (int j = 0; j < n; j++) {
      u[j] = 0;
      u[(n - 1) * n + j] = 1;
      v[j] = 0;
      v[(n - 1) * n + j] = 0;
    }
  }
}

static int t, s, n;
static double *u, *d_u, *v, *d_v, *p, *d_p, *un, *d_un, *vn, *d_vn, *pn, *d_pn,
    *b, *d_b;

static double primal(void) {
  cavity_flow(t, s, n, u, v, p, un, vn, pn, b);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)cavity_flow, pardiff_const, t, pardiff_const, s,
                     pardiff_const, n, pardiff_dup, u, d_u, pardiff_dup, v, d_v,
                     pardiff_dup, p, d_p, pardiff_dup, un, d_un, pardiff_dup,
                     vn, d_vn, pardiff_dup, pn, d_pn, pardiff_dup, b, d_b);
  return 0;
}

int main(void) {
  t = check_size(2);
  s = check_size(2);
  n = check_size(7);
  u = check_active("u", n * n, -1, 1, &d_u);
  v = check_active("v", n * n, -1, 1, &d_v);
  p = check_active("p", n * n, -1, 1, &d_p);
  un = check_active("un", n * n, -1, 1, &d_un);
  vn = check_active("vn", n * n, -1, 1, &d_vn);
  pn = check_active("pn", n * n, -1, 1, &d_pn);
  b = check_active("b", n * n, -1, 1, &d_b);
  return check_gradient(primal, gradient, 0);
}
