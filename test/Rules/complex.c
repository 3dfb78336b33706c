/* Complex arithmetic and the complex functions of the library, in a loop over arrays, in
 * double (structures of two scalars) and float (vectors of two), through both engines.
 * The reference is a central difference of sixth order in long double.
 *
 * RUN: %clang -O0 %s -lm -o %t && %t
 * RUN: %clang -O1 %s -lm -o %t && %t
 * RUN: %clang -O2 %s -lm -o %t && %t
 * RUN: %clang -O3 %s -lm -o %t && %t
 * RUN: %clang -O0 -mllvm -pardiff-force-fallback %s -lm -o %t && %t
 * RUN: %clang -O2 -mllvm -pardiff-force-fallback %s -lm -o %t && %t
 * RUN: %clang -O2 -ffast-math %s -lm -o %t && %t
 */
#include <complex.h>
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>

typedef long double wide;

static int failures, count;

/* p: the real and imaginary parts of z and w; the loss is 2 Re f + 3 Im f. */
static wide difference(wide (*f)(const wide *), const double *p, int which) {
  static const wide weights[3] = {45, -9, 1};
  wide h = 0x1p-11L, sum = 0;
  for (int k = 1; k <= 3; ++k) {
    wide up[4] = {p[0], p[1], p[2], p[3]}, down[4] = {p[0], p[1], p[2], p[3]};
    up[which] += k * h, down[which] -= k * h;
    sum += weights[k - 1] * (f(up) - f(down));
  }
  return sum / (60 * h);
}

#define KERNEL(T, F, name, tolerance, ...)                                             \
  static void name##_##T(int n, T _Complex *a, T _Complex *b, T _Complex *r) {         \
    for (int i = 0; i < n; ++i) {                                                      \
      T _Complex z = a[i], w = b[i];                                                   \
      r[i] = __VA_ARGS__;                                                              \
    }                                                                                  \
  }                                                                                    \
  static void check_##name##_##T(int n, const double (*points)[4]) {                   \
    T _Complex a[4], b[4], r[4], da[4] = {0}, db[4] = {0}, dr[4];                      \
    for (int i = 0; i < n; ++i) {                                                      \
      a[i] = points[i][0] + points[i][1] * I, b[i] = points[i][2] + points[i][3] * I;  \
      dr[i] = 2 + 3 * I, r[i] = 0;                                                     \
    }                                                                                  \
    __pardiff_autodiff((void *)name##_##T, pardiff_const, n, pardiff_dup, a, da,       \
                       pardiff_dup, b, db, pardiff_dup, r, dr);                        \
    for (int i = 0; i < n; ++i) {                                                      \
      double p[4] = {creal(a[i]), cimag(a[i]), creal(b[i]), cimag(b[i])};              \
      double got[4] = {creal(da[i]), cimag(da[i]), creal(db[i]), cimag(db[i])};        \
      for (int k = 0; k < 4; ++k) {                                                    \
        wide want = difference(wide_##name, p, k);                                     \
        ++count;                                                                       \
        if (!(fabsl(got[k] - want) <= tolerance * (1 + fabsl(want))))                  \
          ++failures, printf("%s in %s by part %d at (%g, %g), (%g, %g): %.17g, "      \
                             "expected %.17Lg\n", #name, #T, k, p[0], p[1], p[2],      \
                             p[3], got[k], want);                                      \
      }                                                                                \
    }                                                                                  \
  }

#define FUNCTIONS(DO, T, F)                                                            \
  DO(T, F, product, z *w)                                                              \
  DO(T, F, quotient, z / w)                                                            \
  DO(T, F, byreal, z / (T)3 + (T)2 * w)                                                \
  DO(T, F, conjugate, F(conj)(z) * w)                                                  \
  DO(T, F, modulus, F(cabs)(z) * w)                                                    \
  DO(T, F, argument, F(carg)(z) * w)                                                   \
  DO(T, F, parts, F(creal)(z) * F(cimag)(w) + F(cimag)(z) * w)                         \
  DO(T, F, cexp, F(cexp)(z) * w)                                                       \
  DO(T, F, clog, F(clog)(z) * w)                                                       \
  DO(T, F, csqrt, F(csqrt)(z) * w)                                                     \
  DO(T, F, cpow, F(cpow)(z, w))                                                        \
  DO(T, F, csin, F(csin)(z) * w)                                                       \
  DO(T, F, ccos, F(ccos)(z) * w)                                                       \
  DO(T, F, ctan, F(ctan)(z) * w)                                                       \
  DO(T, F, csinh, F(csinh)(z) * w)                                                     \
  DO(T, F, ccosh, F(ccosh)(z) * w)                                                     \
  DO(T, F, ctanh, F(ctanh)(z) * w)                                                     \
  DO(T, F, casin, F(casin)(z) * w)                                                     \
  DO(T, F, cacos, F(cacos)(z) * w)                                                     \
  DO(T, F, catan, F(catan)(z) * w)                                                     \
  DO(T, F, casinh, F(casinh)(z) * w)                                                   \
  DO(T, F, cacosh, F(cacosh)(z) * w)                                                   \
  DO(T, F, catanh, F(catanh)(z) * w)

#define REFERENCE(T, F, name, ...)                                                     \
  static wide wide_##name(const wide *p) {                                             \
    long double _Complex z = p[0] + p[1] * I, w = p[2] + p[3] * I, r = __VA_ARGS__;           \
    return 2 * creall(r) + 3 * cimagl(r);                                              \
  }
#define IN_DOUBLE(T, F, name, ...) KERNEL(T, F, name, 1e-11, __VA_ARGS__)
#define IN_FLOAT(T, F, name, ...) KERNEL(T, F, name, 3e-5, __VA_ARGS__)
#define AS_WIDE(name) name##l
#define AS_DOUBLE(name) name
#define AS_FLOAT(name) name##f
FUNCTIONS(REFERENCE, wide, AS_WIDE)
FUNCTIONS(IN_DOUBLE, double, AS_DOUBLE)
FUNCTIONS(IN_FLOAT, float, AS_FLOAT)

#define CHECK(T, F, name, ...)                                                         \
  check_##name##_double(n, points), check_##name##_float(n, points);

int main(void) {
  volatile int four = 4;
  int n = four;
  const double points[4][4] = {{0.7, 0.4, 1.3, -0.6},
                               {-1.2, 0.9, 0.3, 1.1},
                               {0.2, -1.7, -0.8, 0.5},
                               {-0.5, -0.3, -1.1, -1.4}};
  FUNCTIONS(CHECK, , )
  // |z| has no derivative at 0: it counts as zero.
  double _Complex a[1] = {0}, da[1] = {0}, b[1] = {1}, db[1] = {0}, r[1] = {0}, dr[1] = {1};
  __pardiff_autodiff((void *)modulus_double, pardiff_const, n - 3, pardiff_dup, a, da,
                     pardiff_dup, b, db, pardiff_dup, r, dr);
  failures += da[0] != 0 || db[0] != 0;
  printf("%d values, %d failures\n", count, failures);
  return failures != 0 || count < 700;
}
