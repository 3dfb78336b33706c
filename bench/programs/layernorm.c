/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layer normalisation of the rows of a matrix, with scale and offset. */
#include "bench.h"

enum { m = 2000, n = 512 };

static void layernorm(int m, int n, double (*restrict x)[n],
                      double *restrict scale, double *restrict offset,
                      double (*restrict y)[n]) {
  for (int i = 0; i < m; i++) {
    double mean = 0, variance = 0;
    for (int j = 0; j < n; j++)
      mean += x[i][j];
    mean /= n;
    for (int j = 0; j < n; j++)
      variance += (x[i][j] - mean) * (x[i][j] - mean);
    double r = 1 / sqrt(variance / n + 1e-5);
    for (int j = 0; j < n; j++)
      y[i][j] = scale[j] * (x[i][j] - mean) * r + offset[j];
  }
}

static double *x, *scale, *offset, *y, *dx, *dscale, *doffset, *dy;
const char *const name = "layernorm";
Field gradients[5];

void allocate(void) {
  x = numbers(m * n), scale = numbers(n), offset = numbers(n),
  y = numbers(m * n);
  dx = numbers(m * n), dscale = numbers(n), doffset = numbers(n),
  dy = numbers(m * n);
  gradients[0] = (Field){dx, m * n};
  gradients[1] = (Field){dscale, n};
  gradients[2] = (Field){doffset, n};
  gradients[3] = (Field){dy, m * n};
}

void start(void) {
  fill(x, m * n, -1, 1, 1), fill(scale, n, .5, 1.5, 2),
      fill(offset, n, -1, 1, 3);
  memset(dx, 0, m * n * sizeof *dx), memset(dscale, 0, n * sizeof *dscale),
      memset(doffset, 0, n * sizeof *doffset);
  fill(dy, m * n, -1, 1, 4);
}

void primal(void) { layernorm(m, n, (void *)x, scale, offset, (void *)y); }

void ours(void) {
  __pardiff_autodiff((void *)layernorm, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, x, dx, pardiff_dup, scale, dscale,
                     pardiff_dup, offset, doffset, pardiff_dup, y, dy);
}

/* One pass over the rows; each thread sums its own part of dscale, doffset. */
void hand(void) {
#pragma omp parallel for reduction(+ : dscale[:n], doffset[:n])
  for (int i = 0; i < m; i++) {
    const double *restrict X = x + i * n;
    double *restrict Y = y + i * n, *restrict dX = dx + i * n,
                     *restrict dY = dy + i * n;
    double mean = 0, variance = 0;
    for (int j = 0; j < n; j++)
      mean += X[j];
    mean /= n;
    for (int j = 0; j < n; j++)
      variance += (X[j] - mean) * (X[j] - mean);
    double r = 1 / sqrt(variance / n + 1e-5), sum = 0, dot = 0;
    for (int j = 0; j < n; j++) {
      double h = (X[j] - mean) * r, g = scale[j] * dY[j];
      Y[j] = scale[j] * h + offset[j];
      sum += g, dot += g * h;
      dscale[j] += h * dY[j];
      doffset[j] += dY[j];
    }
    sum /= n, dot /= n;
    for (int j = 0; j < n; j++) {
      dX[j] += r * (scale[j] * dY[j] - sum - (X[j] - mean) * r * dot);
      dY[j] = 0;
    }
  }
}
