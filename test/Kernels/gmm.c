// The log likelihood of a Gaussian mixture with full lower-triangular factors of the
// precision, stored as K x D x D: triangular loops inside a log of a sum of exponentials.
// RUN: %check-levels --nest=0 %s
//= kept for all: local n (3 times), local n * k * d

#include "check.h"

static double gmm(int n, int d, int k, double alpha[k], double mu[k][d],
                  double q[k][d][d], double x[n][d], double term[n][k]) {
  double norm = 0, value = 0;
  for (int c = 0; c < k; c++)
    norm += exp(alpha[c]);
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < k; c++) {
      double square = 0, logdet = 0;
      for (int a = 0; a < d; a++) {
        double s = exp(q[c][a][a]) * (x[i][a] - mu[c][a]);
        for (int b = 0; b < a; b++)
          s += q[c][a][b] * (x[i][b] - mu[c][b]);
        square += s * s;
        logdet += q[c][a][a];
      }
      term[i][c] = alpha[c] + logdet - 0.5 * square;
    }
    double top = term[i][0];
    for (int c = 1; c < k; c++)
      top = fmax(top, term[i][c]);
    double sum = 0;
    for (int c = 0; c < k; c++)
      sum += exp(term[i][c] - top);
    value += top + log(sum);
  }
  return value - n * log(norm);
}

static int n, d, k;
static double *alpha, *dalpha, *mu, *dmu, *q, *dq, *x, *dx, *term, *dterm;

static double primal(void) {
  return gmm(n, d, k, alpha, (void *)mu, (void *)q, (void *)x, (void *)term);
}

static double gradient(void) {
  __pardiff_autodiff((void *)gmm, pardiff_const, n, pardiff_const, d,
                     pardiff_const, k, pardiff_dup, alpha, dalpha, pardiff_dup,
                     mu, dmu, pardiff_dup, q, dq, pardiff_dup, x, dx,
                     pardiff_dup, term, dterm);
  return 0;
}

int main(void) {
  n = check_size(8), d = check_size(3), k = check_size(4);
  alpha = check_active("alpha", k, -1, 1, &dalpha);
  mu = check_active("mu", k * d, -1, 1, &dmu);
  q = check_active("q", k * d * d, -0.5, 0.5, &dq);
  x = check_active("x", n * d, -2, 2, &dx);
  term = check_active("term", n * k, -1, 1, &dterm);
  // The loss does not depend on the place of the maximum: no kink.
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, 0);
}
