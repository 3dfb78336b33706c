// Maxwell's equations in two dimensions, in place on three fields.
// RUN: %check-levels --nest=1 %s
//= kept for ex ey hz: nothing
//= kept for all: nothing

#include "check.h"

static void fdtd_2d(int tmax, int nx, int ny, double ex[nx][ny],
                    double ey[nx][ny], double hz[nx][ny], double fict[tmax]) {
  for (int t = 0; t < tmax; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = fict[t];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        hz[i][j] = hz[i][j] -
                   0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

static int tmax, nx, ny;
static double *ex, *dex, *ey, *dey, *hz, *dhz, *fict, *dfict;

static double primal(void) {
  fdtd_2d(tmax, nx, ny, (void *)ex, (void *)ey, (void *)hz, fict);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)fdtd_2d, pardiff_const, tmax, pardiff_const, nx,
                     pardiff_const, ny, pardiff_dup, ex, dex, pardiff_dup, ey,
                     dey, pardiff_dup, hz, dhz, pardiff_dup, fict, dfict);
  return 0;
}

static void reference(void) {
  for (int t = tmax - 1; t >= 0; t--) {
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++) {
        double seed = 0.7 * dhz[i * ny + j];
        dex[i * ny + j + 1] -= seed;
        dex[i * ny + j] += seed;
        dey[(i + 1) * ny + j] -= seed;
        dey[i * ny + j] += seed;
      }
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++) {
        dhz[i * ny + j] -= 0.5 * dex[i * ny + j];
        dhz[i * ny + j - 1] += 0.5 * dex[i * ny + j];
      }
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++) {
        dhz[i * ny + j] -= 0.5 * dey[i * ny + j];
        dhz[(i - 1) * ny + j] += 0.5 * dey[i * ny + j];
      }
    for (int j = 0; j < ny; j++) {
      dfict[t] += dey[j];
      dey[j] = 0;
    }
  }
}

int main(void) {
  tmax = check_size(5), nx = check_size(8), ny = check_size(9);
  ex = check_active("ex", nx * ny, -1, 1, &dex);
  ey = check_active("ey", nx * ny, -1, 1, &dey);
  hz = check_active("hz", nx * ny, -1, 1, &dhz);
  fict = check_active("fict", tmax, -1, 1, &dfict);
  return check_gradient(primal, gradient, reference);
}
