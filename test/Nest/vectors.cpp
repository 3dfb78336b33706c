// Gradients of loops over std::vector: sizes and pointers are loaded from objects, a local
// vector is a buffer of the nest. The shadow of a vector is a vector.
// RUN: %clangxx -O0 %s -o %t.0 && %t.0
// RUN: %clangxx -O2 %s -o %t.2 && %t.2
// RUN: %clangxx -O1 -mllvm -pardiff-report=%t.json -c %s -o %t.o
// RUN: %FileCheck %s --check-prefix=REPORT < %t.json
// REPORT-NOT: "recovered": false

#include <cmath>
#include <cstdio>
#include <pardiff/pardiff.h>
#include <vector>

static double sum(const std::vector<double> &a) {
  double s = 0;
  for (double v : a)
    s += v * v;
  return s;
}

static void squares(const std::vector<double> &a, std::vector<double> &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    b[i] = a[i] * a[i];
}

static double local(const double *x, int n) {
  std::vector<double> t(n);
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += t[i] * x[n - 1 - i];
  return s;
}

/* An allocation that is not reached, of a size that would throw. */
static double sometimes(const double *x, int n) {
  double s = 0;
  if (n > 0) {
    double *t = new double[n];
    for (int i = 0; i < n; i++)
      t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      s += t[i] * t[i];
    delete[] t;
  }
  return s;
}

static int failures;
static void check(const char *what, double got, double want) {
  if (std::fabs(got - want) > 1e-12 * (1 + std::fabs(want))) {
    std::printf("%s: %g, expected %g\n", what, got, want);
    failures++;
  }
}

int main() {
  for (volatile int n = 0; n < 5; n = n + 1) {
    std::vector<double> a(n), da(n), b(n), db(n);
    for (int i = 0; i < n; i++) {
      a[i] = 0.5 + i;
      db[i] = 1 + i;
    }
    __pardiff_autodiff((void *)sum, pardiff_dup, &a, &da);
    for (int i = 0; i < n; i++)
      check("sum", da[i], 2 * a[i]);
    std::vector<double> seed = db;
    __pardiff_autodiff((void *)squares, pardiff_dup, &a, &da, pardiff_dup, &b, &db);
    for (int i = 0; i < n; i++)
      check("squares", da[i], 2 * a[i] + 2 * a[i] * seed[i]);
    std::vector<double> dx(n);
    __pardiff_autodiff((void *)local, pardiff_dup, a.data(), dx.data(), pardiff_const,
                       (int)n);
    for (int i = 0; i < n; i++)
      check("local", dx[i], 2 * a[i] * a[n - 1 - i] + a[n - 1 - i] * a[n - 1 - i]);
  }
  double x[3] = {1, 2, 3}, dx[3];
  for (volatile int n = -2; n < 4; n = n + 1) {
    for (double &d : dx)
      d = 0;
    __pardiff_autodiff((void *)sometimes, pardiff_dup, x, dx, pardiff_const, (int)n);
    for (int i = 0; i < 3; i++)
      check("sometimes", dx[i], i < n ? 4 * x[i] * x[i] * x[i] : 0);
  }
  return failures != 0;
}
