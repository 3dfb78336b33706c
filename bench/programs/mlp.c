/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A perceptron with one hidden layer on a batch: y := tanh(x U + a) W + b. */
#include "bench.h"

enum { batch = 256, in = 300, hid = 300, out = 100 };

static void mlp(int batch, int in, int hid, int out, double (*restrict x)[in],
                double (*restrict u)[hid], double *restrict a,
                double (*restrict w)[out], double *restrict b,
                double (*restrict h)[hid], double (*restrict y)[out]) {
  for (int i = 0; i < batch; i++) {
    for (int j = 0; j < hid; j++)
      h[i][j] = a[j];
    for (int k = 0; k < in; k++)
      for (int j = 0; j < hid; j++)
        h[i][j] += x[i][k] * u[k][j];
    for (int j = 0; j < hid; j++)
      h[i][j] = tanh(h[i][j]);
    for (int j = 0; j < out; j++)
      y[i][j] = b[j];
    for (int k = 0; k < hid; k++)
      for (int j = 0; j < out; j++)
        y[i][j] += h[i][k] * w[k][j];
  }
}

enum { X = batch * in, U = in * hid, W = hid * out, H = batch * hid,
       Y = batch * out };
static double *x, *u, *a, *w, *b, *h, *y, *dx, *du, *da, *dw, *db, *dh, *dy;
const char *const name = "mlp";
Field gradients[7];

void allocate(void) {
  x = numbers(X), u = numbers(U), a = numbers(hid), w = numbers(W),
  b = numbers(out), h = numbers(H), y = numbers(Y);
  dx = numbers(X), du = numbers(U), da = numbers(hid), dw = numbers(W),
  db = numbers(out), dh = numbers(H), dy = numbers(Y);
  gradients[0] = (Field){dx, X}, gradients[1] = (Field){du, U},
  gradients[2] = (Field){da, hid}, gradients[3] = (Field){dw, W},
  gradients[4] = (Field){db, out}, gradients[5] = (Field){dy, Y};
}

void start(void) {
  fill(x, X, -1, 1, 1), fill(u, U, -.1, .1, 2), fill(a, hid, -1, 1, 3),
      fill(w, W, -.1, .1, 4), fill(b, out, -1, 1, 5);
  memset(dx, 0, X * sizeof *dx), memset(du, 0, U * sizeof *du),
      memset(da, 0, hid * sizeof *da), memset(dw, 0, W * sizeof *dw),
      memset(db, 0, out * sizeof *db), memset(dh, 0, H * sizeof *dh);
  fill(dy, Y, -1, 1, 6);
}

void primal(void) {
  mlp(batch, in, hid, out, (void *)x, (void *)u, a, (void *)w, b, (void *)h,
      (void *)y);
}

void ours(void) {
  __pardiff_autodiff((void *)mlp, pardiff_const, batch, pardiff_const, in,
                     pardiff_const, hid, pardiff_const, out, pardiff_dup, x, dx,
                     pardiff_dup, u, du, pardiff_dup, a, da, pardiff_dup, w, dw,
                     pardiff_dup, b, db, pardiff_dup, h, dh, pardiff_dup, y,
                     dy);
}

void hand(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < batch; i++) {
      const double *restrict xi = x + i * in;
      double *restrict hi = h + i * hid, *restrict yi = y + i * out;
      double *restrict dyi = dy + i * out, *restrict dhi = dh + i * hid,
                       *restrict dxi = dx + i * in;
      for (int j = 0; j < hid; j++)
        hi[j] = a[j];
      for (int k = 0; k < in; k++)
        for (int j = 0; j < hid; j++)
          hi[j] += xi[k] * u[k * hid + j];
      for (int j = 0; j < hid; j++)
        hi[j] = tanh(hi[j]);
      for (int j = 0; j < out; j++)
        yi[j] = b[j];
      for (int k = 0; k < hid; k++)
        for (int j = 0; j < out; j++)
          yi[j] += hi[k] * w[k * out + j];
      /* back to the sums before tanh, and to the inputs */
      for (int k = 0; k < hid; k++) {
        double s = dhi[k];
        for (int j = 0; j < out; j++)
          s += dyi[j] * w[k * out + j];
        dhi[k] = s * (1 - hi[k] * hi[k]);
      }
      for (int k = 0; k < in; k++) {
        double s = 0;
        for (int j = 0; j < hid; j++)
          s += dhi[j] * u[k * hid + j];
        dxi[k] += s;
      }
    }
    /* rows of the weights */
#pragma omp for nowait
    for (int k = 0; k < hid; k++)
      for (int i = 0; i < batch; i++)
        for (int j = 0; j < out; j++)
          dw[k * out + j] += h[i * hid + k] * dy[i * out + j];
#pragma omp for nowait
    for (int k = 0; k < in; k++)
      for (int i = 0; i < batch; i++)
        for (int j = 0; j < hid; j++)
          du[k * hid + j] += x[i * in + k] * dh[i * hid + j];
#pragma omp single
    for (int i = 0; i < batch; i++) {
      for (int j = 0; j < out; j++)
        db[j] += dy[i * out + j];
      for (int j = 0; j < hid; j++)
        da[j] += dh[i * hid + j];
    }
#pragma omp for
    for (int i = 0; i < batch; i++) {
      for (int j = 0; j < hid; j++)
        dh[i * hid + j] = 0;
      for (int j = 0; j < out; j++)
        dy[i * out + j] = 0;
    }
  }
}
