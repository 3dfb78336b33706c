/*===- pardiff/check.h - Check the derivatives of your own function -*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * The first thing to run when in doubt, in C and C++:
 *
 *   #include <pardiff/check.h>
 *
 *   double energy(int n, const double *x, double *work, double scale);
 *
 *   int wrong = pardiff_check(energy, constant(n), array(x, n), array(work, n),
 *                             value(scale));
 *
 * describes each argument of the function in its order:
 *
 *   array(x, n)    a pointer to n doubles, active; the contents are not changed
 *   value(a)       a double by value, active
 *   constant(n)    anything else, inactive: it is passed as it is
 *
 * The objective is what the function returns plus a weighted sum of all that its
 * arrays hold at the end. Its derivative in one direction of each active argument is
 * computed by central differences, by forward mode and, for arrays, by reverse mode.
 * For each argument that is off, a line on the standard error tells which one, in
 * which mode, and by how much. The number of such lines is returned: 0 is good.
 *
 * pardiff_check_void is the same for a function that returns nothing. Differences are
 * right to about 1e-6 (where the function is smooth), forward and reverse mode agree
 * to about 1e-10.
 *
 *===------------------------------------------------------------------------===*/

#ifndef PARDIFF_CHECK_H
#define PARDIFF_CHECK_H

#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARDIFF_CHECK_ARGUMENTS 12

/* One active argument. */
struct pardiff_checked {
  const char *name;
  const double *start; /* what the user passes */
  double own;          /* a value by value */
  long size;
  /* What the function gets, its shadow or tangent, the direction, the weights of the
   * final contents. */
  double *data, *shadow, *direction, *weights;
  int by_value;
  double differences, forward, reverse;
  double scale; /* of the sum that reverse is */
};

/* What is to be run next. */
enum pardiff_check_step {
  PARDIFF_CHECK_PRIMAL,
  PARDIFF_CHECK_FORWARD,
  PARDIFF_CHECK_REVERSE,
  PARDIFF_CHECK_DONE
};

struct pardiff_checker {
  const char *function;
  struct pardiff_checked arguments[PARDIFF_CHECK_ARGUMENTS];
  int count, current, run;
  enum pardiff_check_step step;
  double result, size; /* of the last run; a typical step */
};

static inline double pardiff_check_random(unsigned long *state) {
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(*state >> 40) / (double)(1ul << 24) - 0.5;
}

static inline double *pardiff_check_memory(long size) {
  double *p = (double *)calloc((size_t)size + 1, sizeof(double));
  if (!p) {
    fprintf(stderr, "pardiff_check: out of memory\n");
    abort();
  }
  return p;
}

static inline struct pardiff_checked *
pardiff_check_find(struct pardiff_checker *c, const char *name) {
  for (int i = 0; i < c->count; ++i)
    if (strcmp(c->arguments[i].name, name) == 0)
      return &c->arguments[i];
  fprintf(stderr, "pardiff_check: two arguments must have different names\n");
  abort();
}

static inline void pardiff_check_add(struct pardiff_checker *c,
                                     const char *name, const double *start,
                                     double own, long size) {
  static const unsigned long seed = 88172645463325252ul;
  if (c->count == PARDIFF_CHECK_ARGUMENTS) {
    fprintf(stderr, "pardiff_check: too many arguments\n");
    abort();
  }
  unsigned long state = seed + 7919ul * (unsigned long)c->count;
  struct pardiff_checked *a = &c->arguments[c->count++];
  memset(a, 0, sizeof *a);
  a->name = name;
  a->own = own;
  a->by_value = !start;
  a->start = start;
  a->size = size;
  a->data = pardiff_check_memory(size);
  a->shadow = pardiff_check_memory(size);
  a->direction = pardiff_check_memory(size);
  a->weights = pardiff_check_memory(size);
  for (long i = 0; i < size; ++i) {
    a->direction[i] = pardiff_check_random(&state);
    a->weights[i] = a->by_value ? 0 : pardiff_check_random(&state);
  }
}

