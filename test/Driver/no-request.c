// A file without requests gives the same object with and without the plugin, also if it
// mentions markers or defines an entry point itself.
// RUN: %plain-clang -O0 -c %s -o %t.plain.o
// RUN: %clang -O0 -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O1 -c %s -o %t.plain.o
// RUN: %clang -O1 -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O2 -c %s -o %t.plain.o
// RUN: %clang -O2 -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O3 -c %s -o %t.plain.o
// RUN: %clang -O3 -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -Os -c %s -o %t.plain.o
// RUN: %clang -Os -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O2 -g -c %s -o %t.plain.o
// RUN: %clang -O2 -g -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O2 -fopenmp -c %s -o %t.plain.o
// RUN: %clang -O2 -fopenmp -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O2 -flto -c %s -o %t.plain.o
// RUN: %clang -O2 -flto -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
// RUN: %plain-clang -O2 -flto=thin -c %s -o %t.plain.o
// RUN: %clang -O2 -flto=thin -c %s -o %t.plugin.o
// RUN: cmp %t.plain.o %t.plugin.o
#include <pardiff/pardiff.h>

static double __pardiff_autodiff_own(void *f, double x) {
  return ((double (*)(double))f)(x);
}
static double square(double x) { return x * x; }
double use(double x) { return __pardiff_autodiff_own((void *)square, x); }
int mention(void) { return pardiff_dup; }
double sum(int n, const double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
