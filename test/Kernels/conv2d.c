// A 2-D convolution over channels with a bias: seven loops, subscripts that are sums.
// RUN: %check-levels --nest=0 %s
//= kept for in out: nothing
//= kept for all: nothing

#include "check.h"

static void conv2d(int co, int ci, int h, int w, int k, double out[co][h][w],
                   double in[ci][h + k - 1][w + k - 1], double f[co][ci][k][k],
                   double b[co]) {
  for (int o = 0; o < co; o++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        out[o][y][x] = b[o];
        for (int c = 0; c < ci; c++)
          for (int dy = 0; dy < k; dy++)
            for (int dx = 0; dx < k; dx++)
              out[o][y][x] += in[c][y + dy][x + dx] * f[o][c][dy][dx];
      }
}

static int co, ci, h, w, k;
static double *out, *dout, *in, *din, *f, *df, *b, *db;

static double primal(void) {
  conv2d(co, ci, h, w, k, (void *)out, (void *)in, (void *)f, b);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)conv2d, pardiff_const, co, pardiff_const, ci,
                     pardiff_const, h, pardiff_const, w, pardiff_const, k,
                     pardiff_dup, out, dout, pardiff_dup, in, din, pardiff_dup,
                     f, df, pardiff_dup, b, db);
  return 0;
}

static void reference(void) {
  int hi = h + k - 1, wi = w + k - 1;
  for (int o = 0; o < co; o++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        double seed = dout[(o * h + y) * w + x];
        db[o] += seed;
        for (int c = 0; c < ci; c++)
          for (int p = 0; p < k; p++)
            for (int q = 0; q < k; q++) {
              int at = (c * hi + y + p) * wi + x + q;
              int filter = ((o * ci + c) * k + p) * k + q;
              din[at] += f[filter] * seed;
              df[filter] += in[at] * seed;
            }
        dout[(o * h + y) * w + x] = 0;
      }
}

int main(void) {
  co = check_size(3), ci = check_size(2), h = check_size(5), w = check_size(6);
  k = check_size(3);
  out = check_active("out", co * h * w, -1, 1, &dout);
  in = check_active("in", ci * (h + k - 1) * (w + k - 1), -1, 1, &din);
  f = check_active("f", co * ci * k * k, -1, 1, &df);
  b = check_active("b", co, -1, 1, &db);
  return check_gradient(primal, gradient, reference);
}
