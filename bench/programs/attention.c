/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Scaled dot-product attention: a product, softmax of rows, a product. */
#include "bench.h"

enum { n = 512, d = 64 };
static const double scale = 0.125;

static void attention(int n, int d, double scale, double (*restrict Q)[d],
                      double (*restrict K)[d], double (*restrict V)[d],
                      double (*restrict P)[n], double (*restrict out)[d]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < d; k++)
        s += Q[i][k] * K[j][k];
      P[i][j] = scale * s;
    }
    double top = P[i][0];
    for (int j = 1; j < n; j++)
      top = P[i][j] > top ? P[i][j] : top;
    double sum = 0;
    for (int j = 0; j < n; j++) {
      P[i][j] = exp(P[i][j] - top);
      sum += P[i][j];
    }
    for (int j = 0; j < n; j++)
      P[i][j] /= sum;
    for (int k = 0; k < d; k++)
      out[i][k] = 0;
    for (int j = 0; j < n; j++)
      for (int k = 0; k < d; k++)
        out[i][k] += P[i][j] * V[j][k];
  }
}

static double *Q, *K, *V, *P, *out, *dQ, *dK, *dV, *dP, *dout;
const char *const name = "attention";
Field gradients[6];

void allocate(void) {
  Q = numbers(n * d), K = numbers(n * d), V = numbers(n * d),
  P = numbers(n * n), out = numbers(n * d);
  dQ = numbers(n * d), dK = numbers(n * d), dV = numbers(n * d),
  dP = numbers(n * n), dout = numbers(n * d);
  gradients[0] = (Field){dQ, n * d};
  gradients[1] = (Field){dK, n * d};
  gradients[2] = (Field){dV, n * d};
  gradients[3] = (Field){dP, n * n};
  gradients[4] = (Field){dout, n * d};
}

void start(void) {
  fill(Q, n * d, -1, 1, 1), fill(K, n * d, -1, 1, 2), fill(V, n * d, -1, 1, 3);
  memset(dQ, 0, n * d * sizeof *dQ), memset(dK, 0, n * d * sizeof *dK),
      memset(dV, 0, n * d * sizeof *dV), memset(dP, 0, n * n * sizeof *dP);
  fill(dout, n * d, -1, 1, 4);
}

void primal(void) {
  attention(n, d, scale, (void *)Q, (void *)K, (void *)V, (void *)P,
            (void *)out);
}

void ours(void) {
  __pardiff_autodiff((void *)attention, pardiff_const, n, pardiff_const, d,
                     pardiff_const, scale, pardiff_dup, Q, dQ, pardiff_dup, K,
                     dK, pardiff_dup, V, dV, pardiff_dup, P, dP, pardiff_dup,
                     out, dout);
}

/* The adjoint of a row of P serves dQ at once, and by columns dK and dV. */
void hand(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      const double *restrict q = Q + i * d, *restrict g = dout + i * d;
      double *restrict p = P + i * n, *restrict s = dP + i * n;
      double *restrict o = out + i * d, *restrict dq = dQ + i * d;
      for (int j = 0; j < n; j++) {
        double x = 0;
        for (int k = 0; k < d; k++)
          x += q[k] * K[j * d + k];
        p[j] = scale * x;
      }
      double top = p[0], sum = 0, dot = 0;
      for (int j = 1; j < n; j++)
        top = p[j] > top ? p[j] : top;
      for (int j = 0; j < n; j++) {
        p[j] = exp(p[j] - top);
        sum += p[j];
      }
      for (int k = 0; k < d; k++)
        o[k] = 0;
      for (int j = 0; j < n; j++) {
        double pj = p[j] /= sum, x = 0;
        for (int k = 0; k < d; k++) {
          o[k] += pj * V[j * d + k];
          x += g[k] * V[j * d + k];
        }
        s[j] = x;
        dot += pj * x;
      }
      for (int j = 0; j < n; j++) {
        double x = s[j] = scale * p[j] * (s[j] - dot);
        for (int k = 0; k < d; k++)
          dq[k] += x * K[j * d + k];
      }
    }
#pragma omp for
    for (int j = 0; j < n; j++) {
      double *restrict dk = dK + j * d, *restrict dv = dV + j * d;
      for (int i = 0; i < n; i++) {
        double x = dP[i * n + j], pj = P[i * n + j];
        dP[i * n + j] = 0;
        for (int k = 0; k < d; k++) {
          dk[k] += x * Q[i * d + k];
          dv[k] += pj * dout[i * d + k];
        }
      }
    }
#pragma omp for
    for (int i = 0; i < n * d; i++)
      dout[i] = 0;
  }
}
