/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A long short-term memory over a sequence, states kept for every step. */
#include "bench.h"

enum { steps = 30, in = 200, hid = 200 };

static void lstm(int steps, int in, int hid, double (*restrict x)[in],
                 double (*restrict w)[hid][in], double (*restrict u)[hid][hid],
                 double (*restrict b)[hid], double (*restrict h)[hid],
                 double (*restrict c)[hid], double (*restrict g)[4][hid]) {
  for (int t = 0; t < steps; t++) {
    for (int q = 0; q < 4; q++)
      for (int j = 0; j < hid; j++) {
        double s = b[q][j];
        for (int k = 0; k < in; k++)
          s += w[q][j][k] * x[t][k];
        for (int k = 0; k < hid; k++)
          s += u[q][j][k] * h[t][k];
        g[t][q][j] = q < 3 ? 1 / (1 + exp(-s)) : tanh(s);
      }
    for (int j = 0; j < hid; j++) {
      c[t + 1][j] = g[t][1][j] * c[t][j] + g[t][0][j] * g[t][3][j];
      h[t + 1][j] = g[t][2][j] * tanh(c[t + 1][j]);
    }
  }
}

enum {
  W = 4 * hid * in,
  U = 4 * hid * hid,
  B = 4 * hid,
  H = (steps + 1) * hid,
  G = steps * 4 * hid,
  X = steps * in
};
static double *x, *w, *u, *b, *h, *c, *g, *dx, *dw, *du, *db, *dh, *dc, *dg;
const char *const name = "lstm";
Field gradients[7];

void allocate(void) {
  x = numbers(X), w = numbers(W), u = numbers(U), b = numbers(B),
  h = numbers(H), c = numbers(H), g = numbers(G);
  dx = numbers(X), dw = numbers(W), du = numbers(U), db = numbers(B),
  dh = numbers(H), dc = numbers(H), dg = numbers(G);
  gradients[0] = (Field){dx, X}, gradients[1] = (Field){dw, W},
  gradients[2] = (Field){du, U};
  gradients[3] = (Field){db, B}, gradients[4] = (Field){dh, hid},
  gradients[5] = (Field){dc, hid};
}

void start(void) {
  fill(x, X, -1, 1, 1), fill(w, W, -.1, .1, 2), fill(u, U, -.1, .1, 3),
      fill(b, B, -.1, .1, 4);
  fill(h, H, -1, 1, 5), fill(c, H, -1, 1, 6);
  memset(dx, 0, X * sizeof *dx), memset(dw, 0, W * sizeof *dw),
      memset(du, 0, U * sizeof *du);
  memset(db, 0, B * sizeof *db), memset(dg, 0, G * sizeof *dg);
  fill(dh, H, -1, 1, 7), fill(dc, H, -1, 1, 8);
}

void primal(void) {
  lstm(steps, in, hid, (void *)x, (void *)w, (void *)u, (void *)b, (void *)h,
       (void *)c, (void *)g);
}

void ours(void) {
  __pardiff_autodiff((void *)lstm, pardiff_const, steps, pardiff_const, in,
                     pardiff_const, hid, pardiff_dup, x, dx, pardiff_dup, w, dw,
                     pardiff_dup, u, du, pardiff_dup, b, db, pardiff_dup, h, dh,
                     pardiff_dup, c, dc, pardiff_dup, g, dg);
}

void hand(void) {
#pragma omp parallel
  {
    for (int t = 0; t < steps; t++) {
      const double *restrict xt = x + t * in, *restrict ht = h + t * hid;
      double *restrict gt = g + t * 4 * hid;
#pragma omp for
      for (int q = 0; q < 4 * hid; q++) {
        double s = b[q];
        for (int k = 0; k < in; k++)
          s += w[q * in + k] * xt[k];
        for (int k = 0; k < hid; k++)
          s += u[q * hid + k] * ht[k];
        gt[q] = q < 3 * hid ? 1 / (1 + exp(-s)) : tanh(s);
      }
#pragma omp for
      for (int j = 0; j < hid; j++) {
        c[(t + 1) * hid + j] =
            gt[hid + j] * c[t * hid + j] + gt[j] * gt[3 * hid + j];
        h[(t + 1) * hid + j] = gt[2 * hid + j] * tanh(c[(t + 1) * hid + j]);
      }
    }
    for (int t = steps - 1; t >= 0; t--) {
      const double *restrict xt = x + t * in, *restrict ht = h + t * hid,
                             *restrict gt = g + t * 4 * hid;
      double *restrict dgt = dg + t * 4 * hid;
#pragma omp for
      for (int j = 0; j < hid; j++) {
        double tc = tanh(c[(t + 1) * hid + j]), dho = dh[(t + 1) * hid + j];
        double dco =
            dc[(t + 1) * hid + j] + dho * gt[2 * hid + j] * (1 - tc * tc);
        dh[(t + 1) * hid + j] = dc[(t + 1) * hid + j] = 0;
        double i = gt[j], f = gt[hid + j], o = gt[2 * hid + j],
               z = gt[3 * hid + j];
        dgt[j] = dco * z * i * (1 - i);
        dgt[hid + j] = dco * c[t * hid + j] * f * (1 - f);
        dgt[2 * hid + j] = dho * tc * o * (1 - o);
        dgt[3 * hid + j] = dco * i * (1 - z * z);
        dc[t * hid + j] += dco * f;
      }
      /* rows of the weights in parallel; columns of the inputs in parallel */
#pragma omp for nowait
      for (int q = 0; q < 4 * hid; q++) {
        double d = dgt[q];
        db[q] += d;
        for (int k = 0; k < in; k++)
          dw[q * in + k] += d * xt[k];
        for (int k = 0; k < hid; k++)
          du[q * hid + k] += d * ht[k];
      }
      enum { chunk = 50 };
#pragma omp for nowait
      for (int k0 = 0; k0 < in; k0 += chunk)
        for (int q = 0; q < 4 * hid; q++)
          for (int k = k0; k < k0 + chunk && k < in; k++)
            dx[t * in + k] += dgt[q] * w[q * in + k];
#pragma omp for
      for (int k0 = 0; k0 < hid; k0 += chunk)
        for (int q = 0; q < 4 * hid; q++)
          for (int k = k0; k < k0 + chunk && k < in; k++)
            dh[t * hid + k] += dgt[q] * u[q * hid + k];
#pragma omp for
      for (int q = 0; q < 4 * hid; q++)
        dgt[q] = 0;
    }
  }
}
