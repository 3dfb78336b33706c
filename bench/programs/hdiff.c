/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Horizontal diffusion with a flux limiter, as in weather models. */
#include "bench.h"

enum { nx = 128, ny = 128, nz = 64 };

static void hdiff(int nx, int ny, int nz, double (*restrict in)[ny + 4][nz],
                  double (*restrict out)[ny][nz],
                  double (*restrict coeff)[ny][nz],
                  double (*restrict lap)[ny + 2][nz],
                  double (*restrict flx)[ny][nz],
                  double (*restrict fly)[ny + 1][nz]) {
  for (int i = 0; i < nx + 2; i++)
    for (int j = 0; j < ny + 2; j++)
      for (int k = 0; k < nz; k++)
        lap[i][j][k] =
            4.0 * in[i + 1][j + 1][k] - (in[i + 2][j + 1][k] + in[i][j + 1][k] +
                                         in[i + 1][j + 2][k] + in[i + 1][j][k]);
  for (int i = 0; i < nx + 1; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++) {
        double f = lap[i + 1][j + 1][k] - lap[i][j + 1][k];
        flx[i][j][k] =
            f * (in[i + 2][j + 2][k] - in[i + 1][j + 2][k]) > 0 ? 0.0 : f;
      }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny + 1; j++)
      for (int k = 0; k < nz; k++) {
        double f = lap[i + 1][j + 1][k] - lap[i + 1][j][k];
        fly[i][j][k] =
            f * (in[i + 2][j + 2][k] - in[i + 2][j + 1][k]) > 0 ? 0.0 : f;
      }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++)
        out[i][j][k] = in[i + 2][j + 2][k] -
                       coeff[i][j][k] * (flx[i + 1][j][k] - flx[i][j][k] +
                                         fly[i][j + 1][k] - fly[i][j][k]);
}

enum {
  inputs = (nx + 4) * (ny + 4) * nz,
  cells = nx * ny * nz,
  laps = (nx + 2) * (ny + 2) * nz,
  fluxesX = (nx + 1) * ny * nz,
  fluxesY = nx * (ny + 1) * nz
};
static double *in, *out, *coeff, *lap, *flx, *fly, *din, *dout, *dcoeff, *dlap,
    *dflx, *dfly;
const char *const name = "hdiff";
Field gradients[7];

void allocate(void) {
  in = numbers(inputs), out = numbers(cells), coeff = numbers(cells),
  lap = numbers(laps), flx = numbers(fluxesX), fly = numbers(fluxesY);
  din = numbers(inputs), dout = numbers(cells), dcoeff = numbers(cells),
  dlap = numbers(laps), dflx = numbers(fluxesX), dfly = numbers(fluxesY);
  gradients[0] = (Field){din, inputs};
  gradients[1] = (Field){dcoeff, cells};
  gradients[2] = (Field){dout, cells};
  gradients[3] = (Field){dlap, laps};
  gradients[4] = (Field){dflx, fluxesX};
  gradients[5] = (Field){dfly, fluxesY};
}

void start(void) {
  fill(in, inputs, -1, 1, 1), fill(coeff, cells, 0, .1, 2);
  memset(din, 0, inputs * sizeof *din),
      memset(dcoeff, 0, cells * sizeof *dcoeff),
      memset(dlap, 0, laps * sizeof *dlap),
      memset(dflx, 0, fluxesX * sizeof *dflx),
      memset(dfly, 0, fluxesY * sizeof *dfly);
  fill(dout, cells, -1, 1, 3);
}

void primal(void) {
  hdiff(nx, ny, nz, (void *)in, (void *)out, (void *)coeff, (void *)lap,
        (void *)flx, (void *)fly);
}

void ours(void) {
  __pardiff_autodiff((void *)hdiff, pardiff_const, nx, pardiff_const, ny,
                     pardiff_const, nz, pardiff_dup, in, din, pardiff_dup, out,
                     dout, pardiff_dup, coeff, dcoeff, pardiff_dup, lap, dlap,
                     pardiff_dup, flx, dflx, pardiff_dup, fly, dfly);
}

/* Pointers to the column of nz values at (i, j). */
static double *at(double *f, int width, int i, int j) {
  return f + ((long)i * width + j) * nz;
}

/* Every pass gathers, a column at a time. A flux that is limited is not the
 * difference that it would be otherwise. */
void hand(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < nx + 2; i++)
      for (int j = 0; j < ny + 2; j++) {
        const double *c = at(in, ny + 4, i + 1, j + 1);
        double *restrict l = at(lap, ny + 2, i, j);
        long row = (ny + 4) * nz;
        for (int k = 0; k < nz; k++)
          l[k] = 4.0 * c[k] - (c[k + row] + c[k - row] + c[k + nz] + c[k - nz]);
      }
#pragma omp for nowait
    for (int i = 0; i < nx + 1; i++)
      for (int j = 0; j < ny; j++) {
        const double *a = at(lap, ny + 2, i + 1, j + 1),
                     *b = at(lap, ny + 2, i, j + 1),
                     *p = at(in, ny + 4, i + 2, j + 2),
                     *q = at(in, ny + 4, i + 1, j + 2);
        double *restrict x = at(flx, ny, i, j);
        for (int k = 0; k < nz; k++) {
          double f = a[k] - b[k];
          x[k] = f * (p[k] - q[k]) > 0 ? 0.0 : f;
        }
      }
