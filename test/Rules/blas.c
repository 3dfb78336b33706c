// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAS by pardiff/blas.h: forward mode against differences and reverse mode against
// forward mode (pardiff_check), by both names, for all flags and layouts, with gaps
// between columns, with increments of both signs, where what is read is overwritten.
//
// RUN: %clang -O0 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 -lblas -lm && %t0 | %FileCheck %s
// RUN: %clang -O1 %s -o %t1 -lblas -lm && %t1 | %FileCheck %s
// RUN: %clang -O2 %s -o %t2 -lblas -lm && %t2 | %FileCheck %s
// RUN: %clangxx -x c++ -O3 -fopenmp -Wall -Wextra -Werror %s -o %t4 -lblas -lm && %t4 | %FileCheck %s
// CHECK: 352 checks, 0 lines
#include <cblas.h>
#include <pardiff/blas.h>
#include <pardiff/check.h>

#ifdef __cplusplus
extern "C" {
#endif
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
void dsymm_(const char *, const char *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
void dsyrk_(const char *, const char *, const int *, const int *, const double *, const double *, const int *, const double *, double *, const int *);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *, const double *, const double *, const int *, double *, const int *);
void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
void dsymv_(const char *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
void dger_(const int *, const int *, const double *, const double *, const int *, const double *, const int *, double *, const int *);
void dtrsv_(const char *, const char *, const char *, const int *, const double *, const int *, double *, const int *);
void dsyr2k_(const char *, const char *, const int *, const int *, const double *, const double *, const int *, const double *, const int *, const double *, double *, const int *);
void dtrmm_(const char *, const char *, const char *, const char *, const int *, const int *, const double *, const double *, const int *, double *, const int *);
void dtrmv_(const char *, const char *, const char *, const int *, const double *, const int *, double *, const int *);
void dsyr_(const char *, const int *, const double *, const double *, const int *, double *, const int *);
void dsyr2_(const char *, const int *, const double *, const double *, const int *, const double *, const int *, double *, const int *);
void daxpy_(const int *, const double *, const double *, const int *, double *, const int *);
void dscal_(const int *, const double *, double *, const int *);
void dcopy_(const int *, const double *, const int *, double *, const int *);
void dswap_(const int *, double *, const int *, double *, const int *);
double ddot_(const int *, const double *, const int *, const double *, const int *);
double dnrm2_(const int *, const double *, const int *);
double dasum_(const int *, const double *, const int *);
#ifdef __cplusplus
}
#endif

enum { L = 6, SIZE = L * L, M = 3, N = 4, K = 5 };
static const int l = L, m = M, n = N, k = K;
typedef enum CBLAS_ORDER Order;
typedef enum CBLAS_TRANSPOSE Trans;
typedef enum CBLAS_UPLO Uplo;
typedef enum CBLAS_SIDE Side;
typedef enum CBLAS_DIAG Diag;

/* s holds alpha and beta. Fortran's names where the order is 0. */
static const char *T(int x) { return x == 111 ? "N" : x == 112 ? "t" : "C"; }
static const char *U(int x) { return x == 121 ? "U" : "l"; }
static const char *S(int x) { return x == 141 ? "L" : "R"; }
static const char *D(int x) { return x == 131 ? "N" : "U"; }
/* What was read is used up. */
static void spoil(double *A, double *B) {
  for (int i = 0; i < SIZE; ++i)
    A[i] = 0.5 * A[i] * A[i], B[i] = sin(B[i]);
}
static void gemm(int o, int ta, int tb, const double *s, double *A, double *B, double *C) {
  if (o)
    cblas_dgemm((Order)o, (Trans)ta, (Trans)tb, M, N, K, s[0], A, L, B, L, s[1], C, L);
  else
    dgemm_(T(ta), T(tb), &m, &n, &k, &s[0], A, &l, B, &l, &s[1], C, &l);
  spoil(A, B);
}
static void symm(int o, int side, int uplo, const double *s, double *A, double *B, double *C) {
  if (o)
    cblas_dsymm((Order)o, (Side)side, (Uplo)uplo, M, N, s[0], A, L, B, L, s[1], C, L);
  else
    dsymm_(S(side), U(uplo), &m, &n, &s[0], A, &l, B, &l, &s[1], C, &l);
  spoil(A, B);
}
static void syrk(int o, int uplo, int ta, const double *s, double *A, double *C) {
  if (o)
    cblas_dsyrk((Order)o, (Uplo)uplo, (Trans)ta, N, K, s[0], A, L, s[1], C, L);
  else
    dsyrk_(U(uplo), T(ta), &n, &k, &s[0], A, &l, &s[1], C, &l);
  spoil(A, A);
}
static void trsm(int o, int side, int uplo, int ta, int diag, const double *s, double *A, double *C) {
  if (o)
    cblas_dtrsm((Order)o, (Side)side, (Uplo)uplo, (Trans)ta, (Diag)diag, M, N, s[0], A, L, C, L);
  else
    dtrsm_(S(side), U(uplo), T(ta), D(diag), &m, &n, &s[0], A, &l, C, &l);
  spoil(A, A);
}
static void syr2k(int o, int uplo, int ta, const double *s, double *A, double *B, double *C) {
  if (o)
    cblas_dsyr2k((Order)o, (Uplo)uplo, (Trans)ta, N, K, s[0], A, L, B, L, s[1], C, L);
  else
    dsyr2k_(U(uplo), T(ta), &n, &k, &s[0], A, &l, B, &l, &s[1], C, &l);
  spoil(A, B);
}
static void trmm(int o, int side, int uplo, int ta, int diag, const double *s, double *A, double *C) {
  if (o)
    cblas_dtrmm((Order)o, (Side)side, (Uplo)uplo, (Trans)ta, (Diag)diag, M, N, s[0], A, L, C, L);
  else
    dtrmm_(S(side), U(uplo), T(ta), D(diag), &m, &n, &s[0], A, &l, C, &l);
  spoil(A, A);
}
static void trmv(int o, int uplo, int ta, int diag, int incx, double *A, double *x) {
  if (o)
    cblas_dtrmv((Order)o, (Uplo)uplo, (Trans)ta, (Diag)diag, N, A, L, x, incx);
  else
    dtrmv_(U(uplo), T(ta), D(diag), &n, A, &l, x, &incx);
  spoil(A, A);
}
static void syr2(int o, int uplo, int incx, int incy, const double *s, double *x, double *y, double *A) {
  if (o) {
    cblas_dsyr((Order)o, (Uplo)uplo, N, s[1], x, incx, A, L);
    cblas_dsyr2((Order)o, (Uplo)uplo, N, s[0], x, incx, y, incy, A, L);
  } else {
    dsyr_(U(uplo), &n, &s[1], x, &incx, A, &l);
    dsyr2_(U(uplo), &n, &s[0], x, &incx, y, &incy, A, &l);
  }
  spoil(x, y);
}
static void gemv(int o, int ta, int incx, int incy, const double *s, double *A, double *x, double *y) {
  if (o)
    cblas_dgemv((Order)o, (Trans)ta, M, N, s[0], A, L, x, incx, s[1], y, incy);
  else
    dgemv_(T(ta), &m, &n, &s[0], A, &l, x, &incx, &s[1], y, &incy);
  spoil(A, x);
}
static void symv(int o, int uplo, int incx, int incy, const double *s, double *A, double *x, double *y) {
  if (o)
    cblas_dsymv((Order)o, (Uplo)uplo, N, s[0], A, L, x, incx, s[1], y, incy);
  else
    dsymv_(U(uplo), &n, &s[0], A, &l, x, &incx, &s[1], y, &incy);
  spoil(A, x);
}
static void ger(int o, int incx, int incy, const double *s, double *x, double *y, double *A) {
  if (o)
    cblas_dger((Order)o, M, N, s[0], x, incx, y, incy, A, L);
  else
    dger_(&m, &n, &s[0], x, &incx, y, &incy, A, &l);
  spoil(x, y);
}
static void trsv(int o, int uplo, int ta, int diag, int incx, double *A, double *x) {
  if (o)
    cblas_dtrsv((Order)o, (Uplo)uplo, (Trans)ta, (Diag)diag, N, A, L, x, incx);
  else
    dtrsv_(U(uplo), T(ta), D(diag), &n, A, &l, x, &incx);
  spoil(A, A);
}
static double vectors(int o, int incx, int incy, const double *s, double *x, double *y, double *z) {
  double sum = 0;
  if (o) {
    cblas_daxpy(N, s[0], x, incx, y, incy);
    cblas_dscal(N, s[1], x, incx);
    sum += cblas_ddot(N, x, incx, y, incy);
    cblas_dcopy(N, y, incy, z, incx);
    cblas_dswap(N, x, incx, y, incy);
    sum += sum * cblas_dnrm2(K, z, abs(incy)) + cblas_dasum(K, y, abs(incx));
  } else {
    daxpy_(&n, &s[0], x, &incx, y, &incy);
    dscal_(&n, &s[1], x, &incx);
    sum += ddot_(&n, x, &incx, y, &incy);
    dcopy_(&n, y, &incy, z, &incx);
    dswap_(&n, x, &incx, y, &incy);
    int ax = abs(incx), ay = abs(incy);
    sum += sum * dnrm2_(&k, z, &ay) + dasum_(&k, y, &ax);
  }
  spoil(x, z);
  return sum;
}
/* Constants for alpha and beta, memory that was not initialised, one array twice, local
 * memory, a loop around it, and an array that is inactive. */
static double network(const double *W, const double *input, const double *target) {
  double a[L], b[L], *P = (double *)malloc(SIZE * sizeof(double)), sum = 0;
  memcpy(a, input, sizeof a);
  for (int layer = 0; layer < 3; ++layer) {
    cblas_dgemv(CblasRowMajor, CblasNoTrans, L, L, 1.0, W, L, a, 1, 0.0, b, 1);
    for (int i = 0; i < L; ++i)
      a[i] = tanh(b[i]);
  }
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, L, L, L, 1.0, W, L, W, L, 0.0, P, L);
  cblas_daxpy(L, -1.0, target, 1, a, 1);
  for (int i = 0; i < SIZE; ++i)
    sum += sin(P[i]);
  free(P);
  return sum + cblas_ddot(L, a, 1, a, 1);
}

