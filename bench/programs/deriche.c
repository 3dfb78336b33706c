/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Deriche's edge filter: recurrences forward and backward along both axes. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { w = 800, h = 600 };

static void deriche(int w, int h, double alpha, double (*restrict in)[h],
                    double (*restrict out)[h], double (*restrict ya)[h],
                    double (*restrict yb)[h]) {
  double k = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha)) /
             (1.0 + 2.0 * alpha * exp(-alpha) - exp(2.0 * alpha));
  double a1 = k, a2 = k * exp(-alpha) * (alpha - 1.0);
  double a3 = k * exp(-alpha) * (alpha + 1.0), a4 = -k * exp(-2.0 * alpha);
  double b1 = pow(2.0, -alpha), b2 = -exp(-2.0 * alpha);

  for (int i = 0; i < w; i++) {
    double ym1 = 0, ym2 = 0, xm1 = 0;
    for (int j = 0; j < h; j++) {
      ya[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = in[i][j];
      ym2 = ym1;
      ym1 = ya[i][j];
    }
  }
  for (int i = 0; i < w; i++) {
    double yp1 = 0, yp2 = 0, xp1 = 0, xp2 = 0;
    for (int j = h - 1; j >= 0; j--) {
      yb[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = in[i][j];
      yp2 = yp1;
      yp1 = yb[i][j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      out[i][j] = ya[i][j] + yb[i][j];
  for (int j = 0; j < h; j++) {
    double tm1 = 0, ym1 = 0, ym2 = 0;
    for (int i = 0; i < w; i++) {
      ya[i][j] = a1 * out[i][j] + a2 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = out[i][j];
      ym2 = ym1;
      ym1 = ya[i][j];
    }
  }
  for (int j = 0; j < h; j++) {
    double tp1 = 0, tp2 = 0, yp1 = 0, yp2 = 0;
    for (int i = w - 1; i >= 0; i--) {
      yb[i][j] = a3 * tp1 + a4 * tp2 + b1 * yp1 + b2 * yp2;
      tp2 = tp1;
      tp1 = out[i][j];
      yp2 = yp1;
      yp1 = yb[i][j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++)
      out[i][j] = ya[i][j] + yb[i][j];
}

static double *in, *out, *ya, *yb, *alpha, *din, *dout, *dya, *dyb, *dalpha;
const char *const name = "deriche";
Array checked[] = {{&alpha, &dalpha, 1}, {&in, &din, w *h}, {&out, &dout, w *h},
                   {&ya, &dya, w *h},    {&yb, &dyb, w *h}, {0, 0, 0}};

void allocate(void) {
  alpha = numbers(1), in = numbers(w * h), out = numbers(w * h);
  ya = numbers(w * h), yb = numbers(w * h);
  dalpha = numbers(1), din = numbers(w * h), dout = numbers(w * h);
  dya = numbers(w * h), dyb = numbers(w * h);
}

void start(void) {
  *alpha = 0.25, *dalpha = 0;
  fill(in, w * h, 0, 1, 1), fill(out, w * h, 0, 0, 0), fill(ya, w * h, 0, 0, 0),
      fill(yb, w * h, 0, 0, 0);
  fill(din, w * h, 0, 0, 0), fill(dout, w * h, -1, 1, 2),
      fill(dya, w * h, 0, 0, 0), fill(dyb, w * h, 0, 0, 0);
}

void primal(void) {
  deriche(w, h, *alpha, (void *)in, (void *)out, (void *)ya, (void *)yb);
}

void ours(void) {
  *dalpha +=
      __pardiff_autodiff((void *)deriche, pardiff_const, w, pardiff_const, h,
                         pardiff_out, *alpha, pardiff_dup, in, din, pardiff_dup,
                         out, dout, pardiff_dup, ya, dya, pardiff_dup, yb, dyb);
}
