// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules that a user registers: they are used instead of what the functions do,
// also for values by value, with and without a tape, and where the function is
// differentiated itself. The derivatives are recognisably wrong on purpose.
//
// RUN: %clang -O0 %s -o %t0 -lm && %t0
// RUN: %clang -O1 %s -o %t1 -lm && %t1
// RUN: %clang -O2 %s -o %t2 -lm && %t2
// RUN: %clang -O3 %s -o %t3 -lm && %t3
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t1

#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>
#include <stdlib.h>

// Forward mode, through pointers and by value.
static void cube(const double *x, double *y) { *y = *x * *x * *x; }
static void cube_tangent(const double *x, const double *dx, double *y,
                         double *dy) {
  cube(x, y);
  *dy = 100 * *dx;
}
void *__pardiff_register_derivative_cube[] = {(void *)cube,
                                              (void *)cube_tangent};

struct pair {
  double value, tangent;
};
static double weigh(double x, int n) { return n * x; }
static struct pair weigh_tangent(double x, double dx, int n) {
  struct pair p = {weigh(x, n), 7 * n * dx};
  return p;
}
void *__pardiff_register_derivative_weigh[] = {(void *)weigh,
                                               (void *)weigh_tangent};

// Reverse mode: a tape that is freed, and derivatives of values.
static int live;
static double damp(double a, const double *x, double b) {
  return a * *x * b;
}
struct augmented {
  void *tape;
  double value;
};
static struct augmented damp_augmented(double a, const double *x, double *dx,
                                       double b) {
  double *tape = malloc(sizeof(double));
  ++live;
  *tape = *x;
  struct augmented r = {tape, damp(a, x, b)};
  return r;
}
struct adjoints {
  double a, b;
};
static struct adjoints damp_reverse(double a, const double *x, double *dx,
                                    double b, double seed, void *tape) {
  struct adjoints d = {seed * 1000 * *(double *)tape, seed * 2000};
  if (dx)
    *dx += seed * 3000;
  free(tape);
  --live;
  return d;
}
void *__pardiff_register_gradient_damp[] = {
    (void *)damp, (void *)damp_augmented, (void *)damp_reverse};

// Three derivatives come back through memory; no tape.
static double sum3(double a, double b, double c) { return a + b + c; }
struct three {
  double a, b, c;
};
static double sum3_augmented(double a, double b, double c) { return a + b + c; }
static struct three sum3_reverse(double a, double b, double c, double seed) {
  struct three d = {1 * seed, 20 * seed, 300 * seed};
  return d;
}
void *__pardiff_register_gradient_sum3[] = {
    (void *)sum3, (void *)sum3_augmented, (void *)sum3_reverse};

// No derivative at all.
static double observe(double x) { return floor(x) + x; }
void *__pardiff_inactivefn_observe = (void *)observe;

// As in math.h: the rule is log1p's, the value is the function's own.
__attribute__((noinline)) static double my_log1p(double x) {
  double s = 0, p = 1;
  for (int k = 1; k < 60; ++k) {
    p *= -x;
    s -= p / k;
  }
  return s;
}
void *__pardiff_function_like_log[] = {(void *)my_log1p, (void *)"log1p"};

// A structure on the stack, and integers whose upper bits count.
struct box {
  double x, y, z;
};
static double volume(struct box b, signed char n, _Bool twice) {
  return b.x * b.y * b.z * n * (1 + twice);
}
__attribute__((noinline)) static struct pair
volume_tangent(struct box b, struct box *db, signed char n, _Bool twice) {
  struct pair p = {volume(b, n, twice), 100 * b.z * db->x + n + twice};
  return p;
}
void *__pardiff_register_derivative_volume[] = {(void *)volume,
                                                (void *)volume_tangent};
static double volume_model(const double *x, signed char n) {
  struct box b = {x[0], x[1], x[2]};
  return volume(b, n - 5, n > 2);
}

// A user's allocator.
static int blocks;
static void *grab(int where, size_t bytes) {
  ++blocks;
  return malloc(bytes);
}
static void drop(void *p) {
  --blocks;
  free(p);
}
void *__pardiff_allocation_like_grab[] = {(void *)grab, (void *)1,
                                          (void *)"-1", (void *)drop};

static double forward_model(double x) {
  double y;
  cube(&x, &y);
  return y + weigh(x, 3);
}
static double reverse_model(double a, const double *x, double b) {
  double s = 0;
  for (int i = 0; i < 2; ++i)
    s += damp(a, x + i, b);
  return s;
}
static double sum_model(double a) { return sum3(a, 2 * a, 3 * a); }
static double inactive_model(double x) { return observe(x) * x; }
static double like_model(double x) { return 2 * my_log1p(x); }
static double buffer_model(double x) {
  double *p = grab(1, 2 * sizeof(double));
  p[0] = x;
  p[1] = p[0] * p[0];
  double r = p[1] * p[0];
  drop(p);
  return r;
}

static int failures;
static void expect(const char *what, double got, double want) {
  if (!(fabs(got - want) <= 1e-9 * (1 + fabs(want)))) {
    printf("%s: %.12g, not %.12g\n", what, got, want);
    failures = 1;
  }
}

struct two {
  double a, b;
};
struct two __pardiff_autodiff_two(void *, ...);

int main(void) {
  double v[3] = {1, 2, 3}, dv[3] = {1, 0, 0};
  expect("structure", __pardiff_fwddiff((void *)volume_model, v, dv, (int)failures + 3), 300 - 2 + 1);
  expect("derivative", __pardiff_fwddiff((void *)forward_model, 2.0, 1.0),
         100 + 21);
  expect("of itself",
         __pardiff_fwddiff((void *)weigh, pardiff_dup, 2.0, 1.0, 5), 35);
  double x[2] = {2, 5}, dx[2] = {0, 0};
  struct two d =
      __pardiff_autodiff_two((void *)reverse_model, 1.5, x, dx, 0.5);
  expect("by a", d.a, 7000);
  expect("by b", d.b, 4000);
  expect("by x", dx[0] + dx[1], 6000);
  d = __pardiff_autodiff_two((void *)damp, 1.5, pardiff_const, x, 0.5);
  expect("gradient of itself", d.a, 2000);
  expect("tapes left", live, 0);
  expect("three", __pardiff_autodiff((void *)sum_model, 1.0), 1 + 40 + 900);
  expect("inactive, reverse", __pardiff_autodiff((void *)inactive_model, 2.5),
         4.5);
  expect("inactive, forward",
         __pardiff_fwddiff((void *)inactive_model, 2.5, 1.0), 4.5);
  expect("like, reverse", __pardiff_autodiff((void *)like_model, 0.25), 1.6);
  expect("like, forward", __pardiff_fwddiff((void *)like_model, 0.25, 1.0),
         1.6);
  expect("allocator, reverse", __pardiff_autodiff((void *)buffer_model, 3.0),
         27);
  expect("allocator, forward",
         __pardiff_fwddiff((void *)buffer_model, 3.0, 1.0), 27);
  expect("blocks left", blocks, 0);
  return failures;
}
