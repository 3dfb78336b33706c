// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAS in float: gradients and tangents agree with those in double. The header may stand
// in front of cblas.h or behind it, or alone; second order; several files with it link.
//
// RUN: %clang -O0 -Xclang -llvm-verify-each %s -o %t0 -lblas -lm && %t0
// RUN: %clang -O2 -Xclang -llvm-verify-each -c -DOTHER %s -o %t.o
// RUN: %clang -O2 %s %t.o -o %t1 -lblas -lm && %t1
// RUN: valgrind -q --leak-check=full --error-exitcode=9 %t0
#include <pardiff/blas.h>
#include <pardiff/pardiff.h>
#ifndef OTHER
#include <cblas.h>
#else
double cblas_ddot(int, const double *, int, const double *, int);
#endif

#ifdef OTHER
static double norm(const double *x) { return cblas_ddot(4, x, 1, x, 1); }
void gradient(const double *x, double *g) { __pardiff_autodiff_void((void *)norm, x, g); }
#else
enum { N = 4, M = 3 };
#define DEFINE(T, p)                                                           \
  static T p##f(T *A, T *B, T *x, T *y) {                                      \
    cblas_##p##trsv(CblasRowMajor, CblasUpper, CblasTrans, CblasNonUnit, N, A, N, x, 1); \
    cblas_##p##ger(CblasColMajor, N, N, 2, x, 1, y, -1, A, N);                 \
    cblas_##p##gemm(CblasRowMajor, CblasTrans, CblasNoTrans, N, N, N, 0.5, A, N, B, N, 0.25, B + N * N, N); \
    cblas_##p##symm(CblasColMajor, CblasRight, CblasLower, N, N, 1, A, N, B + N * N, N, 0, B, N); \
    cblas_##p##syrk(CblasRowMajor, CblasLower, CblasNoTrans, N, N, 0.1, A, N, 1, B, N); \
    cblas_##p##trsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, N, N, 0.1, A, N, B, N); \
    cblas_##p##gemv(CblasRowMajor, CblasNoTrans, N, N, 1, B, N, x, 1, 1, y, 1); \
    cblas_##p##symv(CblasRowMajor, CblasUpper, N, 1, A, N, y, 1, 1, x, 1);     \
    cblas_##p##axpy(N, 0.5, x, 1, y, 1);                                       \
    cblas_##p##scal(N, 0.5, x, 1);                                             \
    cblas_##p##swap(N, x, 1, y, 1);                                            \
    cblas_##p##copy(2, x, 1, B, 2);                                            \
    return cblas_##p##dot(N, x, 1, y, 1) + cblas_##p##nrm2(N, x, 1) + cblas_##p##asum(N * N, B, 1); \
  }                                                                            \
  static T p##run(T *shadows, T *tangents) {                                   \
    T data[4 * N * N], copy[4 * N * N];                                        \
    for (int i = 0; i < 4 * N * N; ++i)                                        \
      copy[i] = data[i] = (T)(0.3 * sin(i + 1) + (i < N * N && i % (N + 1) == 0)); \
    __pardiff_autodiff_void((void *)p##f, data, shadows, data + N * N,         \
                            shadows + N * N, data + 3 * N * N,                 \
                            shadows + 3 * N * N, data + 3 * N * N + N,         \
                            shadows + 3 * N * N + N);                          \
    return __pardiff_fwddiff_##p((void *)p##f, copy, tangents, copy + N * N,   \
                                 tangents + N * N, copy + 3 * N * N,           \
                                 tangents + 3 * N * N, copy + 3 * N * N + N,   \
                                 tangents + 3 * N * N + N);                    \
  }
double __pardiff_fwddiff_d(void *, ...);
float __pardiff_fwddiff_s(void *, ...);
float __pardiff_autodiff_s(void *, ...);
DEFINE(double, d)
DEFINE(float, s)

static void energyGradient(const double *x, double *g);
static double energy(const double *x) {
  double y[N];
  cblas_dcopy(N, x, 1, y, 1);
  cblas_dscal(N, cblas_ddot(N, x, 1, x, 1), y, 1);
  return cblas_ddot(N, y, 1, x, 1); /* |x|^4 */
}
static void energyGradient(const double *x, double *g) { __pardiff_autodiff_void((void *)energy, x, g); }
void gradient(const double *x, double *g) __attribute__((weak));

int main(void) {
  int bad = 0;
  double d[4 * N * N] = {0}, t[4 * N * N];
  float s[4 * N * N] = {0}, u[4 * N * N];
  for (int i = 0; i < 4 * N * N; ++i)
    u[i] = (float)(t[i] = cos(i));
  double direct = 0, a = drun(d, t), b = srun(s, u);
  for (int i = 0; i < 4 * N * N; ++i) {
    direct += d[i] * cos(i);
    if (!(fabs(d[i] - s[i]) < 1e-4 * (1 + fabs(d[i]))))
      bad = 1, printf("%d: %g, in float %g\n", i, d[i], s[i]);
  }
  if (!(fabs(a - b) < 1e-4 * (1 + fabs(a))) || !(fabs(a - direct) < 1e-10 * (1 + fabs(a))))
    bad = 1, printf("tangent %g, in float %g, by the gradient %g\n", a, b, direct);
  /* Hessian of |x|^4 times v: 4 |x|^2 v + 8 (x v) x */
  double x[N] = {1, 2, 3, 4}, v[N] = {1, 0, -1, 2}, g[N] = {0}, h[N] = {0};
  __pardiff_fwddiff_void((void *)energyGradient, x, v, g, h);
  for (int i = 0; i < N; ++i)
    if (!(fabs(g[i] - 120 * x[i]) < 1e-9) || !(fabs(h[i] - (120 * v[i] + 8 * 6 * x[i])) < 1e-9))
      bad = 1, printf("second order, %d: %g %g\n", i, g[i], h[i]);
  if (gradient) {
    double z[N] = {0};
    gradient(x, z);
    bad |= !(fabs(z[3] - 8) < 1e-12);
  }
  return bad;
}
#endif
