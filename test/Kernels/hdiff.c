// Horizontal diffusion with a flux limiter: two stencils behind each other and a
// condition on the data.
// RUN: %check-levels --nest=0 %s
//= kept for in out lap flx fly: nothing
//= kept for all: nothing

#include "check.h"

static void hdiff(int nx, int ny, int nz, double in[nx + 4][ny + 4][nz],
                  double out[nx][ny][nz], double coeff[nx][ny][nz],
                  double lap[nx + 2][ny + 2][nz], double flx[nx + 1][ny][nz],
                  double fly[nx][ny + 1][nz]) {
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
        if (f * (in[i + 2][j + 2][k] - in[i + 2][j + 1][k]) > 0)
          f = 0.0;
        fly[i][j][k] = f;
      }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      for (int k = 0; k < nz; k++)
        out[i][j][k] = in[i + 2][j + 2][k] -
                       coeff[i][j][k] * (flx[i + 1][j][k] - flx[i][j][k] +
                                         fly[i][j + 1][k] - fly[i][j][k]);
}

static int nx, ny, nz;
static double *in, *din, *out, *dout, *coeff, *dcoeff, *lap, *dlap, *flx, *dflx,
    *fly, *dfly;

static double primal(void) {
  hdiff(nx, ny, nz, (void *)in, (void *)out, (void *)coeff, (void *)lap,
        (void *)flx, (void *)fly);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)hdiff, pardiff_const, nx, pardiff_const, ny,
                     pardiff_const, nz, pardiff_dup, in, din, pardiff_dup, out,
                     dout, pardiff_dup, coeff, dcoeff, pardiff_dup, lap, dlap,
                     pardiff_dup, flx, dflx, pardiff_dup, fly, dfly);
  return 0;
}

int main(void) {
  nx = check_size(5), ny = check_size(6), nz = check_size(3);
  in = check_active("in", (nx + 4) * (ny + 4) * nz, -1, 1, &din);
  out = check_active("out", nx * ny * nz, -1, 1, &dout);
  coeff = check_active("coeff", nx * ny * nz, 0.5, 1, &dcoeff);
  lap = check_active("lap", (nx + 2) * (ny + 2) * nz, -1, 1, &dlap);
  flx = check_active("flx", (nx + 1) * ny * nz, -1, 1, &dflx);
  fly = check_active("fly", nx * (ny + 1) * nz, -1, 1, &dfly);
  check_step = 1e-6; // stay on one side of the limiter
  return check_gradient(primal, gradient, 0);
}
