/*===- pardiff/blas/calls.h - BLAS by value ------------------------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * For pardiff/blas/rules.h. BLAS by columns with arguments by value.
 *
 *===------------------------------------------------------------------------===*/

#pragma GCC system_header

DECLARE(void, gemm, LIST_GEMM)
DECLARE(void, symm, LIST_SYMM)
DECLARE(void, syrk, LIST_SYRK)
DECLARE(void, syr2k, LIST_SYR2K)
DECLARE(void, trsm, LIST_TRSM)
DECLARE(void, trmm, LIST_TRSM)
DECLARE(void, gemv, LIST_GEMV)
DECLARE(void, symv, LIST_SYMV)
DECLARE(void, ger, LIST_GER)
DECLARE(void, trsv, LIST_TRSV)
DECLARE(void, trmv, LIST_TRSV)
DECLARE(void, syr, LIST_SYR)
DECLARE(void, syr2, LIST_SYR2)
DECLARE(void, axpy, LIST_AXPY)
DECLARE(void, scal, LIST_SCAL)
DECLARE(void, copy, LIST_TWO)
DECLARE(void, swap, LIST_TWO)
DECLARE(REAL, dot, LIST_TWO)
DECLARE(REAL, nrm2, LIST_ONE)
DECLARE(REAL, asum, LIST_ONE)

#if !PARDIFF_BLAS_FORTRAN
/* The character of an enumerator of CBLAS, and back. */
static inline char NAME(flag)(int x) {
  switch (x) {
  case 111: /* no transpose */
  case 131: /* not unit */
    return 'N';
  case 121: /* upper */
  case 132: /* unit */
    return 'U';
  case 122: /* lower */
  case 141: /* left */
    return 'L';
  case 142:
    return 'R';
  }
  return 'T';
}
#endif

