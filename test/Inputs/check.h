/*===- test/Inputs/check.h - Check a gradient by numbers -----------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * For tests that %check-levels compiles and runs. Two ways to use it:
 *
 * 1. By hand: check_close(), check_value(), check_true(), then return
 * check_done().
 *
 * 2. A kernel on arrays:
 *
 *      static double *A, *dA, *B, *dB;
 *      static int n;
 *      static double primal(void) { kernel(n, A, B); return 0; }
 *      static double gradient(void) {
 *        __pardiff_autodiff((void *)kernel, pardiff_const, n, pardiff_dup, A,
 * dA, pardiff_dup, B, dB); return 0;
 *      }
 *      int main(void) {
 *        n = check_size(8);
 *        A = check_active("A", n * n, -1, 1, &dA);
 *        B = check_active("B", n, 0.5, 2, &dB);
 *        return check_gradient(primal, gradient, 0);
 *      }
 *
 *    The loss is the sum of w[k] * a[k] over the final values of all active
 * arrays, with random weights w, plus the value of a kernel that returns one.
 * The shadows start as w; by the rules for shadows (those of inputs accumulate,
 * those of overwritten arrays are seeds and are consumed) they must end as the
 * derivative of the loss by the initial values, for inputs and outputs alike.
 * That is compared with central differences, and with a reference if one is
 * given.
 *
 * With -DCHECK_PLAIN (the build without the plugin) requests vanish and only
 * the primal runs. Primal results are written to the file named by
 * CHECK_RECORD; check-levels.py compares these files bit by bit.
 *
 *===----------------------------------------------------------------------===*/

#ifndef PARDIFF_TEST_CHECK_H
#define PARDIFF_TEST_CHECK_H

#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(CHECK_PLAIN) || defined(CHECK_SELF)
#undef __pardiff_autodiff
#define __pardiff_autodiff(...) 0.0
#endif

/* Tolerances, in parts of the largest entry. */
#define CHECK_REFERENCE                                                        \
  1e-9 /* against a closed form or a hand-written adjoint */
#define CHECK_DIFFERENCES 1e-5 /* against central differences */
#define CHECK_FLOAT 1e-4       /* float against double */

/*--- Values ----------------------------------------------------------------*/

static int check_failures, check_count;

/* The step of central differences, of fourth order, and the tolerance against them. A
 * smooth kernel may be checked with a smaller tolerance, one with kinks needs a smaller
 * step. */
static double check_step = 1e-4, check_tolerance = CHECK_DIFFERENCES;

/* A size that the compiler cannot see. */
static inline int check_size(int n) {
  volatile int v = n;
  return v;
}

/* Uniform in [lo, hi), the same sequence in every run. */
static inline double check_random(double lo, double hi) {
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return lo + (hi - lo) * (double)(state >> 11) / 9007199254740992.0;
}

static inline void check_true(const char *what, int ok) {
  ++check_count;
  if (ok)
    return;
  ++check_failures;
  printf("%s: failed\n", what);
}

/* Compares n values; a difference counts in parts of the largest entry wanted.
 */
static inline void check_close(const char *what, const double *got,
                               const double *want, long n, double tolerance) {
  double largest = 0;
  long bad = 0;
  ++check_count;
  for (long i = 0; i < n; ++i)
    if (fabs(want[i]) > largest)
      largest = fabs(want[i]);
  if (largest == 0)
    largest = 1;
  for (long i = 0; i < n; ++i) {
    if (fabs(got[i] - want[i]) <= tolerance * largest) /* false for NaN */
      continue;
    if (++bad <= 5)
      printf(
          "%s[%ld]: got %.17g, want %.17g, off by %.2e of the largest entry\n",
          what, i, got[i], want[i], fabs(got[i] - want[i]) / largest);
  }
  if (bad) {
    printf("%s: %ld of %ld entries off (tolerance %g)\n", what, bad, n,
           tolerance);
    ++check_failures;
  }
}

static inline void check_value(const char *what, double got, double want,
                               double tolerance) {
  check_close(what, &got, &want, 1, tolerance);
}

