/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the text of a generated program means in C, where the plugin differentiates it.
 * REAL is defined in front of each program, RESTRICT here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESTRICT restrict
/* An array parameter with rows; the first extent is not part of the type. */
#define ROWS2(name, e1) REAL(*name)[e1]
#define ROWS3(name, e1, e2) REAL(*name)[e1][e2]
#define ROWS2R(name, e1) REAL(*restrict name)[e1]
#define ROWS3R(name, e1, e2) REAL(*restrict name)[e1][e2]
#define LOCAL1(name, e0) REAL name[e0]
#define LOCAL2(name, e0, e1) REAL name[e0][e1]
#define LOCAL3(name, e0, e1, e2) REAL name[e0][e1][e2]

extern int pardiff_const, pardiff_dup, pardiff_dupnoneed, pardiff_out, pardiff_primal_return,
    pardiff_width;
#define DEFINE_RESULTS(n)                                                      \
  typedef struct {                                                             \
    double v[n];                                                               \
  } double##n;                                                                 \
  typedef struct {                                                             \
    float v[n];                                                                \
  } float##n;                                                                  \
  extern double##n __pardiff_autodiff_double##n(void *, ...);                  \
  extern float##n __pardiff_autodiff_float##n(void *, ...);                    \
  extern double##n __pardiff_fwddiff_double##n(void *, ...);                   \
  extern float##n __pardiff_fwddiff_float##n(void *, ...);                     \
  extern double##n __pardiff_reverse_double##n(void *, ...);                   \
  extern float##n __pardiff_reverse_float##n(void *, ...);
DEFINE_RESULTS(2)
DEFINE_RESULTS(3)
DEFINE_RESULTS(4)
DEFINE_RESULTS(6)
DEFINE_RESULTS(7)
DEFINE_RESULTS(9)
DEFINE_RESULTS(10)
typedef struct {
  void *tape;
  double value;
} taped_double;
typedef struct {
  void *tape;
  float value;
} taped_float;
#define DECLARE_MODE(mode)                                                     \
  extern void __pardiff_##mode##_void(void *, ...);                            \
  extern double __pardiff_##mode##_double1(void *, ...);                       \
  extern float __pardiff_##mode##_float1(void *, ...);
DECLARE_MODE(autodiff)
DECLARE_MODE(fwddiff)
DECLARE_MODE(reverse)
extern void *__pardiff_augmentfwd_tape(void *, ...);
extern taped_double __pardiff_augmentfwd_with_double(void *, ...);
extern taped_float __pardiff_augmentfwd_with_float(void *, ...);

#include "data.h"

static void put(double x) { printf("%.17g\n", x); }

/* Two sides that must be equal, and the size of what they are made of. */
static struct pairing {
  double sum, size;
} pairing;
static void pair(double tangent, double adjoint, double sign) {
  pairing.sum += sign * tangent * adjoint;
  pairing.size += fabs(tangent * adjoint);
}
static void compare_pairing(const char *mode, int lane, double tolerance) {
  if (!(fabs(pairing.sum) <= tolerance * pairing.size))
    printf("%s differs from the gradient: direction %d, by %g of %g\n", mode,
           lane, pairing.sum, pairing.size);
}
static void near(const char *mode, double x, double y, double size,
                 double tolerance) {
  if (!(fabs(x - y) <= tolerance * (size + fabs(y))))
    printf("%s differs from the gradient: %.17g, %.17g\n", mode, x, y);
}

/* Arrays of REAL are handled by these, for both types. */
#define DEFINE_ARRAYS(T)                                                       \
  static void fill_##T(T *a, long n, int k) {                                  \
    for (long i = 0; i < n; ++i)                                               \
      a[i] = (T)data_value(i, k);                                              \
  }                                                                            \
  static void seed_##T(T *a, long n) {                                         \
    for (long i = 0; i < n; ++i)                                               \
      a[i] = (T)data_seed(i);                                                  \
  }                                                                            \
  static void put_##T(const T *a, long n) {                                    \
    for (long i = 0; i < n; ++i)                                               \
      put(a[i]);                                                               \
  }                                                                            \
  static T *new_##T(long n) { return (T *)calloc(n, sizeof(T)); }              \
  static void same_##T(const char *mode, const char *name, const T *a,         \
                       const T *b, long n) {                                   \
    if (memcmp(a, b, n * sizeof(T)))                                           \
      printf("%s: primal %s differs\n", mode, name);                           \
  }                                                                            \
  static void tangent_##T(T *a, long n, int k) {                               \
    for (long i = 0; i < n; ++i)                                               \
      a[i] = (T)data_tangent(i, k);                                            \
  }                                                                            \
  static void wipe_##T(T *a, long n) {                                         \
    for (long i = 0; i < n; ++i)                                               \
      a[i] = (T)NAN;                                                           \
  }                                                                            \
  /* Tangents after the function, with the seeds that the gradient was given,  \
     against those in front of it, with the gradient. */                       \
  static void pair_##T(const T *tangents, const T *gradient, long n, int k) {  \
    for (long i = 0; i < n; ++i) {                                             \
      pair(tangents[i], (T)data_seed(i), 1);                                   \
      pair((T)data_tangent(i, k), gradient[i], -1);                            \
    }                                                                          \
  }                                                                            \
  /* a = 2 b - c */                                                            \
  static void mirror_##T(T *a, const T *b, const T *c, long n) {               \
    for (long i = 0; i < n; ++i)                                               \
      a[i] = 2 * b[i] - c[i];                                                  \
  }                                                                            \
  static void near_##T(const char *mode, const T *a, const T *b, long n) {     \
    double size = 1;                                                           \
    for (long i = 0; i < n; ++i)                                               \
      size = fmax(size, fabs(b[i]));                                           \
    for (long i = 0; i < n; ++i)                                               \
      near(mode, a[i], b[i], size, sizeof(T) == 4 ? 1e-4 : 1e-10);             \
  }
DEFINE_ARRAYS(double)
DEFINE_ARRAYS(float)
