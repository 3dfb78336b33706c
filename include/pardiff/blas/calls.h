/*===- pardiff/blas/calls.h - BLAS by value -----------------------------*- C
 * -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * For pardiff/blas/rules.h. The macros in which the names of CBLAS and those of
 * Fortran differ, the parameters of each function, and BLAS by columns with
 * arguments by value.
 *
 *===------------------------------------------------------------------------===*/

#pragma GCC system_header

#define PB_PASTE PARDIFF_BLAS_PASTE
#define REAL PARDIFF_BLAS_REAL
#define INT PARDIFF_BLAS_INT
#if PARDIFF_BLAS_FORTRAN
#define NAME(x) PB_PASTE(PB_PASTE(pardiff_blas_f_, PARDIFF_BLAS_LETTER), x)
#define SYMBOL(x)                                                              \
  PB_PASTE(PARDIFF_BLAS_LETTER, PB_PASTE(x, PB_PASTE(_, PARDIFF_BLAS_SUFFIX)))
#define RO
#define RF(x) const char *x
#define RI(x) const INT *x
#define RV(x) const REAL *x
#define RM(x) REAL *x
#define AO
#define AF(x) x
#define AI(x) x
#define AV(x) x
#define AM(x) x
#define GO
#define GF(x) const char *x, char *d##x
#define GI(x) const INT *x, INT *d##x
#define GV(x) const REAL *x, REAL *d##x
#define GM(x) REAL *x, REAL *d##x
#define DO
#define DF GF
#define DI GI
#define DV GV
#define DM GM
#define BY_ROWS 0
#define FLAG(x) pardiff_blas_flag(x)
#define VAL(x) (*(x))
#define TANGENT(x) (d##x ? *d##x : 0)
#else
#define NAME(x) PB_PASTE(PB_PASTE(pardiff_blas_c_, PARDIFF_BLAS_LETTER), x)
#define SYMBOL(x)                                                              \
  PB_PASTE(cblas_,                                                             \
           PB_PASTE(PARDIFF_BLAS_LETTER, PB_PASTE(x, PARDIFF_BLAS_SUFFIX)))
#define RO int order,
#define RF(x) int x
#define RI(x) INT x
#define RV(x) REAL x
#define RM(x) REAL *x
#define AO order,
#define AF(x) x
#define AI(x) x
#define AV(x) x
#define AM(x) x
#define GO int order,
#define GF(x) int x
#define GI(x) INT x
#define GV(x) REAL x
#define GM(x) REAL *x, REAL *d##x
#define DO GO
#define DF GF
#define DI GI
#define DV(x) REAL x, REAL d##x
#define DM GM
#define BY_ROWS (order == 101)
#define FLAG(x) NAME(flag)(x)
#define VAL(x) (x)
#define TANGENT(x) d##x
#endif
#define RAW(x) NAME(PB_PASTE(_raw_, x))
#define DECLARE(type, name, LIST)                                              \
  extern type RAW(name)(LIST(R)) __asm__(PARDIFF_BLAS_TEXT(SYMBOL(name)));

#define LIST_GEMM(K)                                                           \
  K##O K##F(ta), K##F(tb), K##I(m), K##I(n), K##I(k), K##V(alpha), K##M(A),    \
      K##I(lda), K##M(B), K##I(ldb), K##V(beta), K##M(C), K##I(ldc)
#define LIST_SYMM(K)                                                           \
  K##O K##F(side), K##F(uplo), K##I(m), K##I(n), K##V(alpha), K##M(A),         \
      K##I(lda), K##M(B), K##I(ldb), K##V(beta), K##M(C), K##I(ldc)
#define LIST_SYRK(K)                                                           \
  K##O K##F(uplo), K##F(ta), K##I(n), K##I(k), K##V(alpha), K##M(A),           \
      K##I(lda), K##V(beta), K##M(C), K##I(ldc)
#define LIST_SYR2K(K)                                                          \
  K##O K##F(uplo), K##F(ta), K##I(n), K##I(k), K##V(alpha), K##M(A),           \
      K##I(lda), K##M(B), K##I(ldb), K##V(beta), K##M(C), K##I(ldc)
#define LIST_TRSM(K)                                                           \
  K##O K##F(side), K##F(uplo), K##F(ta), K##F(diag), K##I(m), K##I(n),         \
      K##V(alpha), K##M(A), K##I(lda), K##M(C), K##I(ldc)
#define LIST_GEMV(K)                                                           \
  K##O K##F(ta), K##I(m), K##I(n), K##V(alpha), K##M(A), K##I(lda), K##M(x),   \
      K##I(incx), K##V(beta), K##M(y), K##I(incy)
#define LIST_SYMV(K)                                                           \
  K##O K##F(uplo), K##I(n), K##V(alpha), K##M(A), K##I(lda), K##M(x),          \
      K##I(incx), K##V(beta), K##M(y), K##I(incy)
#define LIST_GER(K)                                                            \
  K##O K##I(m), K##I(n), K##V(alpha), K##M(x), K##I(incx), K##M(y),            \
      K##I(incy), K##M(A), K##I(lda)
#define LIST_TRSV(K)                                                           \
  K##O K##F(uplo), K##F(ta), K##F(diag), K##I(n), K##M(A), K##I(lda), K##M(x), \
      K##I(incx)
#define LIST_AXPY(K)                                                           \
  K##I(n), K##V(alpha), K##M(x), K##I(incx), K##M(y), K##I(incy)
#define LIST_SCAL(K) K##I(n), K##V(alpha), K##M(x), K##I(incx)
#define LIST_TWO(K) K##I(n), K##M(x), K##I(incx), K##M(y), K##I(incy)
#define LIST_ONE(K) K##I(n), K##M(x), K##I(incx)

DECLARE(void, gemm, LIST_GEMM)
DECLARE(void, symm, LIST_SYMM)
DECLARE(void, syrk, LIST_SYRK)
DECLARE(void, syr2k, LIST_SYR2K)
DECLARE(void, trsm, LIST_TRSM)
DECLARE(void, gemv, LIST_GEMV)
DECLARE(void, symv, LIST_SYMV)
DECLARE(void, ger, LIST_GER)
DECLARE(void, trsv, LIST_TRSV)
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
#define TRANS(c) ((c) == 'N' ? 111 : 112)
#define UPLO(c) ((c) == 'U' ? 121 : 122)
#define DIAG(c) ((c) == 'N' ? 131 : 132)
#define SIDE(c) ((c) == 'L' ? 141 : 142)
#define CALL(F, C) C
#else
#define CALL(F, C) F
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
