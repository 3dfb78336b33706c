/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The covariance matrix of the columns of a table, which is centred in place.
 */
#define PARDIFF_BENCH_DIFFERENCES
#include "bench.h"

enum { n = 500, m = 400 };

static void covariance(int n, int m, double (*restrict data)[m],
                       double *restrict mean, double (*restrict cov)[m]) {
  for (int j = 0; j < m; j++)
    mean[j] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      mean[j] += data[i][j] / n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      data[i][j] -= mean[j];
  for (int i = 0; i < m; i++) {
    for (int j = i; j < m; j++)
      cov[i][j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = i; j < m; j++)
        cov[i][j] += data[k][i] * data[k][j] / (n - 1.0);
  }
  for (int i = 0; i < m; i++)
    for (int j = i + 1; j < m; j++)
      cov[j][i] = cov[i][j];
}

static double *data, *mean, *cov, *ddata, *dmean, *dcov;
const char *const name = "covariance";
Array checked[] = {
    {&data, &ddata, n *m}, {&mean, &dmean, m}, {&cov, &dcov, m *m}, {0, 0, 0}};

void allocate(void) {
  data = numbers(n * m), mean = numbers(m), cov = numbers(m * m);
  ddata = numbers(n * m), dmean = numbers(m), dcov = numbers(m * m);
}

void start(void) {
  fill(data, n * m, -1, 1, 1), fill(mean, m, 0, 0, 0),
      fill(cov, m * m, 0, 0, 0);
  fill(ddata, n * m, 0, 0, 0), fill(dmean, m, 0, 0, 0),
      fill(dcov, m * m, -1, 1, 2);
}

void primal(void) { covariance(n, m, (void *)data, mean, (void *)cov); }

void ours(void) {
  __pardiff_autodiff_void((void *)covariance, pardiff_const, n, pardiff_const,
                          m, pardiff_dup, data, ddata, pardiff_dup, mean, dmean,
                          pardiff_dup, cov, dcov);
}
