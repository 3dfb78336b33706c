/* Every rule at ordinary points, in double and float, as a call of the library
 * (with errno) and as an intrinsic (-fno-math-errno), with the result computed again
 * and with the result known, and as tangents. The reference is a central difference of sixth order of
 * the long double function: it shares no formula with the rules.
 *
 * RUN: %plain-clang -O1 -emit-llvm -c %s -o %t.library.bc
 * RUN: %opt -passes='test<pardiff-vjp>,verify' %t.library.bc -o %t.library.d.bc
 * RUN: %plain-clang -O1 %t.library.d.bc -lm -o %t.library
 * RUN: %t.library
 * RUN: %plain-clang -O1 -fno-math-errno -emit-llvm -c %s -o %t.intrinsic.bc
 * RUN: %opt -passes='test<pardiff-vjp>,verify' %t.intrinsic.bc -o %t.intrinsic.d.bc
 * RUN: %plain-clang -O1 %t.intrinsic.d.bc -lm -o %t.intrinsic
 * RUN: %t.intrinsic
 * RUN: %plain-clang -O1 -ffast-math -emit-llvm -c %s -o %t.fast.bc
 * RUN: %opt -passes='test<pardiff-vjp>,verify' %t.fast.bc -o %t.fast.d.bc
 * RUN: %plain-clang -O1 -ffast-math %t.fast.d.bc -lm -o %t.fast
 * RUN: %t.fast
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

#define UNARY(M)                                                               \
  M(exp, 0.7, -3.2, 11.0)                                                      \
  M(exp2, 0.7, -3.2, 11.0)                                                     \
  M(expm1, 0.7, -3.2, 1e-3)                                                    \
  M(log, 0.7, 3.2, 110.0)                                                      \
  M(log2, 0.7, 3.2, 110.0)                                                     \
  M(log10, 0.7, 3.2, 110.0)                                                    \
  M(log1p, 0.7, 3.2, -0.4)                                                     \
  M(sqrt, 0.7, 3.2, 110.0)                                                     \
  M(cbrt, 0.7, 3.2, -5.0)                                                      \
  M(sin, 0.7, 3.2, -11.0)                                                      \
  M(cos, 0.7, 3.2, -11.0)                                                      \
  M(tan, 0.7, 3.2, -0.3)                                                       \
  M(asin, 0.7, 0.2, -0.8)                                                      \
  M(acos, 0.7, 0.2, -0.8)                                                      \
  M(atan, 0.7, 3.2, -11.0)                                                     \
  M(sinh, 0.7, 3.2, -2.0)                                                      \
  M(cosh, 0.7, 3.2, -2.0)                                                      \
  M(tanh, 0.7, 3.2, -1.1)                                                      \
  M(asinh, 0.7, 3.2, -2.0)                                                     \
  M(acosh, 1.7, 3.2, 12.0)                                                     \
  M(atanh, 0.7, 0.2, -0.8)                                                     \
  M(erf, 0.7, 0.2, -1.8)                                                       \
  M(erfc, 0.7, 0.2, -1.8)                                                      \
  M(fabs, 0.7, 3.2, -11.0)                                                     \
  M(floor, 0.7, 3.2, -11.5)                                                    \
  M(ceil, 0.7, 3.2, -11.5)                                                     \
  M(trunc, 0.7, 3.2, -11.5)                                                    \
  M(round, 0.7, 3.2, -11.3)                                                    \
  M(rint, 0.7, 3.2, -11.3)                                                     \
  M(nearbyint, 0.7, 3.2, -11.3)

#define BINARY(M)                                                              \
  M(pow, 0.7, 2.3, 3.1, -1.7)                                                  \
  M(pow, 2.5, 0.4, 1.2, 8.0)                                                   \
  M(atan2, 0.7, 2.3, -3.1, -1.7)                                               \
  M(atan2, -0.7, 2.3, 3.1, -1.7)                                               \
  M(hypot, 0.7, 2.3, -3.1, -1.7)                                               \
  M(hypot, -0.7, 2.3, 3.1, 0.0)                                                \
  M(fmin, 0.7, 2.3, 3.1, -1.7)                                                 \
  M(fmax, 0.7, 2.3, 3.1, -1.7)                                                 \
  M(fdim, 0.7, 2.3, 3.1, -1.7)                                                 \
  M(fmod, 7.7, 2.3, 3.1, -1.7)                                                 \
  M(fmod, -17.7, 2.3, 0.5, 1.7)                                                \
  M(remainder, 7.7, 2.3, 3.1, -1.7)                                            \
  M(remainder, -18.7, 2.3, 0.5, 1.7)                                           \
  M(copysign, 0.7, 2.3, 3.1, -1.7)                                             \
  M(copysign, -0.7, 2.3, -3.1, -1.7)

#define BINARY_NAMES(M)                                                        \
  M(pow) M(atan2) M(hypot) M(fmin) M(fmax) M(fdim) M(fmod) M(remainder)        \
  M(copysign)

/* Functions written with operators, constants and integers. */
#define EXPRESSIONS(M)                                                         \
  M(plus, x + y)                                                               \
  M(minus, x - y)                                                              \
  M(times, x * y)                                                              \
  M(over, x / y)                                                               \
  M(oneover, (T)1 / x + y / (T)3)                                              \
  M(negated, -x * y)                                                           \
  M(square, x * x * y)                                                         \
  M(pow2, F(pow)(x, (T)2) * y)                                                 \
  M(pow3, F(pow)(x, (T)3) * y)                                                 \
  M(powhalf, F(pow)(x, (T)0.5) * y)                                            \
  M(powminus, F(pow)(x, (T)-1.5) * y)                                          \
  M(pow1, F(pow)(x, (T)1) * y)                                                 \
  M(pow0, F(pow)(x, (T)0) * y)                                                 \
  M(powbase, F(pow)((T)2.5, x) * y)                                            \
  M(powself, F(pow)(x, x) + y)                                                 \
  M(powi, F(__builtin_powi)(x, 5) * F(__builtin_powi)(y, -3))                  \
  M(fused, F(fma)(x, y, x))                                                    \
  M(fusedchain, F(fma)(x, F(fma)(y, y, x), y))                                 \
  M(fabsexp, F(fabs)(x - y) * F(exp)(x * y))                                   \
  M(scaled, F(ldexp)(x, 3) * y + F(ldexp)(y, -2))                              \
  M(choice, ({ T a = F(log)(x), b = y * y; x > y ? a : b; }))                  \
  M(nested, ({                                                                 \
      T a = x * y, b = x / y, c = x - y, d = y > (T)1 ? a : b;                 \
      T e = y > (T)1 ? c : y;                                                  \
      x > (T)1 ? d : e;                                                        \
    }))                                                                        \
  M(widened, (T)((WIDE)x * (WIDE)y))                                           \
  M(rounded, F(floor)(x) * y + x * (T)(int)y)                                  \
  M(logistic, (T)1 / ((T)1 + F(exp)(-x)) * y)                                  \
  M(twice, F(sin)(x) * F(sin)(x) + F(cos)(F(sin)(x)) * y)

