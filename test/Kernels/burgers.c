// Burgers' equation in time: the values of every step are needed in reverse, and the
// arrays that held them are overwritten.
// RUN: %check-levels --nest=1 %s
//= kept for all: un tsteps * n

#include "check.h"

static void burgers(int tsteps, int n, double dt, double dx, double nu,
                    double *u, double *un) {
  for (int t = 0; t < tsteps; t++) {
    for (int i = 0; i < n; i++)
      un[i] = u[i];
    for (int i = 1; i < n - 1; i++)
      u[i] = un[i] - un[i] * dt / dx * (un[i] - un[i - 1]) +
             nu * dt / (dx * dx) * (un[i + 1] - 2 * un[i] + un[i - 1]);
  }
}

static int tsteps, n;
static double *u, *du, *un, *dun, *nu, *dnu;

static double primal(void) {
  burgers(tsteps, n, 0.02, 0.1, *nu, u, un);
  return 0;
}

static double gradient(void) {
  *dnu += __pardiff_autodiff((void *)burgers, pardiff_const, tsteps,
                             pardiff_const, n, pardiff_const, 0.02,
                             pardiff_const, 0.1, pardiff_out, *nu, pardiff_dup,
                             u, du, pardiff_dup, un, dun);
  return 0;
}

static void reference(void) {
  double dt = 0.02, dx = 0.1;
  double *kept = malloc(tsteps * n * sizeof(double));
  for (int t = 0; t < tsteps; t++) {
    memcpy(kept + t * n, u, n * sizeof(double));
    burgers(1, n, dt, dx, *nu, u, un);
  }
  for (int t = tsteps - 1; t >= 0; t--) {
    const double *v = kept + t * n;
    for (int i = 1; i < n - 1; i++) {
      double seed = du[i], d = *nu * dt / (dx * dx);
      du[i] = 0;
      dun[i] += seed * (1 - dt / dx * (2 * v[i] - v[i - 1]) - 2 * d);
      dun[i - 1] += seed * (v[i] * dt / dx + d);
      dun[i + 1] += seed * d;
      *dnu += seed * dt / (dx * dx) * (v[i + 1] - 2 * v[i] + v[i - 1]);
    }
    for (int i = 0; i < n; i++) {
      du[i] += dun[i];
      dun[i] = 0;
    }
  }
  free(kept);
}

int main(void) {
  tsteps = check_size(8), n = check_size(20);
  u = check_active("u", n, 0, 1, &du);
  un = check_active("un", n, 0, 1, &dun);
  nu = check_active("nu", 1, 0.05, 0.1, &dnu);
  return check_gradient(primal, gradient, reference);
}
