// Two dense layers, relu between them and tanh behind them, one statement each.
// RUN: %check-levels --nest=0 %s
//= kept for x h y: local batch * hidden
//= kept for all: local batch * hidden

#include "check.h"

static void mlp(int batch, int in, int hidden, int out, double x[batch][in],
                double w1[hidden][in], double b1[hidden],
                double w2[out][hidden], double b2[out], double h[batch][hidden],
                double y[batch][out]) {
  for (int i = 0; i < batch; i++) {
    for (int j = 0; j < hidden; j++) {
      double s = b1[j];
      for (int k = 0; k < in; k++)
        s += w1[j][k] * x[i][k];
      h[i][j] = fmax(s, 0.0);
    }
    for (int j = 0; j < out; j++) {
      double s = b2[j];
      for (int k = 0; k < hidden; k++)
        s += w2[j][k] * h[i][k];
      y[i][j] = tanh(s);
    }
  }
}

static int batch, in, hidden, out;
static double *x, *dx, *w1, *dw1, *b1, *db1, *w2, *dw2, *b2, *db2, *h, *dh, *y,
    *dy;

static double primal(void) {
  mlp(batch, in, hidden, out, (void *)x, (void *)w1, b1, (void *)w2, b2,
      (void *)h, (void *)y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)mlp, pardiff_const, batch, pardiff_const, in,
                     pardiff_const, hidden, pardiff_const, out, pardiff_dup, x,
                     dx, pardiff_dup, w1, dw1, pardiff_dup, b1, db1,
                     pardiff_dup, w2, dw2, pardiff_dup, b2, db2, pardiff_dup, h,
                     dh, pardiff_dup, y, dy);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < batch; i++) {
    for (int j = 0; j < out; j++) {
      double s = (1 - y[i * out + j] * y[i * out + j]) * dy[i * out + j];
      dy[i * out + j] = 0;
      db2[j] += s;
      for (int k = 0; k < hidden; k++) {
        dw2[j * hidden + k] += h[i * hidden + k] * s;
        dh[i * hidden + k] += w2[j * hidden + k] * s;
      }
    }
    for (int j = 0; j < hidden; j++) {
      double s = h[i * hidden + j] > 0 ? dh[i * hidden + j] : 0;
      dh[i * hidden + j] = 0;
      db1[j] += s;
      for (int k = 0; k < in; k++) {
        dw1[j * in + k] += x[i * in + k] * s;
        dx[i * in + k] += w1[j * in + k] * s;
      }
    }
  }
}

int main(void) {
  batch = check_size(6), in = check_size(5), hidden = check_size(7),
  out = check_size(4);
  x = check_active("x", batch * in, -1, 1, &dx);
  w1 = check_active("w1", hidden * in, -1, 1, &dw1);
  b1 = check_active("b1", hidden, -1, 1, &db1);
  w2 = check_active("w2", out * hidden, -1, 1, &dw2);
  b2 = check_active("b2", out, -1, 1, &db2);
  h = check_active("h", batch * hidden, -1, 1, &dh);
  y = check_active("y", batch * out, -1, 1, &dy);
  check_step = 1e-6; // stay on one side of the kink of relu
  return check_gradient(primal, gradient, reference);
}