/*--- The functions under test, and their products, defined by the pass ------*/

#define T double
#define WIDE long double
#define F(name) name
#define S(name, end) d_##name##end
#include "Inputs/functions.inc"

#define T float
#define WIDE double
#define F(name) name##f
#define S(name, end) f_##name##end
#include "Inputs/functions.inc"

#define T long double
#define WIDE long double
#define F(name) name##l
#define S(name, end) l_##name##end
#include "Inputs/functions.inc"

/*--- Comparison -------------------------------------------------------------*/

typedef long double (*Reference)(long double, long double);

static int failures, count;

/* Central difference of sixth order; h is in proportion to the argument. */
static long double difference(Reference f, long double x, long double y,
                              int which) {
  long double at = which ? y : x, h = 0x1p-10L * (fabsl(at) + 0x1p-4L), sum = 0;
  static const long double weights[3] = {45, -9, 1};
  for (int k = 1; k <= 3; ++k) {
    long double up = which ? f(x, y + k * h) : f(x + k * h, y);
    long double down = which ? f(x, y - k * h) : f(x - k * h, y);
    sum += weights[k - 1] * (up - down);
  }
  return sum / (60 * h);
}

static void compare(const char *name, const char *kind, double x, double y,
                    int which, double got, long double want, double tolerance) {
  ++count;
  long double error = fabsl(got - want);
  if (error <= tolerance * (1 + fabsl(want)))
    return;
  ++failures;
  printf("%s %s at (%g, %g): d/d%c is %.17g, expected %.17Lg\n", name, kind, x, y,
         "xy"[which], got, want);
}

