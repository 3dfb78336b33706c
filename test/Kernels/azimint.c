// The mean of the data in each of several rings: sums over what a mask selects.
// RUN: %check-levels --nest=0 %s
//= kept for data mean: local rings (3 times)
//= kept for all: local rings (3 times)

#include "check.h"

static void azimint(int n, int rings, const double *data, const double *radius,
                    double *mean) {
  double largest = radius[0];
  for (int j = 1; j < n; j++)
    largest = radius[j] > largest ? radius[j] : largest;
  for (int i = 0; i < rings; i++) {
    double from = largest * i / rings, to = largest * (i + 1) / rings;
    double sum = 0;
    int count = 0;
    for (int j = 0; j < n; j++)
      if (from <= radius[j] && radius[j] < to) {
        sum += data[j];
        count++;
      }
    mean[i] = sum / count;
  }
}

static int n, rings;
static double *data, *ddata, *radius, *mean, *dmean;

static double primal(void) {
  azimint(n, rings, data, radius, mean);
  return 0;
}

static double gradient(void) {
  __pardiff_autodiff((void *)azimint, pardiff_const, n, pardiff_const, rings, pardiff_dup,
                     data, ddata, pardiff_const, radius, pardiff_dup, mean, dmean);
  return 0;
}

int main(void) {
  n = check_size(40);
  rings = check_size(4);
  data = check_active("data", n, -1, 1, &ddata);
  radius = check_inactive("radius", n, 0, 1);
  mean = check_active("mean", rings, -1, 1, &dmean);
  return check_gradient(primal, gradient, 0);
}
