// Pointers that walk, are chosen by data, and lie in a structure.
// RUN: %check-levels %s

#include "check.h"

struct pair {
  double *left, *right;
};

static double sum(const struct pair *p, int n) {
  double s = 0;
  for (const double *q = p->left; q != p->left + n; q++)
    s += *q * p->right[q - p->left];
  return s;
}

static double f(int n, double *x, double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double *z = x[i] > y[i] ? x : y;
    struct pair p = {z, x[i] > 1 ? y : x};
    s += sum(&p, n) * (i + 1);
    z[i] *= 0.9;
  }
  return s;
}

#include "Inputs/two-arrays.h"