typedef void (*Vjp1)(double, const double *, double *);
typedef void (*Vjp2)(double, double, const double *, double *);
typedef void (*Vjp1f)(float, const double *, double *);
typedef void (*Vjp2f)(float, float, const double *, double *);

__attribute__((noinline)) static void check1(const char *name, Reference f, Vjp1 d, Vjp1 dk, Vjp1f s,
                   Vjp1f sk, double x) {
  double seed = 1.5, got;
  float xf = (float)x;
  long double want = 1.5L * difference(f, x, 0, 0);
  d(x, &seed, &got), compare(name, "double", x, 0, 0, got, want, 1e-13);
  dk(x, &seed, &got), compare(name, "double, known", x, 0, 0, got, want, 1e-13);
  want = 1.5L * difference(f, xf, 0, 0);
  s(xf, &seed, &got), compare(name, "float", x, 0, 0, got, want, 3e-6);
  sk(xf, &seed, &got), compare(name, "float, known", x, 0, 0, got, want, 3e-6);
}

__attribute__((noinline)) static void check2(const char *name, Reference f, Vjp2 d, Vjp2 dk, Vjp2f s,
                   Vjp2f sk, Vjp2 jvp, double x, double y) {
  double seed = 1.5, got[4][2], along;
  float xf = (float)x, yf = (float)y;
  d(x, y, &seed, got[0]), dk(x, y, &seed, got[1]);
  s(xf, yf, &seed, got[2]), sk(xf, yf, &seed, got[3]);
  static const char *kinds[4] = {"double", "double, known", "float",
                                 "float, known"};
  long double dx = difference(f, x, y, 0), dy = difference(f, x, y, 1);
  jvp(x, y, (double[]){1, 0}, &along);
  compare(name, "tangent", x, y, 0, along, dx, 1e-13);
  jvp(x, y, (double[]){0.6, -0.8}, &along);
  compare(name, "tangent", x, y, 1, along, 0.6L * dx - 0.8L * dy, 1e-13);
  for (int which = 0; which < 2; ++which)
    for (int kind = 0; kind < 4; ++kind) {
      long double want = 1.5L * (kind < 2 ? difference(f, x, y, which)
                                          : difference(f, xf, yf, which));
      compare(name, kinds[kind], x, y, which, got[kind][which], want,
              kind < 2 ? 1e-13 : 6e-6);
    }
}

#define CHECK_UNARY(name, a, b, c)                                             \
  for (int k = 0; k < 3; ++k)                                                  \
    check1(#name, l_##name##_of_two, d_##name##_vjp, d_##name##_vjp_known,     \
           f_##name##_vjp, f_##name##_vjp_known, (double[]){a, b, c}[k]);
#define CHECK_BINARY(name, a, b, c, d)                                         \
  check2(#name, l_##name, d_##name##_vjp, d_##name##_vjp_known,                \
         f_##name##_vjp, f_##name##_vjp_known, d_##name##_jvp, a, b);          \
  check2(#name, l_##name, d_##name##_vjp, d_##name##_vjp_known,                \
         f_##name##_vjp, f_##name##_vjp_known, d_##name##_jvp, c, b);          \
  if (a > 0 || d == (int)d)                                                    \
    check2(#name, l_##name, d_##name##_vjp, d_##name##_vjp_known,              \
           f_##name##_vjp, f_##name##_vjp_known, d_##name##_jvp, a, d);
#define CHECK_EXPRESSION(name, text)                                           \
  for (int k = 0; k < 4; ++k)                                                  \
    check2(#name, l_##name, d_##name##_vjp, d_##name##_vjp_known,              \
           f_##name##_vjp, f_##name##_vjp_known, d_##name##_jvp,               \
           (double[]){0.7, 1.9, 2.6, 0.3}[k], (double[]){1.3, 0.4, 2.2, 0.9}[k]);

int main(void) {
  UNARY(CHECK_UNARY)
  BINARY(CHECK_BINARY)
  EXPRESSIONS(CHECK_EXPRESSION)
  printf("%d values, %d failures\n", count, failures);
  return failures != 0 || count < 1000;
}
