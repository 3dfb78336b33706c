// Layers of a small network: convolution, rectifier, the maximum of two by two, a dense
// layer.
// RUN: %check-levels --nest=1 %s
//= kept for x h g y: local b * (floord(n,2) - 1) * (floord(n,2) - 1) * f (2 times)
//= kept for all: local b * (floord(n,2) - 1) * (floord(n,2) - 1) * f (2 times)

#include "check.h"

static void lenet(int b, int n, int c, int f, int d, double *x, double *w,
                  double *h, double *g, double *W, double *y) {
  int m = n - 2, k = m / 2;
  for (int i = 0; i < b; i++)
    for (int p = 0; p < m; p++)
      for (int q = 0; q < m; q++)
        for (int o = 0; o < f; o++) {
          double sum = 0;
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              for (int z = 0; z < c; z++)
                sum += x[((i * n + p + r) * n + q + s) * c + z] *
                       w[((r * 3 + s) * c + z) * f + o];
          h[((i * m + p) * m + q) * f + o] = sum > 0 ? sum : 0;
        }
  for (int i = 0; i < b; i++)
    for (int p = 0; p < k; p++)
      for (int q = 0; q < k; q++)
        for (int o = 0; o < f; o++) {
          double top = -1e30;
          for (int r = 0; r < 2; r++)
            for (int s = 0; s < 2; s++)
              top = fmax(top, h[((i * m + 2 * p + r) * m + 2 * q + s) * f + o]);
          g[((i * k + p) * k + q) * f + o] = top;
        }
  for (int i = 0; i < b; i++)
    for (int o = 0; o < d; o++) {
      double sum = 0;
      for (int p = 0; p < k; p++)
        for (int q = 0; q < k; q++)
          for (int z = 0; z < f; z++)
            sum += g[((i * k + p) * k + q) * f + z] *
                   W[((p * k + q) * f + z) * d + o];
      y[i * d + o] = sum > 0 ? sum : 0;
    }
}

static int b, n, c, f, d;
static double *x, *d_x, *w, *d_w, *h, *d_h, *g, *d_g, *W, *d_W, *y, *d_y;

static double primal(void) {
  lenet(b, n, c, f, d, x, w, h, g, W, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)lenet, pardiff_const, b, pardiff_const, n,
                     pardiff_const, c, pardiff_const, f, pardiff_const, d,
                     pardiff_dup, x, d_x, pardiff_dup, w, d_w, pardiff_dup, h,
                     d_h, pardiff_dup, g, d_g, pardiff_dup, W, d_W, pardiff_dup,
                     y, d_y);
  return 0;
}

int main(void) {
  b = check_size(2);
  n = check_size(7);
  c = check_size(2);
  f = check_size(3);
  d = check_size(4);
  x = check_active("x", b * n * n * c, -1, 1, &d_x);
  w = check_active("w", 3 * 3 * c * f, -1, 1, &d_w);
  h = check_active("h", b * (n - 2) * (n - 2) * f, -1, 1, &d_h);
  g = check_active("g", b * ((n - 2) / 2) * ((n - 2) / 2) * f, -1, 1, &d_g);
  W = check_active("W", ((n - 2) / 2) * ((n - 2) / 2) * f * d, -1, 1, &d_W);
  y = check_active("y", b * d, -1, 1, &d_y);
  return check_gradient(primal, gradient, 0);
}
