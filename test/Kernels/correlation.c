// As covariance, scaled by standard deviations that are replaced where they are small.
// RUN: %check-levels --nest=0 %s
//= kept for data mean dev corr: data n * m, dev m
//= kept for all: data n * m, dev m

#include "check.h"

static void correlation(int n, int m, double *data, double *mean, double *dev,
                        double *corr) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += data[i * m + j];
    mean[j] /= n;
  }
  for (int j = 0; j < m; j++) {
    dev[j] = 0;
    for (int i = 0; i < n; i++)
      dev[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    dev[j] = sqrt(dev[j] / n);
    dev[j] = dev[j] <= 0.1 ? 1.0 : dev[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      data[i * m + j] -= mean[j];
      data[i * m + j] /= sqrt((double)n) * dev[j];
    }
  for (int i = 0; i < m; i++) {
    corr[i * m + i] = 1;
    for (int j = i + 1; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += data[k * m + i] * data[k * m + j];
      corr[i * m + j] = sum;
      corr[j * m + i] = sum;
    }
  }
}

static int n, m;
static double *data, *d_data, *mean, *d_mean, *dev, *d_dev, *corr, *d_corr;

static double primal(void) {
  correlation(n, m, data, mean, dev, corr);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)correlation, pardiff_const, n, pardiff_const, m,
                     pardiff_dup, data, d_data, pardiff_dup, mean, d_mean,
                     pardiff_dup, dev, d_dev, pardiff_dup, corr, d_corr);
  return 0;
}

int main(void) {
  n = check_size(9);
  m = check_size(5);
  data = check_active("data", n * m, -1, 1, &d_data);
  mean = check_active("mean", m, -1, 1, &d_mean);
  dev = check_active("dev", m, -1, 1, &d_dev);
  corr = check_active("corr", m * m, -1, 1, &d_corr);
  return check_gradient(primal, gradient, 0);
}