/* Appends primal results to the record. */
static inline void check_record(const void *data, size_t bytes) {
  static FILE *file;
  const char *name = getenv("CHECK_RECORD");
  if (!file && name)
    file = fopen(name, "wb");
  if (file && (fwrite(data, 1, bytes, file) != bytes || fflush(file)))
    check_true("write the record", 0);
}

/* The exit status of main: nonzero if a check failed or none was made. */
static inline int check_done(void) {
#ifndef CHECK_PLAIN
  if (!check_count) {
    printf("nothing was checked\n");
    return 1;
  }
#endif
  if (check_failures)
    printf("%d of %d checks failed\n", check_failures, check_count);
  return check_failures != 0;
}

/*--- Arrays of a kernel
 * ------------------------------------------------------*/

/* Elements of the guard zone in front of and behind every array. Sanitizers do
 * without: they also find what is only read outside. */
#ifndef CHECK_GUARD
#define CHECK_GUARD 16
#endif

enum { CHECK_MAX_ARRAYS = 48 };

typedef struct {
  const char *name;
  long n;
  double *data, *shadow; /* shadow: null for an inactive array */
  double *start, *weight, *final, *want;
} check_array;

static check_array check_arrays[CHECK_MAX_ARRAYS];
static int check_num_arrays;

/* Memory with a guard zone on both sides, so that a write outside is found. */
static inline double *check_alloc(long n) {
  double *p = (double *)malloc((n + 2 * CHECK_GUARD) * sizeof(double));
  if (!p)
    abort();
  for (long i = 0; i < n + 2 * CHECK_GUARD; ++i)
    p[i] = i < CHECK_GUARD || i >= n + CHECK_GUARD ? 4242.0 : 0.0;
  return p + CHECK_GUARD;
}

static inline int check_guarded(const double *p, long n) {
  for (long i = 0; i < CHECK_GUARD; ++i)
    if (p[i - CHECK_GUARD] != 4242.0 || p[n + i] != 4242.0)
      return 0;
  return 1;
}

static inline double *check_array_of(const char *name, long n, double lo,
                                     double hi, double **shadow) {
  if (check_num_arrays == CHECK_MAX_ARRAYS)
    abort();
  check_array *a = &check_arrays[check_num_arrays++];
  a->name = name;
  a->n = n;
  a->data = check_alloc(n);
  a->start = check_alloc(n);
  a->final = check_alloc(n);
  for (long i = 0; i < n; ++i)
    a->start[i] = a->data[i] = check_random(lo, hi);
  if (shadow) {
    a->weight = check_alloc(n);
    a->want = check_alloc(n);
    a->shadow = *shadow = check_alloc(n);
    for (long i = 0; i < n; ++i)
      a->weight[i] =
          check_random(0.25, 1.25) * (check_random(-1, 1) < 0 ? -1 : 1);
  }
  return a->data;
}

/* An array of n values in [lo, hi) with a shadow. */
static inline double *check_active(const char *name, long n, double lo,
                                   double hi, double **shadow) {
  return check_array_of(name, n, lo, hi, shadow);
}

/* An array of n values in [lo, hi) without a shadow. */
static inline double *check_inactive(const char *name, long n, double lo,
                                     double hi) {
  return check_array_of(name, n, lo, hi, 0);
}

/* The initial values of the array at data, to set what is not random (a matrix
 * that must be positive definite, say). */
static inline double *check_start(const double *data) {
  for (int k = 0; k < check_num_arrays; ++k)
    if (check_arrays[k].data == data)
      return check_arrays[k].start;
  abort();
}

/* The weights of the active array at data: the seeds of its shadow. */
static inline const double *check_weight(const double *data) {
  for (int k = 0; k < check_num_arrays; ++k)
    if (check_arrays[k].data == data)
      return check_arrays[k].weight;
  abort();
}

static inline void check_reset_data(void) {
  for (int k = 0; k < check_num_arrays; ++k)
    memcpy(check_arrays[k].data, check_arrays[k].start,
           check_arrays[k].n * sizeof(double));
}

static inline void check_reset(void) {
  check_reset_data();
  for (int k = 0; k < check_num_arrays; ++k)
    if (check_arrays[k].shadow)
      memcpy(check_arrays[k].shadow, check_arrays[k].weight,
             check_arrays[k].n * sizeof(double));
}

