// Deriche's edge filter: recurrences forward and backward along both axes, carried in
// scalars, and the sums of their results.
// RUN: %check-levels --nest=0 %s
//= kept for in out ya yb: nothing
//= kept for all: local h * (w + 1) (2 times), local h * (w + 3), local w * (h + 1) (2 times), local w * (h + 3)

#include "check.h"

static void deriche(int w, int h, double alpha, double in[w][h],
                    double out[w][h], double ya[w][h], double yb[w][h]) {
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

static int w, h;
static double *alpha, *dalpha, *in, *din, *out, *dout, *ya, *dya, *yb, *dyb;

static double primal(void) {
  deriche(w, h, *alpha, (void *)in, (void *)out, (void *)ya, (void *)yb);
  return 0;
}

static double gradient(void) {
  *dalpha +=
      __pardiff_autodiff((void *)deriche, pardiff_const, w, pardiff_const, h,
                         pardiff_out, *alpha, pardiff_dup, in, din, pardiff_dup,
                         out, dout, pardiff_dup, ya, dya, pardiff_dup, yb, dyb);
  return 0;
}

int main(void) {
  w = check_size(7), h = check_size(9);
  alpha = check_active("alpha", 1, 0.25, 0.3, &dalpha);
  in = check_active("in", w * h, -1, 1, &din);
  out = check_active("out", w * h, -1, 1, &dout);
  ya = check_active("ya", w * h, -1, 1, &dya);
  yb = check_active("yb", w * h, -1, 1, &dyb);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, 0);
}