/* Puts the arguments at start + step * direction of the current one. */
static inline void pardiff_check_place(struct pardiff_checker *c, double step) {
  for (int k = 0; k < c->count; ++k) {
    struct pardiff_checked *a = &c->arguments[k];
    for (long i = 0; i < a->size; ++i) {
      double at = a->by_value ? a->own : a->start[i];
      a->data[i] = at + (k == c->current ? step * a->direction[i] : 0);
      a->shadow[i] = c->step == PARDIFF_CHECK_REVERSE ? a->weights[i]
                     : k == c->current                ? a->direction[i]
                                                      : 0;
    }
  }
}

/* The objective, or its tangent if OF_SHADOWS, after a run. */
static inline double pardiff_check_sum(struct pardiff_checker *c,
                                       int of_shadows) {
  double sum = c->result;
  for (int k = 0; k < c->count; ++k) {
    struct pardiff_checked *a = &c->arguments[k];
    for (long i = 0; i < a->size; ++i)
      sum += a->weights[i] * (of_shadows ? a->shadow[i] : a->data[i]);
  }
  return sum;
}

#define PARDIFF_CHECK_STEP 1e-6

static inline int pardiff_check_begin(struct pardiff_checker *c) {
  c->step = c->count ? PARDIFF_CHECK_REVERSE : PARDIFF_CHECK_DONE;
  c->current = -1;
  c->result = 0;
  pardiff_check_place(c, 0);
  return 1;
}

/* Takes the result of a run and prepares the next one. */
static inline void pardiff_check_next(struct pardiff_checker *c) {
  struct pardiff_checked *a = &c->arguments[c->current < 0 ? 0 : c->current];
  if (c->step == PARDIFF_CHECK_REVERSE) {
    for (int k = 0; k < c->count; ++k) {
      struct pardiff_checked *b = &c->arguments[k];
      for (long i = 0; i < b->size; ++i) {
        b->reverse += b->shadow[i] * b->direction[i];
        b->scale += fabs(b->shadow[i] * b->direction[i]);
      }
    }
    c->current = 0;
    c->step = PARDIFF_CHECK_FORWARD;
    c->run = 0;
  } else if (c->step == PARDIFF_CHECK_FORWARD) {
    a->forward = pardiff_check_sum(c, 1);
    c->step = PARDIFF_CHECK_PRIMAL;
    c->run = 0;
  } else {
    a->differences += (c->run ? -1 : 1) * pardiff_check_sum(c, 0) /
                      (2 * PARDIFF_CHECK_STEP);
    if (++c->run == 2) {
      c->step = ++c->current == c->count ? PARDIFF_CHECK_DONE
                                         : PARDIFF_CHECK_FORWARD;
      c->run = 0;
    }
  }
  c->result = 0;
  if (c->step == PARDIFF_CHECK_PRIMAL)
    pardiff_check_place(c, c->run ? -PARDIFF_CHECK_STEP : PARDIFF_CHECK_STEP);
  else if (c->step != PARDIFF_CHECK_DONE)
    pardiff_check_place(c, 0);
}

static inline int pardiff_check_compare(struct pardiff_checker *c,
                                        struct pardiff_checked *a,
                                        const char *what, double got,
                                        const char *with, double want,
                                        double tolerance) {
  double off = fabs(got - want);
  if (off <= tolerance)
    return 0;
  fprintf(stderr,
          "pardiff_check: %s, argument '%s': %s gives %.12g, %s %.12g: off by "
          "%.3g (%.3g%%)\n",
          c->function, a->name, what, got, with, want, off,
          100 * off / (fabs(want) > 0 ? fabs(want) : 1));
  return 1;
}

static inline int pardiff_check_end(struct pardiff_checker *c) {
  int wrong = 0;
  for (int k = 0; k < c->count; ++k) {
    struct pardiff_checked *a = &c->arguments[k];
    double size = 1e-3 + fabs(a->forward) + a->scale;
    wrong += pardiff_check_compare(c, a, "forward mode", a->forward,
                                   "differences", a->differences, 1e-5 * size);
    if (!a->by_value)
      wrong += pardiff_check_compare(c, a, "reverse mode", a->reverse,
                                     "forward mode", a->forward, 1e-9 * size);
    free(a->data);
    free(a->shadow);
    free(a->direction);
    free(a->weights);
  }
  return wrong;
}