/* The change of the loss from the final values in `from` to those in the
 * arrays. */
static inline double check_loss_change(double **from, double value_from,
                                       double value) {
  double sum = value - value_from;
  for (int k = 0; k < check_num_arrays; ++k) {
    check_array *a = &check_arrays[k];
    for (long i = 0; a->shadow && i < a->n; ++i)
      sum += a->weight[i] * (a->data[i] - from[k][i]);
  }
  return sum;
}

/* The loss at x + h minus the loss at x - h, where x is entry i of array k. */
static inline double check_difference(double (*primal)(void), int k, long i,
                                      double h, double **scratch) {
  check_reset();
  check_arrays[k].data[i] = check_arrays[k].start[i] - h;
  double down = primal();
  for (int m = 0; m < check_num_arrays; ++m)
    memcpy(scratch[m], check_arrays[m].data,
           check_arrays[m].n * sizeof(double));
  check_reset();
  check_arrays[k].data[i] = check_arrays[k].start[i] + h;
  double up = primal();
  return check_loss_change(scratch, down, up);
}

/* Checks gradient() against differences of primal() and, unless it is null,
 * against reference(), which runs with the arrays at their initial values and
 * the shadows at their seeds and leaves in the shadows what gradient() must
 * leave there. */
static inline int check_gradient(double (*primal)(void),
                                 double (*gradient)(void),
                                 void (*reference)(void)) {
  static double *scratch[CHECK_MAX_ARRAYS]; /* static: not a leak */
  check_reset();
  double value = primal();
  check_record(&value, sizeof value);
  for (int k = 0; k < check_num_arrays; ++k) {
    check_array *a = &check_arrays[k];
    memcpy(a->final, a->data, a->n * sizeof(double));
    check_record(a->final, a->n * sizeof(double));
    scratch[k] = check_alloc(a->n);
  }
#ifdef CHECK_PLAIN
  (void)gradient, (void)reference, (void)check_difference, (void)check_step,
      (void)check_tolerance;
#else
  char what[200];
  int changed = 0;
  check_reset();
#ifdef CHECK_SELF
  if (reference)
    reference();
  check_reset_data();
  primal();
#else
  gradient();
#endif
  for (int k = 0; k < check_num_arrays; ++k) {
    check_array *a = &check_arrays[k];
    snprintf(what, sizeof what, "primal result %s of the gradient", a->name);
    check_true(what, !memcmp(a->data, a->final, a->n * sizeof(double)));
    snprintf(what, sizeof what, "no write outside of %s", a->name);
    check_true(what, check_guarded(a->data, a->n) &&
                         (!a->shadow || check_guarded(a->shadow, a->n)));
    if (!a->shadow)
      continue;
    memcpy(scratch[k], a->shadow, a->n * sizeof(double));
    changed |= memcmp(a->shadow, a->weight, a->n * sizeof(double)) != 0;
  }
  check_true("some shadow changed", changed);

  if (reference) {
    check_reset();
    reference();
    for (int k = 0; k < check_num_arrays; ++k) {
      check_array *a = &check_arrays[k];
      snprintf(what, sizeof what, "d%s against the reference", a->name);
      if (a->shadow)
        check_close(what, scratch[k], a->shadow, a->n, CHECK_REFERENCE);
    }
  }

  static double *before[CHECK_MAX_ARRAYS];
  for (int k = 0; k < check_num_arrays; ++k)
    before[k] = check_alloc(check_arrays[k].n);
  for (int k = 0; k < check_num_arrays; ++k) {
    check_array *a = &check_arrays[k];
    if (!a->shadow)
      continue;
    for (long i = 0; i < a->n; ++i) {
      const double h = check_step;
      double one = check_difference(primal, k, i, h, before);
      double two = check_difference(primal, k, i, 2 * h, before);
      a->want[i] = (8 * one - two) / (12 * h); /* of fourth order */
    }
    snprintf(what, sizeof what, "d%s against differences", a->name);
    check_close(what, scratch[k], a->want, a->n, check_tolerance);
  }
#endif
  return check_done();
}

#endif /* PARDIFF_TEST_CHECK_H */
