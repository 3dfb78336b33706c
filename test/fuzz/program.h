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

extern int pardiff_const, pardiff_dup, pardiff_dupnoneed, pardiff_out, pardiff_primal_return;
typedef struct {
  double v[1];
} double1;
typedef struct {
  double v[2];
} double2;
typedef struct {
  double v[3];
} double3;
typedef struct {
  double v[4];
} double4;
typedef struct {
  float v[2];
} float2;
typedef struct {
  float v[3];
} float3;
typedef struct {
  float v[4];
} float4;
extern void __pardiff_autodiff_void(void *, ...);
extern double __pardiff_autodiff_double1(void *, ...);
extern double2 __pardiff_autodiff_double2(void *, ...);
extern double3 __pardiff_autodiff_double3(void *, ...);
extern double4 __pardiff_autodiff_double4(void *, ...);
extern float __pardiff_autodiff_float1(void *, ...);
extern float2 __pardiff_autodiff_float2(void *, ...);
extern float3 __pardiff_autodiff_float3(void *, ...);
extern float4 __pardiff_autodiff_float4(void *, ...);

#include "data.h"

static void put(double x) { printf("%.17g\n", x); }

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
  static void same_##T(const char *name, const T *a, const T *b, long n) {     \
    if (memcmp(a, b, n * sizeof(T)))                                           \
      printf("primal %s differs\n", name);                                     \
  }
DEFINE_ARRAYS(double)
DEFINE_ARRAYS(float)
