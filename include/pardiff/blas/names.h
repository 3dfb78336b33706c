/*===- pardiff/blas/names.h - Names and lists of parameters --------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * For pardiff/blas/rules.h. The macros in which the names of CBLAS and LAPACKE
 * and those of Fortran differ, and the parameters of each function.
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
#define RH(x) const char *x
#define RP(x) INT *x
#define RN , INT *info
#define AH(x) x
#define AP(x) x
#define AN , info
#define GH(x) const char *x, char *d##x
#define GP(x) INT *x, INT *d##x
#define GN , INT *info, INT *dinfo
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
#define DH GH
#define DP GP
#define DN GN
#define BY_ROWS 0
#define FLAG(x) pardiff_blas_flag(x)
#define LETTER(x) pardiff_blas_flag(x)
#define LAPACK_SYMBOL SYMBOL
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
#define RH(x) char x
#define RP(x) INT *x
#define RN
#define AH(x) x
#define AP(x) x
#define AN
#define GH(x) char x
#define GP(x) INT *x, INT *d##x
#define GN
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
#define DH GH
#define DP GP
#define DN GN
#define BY_ROWS (order == 101)
#define FLAG(x) NAME(flag)(x)
#define LETTER(x) pardiff_blas_flag(&x)
#define LAPACK_SYMBOL(x)                                                       \
  PB_PASTE(LAPACKE_,                                                           \
           PB_PASTE(PARDIFF_BLAS_LETTER, PB_PASTE(x, PARDIFF_BLAS_SUFFIX)))
#define VAL(x) (x)
#define TANGENT(x) d##x
#endif
#define RAW(x) NAME(PB_PASTE(_raw_, x))
#define DECLARE(type, name, LIST)                                              \
  extern type RAW(name)(LIST(R)) __asm__(PARDIFF_BLAS_TEXT(SYMBOL(name)));
#define DECLARE_LAPACK(type, name, LIST)                                       \
  extern type RAW(name)(LIST(R)) __asm__(                                      \
      PARDIFF_BLAS_TEXT(LAPACK_SYMBOL(name)));

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
#define LIST_SYR(K)                                                            \
  K##O K##F(uplo), K##I(n), K##V(alpha), K##M(x), K##I(incx), K##M(A), K##I(lda)
#define LIST_SYR2(K)                                                           \
  K##O K##F(uplo), K##I(n), K##V(alpha), K##M(x), K##I(incx), K##M(y),         \
      K##I(incy), K##M(A), K##I(lda)
#define LIST_TRSV(K)                                                           \
  K##O K##F(uplo), K##F(ta), K##F(diag), K##I(n), K##M(A), K##I(lda), K##M(x), \
      K##I(incx)
#define LIST_AXPY(K)                                                           \
  K##I(n), K##V(alpha), K##M(x), K##I(incx), K##M(y), K##I(incy)
#define LIST_SCAL(K) K##I(n), K##V(alpha), K##M(x), K##I(incx)
#define LIST_TWO(K) K##I(n), K##M(x), K##I(incx), K##M(y), K##I(incy)
#define LIST_ONE(K) K##I(n), K##M(x), K##I(incx)
#define LIST_POTRF(K) K##O K##H(uplo), K##I(n), K##M(A), K##I(lda) K##N
#define LIST_POTRS(K)                                                          \
  K##O K##H(uplo), K##I(n), K##I(nrhs), K##M(A), K##I(lda), K##M(B),           \
      K##I(ldb) K##N
#define LIST_GETRF(K) K##O K##I(m), K##I(n), K##M(A), K##I(lda), K##P(ipiv) K##N
#define LIST_GETRS(K)                                                          \
  K##O K##H(ta), K##I(n), K##I(nrhs), K##M(A), K##I(lda), K##P(ipiv), K##M(B), \
      K##I(ldb) K##N

#if !PARDIFF_BLAS_FORTRAN
#define TRANS(c) ((c) == 'N' ? 111 : 112)
#define UPLO(c) ((c) == 'U' ? 121 : 122)
#define DIAG(c) ((c) == 'N' ? 131 : 132)
#define SIDE(c) ((c) == 'L' ? 141 : 142)
#define CALL(F, C) C
#else
#define CALL(F, C) F
#endif

#define REGISTER(name)                                                         \
  static void *NAME(PB_PASTE(__pardiff_register_gradient_, name))[]            \
      __attribute__((used)) = {(void *)RAW(name),                              \
                               (void *)NAME(PB_PASTE(name, _augmented)),       \
                               (void *)NAME(PB_PASTE(name, _reverse))};        \
  static void *NAME(PB_PASTE(__pardiff_register_derivative_, name))[]          \
      __attribute__((used)) = {(void *)RAW(name),                              \
                               (void *)NAME(PB_PASTE(name, _derivative))};
