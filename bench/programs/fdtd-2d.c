/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Maxwell's equations in two dimensions, in place on three fields. */
#include "bench.h"

enum { steps = 20, nx = 600, ny = 640 };

static void fdtd_2d(int steps, int nx, int ny, double (*restrict ex)[ny],
                    double (*restrict ey)[ny], double (*restrict hz)[ny],
                    double *restrict source) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = source[t];
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

static double *ex, *ey, *hz, *source, *dex, *dey, *dhz, *dsource;
const char *const name = "fdtd-2d";
Field gradients[5];

void allocate(void) {
  ex = numbers(nx * ny), ey = numbers(nx * ny), hz = numbers(nx * ny),
  source = numbers(steps);
  dex = numbers(nx * ny), dey = numbers(nx * ny), dhz = numbers(nx * ny),
  dsource = numbers(steps);
  gradients[0] = (Field){dex, nx * ny};
  gradients[1] = (Field){dey, nx * ny};
  gradients[2] = (Field){dhz, nx * ny};
  gradients[3] = (Field){dsource, steps};
}

void start(void) {
  fill(ex, nx * ny, -1, 1, 1), fill(ey, nx * ny, -1, 1, 2),
      fill(hz, nx * ny, -1, 1, 3), fill(source, steps, -1, 1, 4);
  fill(dex, nx * ny, -1, 1, 5), fill(dey, nx * ny, -1, 1, 6),
      fill(dhz, nx * ny, -1, 1, 7);
  memset(dsource, 0, steps * sizeof *dsource);
}

void primal(void) {
  fdtd_2d(steps, nx, ny, (void *)ex, (void *)ey, (void *)hz, source);
}

void ours(void) {
  __pardiff_autodiff((void *)fdtd_2d, pardiff_const, steps, pardiff_const, nx,
                     pardiff_const, ny, pardiff_dup, ex, dex, pardiff_dup, ey,
                     dey, pardiff_dup, hz, dhz, pardiff_dup, source, dsource);
}

/* The equations are linear: nothing is kept. Each step has two passes over the
 * fields, and so has its adjoint, which gathers. */
void hand(void) {
#pragma omp parallel
  for (int t = 0; t < steps; t++) {
#pragma omp for
    for (int i = 0; i < nx; i++) {
      const double *restrict h = hz + i * ny;
      double *restrict x = ex + i * ny, *restrict y = ey + i * ny;
      if (i == 0)
        for (int j = 0; j < ny; j++)
          y[j] = source[t];
      else
        for (int j = 0; j < ny; j++)
          y[j] -= 0.5 * (h[j] - h[j - ny]);
      for (int j = 1; j < ny; j++)
        x[j] -= 0.5 * (h[j] - h[j - 1]);
    }
#pragma omp for
    for (int i = 0; i < nx - 1; i++) {
      const double *restrict x = ex + i * ny, *restrict y = ey + i * ny;
      double *restrict h = hz + i * ny;
      for (int j = 0; j < ny - 1; j++)
        h[j] -= 0.7 * (x[j + 1] - x[j] + y[j + ny] - y[j]);
    }
  }
#pragma omp parallel
  for (int t = steps - 1; t >= 0; t--) {
#pragma omp for
    for (int i = 0; i < nx; i++) {
      const double *restrict h = dhz + i * ny;
      double *restrict x = dex + i * ny, *restrict y = dey + i * ny;
      if (i < nx - 1) {
        x[0] += 0.7 * h[0];
        for (int j = 1; j < ny - 1; j++)
          x[j] += 0.7 * (h[j] - h[j - 1]);
        x[ny - 1] -= 0.7 * h[ny - 2];
      }
      if (i == 0)
        for (int j = 0; j < ny - 1; j++)
          y[j] += 0.7 * h[j];
      else if (i < nx - 1)
        for (int j = 0; j < ny - 1; j++)
          y[j] += 0.7 * (h[j] - h[j - ny]);
      else
        for (int j = 0; j < ny - 1; j++)
          y[j] -= 0.7 * h[j - ny];
    }
#pragma omp for
    for (int i = 0; i < nx; i++) {
      const double *restrict x = dex + i * ny, *restrict y = dey + i * ny;
      double *restrict h = dhz + i * ny;
      h[0] += 0.5 * x[1];
      for (int j = 1; j < ny - 1; j++)
        h[j] -= 0.5 * (x[j] - x[j + 1]);
      h[ny - 1] -= 0.5 * x[ny - 1];
      if (i == 0)
        for (int j = 0; j < ny; j++)
          h[j] += 0.5 * y[j + ny];
      else if (i < nx - 1)
        for (int j = 0; j < ny; j++)
          h[j] -= 0.5 * (y[j] - y[j + ny]);
      else
        for (int j = 0; j < ny; j++)
          h[j] -= 0.5 * y[j];
    }
#pragma omp single
    {
      double sum = 0;
      for (int j = 0; j < ny; j++) {
        sum += dey[j];
        dey[j] = 0;
      }
      dsource[t] += sum;
    }
  }
}