/* BLAS by columns and by value. */
static inline void NAME(do_gemm)(char ta, char tb, INT m, INT n, INT k,
                                 REAL alpha, const REAL *A, INT lda,
                                 const REAL *B, INT ldb, REAL beta, REAL *C,
                                 INT ldc) {
  CALL(RAW(gemm)(&ta, &tb, &m, &n, &k, &alpha, (REAL *)A, &lda, (REAL *)B, &ldb,
                 &beta, C, &ldc),
       RAW(gemm)(102, TRANS(ta), TRANS(tb), m, n, k, alpha, (REAL *)A, lda,
                 (REAL *)B, ldb, beta, C, ldc));
}
static inline void NAME(do_symm)(char side, char uplo, INT m, INT n, REAL alpha,
                                 const REAL *A, INT lda, const REAL *B, INT ldb,
                                 REAL beta, REAL *C, INT ldc) {
  CALL(RAW(symm)(&side, &uplo, &m, &n, &alpha, (REAL *)A, &lda, (REAL *)B, &ldb,
                 &beta, C, &ldc),
       RAW(symm)(102, SIDE(side), UPLO(uplo), m, n, alpha, (REAL *)A, lda,
                 (REAL *)B, ldb, beta, C, ldc));
}
static inline void NAME(do_syrk)(char uplo, char ta, INT n, INT k, REAL alpha,
                                 const REAL *A, INT lda, REAL beta, REAL *C,
                                 INT ldc) {
  CALL(RAW(syrk)(&uplo, &ta, &n, &k, &alpha, (REAL *)A, &lda, &beta, C, &ldc),
       RAW(syrk)(102, UPLO(uplo), TRANS(ta), n, k, alpha, (REAL *)A, lda, beta,
                 C, ldc));
}
static inline void NAME(do_syr2k)(char uplo, char ta, INT n, INT k, REAL alpha,
                                  const REAL *A, INT lda, const REAL *B,
                                  INT ldb, REAL beta, REAL *C, INT ldc) {
  CALL(RAW(syr2k)(&uplo, &ta, &n, &k, &alpha, (REAL *)A, &lda, (REAL *)B, &ldb,
                  &beta, C, &ldc),
       RAW(syr2k)(102, UPLO(uplo), TRANS(ta), n, k, alpha, (REAL *)A, lda,
                  (REAL *)B, ldb, beta, C, ldc));
}
static inline void NAME(do_trsm)(char side, char uplo, char ta, char diag,
                                 INT m, INT n, REAL alpha, const REAL *A,
                                 INT lda, REAL *C, INT ldc) {
  CALL(RAW(trsm)(&side, &uplo, &ta, &diag, &m, &n, &alpha, (REAL *)A, &lda, C,
                 &ldc),
       RAW(trsm)(102, SIDE(side), UPLO(uplo), TRANS(ta), DIAG(diag), m, n,
                 alpha, (REAL *)A, lda, C, ldc));
}
static inline void NAME(do_trmm)(char side, char uplo, char ta, char diag,
                                 INT m, INT n, REAL alpha, const REAL *A,
                                 INT lda, REAL *C, INT ldc) {
  CALL(RAW(trmm)(&side, &uplo, &ta, &diag, &m, &n, &alpha, (REAL *)A, &lda, C,
                 &ldc),
       RAW(trmm)(102, SIDE(side), UPLO(uplo), TRANS(ta), DIAG(diag), m, n,
                 alpha, (REAL *)A, lda, C, ldc));
}
static inline void NAME(do_gemv)(char ta, INT m, INT n, REAL alpha,
                                 const REAL *A, INT lda, const REAL *x,
                                 INT incx, REAL beta, REAL *y, INT incy) {
  CALL(RAW(gemv)(&ta, &m, &n, &alpha, (REAL *)A, &lda, (REAL *)x, &incx, &beta,
                 y, &incy),
       RAW(gemv)(102, TRANS(ta), m, n, alpha, (REAL *)A, lda, (REAL *)x, incx,
                 beta, y, incy));
}
static inline void NAME(do_symv)(char uplo, INT n, REAL alpha, const REAL *A,
                                 INT lda, const REAL *x, INT incx, REAL beta,
                                 REAL *y, INT incy) {
  CALL(RAW(symv)(&uplo, &n, &alpha, (REAL *)A, &lda, (REAL *)x, &incx, &beta, y,
                 &incy),
       RAW(symv)(102, UPLO(uplo), n, alpha, (REAL *)A, lda, (REAL *)x, incx,
                 beta, y, incy));
}
static inline void NAME(do_ger)(INT m, INT n, REAL alpha, const REAL *x,
                                INT incx, const REAL *y, INT incy, REAL *A,
                                INT lda) {
  CALL(RAW(ger)(&m, &n, &alpha, (REAL *)x, &incx, (REAL *)y, &incy, A, &lda),
       RAW(ger)(102, m, n, alpha, (REAL *)x, incx, (REAL *)y, incy, A, lda));
}
static inline void NAME(do_syr)(char uplo, INT n, REAL alpha, const REAL *x,
                                INT incx, REAL *A, INT lda) {
  CALL(RAW(syr)(&uplo, &n, &alpha, (REAL *)x, &incx, A, &lda),
       RAW(syr)(102, UPLO(uplo), n, alpha, (REAL *)x, incx, A, lda));
}
static inline void NAME(do_syr2)(char uplo, INT n, REAL alpha, const REAL *x,
                                 INT incx, const REAL *y, INT incy, REAL *A,
                                 INT lda) {
  CALL(
      RAW(syr2)(&uplo, &n, &alpha, (REAL *)x, &incx, (REAL *)y, &incy, A, &lda),
      RAW(syr2)(102, UPLO(uplo), n, alpha, (REAL *)x, incx, (REAL *)y, incy, A,
                lda));
}
static inline void NAME(do_axpy)(INT n, REAL alpha, const REAL *x, INT incx,
                                 REAL *y, INT incy) {
  CALL(RAW(axpy)(&n, &alpha, (REAL *)x, &incx, y, &incy),
       RAW(axpy)(n, alpha, (REAL *)x, incx, y, incy));
}
static inline void NAME(do_copy)(INT n, const REAL *x, INT incx, REAL *y,
                                 INT incy) {
  CALL(RAW(copy)(&n, (REAL *)x, &incx, y, &incy),
       RAW(copy)(n, (REAL *)x, incx, y, incy));
}
static inline REAL NAME(do_dot)(INT n, const REAL *x, INT incx, const REAL *y,
                                INT incy) {
  return CALL(RAW(dot)(&n, (REAL *)x, &incx, (REAL *)y, &incy),
              RAW(dot)(n, (REAL *)x, incx, (REAL *)y, incy));
}
