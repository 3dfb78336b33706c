// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pardiff/check.h finds nothing wrong with right derivatives, and finds each of
// ten wrong rules, with the argument and the mode.
//
// RUN: %clang -O1 -Wall -Werror %s -o %t -lm && %t 2>&1 | %FileCheck %s
// RUN: %clangxx -x c++ -O0 -Wall -Werror %s -o %t.cpp -lm && %t.cpp 2>&1 | %FileCheck %s
#include <pardiff/check.h>

// What is called, and its wrong rules.
#define FORWARD_RULE(name, expression)                                         \
  static void name(const double *x, double *y) { *y = *x * *x; }               \
  static void name##_tangent(const double *x, const double *dx, double *y,     \
                             double *dy) {                                     \
    double t = (expression) * *dx;                                             \
    *y = *x * *x;                                                              \
    *dy = t;                                                                   \
  }                                                                            \
  void *__pardiff_register_derivative_##name[] = {(void *)name,                \
                                                  (void *)name##_tangent};     \
  static double use_##name(const double *x) {                                  \
    double y;                                                                  \
    name(x, &y);                                                               \
    return y * x[1];                                                           \
  }
#define REVERSE_RULE(name, by_a, by_b)                                         \
  static void name(const double *a, const double *b, double *y) {              \
    *y = *a * *b;                                                              \
  }                                                                            \
  static void name##_augmented(const double *a, double *da, const double *b,   \
                               double *db, double *y, double *dy) {            \
    name(a, b, y);                                                             \
  }                                                                            \
  static void name##_reverse(const double *a, double *da, const double *b,     \
                             double *db, double *y, double *dy) {              \
    double s = *dy;                                                            \
    *dy = 0;                                                                   \
    *da += (by_a) * s;                                                         \
    *db += (by_b) * s;                                                         \
  }                                                                            \
  void *__pardiff_register_gradient_##name[] = {                               \
      (void *)name, (void *)name##_augmented, (void *)name##_reverse};         \
  static void use_##name(const double *a, const double *b, double *y) {        \
    name(a, b, y);                                                             \
  }

FORWARD_RULE(right, 2 * *x)
FORWARD_RULE(twice, 4 * *x)
FORWARD_RULE(sign, -2 * *x)
FORWARD_RULE(nothing, 0)
FORWARD_RULE(offset, 2 * *x + 1)
FORWARD_RULE(small, 2 * *x * (1 + 1e-3))
REVERSE_RULE(product, *b, *a)
REVERSE_RULE(swapped, *a, *b)
REVERSE_RULE(no_a, 0, *a)
REVERSE_RULE(no_b, *b, 0)
REVERSE_RULE(b_twice, *b, 2 * *a)
REVERSE_RULE(a_tiny, *b * (1 + 1e-7), *a)

static double plain(int n, const double *x, double *y, double scale) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = sin(x[i]) * scale + y[i] * y[i];
    s += y[i] * x[i];
  }
  return s;
}

int main(void) {
  double x[3] = {0.5, 1.5, -0.7}, y[3] = {1, 2, 3}, a[1] = {1.25}, b[1] = {0.5};
  // CHECK-NOT: pardiff_check
  // CHECK: plain 0
  fprintf(stderr, "plain %d\n",
          pardiff_check(plain, constant(3), array(x, 3), array(y, 3),
                        value(0.75)));
  // CHECK-NOT: pardiff_check: use_right, {{.*}} forward mode gives
  // CHECK: right 0
  fprintf(stderr, "right %d\n", pardiff_check(use_right, array(x, 2)));
  // CHECK: pardiff_check: use_twice, argument 'x': forward mode gives
  pardiff_check(use_twice, array(x, 2));
  // CHECK: pardiff_check: use_sign, argument 'x': forward mode gives
  pardiff_check(use_sign, array(x, 2));
  // CHECK: pardiff_check: use_nothing, argument 'x': forward mode gives
  pardiff_check(use_nothing, array(x, 2));
  // CHECK: pardiff_check: use_offset, argument 'x': forward mode gives
  pardiff_check(use_offset, array(x, 2));
  // CHECK: pardiff_check: use_small, argument 'x': forward mode gives
  pardiff_check(use_small, array(x, 2));
  // CHECK: product 0
  fprintf(stderr, "product %d\n",
          pardiff_check_void(use_product, array(a, 1), array(b, 1),
                             array(y, 1)));
  // CHECK: pardiff_check: use_swapped, argument 'a': reverse mode gives
  // CHECK: pardiff_check: use_swapped, argument 'b': reverse mode gives
  pardiff_check_void(use_swapped, array(a, 1), array(b, 1), array(y, 1));
  // CHECK: pardiff_check: use_no_a, argument 'a': reverse mode gives
  // CHECK-NOT: argument 'b'
  pardiff_check_void(use_no_a, array(a, 1), array(b, 1), array(y, 1));
  // CHECK: pardiff_check: use_no_b, argument 'b': reverse mode gives
  pardiff_check_void(use_no_b, array(a, 1), array(b, 1), array(y, 1));
  // CHECK: pardiff_check: use_b_twice, argument 'b': reverse mode gives
  // CHECK-NOT: argument 'b'
  pardiff_check_void(use_b_twice, array(a, 1), array(b, 1), array(y, 1));
  // CHECK: pardiff_check: use_a_tiny, argument 'a': reverse mode gives
  // CHECK-NOT: argument 'b'
  pardiff_check_void(use_a_tiny, array(a, 1), array(b, 1), array(y, 1));
  return 0;
}
