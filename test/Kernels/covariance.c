// Data are centred in place, then a triangle of dot products is mirrored.
// RUN: %check-levels --nest=0 %s
//= kept for data mean cov: nothing
//= kept for all: nothing

#include "check.h"

static void covariance(int n, int m, double *data, double *mean, double *cov) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i * m + j];
    mean[j] /= n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i * m + j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += data[k * m + i] * data[k * m + j];
      sum /= n - 1.0;
      cov[i * m + j] = sum;
      cov[j * m + i] = sum;
    }
}

static int n, m;
static double *data, *d_data, *mean, *d_mean, *cov, *d_cov;

static double primal(void) {
  covariance(n, m, data, mean, cov);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)covariance, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, data, d_data, pardiff_dup, mean, d_mean,
                     pardiff_dup, cov, d_cov);
  return 0;
}

int main(void) {
  n = check_size(9);
  m = check_size(6);
  data = check_active("data", n * m, -1, 1, &d_data);
  mean = check_active("mean", m, -1, 1, &d_mean);
  cov = check_active("cov", m * m, -1, 1, &d_cov);
  return check_gradient(primal, gradient, 0);
}
