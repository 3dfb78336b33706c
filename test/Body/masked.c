/* What a select, fmin or fmax does not choose leaves no trace in the gradient, even
 * where its own derivative is infinite or NaN: zero is never multiplied by infinity.
 *
 * RUN: %plain-clang -O1 -fno-math-errno -emit-llvm -c %s -o %t.bc
 * RUN: %opt -passes='test<pardiff-vjp>,verify' %t.bc -o %t.d.bc
 * RUN: %plain-clang -O0 %t.d.bc -lm -o %t
 * RUN: %t
 */
#include <math.h>
#include <stdio.h>

#define BODY(name, ...)                                                        \
  double name(double x, double y) { __VA_ARGS__ }                              \
  void name##_vjp(double, double, const double *, double *);                   \
  void name##_jvp(double, double, const double *, double *);

/* Both sides of each choice are computed. */
BODY(safe_log, double a = log(x) * y; return x > 0 ? a : y;)
BODY(safe_division, double a = x * x / y; return y != 0 ? a : x;)
BODY(safe_exp, double a = exp(x), b = a * y; return x < 700 ? b : y;)
BODY(nested, double a = y / x, b = log(y) * a, c = y > 0 ? b : a;
     return x > 0 ? c : x;)
BODY(two_uses, double t = 1 / y, a = y > 0 ? t : x, b = y > 1 ? t * x : x;
     return a + b;)
BODY(opposite, double t = x * x, a = y > 0 ? t : x, b = y > 0 ? x : t;
     return a * 3 + b;)
BODY(limited, return fmin(x, exp(y) / exp(y)) * 2;)
BODY(root, double a = sqrt(x - 1) / (x - 1); return x > 1 ? a : y;)

static int failures;
typedef void (*Vjp)(double, double, const double *, double *);
static void check(const char *name, Vjp f, Vjp forward, double x, double y,
                  double dx, double dy) {
  double seed = 1, got[2], along;
  forward(x, y, (double[]){3, 2}, &along);
  if (!(fabs(along - (3 * dx + 2 * dy)) <= 1e-14 * (fabs(dx) + fabs(dy))))
    ++failures, printf("%s at (%g, %g): tangent %g, expected %g\n", name, x, y,
                       along, 3 * dx + 2 * dy);
  f(x, y, &seed, got);
  if (!(fabs(got[0] - dx) <= 1e-14 * fabs(dx) &&
        fabs(got[1] - dy) <= 1e-14 * fabs(dy)))
    ++failures, printf("%s at (%g, %g): (%g, %g), expected (%g, %g)\n", name, x, y,
                       got[0], got[1], dx, dy);
}
#define CHECK(name, ...) check(#name, name##_vjp, name##_jvp, __VA_ARGS__)

int main(void) {
  CHECK(safe_log, 0, 3, 0, 1);
  CHECK(safe_log, -1, 3, 0, 1);
  CHECK(safe_log, 2, 3, 1.5, log(2));
  CHECK(safe_division, 5, 0, 1, 0);
  CHECK(safe_division, 5, 2, 5, -6.25);
  CHECK(safe_exp, 1000, 2, 0, 1);
  CHECK(safe_exp, 0, 2, 2, 1);
  CHECK(nested, 0, 3, 1, 0);
  CHECK(nested, 0, 0, 1, 0);
  CHECK(nested, 2, -4, 1, 0.5);
  CHECK(nested, 2, 1, 0, 0.5);
  CHECK(two_uses, 7, 0, 2, 0);
  CHECK(two_uses, 7, 0.5, 1, -4);
  CHECK(two_uses, 7, 2, 0.5, -2);
  CHECK(opposite, 2, 0, 7, 0);
  CHECK(opposite, 2, 2, 13, 0);
  CHECK(limited, -3, 1000, 2, 0);
  CHECK(root, 1, 5, 0, 1);
  CHECK(root, 0, 5, 0, 1);
  printf("%d failures\n", failures);
  return failures != 0;
}