int main(void) {
  int checks = 0, lines = 0;
  const int orders[] = {101, 102, 0}, trans[] = {111, 112, 113}, uplos[] = {121, 122}, sides[] = {141, 142}, diags[] = {131, 132}, incs[] = {1, -1, 2};
  double s[2] = {1.3, 0.7}, A[SIZE], B[SIZE], C[SIZE];
  for (int i = 0; i < SIZE; ++i)
    A[i] = sin(i + 1) + 3 * (i % (L + 1) == 0), B[i] = cos(2 * i), C[i] = sin(3 * i + 1);
#define EACH(x, of) for (int x##_ = 0, x = 0; x##_ < (int)(sizeof of / sizeof *of) && (x = of[x##_], 1); ++x##_)
#define ARRAY(x) array(x, SIZE)
  EACH(o, orders) {
    EACH(t, trans) {
      EACH(u, trans)
        ++checks, lines += pardiff_check_void(gemm, constant(o), constant(t), constant(u), array(s, 2), ARRAY(A), ARRAY(B), ARRAY(C));
      EACH(ix, incs) EACH(iy, incs)
        ++checks, lines += pardiff_check_void(gemv, constant(o), constant(t), constant(ix), constant(iy), array(s, 2), ARRAY(A), ARRAY(B), ARRAY(C));
    }
    EACH(u, uplos) {
      EACH(side, sides)
        ++checks, lines += pardiff_check_void(symm, constant(o), constant(side), constant(u), array(s, 2), ARRAY(A), ARRAY(B), ARRAY(C));
      for (int t = 111; t < 113; ++t)
        checks += 2, lines += pardiff_check_void(syrk, constant(o), constant(u), constant(t), array(s, 2), ARRAY(A), ARRAY(C)) +
                              pardiff_check_void(syr2k, constant(o), constant(u), constant(t), array(s, 2), ARRAY(A), ARRAY(B), ARRAY(C));
      EACH(ix, incs)
        ++checks, lines += pardiff_check_void(syr2, constant(o), constant(u), constant(ix), constant(-1), array(s, 2), ARRAY(A), ARRAY(B), ARRAY(C));
      EACH(iy, incs)
        ++checks, lines += pardiff_check_void(symv, constant(o), constant(u), constant(1), constant(iy), array(s, 2), ARRAY(A), ARRAY(B), ARRAY(C));
      for (int t = 111; t < 113; ++t)
        EACH(d, diags) {
          EACH(side, sides)
            checks += 2, lines += pardiff_check_void(trsm, constant(o), constant(side), constant(u), constant(t), constant(d), array(s, 1), ARRAY(A), ARRAY(C)) +
                                  pardiff_check_void(trmm, constant(o), constant(side), constant(u), constant(t), constant(d), array(s, 1), ARRAY(A), ARRAY(C));
          checks += 2, lines += pardiff_check_void(trsv, constant(o), constant(u), constant(t), constant(d), constant(t == 111 ? -1 : 2), ARRAY(A), ARRAY(B)) +
                                pardiff_check_void(trmv, constant(o), constant(u), constant(t), constant(d), constant(t == 111 ? -1 : 2), ARRAY(A), ARRAY(B));
        }
    }
    EACH(ix, incs)
      ++checks, lines += pardiff_check_void(ger, constant(o), constant(ix), constant(-1), array(s, 1), ARRAY(A), ARRAY(B), ARRAY(C));
    if (o == 102)
      continue;
    EACH(ix, incs) EACH(iy, incs)
      ++checks, lines += pardiff_check(vectors, constant(o), constant(ix), constant(iy), array(s, 2), ARRAY(A), ARRAY(B), ARRAY(C));
  }
  ++checks, lines += pardiff_check(network, ARRAY(A), array(B, L), constant(C));
  printf("%d checks, %d lines\n", checks, lines);
  return lines != 0;
}
