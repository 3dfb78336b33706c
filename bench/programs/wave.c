/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Full-waveform inversion: the wave equation by leapfrog, two fields in turns,
 * and the misfit at a row of receivers. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { tsteps = 200, nz = 120, nx = 160, zs = 2, xs = nx / 2 };

static void wave(int tsteps, int nz, int nx, double (*restrict c2)[nx],
                 double (*restrict u)[nx], double (*restrict v)[nx],
                 const double *restrict wavelet, int zs, int xs,
                 double (*restrict obs)[nx], double *restrict out) {
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
  *out += misfit;
}

enum { cells = nz * nx };
static double *c2, *u, *v, *out, *wavelet, *obs, *dc2, *du, *dv, *dout;
const char *const name = "wave";
Array checked[] = {{&c2, &dc2, cells},
                   {&u, &du, cells},
                   {&v, &dv, cells},
                   {&out, &dout, 1},
                   {0, 0, 0}};

void allocate(void) {
  for (Array *a = checked; a->values; a++)
    *a->values = numbers(a->count), *a->shadow = numbers(a->count);
  wavelet = numbers(tsteps), obs = numbers(tsteps * nx);
}

void start(void) {
  fill(c2, cells, .1, .3, 1), fill(u, cells, -.1, .1, 2),
      fill(v, cells, -.1, .1, 3), fill(wavelet, tsteps, -1, 1, 4),
      fill(obs, tsteps * nx, -.1, .1, 5), *out = 0;
  for (Array *a = checked; a->values; a++)
    fill(*a->shadow, a->count, 0, 0, 0);
  *dout = 1;
}

void primal(void) {
  wave(tsteps, nz, nx, (void *)c2, (void *)u, (void *)v, wavelet, zs, xs,
       (void *)obs, out);
}

void ours(void) {
  __pardiff_autodiff_void((void *)wave, pardiff_const, tsteps, pardiff_const,
                          nz, pardiff_const, nx, pardiff_dup, c2, dc2,
                          pardiff_dup, u, du, pardiff_dup, v, dv, pardiff_const,
                          wavelet, pardiff_const, zs, pardiff_const, xs,
                          pardiff_const, obs, pardiff_dup, out, dout);
}
