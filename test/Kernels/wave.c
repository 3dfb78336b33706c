// The wave equation by leapfrog, two fields in turns, with the square of the speed of
// sound active and a misfit at receivers as the value: a full-waveform inversion.
// RUN: %check-levels --nest=1 %s
//= kept for all: u (floord(tsteps,2)) * nx, u (floord(tsteps,2)) * nz * nx, v (floord(tsteps,2)) * nx, v (floord(tsteps,2)) * nz * nx

#include "check.h"

static double wave(int tsteps, int nz, int nx, double c2[nz][nx],
                   double u[nz][nx], double v[nz][nx], const double *wavelet,
                   int zs, int xs, double obs[tsteps][nx]) {
  double misfit = 0;
  for (int t = 0; t < tsteps - 1; t += 2) {
    for (int z = 1; z < nz - 1; z++)
      for (int x = 1; x < nx - 1; x++)
        v[z][x] = 2 * u[z][x] - v[z][x] +
                  c2[z][x] * (u[z - 1][x] + u[z + 1][x] + u[z][x - 1] +
                              u[z][x + 1] - 4 * u[z][x]);
    for (int x = xs - 1; x <= xs + 1; x++)
      v[zs][x] += wavelet[t];
    for (int x = 0; x < nx; x++) {
      double r = v[1][x] - obs[t][x];
      misfit += 0.5 * r * r;
    }
    for (int z = 1; z < nz - 1; z++)
      for (int x = 1; x < nx - 1; x++)
        u[z][x] = 2 * v[z][x] - u[z][x] +
                  c2[z][x] * (v[z - 1][x] + v[z + 1][x] + v[z][x - 1] +
                              v[z][x + 1] - 4 * v[z][x]);
    for (int x = xs - 1; x <= xs + 1; x++)
      u[zs][x] += wavelet[t + 1];
    for (int x = 0; x < nx; x++) {
      double r = u[1][x] - obs[t + 1][x];
      misfit += 0.5 * r * r;
    }
  }
  return misfit;
}

static int tsteps, nz, nx, zs, xs;
static double *c2, *dc2, *u, *du, *v, *dv, *wavelet, *obs;

static double primal(void) {
  return wave(tsteps, nz, nx, (void *)c2, (void *)u, (void *)v, wavelet, zs, xs,
              (void *)obs);
}

static double gradient(void) {
  __pardiff_autodiff((void *)wave, pardiff_const, tsteps, pardiff_const, nz,
                     pardiff_const, nx, pardiff_dup, c2, dc2, pardiff_dup, u,
                     du, pardiff_dup, v, dv, pardiff_const, wavelet,
                     pardiff_const, zs, pardiff_const, xs, pardiff_const, obs);
  return 0;
}

int main(void) {
  tsteps = check_size(8), nz = check_size(8), nx = check_size(9);
  zs = check_size(3), xs = check_size(4);
  c2 = check_active("c2", nz * nx, 0.1, 0.3, &dc2);
  u = check_active("u", nz * nx, -0.1, 0.1, &du);
  v = check_active("v", nz * nx, -0.1, 0.1, &dv);
  wavelet = check_inactive("wavelet", tsteps, -1, 1);
  obs = check_inactive("obs", tsteps * nx, -0.1, 0.1);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, 0);
}
