// Layer normalisation with scale and shift: two reductions of a row, then every element
// by them; the derivatives of scale and shift sum over the rows.
// RUN: %check-levels --nest=0 %s
//= kept for all: local m (3 times)

#include "check.h"

static void layernorm(int m, int n, double x[m][n], double gamma[n],
                      double beta[n], double y[m][n]) {
  for (int i = 0; i < m; i++) {
    double mean = 0, var = 0;
    for (int j = 0; j < n; j++)
      mean += x[i][j];
    mean /= n;
    for (int j = 0; j < n; j++)
      var += (x[i][j] - mean) * (x[i][j] - mean);
    var /= n;
    double scale = 1 / sqrt(var + 1e-5);
    for (int j = 0; j < n; j++)
      y[i][j] = gamma[j] * (x[i][j] - mean) * scale + beta[j];
  }
}

static int m, n;
static double *x, *dx, *gamma_, *dgamma, *beta, *dbeta, *y, *dy;

static double primal(void) {
  layernorm(m, n, (void *)x, gamma_, beta, (void *)y);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)layernorm, pardiff_const, m, pardiff_const, n,
                     pardiff_dup, x, dx, pardiff_dup, gamma_, dgamma,
                     pardiff_dup, beta, dbeta, pardiff_dup, y, dy);
  return 0;
}

static void reference(void) {
  for (int i = 0; i < m; i++) {
    const double *row = x + i * n;
    double mean = 0, var = 0, sum = 0, dot = 0;
    for (int j = 0; j < n; j++)
      mean += row[j] / n;
    for (int j = 0; j < n; j++)
      var += (row[j] - mean) * (row[j] - mean) / n;
    double scale = 1 / sqrt(var + 1e-5);
    for (int j = 0; j < n; j++) {
      double normal = (row[j] - mean) * scale, seed = gamma_[j] * dy[i * n + j];
      sum += seed / n;
      dot += seed * normal / n;
    }
    for (int j = 0; j < n; j++) {
      double normal = (row[j] - mean) * scale;
      dx[i * n + j] += scale * (gamma_[j] * dy[i * n + j] - sum - normal * dot);
      dgamma[j] += normal * dy[i * n + j];
      dbeta[j] += dy[i * n + j];
      dy[i * n + j] = 0;
    }
  }
}

int main(void) {
  m = check_size(6), n = check_size(8);
  x = check_active("x", m * n, -2, 2, &dx);
  gamma_ = check_active("gamma", n, 0.5, 1.5, &dgamma);
  beta = check_active("beta", n, -1, 1, &dbeta);
  y = check_active("y", m * n, -1, 1, &dy);
  check_tolerance = 1e-8;
  return check_gradient(primal, gradient, reference);
}
