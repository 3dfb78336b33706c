// A bottleneck block: convolutions one by one, three by three over a border that is given, and
// one by one, each normalised over the batch, and the input added at the end.
// RUN: %check-levels --nest=0 %s
//= kept for x u v s y: local n * n * c (3 times), local n * n * d (6 times), s b * n * n * d, u b * n * n * d, y b * n * n * c
//= kept for all: local n * n * c (3 times), local n * n * d (6 times), s b * n * n * d, u b * n * n * d, y b * n * n * c

#include "check.h"

// Mean 0 and deviation 1 over the batch.
static void normalise(int b, int n, int d, double *x) {
  for (int p = 0; p < n; p++)
    for (int q = 0; q < n; q++)
      for (int o = 0; o < d; o++) {
        double mean = 0, var = 0;
        for (int i = 0; i < b; i++)
          mean += x[((i * n + p) * n + q) * d + o];
        mean /= b;
        for (int i = 0; i < b; i++) {
          double off = x[((i * n + p) * n + q) * d + o] - mean;
          var += off * off;
        }
        double scale = sqrt(sqrt(var / b) + 1e-5);
        for (int i = 0; i < b; i++)
          x[((i * n + p) * n + q) * d + o] =
              (x[((i * n + p) * n + q) * d + o] - mean) / scale;
      }
}

static void resnet(int b, int n, int c, int d, double *x, double *k, double *l,
                   double *m, double *u, double *v, double *s, double *y) {
  int N = n + 2;
  for (int i = 0; i < b; i++)
    for (int p = 0; p < n; p++)
      for (int q = 0; q < n; q++)
        for (int o = 0; o < d; o++) {
          double sum = 0;
          for (int z = 0; z < c; z++)
            sum += x[((i * n + p) * n + q) * c + z] * k[z * d + o];
          u[((i * n + p) * n + q) * d + o] = sum;
        }
  normalise(b, n, d, u);
  for (int i = 0; i < b; i++)
    for (int p = 0; p < n; p++)
      for (int q = 0; q < n; q++)
        for (int o = 0; o < d; o++) {
          double now = u[((i * n + p) * n + q) * d + o];
          v[((i * N + p + 1) * N + q + 1) * d + o] = now > 0 ? now : 0;
        }
  for (int i = 0; i < b; i++)
    for (int p = 0; p < n; p++)
      for (int q = 0; q < n; q++)
        for (int o = 0; o < d; o++) {
          double sum = 0;
          for (int r = 0; r < 3; r++)
            for (int t = 0; t < 3; t++)
              for (int z = 0; z < d; z++)
                sum += v[((i * N + p + r) * N + q + t) * d + z] *
                       l[((r * 3 + t) * d + z) * d + o];
          s[((i * n + p) * n + q) * d + o] = sum;
        }
  normalise(b, n, d, s);
  for (int i = 0; i < b; i++)
    for (int p = 0; p < n; p++)
      for (int q = 0; q < n; q++)
        for (int o = 0; o < c; o++) {
          double sum = 0;
          for (int z = 0; z < d; z++)
            sum += fmax(s[((i * n + p) * n + q) * d + z], 0) * m[z * c + o];
          y[((i * n + p) * n + q) * c + o] = sum;
        }
  normalise(b, n, c, y);
  for (int i = 0; i < b; i++)
    for (int p = 0; p < n; p++)
      for (int q = 0; q < n; q++)
        for (int o = 0; o < c; o++) {
          double sum = y[((i * n + p) * n + q) * c + o] + x[((i * n + p) * n + q) * c + o];
          y[((i * n + p) * n + q) * c + o] = sum > 0 ? sum : 0;
        }
}

static int b, n, c, d;
static double *x, *dx, *k, *dk, *l, *dl, *m, *dm, *u, *du, *v, *dv, *s, *ds, *y, *dy;

static double primal(void) {
  resnet(b, n, c, d, x, k, l, m, u, v, s, y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)resnet, pardiff_const, b, pardiff_const, n,
                     pardiff_const, c, pardiff_const, d, pardiff_dup, x, dx, pardiff_dup, k,
                     dk, pardiff_dup, l, dl, pardiff_dup, m, dm, pardiff_dup, u, du,
                     pardiff_dup, v, dv, pardiff_dup, s, ds, pardiff_dup, y, dy);
  return 0;
}

int main(void) {
  b = check_size(3);
  n = check_size(3);
  c = check_size(2);
  d = check_size(2);
  x = check_active("x", b * n * n * c, -1, 1, &dx);
  k = check_active("k", c * d, -1, 1, &dk);
  l = check_active("l", 3 * 3 * d * d, -1, 1, &dl);
  m = check_active("m", d * c, -1, 1, &dm);
  u = check_active("u", b * n * n * d, -1, 1, &du);
  v = check_active("v", b * (n + 2) * (n + 2) * d, -1, 1, &dv);
  s = check_active("s", b * n * n * d, -1, 1, &ds);
  y = check_active("y", b * n * n * c, -1, 1, &dy);
  check_step = 1e-5;
  return check_gradient(primal, gradient, 0);
}
