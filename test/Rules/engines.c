/* Every function of the library with a derivative, in a loop over an array, in double
 * and float, through both engines (-pardiff-force-fallback: the flow engine), at all
 * levels, with errno, without and with -ffast-math. The reference is a central difference
 * of sixth order of the long double function: it shares no formula with the rules.
 *
 * RUN: %clang -O0 -DREMARKS -Rpass-missed=pardiff %s -lm -o %t 2>&1 | %FileCheck --allow-empty %s
 * RUN: %t
 * RUN: %clang -O1 %s -lm -o %t && %t
 * RUN: %clang -O2 %s -lm -o %t && %t
 * RUN: %clang -O3 -fno-math-errno %s -lm -o %t && %t
 * RUN: %clang -O0 -mllvm -pardiff-force-fallback %s -lm -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback -fno-math-errno %s -lm -o %t && %t
 * RUN: %clang -O2 -ffast-math -fveclib=libmvec %s -lm -o %t && %t
 *
 * Without a remark, the nest engine took them all.
 * CHECK-NOT: remark
 */
#define _GNU_SOURCE
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>

typedef long double wide;

static int failures, count;

static wide difference(wide (*f)(wide, wide), wide x, wide y, int which) {
  static const wide weights[3] = {45, -9, 1};
  wide h = 0x1p-10L * (fabsl(which ? y : x) + 0x1p-4L), sum = 0;
  for (int k = 1; k <= 3; ++k)
    sum += weights[k - 1] * (which ? f(x, y + k * h) - f(x, y - k * h)
                                   : f(x + k * h, y) - f(x - k * h, y));
  return sum / (60 * h);
}

static void compare(const char *name, const char *type, double x, double y, int which,
                    double got, wide want, double tolerance) {
  ++count;
  if (fabsl(got - want) <= tolerance * (1 + fabsl(want)))
    return;
  ++failures;
  printf("%s in %s: d/d%c at (%g, %g) is %.17g, expected %.17Lg\n", name, type,
         "xy"[which], x, y, got, want);
}

/* z[i] = value, with the derivatives by both arrays. */
#define KERNEL(T, name, value, tolerance)                                             \
  static void name##_##T(int n, T *a, T *b, T *z) {                                   \
    for (int i = 0; i < n; ++i) {                                                     \
      T x = a[i], y = b[i];                                                           \
      z[i] = value;                                                                   \
    }                                                                                 \
  }                                                                                   \
  static void check_##name##_##T(int n, const double *xs, const double *ys) {         \
    T a[4], b[4], z[4], da[4] = {0}, db[4] = {0}, dz[4];                              \
    for (int i = 0; i < n; ++i)                                                       \
      a[i] = (T)xs[i], b[i] = (T)ys[i], dz[i] = 1.5, z[i] = 0;                        \
    __pardiff_autodiff((void *)name##_##T, pardiff_const, n, pardiff_dup, a, da,      \
                       pardiff_dup, b, db, pardiff_dup, z, dz);                       \
    for (int i = 0; i < n; ++i) {                                                     \
      compare(#name, #T, a[i], b[i], 0, da[i],                                        \
              1.5L * difference(wide_##name, a[i], b[i], 0), tolerance);              \
      compare(#name, #T, a[i], b[i], 1, db[i],                                        \
              1.5L * difference(wide_##name, a[i], b[i], 1), tolerance);              \
      compare("seed", #T, a[i], b[i], 0, dz[i], 0, 0);                                \
    }                                                                                 \
  }
/* The same text in three types: F(sin) is sin, sinf or sinl. */
#define FUNCTION(name, ...)                                                           \
  static wide wide_##name(wide x, wide y) { return __VA_ARGS__; }

#define F(name) name##l
#define T wide
#include "Inputs/engines.inc"
#undef F
#undef T
#undef FUNCTION
#define F(name) name
#define T double
#define FUNCTION(name, ...) KERNEL(double, name, (__VA_ARGS__), 1e-11)
#include "Inputs/engines.inc"
#undef F
#undef T
#undef FUNCTION
#define F(name) name##f
#define T float
#define FUNCTION(name, ...) KERNEL(float, name, (__VA_ARGS__), 2e-5)
#include "Inputs/engines.inc"
#undef F
#undef T
#undef FUNCTION

int main(void) {
  volatile int three = 3;
  const double xs[] = {0.7, 1.9, 2.6}, ys[] = {1.3, 0.4, 2.2};
  const double inner[] = {0.7, -0.2, -0.85}, outer[] = {1.4, 2.2, 3.7};
  const double negative[] = {-0.3, -2.6, 5.4};
#define FUNCTION(name, ...)                                                           \
  check_##name##_double(three, xs, ys), check_##name##_float(three, xs, ys);
#define INNER(name, ...)                                                              \
  check_##name##_double(three, inner, ys), check_##name##_float(three, inner, ys);
#define OUTER(name, ...)                                                              \
  check_##name##_double(three, outer, ys), check_##name##_float(three, outer, ys);
#define NEGATIVE(name, ...)                                                           \
  check_##name##_double(three, negative, ys), check_##name##_float(three, negative, ys);
#include "Inputs/engines.inc"
  printf("%d values, %d failures\n", count, failures);
  return failures != 0 || count < 800;
}
