/* The conventions of Rules/Rules.h at points where a partial derivative is infinite or
 * not unique: no NaN, and the value that is written there. As calls of the library and
 * as intrinsics.
 *
 * RUN: %plain-clang -O1 -emit-llvm -c %s -o %t.library.bc
 * RUN: %opt -passes='test<pardiff-vjp>,verify' %t.library.bc -o %t.library.d.bc
 * RUN: %plain-clang -O0 %t.library.d.bc -lm -o %t.library && %t.library
 * RUN: %plain-clang -O1 %t.library.d.bc -lm -o %t.library && %t.library
 * RUN: %plain-clang -O2 %t.library.d.bc -lm -o %t.library && %t.library
 * RUN: %plain-clang -O3 %t.library.d.bc -lm -o %t.library && %t.library
 * RUN: %plain-clang -O1 -fno-math-errno -emit-llvm -c %s -o %t.intrinsic.bc
 * RUN: %opt -passes='test<pardiff-vjp>,verify' %t.intrinsic.bc -o %t.intrinsic.d.bc
 * RUN: %plain-clang -O0 %t.intrinsic.d.bc -lm -o %t.intrinsic && %t.intrinsic
 * RUN: %plain-clang -O1 %t.intrinsic.d.bc -lm -o %t.intrinsic && %t.intrinsic
 * RUN: %plain-clang -O2 %t.intrinsic.d.bc -lm -o %t.intrinsic && %t.intrinsic
 * RUN: %plain-clang -O3 %t.intrinsic.d.bc -lm -o %t.intrinsic && %t.intrinsic
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

static int failures;

static int same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

#define ONE(name, value)                                                       \
  double name(double x) { return value; }                                      \
  void name##_vjp(double, const double *, double *);                           \
  static void check_##name(double x, double want) {                            \
    double seed = 1, got;                                                      \
    name##_vjp(x, &seed, &got);                                                \
    if (!same(got, want))                                                      \
      ++failures, printf("d/dx %s at %g: %g, expected %g\n", #value, x, got,   \
                         want);                                                \
  }
#define TWO(name, value)                                                       \
  double name(double x, double y) { return value; }                            \
  void name##_vjp(double, double, const double *, double *);                   \
  static void check_##name(double x, double y, double dx, double dy) {         \
    double seed = 1, got[2];                                                   \
    name##_vjp(x, y, &seed, got);                                              \
    if (!same(got[0], dx) || !same(got[1], dy))                                \
      ++failures, printf("d %s at (%g, %g): (%g, %g), expected (%g, %g)\n",    \
                         #value, x, y, got[0], got[1], dx, dy);                \
  }

ONE(f_sqrt, sqrt(x))
ONE(f_cbrt, cbrt(x))
ONE(f_fabs, fabs(x))
ONE(f_asin, asin(x))
ONE(f_acos, acos(x))
ONE(f_acosh, acosh(x))
ONE(f_log, log(x))
ONE(f_tan, tan(x))
ONE(f_exp, exp(x))
ONE(f_pow2, pow(x, 2.0))
ONE(f_pow1, pow(x, 1.0))
ONE(f_pow0, pow(x, 0.0))
ONE(f_powhalf, pow(x, 0.5))
ONE(f_pow3half, pow(x, 1.5))
ONE(f_powof2, pow(2.0, x))
ONE(f_powof0, pow(0.0, x))
ONE(f_powi2, __builtin_powi(x, 2))
ONE(f_floor, floor(x))
ONE(f_lgamma, lgamma(x))
ONE(f_tgamma, tgamma(x))
ONE(f_j0, j0(x))
ONE(f_j1, j1(x))
ONE(f_j2, jn(2, x))
ONE(f_acosh2, acosh(x) * 2)
TWO(f_pow, pow(x, y))
TWO(f_hypot, hypot(x, y))
TWO(f_atan2, atan2(x, y))
TWO(f_fmin, fmin(x, y))
TWO(f_fmax, fmax(x, y))
TWO(f_copysign, copysign(x, y))
TWO(f_fmod, fmod(x, y))
TWO(f_div, x / y)

double f_powi(double x, int n) { return __builtin_powi(x, n); }
void f_powi_vjp(double, int, const double *, double *);
static void check_f_powi(double x, int n, double want) {
  double seed = 1, got;
  f_powi_vjp(x, n, &seed, &got);
  if (!same(got, want))
    ++failures, printf("d/dx powi at (%g, %d): %g, expected %g\n", x, n, got, want);
}

static void near(const char *name, void (*f)(double, const double *, double *), double x,
                 double want) {
  double seed = 1, got;
  f(x, &seed, &got);
  if (!(fabs(got - want) <= 1e-14 * (1 + fabs(want))))
    ++failures, printf("d/dx %s at %g: %.17g, expected %.17g\n", name, x, got, want);
}

int main(void) {
  const double inf = INFINITY, nan = NAN;
  // Infinite at a point where the function is finite: 0.
  check_f_sqrt(0, 0), check_f_sqrt(-0.0, 0), check_f_sqrt(4, 0.25);
  check_f_cbrt(0, 0), check_f_cbrt(8, 1.0 / 12);
  check_f_asin(1, 0), check_f_asin(-1, 0), check_f_asin(0, 1);
  check_f_acos(1, 0), check_f_acos(-1, 0), check_f_acos(0, -1);
  check_f_acosh(1, 0);
  check_f_powhalf(0, 0), check_f_powhalf(4, 0.25);
  // Where the function itself is infinite, so is its derivative.
  check_f_log(0, inf);
  // Kinks.
  check_f_fabs(0, 0), check_f_fabs(-0.0, 0), check_f_fabs(-2, -1);
  check_f_hypot(0, 0, 0, 0), check_f_hypot(3, 4, 0.6, 0.8);
  check_f_atan2(0, 0, 0, 0), check_f_atan2(0, -1, -1, 0);
  check_f_copysign(0, -1, 0, 0), check_f_copysign(-3, -1, 1, 0);
  check_f_copysign(3, -0.0, -1, 0);
  check_f_floor(2, 0);
  // Ties go to the first operand; an ignored NaN gets nothing.
  check_f_fmin(1, 1, 1, 0), check_f_fmax(1, 1, 1, 0);
  check_f_fmin(nan, 1, 0, 1), check_f_fmax(nan, 1, 0, 1);
  check_f_fmin(1, nan, 1, 0), check_f_fmax(1, nan, 1, 0);
  check_f_fmin(-inf, 1, 1, 0), check_f_fmax(-inf, 1, 0, 1);
  // Powers of zero, by constants and by variables.
  check_f_pow2(0, 0), check_f_pow2(-3, -6), check_f_pow1(0, 1);
  check_f_pow0(0, 0), check_f_pow3half(0, 0), check_f_pow3half(4, 3);
  check_f_powof0(0, 0), check_f_powof0(2, 0);
  check_f_pow(0, 2, 0, 0), check_f_pow(0, 1, 1, 0), check_f_pow(0, 0, 0, 0);
  check_f_pow(0, 0.5, 0, 0), check_f_pow(-0.0, 3, 0, 0), check_f_pow(5, 0, 0, log(5));
  check_f_pow(-2, 2, -4, nan), check_f_pow(-2, 1, 1, nan);
  check_f_powi(0, 0, 0), check_f_powi(0, 1, 1), check_f_powi(0, 2, 0);
  check_f_powi(2, -1, -0.25), check_f_powi2(0, 0), check_f_powi2(-3, -6);
  check_f_powof2(0, log(2.0));
  // Underflow of the primal.
  check_f_exp(-1000, 0);
  check_f_fmod(7.5, 2, 1, -3), check_f_fmod(-7.5, 2, 1, 3), check_f_fmod(1, 2, 1, -0.0);
  check_f_div(0, 2, 0.5, -0.0);
  check_f_tan(0, 1);
  // psi(1) = -gamma, psi(1/2) = -gamma - 2 log 2, near enough to compare as text.
  const double gamma = 0.57721566490153286;
  near("lgamma", f_lgamma_vjp, 1, -gamma);
  near("lgamma", f_lgamma_vjp, 0.5, -gamma - 2 * log(2.0));
  near("lgamma", f_lgamma_vjp, 1e5, log(1e5) - 0.5e-5 - 1e-10 / 12);
  near("lgamma", f_lgamma_vjp, -0.5, 2 - gamma - 2 * log(2.0));
  near("lgamma", f_lgamma_vjp, 1e-3, -1000.5755719318103);
  near("tgamma", f_tgamma_vjp, 1, -gamma);
  near("tgamma", f_tgamma_vjp, 5, 24 * (25.0 / 12 - gamma));
  check_f_j0(0, -0.0), check_f_j1(0, 0.5), check_f_j2(0, 0);
  printf("%d failures\n", failures);
  return failures != 0;
}