#pragma omp for
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny + 1; j++) {
        const double *a = at(lap, ny + 2, i + 1, j + 1),
                     *b = at(lap, ny + 2, i + 1, j),
                     *p = at(in, ny + 4, i + 2, j + 2),
                     *q = at(in, ny + 4, i + 2, j + 1);
        double *restrict y = at(fly, ny + 1, i, j);
        for (int k = 0; k < nz; k++) {
          double f = a[k] - b[k];
          y[k] = f * (p[k] - q[k]) > 0 ? 0.0 : f;
        }
      }
    /* out, its adjoint, and that of coeff */
#pragma omp for
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++) {
        const double *c = at(coeff, ny, i, j),
                     *p = at(in, ny + 4, i + 2, j + 2), *x0 = at(flx, ny, i, j),
                     *x1 = at(flx, ny, i + 1, j), *y0 = at(fly, ny + 1, i, j),
                     *y1 = at(fly, ny + 1, i, j + 1), *g = at(dout, ny, i, j);
        double *restrict o = at(out, ny, i, j), *restrict dc =
                                                    at(dcoeff, ny, i, j);
        for (int k = 0; k < nz; k++) {
          double s = x1[k] - x0[k] + y1[k] - y0[k];
          o[k] = p[k] - c[k] * s;
          dc[k] -= s * g[k];
        }
      }
    /* adjoints of the fluxes where they are not limited: flx[i] is taken off at
     * i and added at i - 1 */
#pragma omp for nowait
    for (int i = 0; i < nx + 1; i++)
      for (int j = 0; j < ny; j++) {
        const double *x = at(flx, ny, i, j),
                     *a = at(lap, ny + 2, i + 1, j + 1),
                     *b = at(lap, ny + 2, i, j + 1);
        double *restrict d = at(dflx, ny, i, j);
        const double *c = at(coeff, ny, i, j), *g = at(dout, ny, i, j);
        long row = ny * nz;
        for (int k = 0; k < nz; k++) {
          double s = (i < nx ? c[k] * g[k] : 0) -
                     (i > 0 ? c[k - row] * g[k - row] : 0);
          d[k] = x[k] == a[k] - b[k] ? s : 0;
        }
      }
#pragma omp for
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny + 1; j++) {
        const double *y = at(fly, ny + 1, i, j),
                     *a = at(lap, ny + 2, i + 1, j + 1),
                     *b = at(lap, ny + 2, i + 1, j);
        double *restrict d = at(dfly, ny + 1, i, j);
        const double *c = at(coeff, ny, i, j), *g = at(dout, ny, i, j);
        for (int k = 0; k < nz; k++) {
          double s =
              (j < ny ? c[k] * g[k] : 0) - (j > 0 ? c[k - nz] * g[k - nz] : 0);
          d[k] = y[k] == a[k] - b[k] ? s : 0;
        }
      }
    /* lap[i][j] is added to flx[i-1][j-1], fly[i-1][j-1] and taken off
     * flx[i][j-1], fly[i-1][j] */
#pragma omp for
    for (int i = 0; i < nx + 2; i++)
      for (int j = 0; j < ny + 2; j++) {
        double *restrict l = at(dlap, ny + 2, i, j);
        const double *x = at(dflx, ny, i - 1, j - 1),
                     *y = at(dfly, ny + 1, i - 1, j - 1);
        int InX = j > 0 && j < ny + 1, InY = i > 0 && i < nx + 1;
        if (InX && i > 0 && i < nx + 1)
          for (int k = 0; k < nz; k++)
            l[k] = x[k] - x[k + ny * nz];
        else if (InX)
          for (int k = 0; k < nz; k++)
            l[k] = i > 0 ? x[k] : -x[k + ny * nz];
        else
          for (int k = 0; k < nz; k++)
            l[k] = 0;
        if (InY && j > 0 && j < ny + 1)
          for (int k = 0; k < nz; k++)
            l[k] += y[k] - y[k + nz];
        else if (InY)
          for (int k = 0; k < nz; k++)
            l[k] += j > 0 ? y[k] : -y[k + nz];
      }
#pragma omp for
    for (int i = 0; i < nx + 4; i++)
      for (int j = 0; j < ny + 4; j++) {
        double *restrict d = at(din, ny + 4, i, j);
        const double *l = at(dlap, ny + 2, i - 1, j - 1);
        long row = (ny + 2) * nz;
        if (i > 1 && i < nx + 2 && j > 1 && j < ny + 2) {
          double *restrict g = at(dout, ny, i - 2, j - 2);
          for (int k = 0; k < nz; k++) {
            d[k] += g[k] + 4.0 * l[k] - l[k + row] - l[k - row] - l[k + nz] -
                    l[k - nz];
            g[k] = 0;
          }
        } else {
          int i0 = i - 1, j0 = j - 1;
          int InI = i0 >= 0 && i0 < nx + 2, InJ = j0 >= 0 && j0 < ny + 2;
          for (int k = 0; k < nz; k++) {
            double s = 0;
            if (InI && InJ)
              s += 4.0 * l[k];
            if (InJ && i0 + 1 >= 0 && i0 + 1 < nx + 2)
              s -= l[k + row];
            if (InJ && i0 - 1 >= 0 && i0 - 1 < nx + 2)
              s -= l[k - row];
            if (InI && j0 + 1 >= 0 && j0 + 1 < ny + 2)
              s -= l[k + nz];
            if (InI && j0 - 1 >= 0 && j0 - 1 < ny + 2)
              s -= l[k - nz];
            d[k] += s;
          }
        }
      }
    /* the scratch fields leave nothing behind */
#pragma omp for nowait
    for (int i = 0; i < laps; i++)
      dlap[i] = 0;
#pragma omp for nowait
    for (int i = 0; i < fluxesX; i++)
      dflx[i] = 0;
#pragma omp for
    for (int i = 0; i < fluxesY; i++)
      dfly[i] = 0;
  }
}
