// Scaled dot-product attention: a product, softmax of rows, a product.
// RUN: %check-levels --nest=0 %s
//= kept for all: P n * n, local n (2 times)

#include "check.h"

static void attention(int n, int d, double scale, double Q[n][d],
                      double K[n][d], double V[n][d], double P[n][n],
                      double out[n][d]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      P[i][j] = 0;
      for (int k = 0; k < d; k++)
        P[i][j] += Q[i][k] * K[j][k];
      P[i][j] *= scale;
    }
    double top = P[i][0];
    for (int j = 1; j < n; j++)
      top = fmax(top, P[i][j]);
    double sum = 0;
    for (int j = 0; j < n; j++) {
      P[i][j] = exp(P[i][j] - top);
      sum += P[i][j];
    }
    for (int j = 0; j < n; j++)
      P[i][j] = P[i][j] / sum;
    for (int k = 0; k < d; k++) {
      out[i][k] = 0;
      for (int j = 0; j < n; j++)
        out[i][k] += P[i][j] * V[j][k];
    }
  }
}

static int n, d;
static double *Q, *dQ, *K, *dK, *V, *dV, *P, *dP, *out, *dout;

static double primal(void) {
  attention(n, d, 1 / sqrt(d), (void *)Q, (void *)K, (void *)V, (void *)P,
            (void *)out);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)attention, pardiff_const, n, pardiff_const, d,
                     pardiff_const, 1 / sqrt(d), pardiff_dup, Q, dQ,
                     pardiff_dup, K, dK, pardiff_dup, V, dV, pardiff_dup, P, dP,
                     pardiff_dup, out, dout);
  return 0;
}

static void reference(void) {
  primal();
  for (int i = 0; i < n; i++) {
    double dot = 0;
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < d; k++) {
        dV[j * d + k] += P[i * n + j] * dout[i * d + k];
        dP[i * n + j] += V[j * d + k] * dout[i * d + k];
      }
      dot += P[i * n + j] * dP[i * n + j];
    }
    for (int j = 0; j < n; j++) {
      double seed = P[i * n + j] * (dP[i * n + j] - dot) / sqrt(d);
      dP[i * n + j] = 0;
      for (int k = 0; k < d; k++) {
        dQ[i * d + k] += K[j * d + k] * seed;
        dK[j * d + k] += Q[i * d + k] * seed;
      }
    }
  }
  memset(dout, 0, n * d * sizeof(double));
}

int main(void) {
  n = check_size(7), d = check_size(5);
  Q = check_active("Q", n * d, -1, 1, &dQ);
  K = check_active("K", n * d, -1, 1, &dK);
  V = check_active("V", n * d, -1, 1, &dV);
  P = check_active("P", n * n, -1, 1, &dP);
  out = check_active("out", n * d, -1, 1, &dout);
  check_step = 1e-5; // keep the place of the maximum
  return check_gradient(primal, gradient, reference);
}
