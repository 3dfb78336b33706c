/*===- integration/examples/example.h - What the examples share -----*- C
 * -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Memory, random numbers, Adam, a comparison of a gradient with central
 * differences, and a table of times. Nothing in here is about ParDiff.
 *
 *===----------------------------------------------------------------------===*/

#ifndef PARDIFF_EXAMPLE_H
#define PARDIFF_EXAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* n zeros. */
static double *zeros(long n) {
  double *p = calloc(n, sizeof(double));
  if (!p) {
    fprintf(stderr, "no memory for %ld numbers\n", n);
    exit(1);
  }
  return p;
}

/* Uniform in [0, 1), the same sequence in every run. */
static double uniform(void) {
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

/* Normal with mean 0 and variance 1. */
static inline double normal(void) {
  double radius = sqrt(-2 * log(1 - uniform()));
  return radius * cos(6.283185307179586 * uniform());
}

/* One step of Adam on the n parameters p with the gradient g; m holds 2 n
 * numbers that are zero before the first step. */
static inline void adam(long n, double *p, const double *g, double *m, int step,
                        double rate) {
  double *v = m + n;
  double c1 = 1 - pow(0.9, step), c2 = 1 - pow(0.999, step);
  for (long i = 0; i < n; i++) {
    m[i] = 0.9 * m[i] + 0.1 * g[i];
    v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
    p[i] -= rate * (m[i] / c1) / (sqrt(v[i] / c2) + 1e-8);
  }
}

/* Compares a few of the n entries of the gradient g at p with central
 * differences of the objective, in parts of the largest entry. Returns 0 if
 * they agree. */
static int compare_with_differences(const char *name, double (*objective)(void),
                                    long n, double *p, const double *g,
                                    double step) {
  enum { ENTRIES = 4 };
  double largest = 0, worst = 0;
  for (long i = 0; i < n; i++)
    largest = fmax(largest, fabs(g[i]));
  for (int k = 0; k < ENTRIES; k++) {
    long i = k * (n - 1) / (ENTRIES - 1);
    double keep = p[i];
    p[i] = keep + step;
    double up = objective();
    p[i] = keep - step;
    double down = objective();
    p[i] = keep;
    double difference = (up - down) / (2 * step);
    double off = fabs(g[i] - difference) / largest;
    printf("  d/d %-6s[%5ld]  gradient % .8e  difference % .8e\n", name, i,
           g[i], difference);
    if (!(off <= worst)) /* also for NaN */
      worst = off;
  }
  if (worst <= 1e-5)
    return 0;
  printf("  off by %.1e of the largest entry\n", worst);
  return 1;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Milliseconds of one call, the best of several. */
static double milliseconds(void (*run)(void)) {
  double best = 1e30;
  run();
  for (double begin = now(); now() - begin < 0.3;) {
    double start = now();
    run();
    best = fmin(best, 1e3 * (now() - start));
  }
  return best;
}

static void set_threads(int n) {
#ifdef _OPENMP
  omp_set_num_threads(n);
#else
  (void)n;
#endif
}

/* Primal and gradient at 1 and 2 threads. (The primal is the program's own
 * serial code; ParDiff never changes it.) */
static void print_times(void (*primal)(void), void (*gradient)(void)) {
  printf("time              primal     gradient  gradient/primal\n");
  for (int threads = 1; threads <= 2; threads++) {
    set_threads(threads);
    double p = milliseconds(primal), g = milliseconds(gradient);
    printf("  %d thread%s  %8.2f ms  %8.2f ms  %.2f\n", threads,
           threads > 1 ? "s" : " ", p, g, g / p);
  }
}

#endif /* PARDIFF_EXAMPLE_H */
