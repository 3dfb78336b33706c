// A long short-term memory over a sequence: four gates, states kept for every step.
// RUN: %check-levels --nest=1 %s
//= kept for all: g steps * 4 * hid

#include "check.h"

static void lstm(int steps, int in, int hid, double x[steps][in],
                 double w[4][hid][in], double u[4][hid][hid], double b[4][hid],
                 double h[steps + 1][hid], double c[steps + 1][hid],
                 double g[4][hid]) {
  for (int t = 0; t < steps; t++) {
    for (int q = 0; q < 4; q++)
      for (int j = 0; j < hid; j++) {
        double s = b[q][j];
        for (int k = 0; k < in; k++)
          s += w[q][j][k] * x[t][k];
        for (int k = 0; k < hid; k++)
          s += u[q][j][k] * h[t][k];
        g[q][j] = s;
      }
    for (int j = 0; j < hid; j++) {
      double i = 1 / (1 + exp(-g[0][j]));
      double f = 1 / (1 + exp(-g[1][j]));
      double o = 1 / (1 + exp(-g[2][j]));
      c[t + 1][j] = f * c[t][j] + i * tanh(g[3][j]);
      h[t + 1][j] = o * tanh(c[t + 1][j]);
    }
  }
}

static int steps, in, hid;
static double *x, *dx, *w, *dw, *u, *du, *b, *db, *h, *dh, *c, *dc, *g, *dg;

static double primal(void) {
  lstm(steps, in, hid, (void *)x, (void *)w, (void *)u, (void *)b, (void *)h,
       (void *)c, (void *)g);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)lstm, pardiff_const, steps, pardiff_const, in,
                     pardiff_const, hid, pardiff_dup, x, dx, pardiff_dup, w, dw,
                     pardiff_dup, u, du, pardiff_dup, b, db, pardiff_dup, h, dh,
                     pardiff_dup, c, dc, pardiff_dup, g, dg);
  return 0;
}

static void reference(void) {
  primal();
  double *pre = malloc(4 * hid * sizeof(double)),
         *seed = malloc(4 * hid * sizeof(double));
  for (int t = steps - 1; t >= 0; t--) {
    for (int q = 0; q < 4 * hid; q++) {
      pre[q] = b[q];
      for (int k = 0; k < in; k++)
        pre[q] += w[q * in + k] * x[t * in + k];
      for (int k = 0; k < hid; k++)
        pre[q] += u[q * hid + k] * h[t * hid + k];
    }
    for (int j = 0; j < hid; j++) {
      double i = 1 / (1 + exp(-pre[j])), f = 1 / (1 + exp(-pre[hid + j]));
      double o = 1 / (1 + exp(-pre[2 * hid + j])), a = tanh(pre[3 * hid + j]);
      double cell = tanh(c[(t + 1) * hid + j]);
      double sh = dh[(t + 1) * hid + j], sc = dc[(t + 1) * hid + j];
      dh[(t + 1) * hid + j] = dc[(t + 1) * hid + j] = 0;
      sc += sh * o * (1 - cell * cell);
      dc[t * hid + j] += sc * f;
      // The last step's pre-activations are outputs, with seeds of their own.
      double own[4] = {0, 0, 0, 0};
      for (int q = 0; q < 4; q++) {
        own[q] = t == steps - 1 ? dg[q * hid + j] : 0;
        dg[q * hid + j] = 0;
      }
      seed[j] = sc * a * i * (1 - i) + own[0];
      seed[hid + j] = sc * c[t * hid + j] * f * (1 - f) + own[1];
      seed[2 * hid + j] = sh * cell * o * (1 - o) + own[2];
      seed[3 * hid + j] = sc * i * (1 - a * a) + own[3];
    }
    for (int q = 0; q < 4 * hid; q++) {
      db[q] += seed[q];
      for (int k = 0; k < in; k++) {
        dw[q * in + k] += x[t * in + k] * seed[q];
        dx[t * in + k] += w[q * in + k] * seed[q];
      }
      for (int k = 0; k < hid; k++) {
        du[q * hid + k] += h[t * hid + k] * seed[q];
        dh[t * hid + k] += u[q * hid + k] * seed[q];
      }
    }
  }
  free(pre);
  free(seed);
}

int main(void) {
  steps = check_size(5), in = check_size(4), hid = check_size(5);
  x = check_active("x", steps * in, -1, 1, &dx);
  w = check_active("w", 4 * hid * in, -1, 1, &dw);
  u = check_active("u", 4 * hid * hid, -1, 1, &du);
  b = check_active("b", 4 * hid, -1, 1, &db);
  h = check_active("h", (steps + 1) * hid, -1, 1, &dh);
  c = check_active("c", (steps + 1) * hid, -1, 1, &dc);
  g = check_active("g", 4 * hid, -1, 1, &dg);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, reference);
}
