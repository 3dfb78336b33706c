// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A BLAS with integers of 64 bits whose names have a suffix; LAPACK compiles.
//
// RUN: %clang -O0 %s -o %t0 -lm && %t0
// RUN: %clang -O2 %s -o %t2 -lm && %t2
// RUN: %clang -O1 -DLAPACK -c %s -o %t.o && %llvm-tools/llvm-nm %t.o | %FileCheck %s
// CHECK: U LAPACKE_dgetrf64_
// CHECK: U cblas_dtrsm64_
// CHECK: U dpotrf_64_
#define PARDIFF_BLAS_INT long
#define PARDIFF_BLAS_SUFFIX 64_
#include <pardiff/lapack.h>
#include <pardiff/pardiff.h>
#if LAPACK
long LAPACKE_dgetrf64_(int, long, long, double *, long, long *);
void dpotrf_64_(const char *, const long *, double *, const long *, long *);
static double f(double *A) {
  long n = 2, p[2], info;
  LAPACKE_dgetrf64_(101, n, n, A, n, p);
  dpotrf_64_("L", &n, A, &n, &info);
  return A[0] + info;
}
void use(double *A, double *dA) { __pardiff_autodiff((void *)f, A, dA); }
#else

double cblas_ddot64_(long n, const double *x, long incx, const double *y, long incy) {
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += x[i * incx] * y[i * incy];
  return s;
}
void cblas_daxpy64_(long n, double a, const double *x, long incx, double *y, long incy) {
  for (long i = 0; i < n; ++i)
    y[i * incy] += a * x[i * incx];
}
void cblas_dcopy64_(long n, const double *x, long incx, double *y, long incy) {
  for (long i = 0; i < n; ++i)
    y[i * incy] = x[i * incx];
}
void dcopy_64_(const long *n, const double *x, const long *incx, double *y, const long *incy) {
  cblas_dcopy64_(*n, x, *incx, y, *incy);
}
void daxpy_64_(const long *n, const double *a, const double *x, const long *incx, double *y, const long *incy) {
  cblas_daxpy64_(*n, *a, x, *incx, y, *incy);
}

static double norm(const double *x) {
  double y[2];
  long n = 2, one = 1;
  dcopy_64_(&n, x, &one, y, &one);
  return cblas_ddot64_(n, y, 1, x, 1);
}

int main(void) {
  double x[2] = {3, 4}, dx[2] = {0};
  double f = __pardiff_fwddiff((void *)norm, pardiff_dup, x, (double[2]){1, 1});
  __pardiff_autodiff((void *)norm, x, dx);
  return !(f == 14 && dx[0] == 6 && dx[1] == 8);
}
#endif
