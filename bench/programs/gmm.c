/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The logarithm of the likelihood of points under a mixture of Gaussians, whose
 * inverse covariances are given by triangular factors with exponentials on the
 * diagonal. */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { points = 2000, d = 16, k = 12 };

static void gmm(int points, int d, int k, const double *restrict alpha,
                double (*restrict mean)[d], double (*restrict q)[d],
                double (*restrict l)[d][d], double (*restrict x)[d],
                double *restrict out) {
  double sum = 0;
  for (int i = 0; i < points; i++) {
    double term[k], centred[d];
    for (int c = 0; c < k; c++) {
      double trace = 0, square = 0;
      for (int a = 0; a < d; a++) {
        centred[a] = x[i][a] - mean[c][a];
        trace += q[c][a];
      }
      for (int a = 0; a < d; a++) {
        double s = exp(q[c][a]) * centred[a];
        for (int b = 0; b < a; b++)
          s += l[c][a][b] * centred[b];
        square += s * s;
      }
      term[c] = alpha[c] + trace - 0.5 * square;
    }
    double most = term[0], all = 0;
    for (int c = 1; c < k; c++)
      most = term[c] > most ? term[c] : most;
    for (int c = 0; c < k; c++)
      all += exp(term[c] - most);
    sum += most + log(all);
  }
  *out += sum;
}

static double *alpha, *mean, *q, *l, *x, *out, *dalpha, *dmean, *dq, *dl, *dx,
    *dout;
const char *const name = "gmm";

void allocate(void) {
  alpha = numbers(k), mean = numbers(k * d), q = numbers(k * d),
  l = numbers(k * d * d), x = numbers(points * d), out = numbers(1);
  dalpha = numbers(k), dmean = numbers(k * d), dq = numbers(k * d),
  dl = numbers(k * d * d), dx = numbers(points * d), dout = numbers(1);
}

void start(void) {
  fill(alpha, k, -1, 1, 1), fill(mean, k * d, 0, 1, 2),
      fill(q, k * d, -1, 0, 3), fill(l, k * d * d, -.1, .1, 4),
      fill(x, points * d, 0, 1, 5), fill(out, 1, 0, 0, 0);
  fill(dalpha, k, 0, 0, 0), fill(dmean, k * d, 0, 0, 0),
      fill(dq, k * d, 0, 0, 0), fill(dl, k * d * d, 0, 0, 0),
      fill(dx, points * d, 0, 0, 0), fill(dout, 1, 1, 1, 0);
}

void primal(void) {
  gmm(points, d, k, alpha, (void *)mean, (void *)q, (void *)l, (void *)x, out);
}

void ours(void) {
  __pardiff_autodiff_void(
      (void *)gmm, pardiff_const, points, pardiff_const, d, pardiff_const, k,
      pardiff_dup, alpha, dalpha, pardiff_dup, mean, dmean, pardiff_dup, q, dq,
      pardiff_dup, l, dl, pardiff_dup, x, dx, pardiff_dup, out, dout);
}

Array checked[] = {{&alpha, &dalpha, k},
                   {&mean, &dmean, k *d},
                   {&q, &dq, k *d},
                   {&l, &dl, k *d *d},
                   {&x, &dx, points *d},
                   {&out, &dout, 1},
                   {0, 0, 0}};