/* What each kind of argument means in each kind of run. */
#define PARDIFF_ADD_array(x, n) pardiff_check_add(&pardiff_c, #x, (x), 0, (n));
#define PARDIFF_ADD_value(a) pardiff_check_add(&pardiff_c, #a, NULL, (a), 1);
#define PARDIFF_ADD_constant(v)

#define PARDIFF_PASS_array(x, n) pardiff_check_find(&pardiff_c, #x)->data
#define PARDIFF_PASS_value(a) *pardiff_check_find(&pardiff_c, #a)->data
#define PARDIFF_PASS_constant(v) (v)

#define PARDIFF_FORWARD_array(x, n)                                            \
  pardiff_dup, pardiff_check_find(&pardiff_c, #x)->data,                       \
      pardiff_check_find(&pardiff_c, #x)->shadow
#define PARDIFF_FORWARD_value(a)                                               \
  pardiff_dup, *pardiff_check_find(&pardiff_c, #a)->data,                      \
      *pardiff_check_find(&pardiff_c, #a)->shadow
#define PARDIFF_FORWARD_constant(v) pardiff_const, (v)

#define PARDIFF_REVERSE_array(x, n) PARDIFF_FORWARD_array(x, n)
#define PARDIFF_REVERSE_value(a)                                               \
  pardiff_const, *pardiff_check_find(&pardiff_c, #a)->data
#define PARDIFF_REVERSE_constant(v) pardiff_const, (v)

/* PARDIFF_EACH(P, a, b, c): P_##a P_##b P_##c; PARDIFF_LIST with commas. */
#define PARDIFF_COUNT(...)                                                     \
  PARDIFF_COUNT_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define PARDIFF_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
#define PARDIFF_JOIN(a, b) PARDIFF_JOIN_(a, b)
#define PARDIFF_JOIN_(a, b) a##b
#define PARDIFF_EACH(P, ...)                                                   \
  PARDIFF_JOIN(PARDIFF_EACH_, PARDIFF_COUNT(__VA_ARGS__))(P, __VA_ARGS__)
#define PARDIFF_LIST(P, ...)                                                   \
  PARDIFF_JOIN(PARDIFF_LIST_, PARDIFF_COUNT(__VA_ARGS__))(P, __VA_ARGS__)
#define PARDIFF_EACH_1(P, a) P##a
#define PARDIFF_EACH_2(P, a, ...) P##a PARDIFF_EACH_1(P, __VA_ARGS__)
#define PARDIFF_EACH_3(P, a, ...) P##a PARDIFF_EACH_2(P, __VA_ARGS__)
#define PARDIFF_EACH_4(P, a, ...) P##a PARDIFF_EACH_3(P, __VA_ARGS__)
#define PARDIFF_EACH_5(P, a, ...) P##a PARDIFF_EACH_4(P, __VA_ARGS__)
#define PARDIFF_EACH_6(P, a, ...) P##a PARDIFF_EACH_5(P, __VA_ARGS__)
#define PARDIFF_EACH_7(P, a, ...) P##a PARDIFF_EACH_6(P, __VA_ARGS__)
#define PARDIFF_EACH_8(P, a, ...) P##a PARDIFF_EACH_7(P, __VA_ARGS__)
#define PARDIFF_EACH_9(P, a, ...) P##a PARDIFF_EACH_8(P, __VA_ARGS__)
#define PARDIFF_EACH_10(P, a, ...) P##a PARDIFF_EACH_9(P, __VA_ARGS__)
#define PARDIFF_EACH_11(P, a, ...) P##a PARDIFF_EACH_10(P, __VA_ARGS__)
#define PARDIFF_EACH_12(P, a, ...) P##a PARDIFF_EACH_11(P, __VA_ARGS__)
#define PARDIFF_LIST_1(P, a) P##a
#define PARDIFF_LIST_2(P, a, ...) P##a, PARDIFF_LIST_1(P, __VA_ARGS__)
#define PARDIFF_LIST_3(P, a, ...) P##a, PARDIFF_LIST_2(P, __VA_ARGS__)
#define PARDIFF_LIST_4(P, a, ...) P##a, PARDIFF_LIST_3(P, __VA_ARGS__)
#define PARDIFF_LIST_5(P, a, ...) P##a, PARDIFF_LIST_4(P, __VA_ARGS__)
#define PARDIFF_LIST_6(P, a, ...) P##a, PARDIFF_LIST_5(P, __VA_ARGS__)
#define PARDIFF_LIST_7(P, a, ...) P##a, PARDIFF_LIST_6(P, __VA_ARGS__)
#define PARDIFF_LIST_8(P, a, ...) P##a, PARDIFF_LIST_7(P, __VA_ARGS__)
#define PARDIFF_LIST_9(P, a, ...) P##a, PARDIFF_LIST_8(P, __VA_ARGS__)
#define PARDIFF_LIST_10(P, a, ...) P##a, PARDIFF_LIST_9(P, __VA_ARGS__)
#define PARDIFF_LIST_11(P, a, ...) P##a, PARDIFF_LIST_10(P, __VA_ARGS__)
#define PARDIFF_LIST_12(P, a, ...) P##a, PARDIFF_LIST_11(P, __VA_ARGS__)

#ifdef __cplusplus
#define PARDIFF_CHECK_FWDDIFF(f, ...) __pardiff_fwddiff<double>(f, __VA_ARGS__)
#define PARDIFF_CHECK_FWDDIFF_VOID(f, ...)                                     \
  __pardiff_fwddiff<void>(f, __VA_ARGS__)
#define PARDIFF_CHECK_AUTODIFF(f, ...) __pardiff_autodiff<void>(f, __VA_ARGS__)
#else
#define PARDIFF_CHECK_FWDDIFF(f, ...) __pardiff_fwddiff((void *)(f), __VA_ARGS__)
#define PARDIFF_CHECK_FWDDIFF_VOID(f, ...)                                     \
  __pardiff_fwddiff_void((void *)(f), __VA_ARGS__)
#define PARDIFF_CHECK_AUTODIFF(f, ...)                                         \
  __pardiff_autodiff_void((void *)(f), __VA_ARGS__)
#endif

#define PARDIFF_CHECK_RUN(f, PRIMAL, FORWARD, ...)                             \
  __extension__({                                                              \
    struct pardiff_checker pardiff_c;                                          \
    pardiff_c.function = #f;                                                   \
    pardiff_c.count = 0;                                                       \
    PARDIFF_EACH(PARDIFF_ADD_, __VA_ARGS__)                                    \
    pardiff_check_begin(&pardiff_c);                                           \
    for (; pardiff_c.step != PARDIFF_CHECK_DONE;                               \
         pardiff_check_next(&pardiff_c)) {                                     \
      if (pardiff_c.step == PARDIFF_CHECK_PRIMAL)                              \
        PRIMAL f(PARDIFF_LIST(PARDIFF_PASS_, __VA_ARGS__));                    \
      else if (pardiff_c.step == PARDIFF_CHECK_FORWARD)                        \
        FORWARD(f, PARDIFF_LIST(PARDIFF_FORWARD_, __VA_ARGS__));               \
      else                                                                     \
        PARDIFF_CHECK_AUTODIFF(f, PARDIFF_LIST(PARDIFF_REVERSE_, __VA_ARGS__));\
    }                                                                          \
    pardiff_check_end(&pardiff_c);                                             \
  })

#define pardiff_check(f, ...)                                                  \
  PARDIFF_CHECK_RUN(f, pardiff_c.result =,                                     \
                    pardiff_c.result = PARDIFF_CHECK_FWDDIFF, __VA_ARGS__)
#define pardiff_check_void(f, ...)                                             \
  PARDIFF_CHECK_RUN(f, , PARDIFF_CHECK_FWDDIFF_VOID, __VA_ARGS__)

#endif /* PARDIFF_CHECK_H */
