/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Convolution of images with several channels. */
#include "bench.h"

enum { batch = 4, in = 16, out = 16, n = 64, k = 3, m = n - k + 1 };

static void conv(int batch, int in, int out, int n, int k, int m,
                 double (*restrict x)[in][n][n],
                 double (*restrict w)[in][k][k],
                 double (*restrict y)[out][m][m]) {
  for (int b = 0; b < batch; b++)
    for (int o = 0; o < out; o++)
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
          y[b][o][i][j] = 0;
        for (int c = 0; c < in; c++)
          for (int p = 0; p < k; p++)
            for (int q = 0; q < k; q++)
              for (int j = 0; j < m; j++)
                y[b][o][i][j] += w[o][c][p][q] * x[b][c][i + p][j + q];
      }
}

enum { X = batch * in * n * n, W = out * in * k * k, Y = batch * out * m * m };
static double *x, *w, *y, *dx, *dw, *dy;
const char *const name = "conv2d";
Field gradients[4];

void allocate(void) {
  x = numbers(X), w = numbers(W), y = numbers(Y);
  dx = numbers(X), dw = numbers(W), dy = numbers(Y);
  gradients[0] = (Field){dx, X};
  gradients[1] = (Field){dw, W};
  gradients[2] = (Field){dy, Y};
}

void start(void) {
  fill(x, X, -1, 1, 1), fill(w, W, -1, 1, 2);
  memset(dx, 0, X * sizeof *dx), memset(dw, 0, W * sizeof *dw);
  fill(dy, Y, -1, 1, 3);
}

void primal(void) {
  conv(batch, in, out, n, k, m, (void *)x, (void *)w, (void *)y);
}

void ours(void) {
  __pardiff_autodiff((void *)conv, pardiff_const, batch, pardiff_const, in,
                     pardiff_const, out, pardiff_const, n, pardiff_const, k,
                     pardiff_const, m, pardiff_dup, x, dx, pardiff_dup, w, dw,
                     pardiff_dup, y, dy);
}

void hand(void) {
  double (*restrict x4)[in][n][n] = (void *)x, (*restrict dx4)[in][n][n] =
                                                   (void *)dx;
  double (*restrict w4)[in][k][k] = (void *)w, (*restrict dw4)[in][k][k] =
                                                   (void *)dw;
  double (*restrict y4)[out][m][m] = (void *)y, (*restrict dy4)[out][m][m] =
                                                    (void *)dy;
#pragma omp parallel
  {
#pragma omp for collapse(2) nowait
    for (int b = 0; b < batch; b++)
      for (int o = 0; o < out; o++)
        for (int i = 0; i < m; i++) {
          for (int j = 0; j < m; j++)
            y4[b][o][i][j] = 0;
          for (int c = 0; c < in; c++)
            for (int p = 0; p < k; p++)
              for (int q = 0; q < k; q++)
                for (int j = 0; j < m; j++)
                  y4[b][o][i][j] += w4[o][c][p][q] * x4[b][c][i + p][j + q];
        }
    /* weights: one channel pair after the other */
#pragma omp for collapse(2) nowait
    for (int o = 0; o < out; o++)
      for (int c = 0; c < in; c++)
        for (int b = 0; b < batch; b++)
          for (int i = 0; i < m; i++)
            for (int p = 0; p < k; p++)
              for (int q = 0; q < k; q++) {
                double s = 0;
                for (int j = 0; j < m; j++)
                  s += dy4[b][o][i][j] * x4[b][c][i + p][j + q];
                dw4[o][c][p][q] += s;
              }
    /* images: one input channel after the other */
#pragma omp for collapse(2)
    for (int b = 0; b < batch; b++)
      for (int c = 0; c < in; c++)
        for (int i = 0; i < m; i++)
          for (int o = 0; o < out; o++)
            for (int p = 0; p < k; p++)
              for (int q = 0; q < k; q++)
                for (int j = 0; j < m; j++)
                  dx4[b][c][i + p][j + q] += w4[o][c][p][q] * dy4[b][o][i][j];
#pragma omp for
    for (int i = 0; i < Y; i++)
      dy[i] = 0;
  }
}
