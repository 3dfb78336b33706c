/*===- pardiff/blas/vectors.h - Adjoints of levels 1 and 2 ---------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * For pardiff/blas/rules.h. keep, back and tangent of functions of vectors.
 *
 *===------------------------------------------------------------------------===*/

#pragma GCC system_header

/*--- trsv and trmv: one column of trsm and trmm ---*/

static inline struct NAME(call) * NAME(trsv_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC);
  if (!c->dC)
    return t;
  t->keptA = NAME(kept)(c->m, c->m, c->A, c->lda);
  t->keptC = NAME(kept_vector)(c->m, c->C, c->ldc);
  NAME(solve)(c, c->ta, 1, t->keptA, NAME(max1)(c->m), t->keptC,
              NAME(max1)(c->m));
  return t;
}
static inline struct NAME(call) * NAME(trmv_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC);
  if (!c->dC)
    return t;
  t->keptA = NAME(kept)(c->m, c->m, c->A, c->lda);
  t->keptC = NAME(kept_vector)(c->m, c->C, c->ldc);
  return t;
}
static inline void NAME(column_back)(struct NAME(call) * t, int solves) {
  if (!t->dC)
    return;
  struct NAME(call) dense = *t;
  dense.dC = NAME(kept_vector)(t->m, t->dC, t->ldc),
  dense.ldc = NAME(max1)(t->m);
  REAL alpha;
  if (solves)
    NAME(trsm_back)(&dense, &alpha);
  else
    NAME(trmm_back)(&dense, &alpha);
  if (t->m > 0)
    NAME(do_copy)(t->m, dense.dC, 1, t->dC, t->ldc);
  free(dense.dC);
}
static inline void NAME(column_tangent)(const struct NAME(call) * c,
                                        int solves) {
  if (!NAME(begin_tangent)(c, 0, 0))
    return;
  struct NAME(call) dense = *c;
  dense.C = NAME(kept_vector)(c->m, c->C, c->ldc);
  dense.dC = NAME(kept_vector)(c->m, c->dC, c->ldc);
  dense.ldc = NAME(max1)(c->m);
  if (solves)
    NAME(trsm_tangent)(&dense, 0);
  else
    NAME(trmm_tangent)(&dense, 0);
  if (c->m > 0)
    NAME(do_copy)(c->m, dense.dC, 1, c->dC, c->ldc);
  free(dense.C), free(dense.dC);
}
static inline void NAME(trsv_back)(struct NAME(call) * t) {
  NAME(column_back)(t, 1);
}
static inline void NAME(trsv_tangent)(const struct NAME(call) * c) {
  NAME(column_tangent)(c, 1);
}
static inline void NAME(trmv_back)(struct NAME(call) * t) {
  NAME(column_back)(t, 0);
}
static inline void NAME(trmv_tangent)(const struct NAME(call) * c) {
  NAME(column_tangent)(c, 0);
}
static inline struct NAME(call)
    NAME(trsv_call)(int rows, char uplo, char ta, char diag, INT n, REAL *A,
                    REAL *dA, INT lda, REAL *x, REAL *dx, INT incx) {
  struct NAME(call) c = {ta, 0,   'L', uplo, diag, n, 1,  0,    1, 0, A,
                         dA, lda, 0,   0,    0,    x, dx, incx, 0, 0, 0};
  if (rows)
    c.uplo = NAME(other)(uplo), c.ta = NAME(flip)(ta);
  return c;
}

/*--- gemv and symv: y = alpha op(A) x + beta y. symv has ta = 'S' ---*/

static inline INT NAME(rows_of)(const struct NAME(call) * c) {
  return c->ta == 'T' ? c->n : c->m;
}
static inline INT NAME(columns_of)(const struct NAME(call) * c) {
  return c->ta == 'T' ? c->m : c->n;
}
static inline void NAME(times)(const struct NAME(call) * c, char ta, REAL alpha,
                               const REAL *A, INT lda, const REAL *x, INT incx,
                               REAL beta, REAL *y, INT incy) {
  if (c->ta == 'S')
    NAME(do_symv)(c->uplo, c->n, alpha, A, lda, x, incx, beta, y, incy);
  else
    NAME(do_gemv)(ta, c->m, c->n, alpha, A, lda, x, incx, beta, y, incy);
}
static inline struct NAME(call) * NAME(gemv_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC), pardiff_blas_check(c->dB, c->dC);
  if (!c->dC)
    return t;
  t->keptA = NAME(kept)(c->m, c->n, c->A, c->lda);
  t->keptB = NAME(kept_vector)(NAME(columns_of)(c), c->B, c->ldb);
  if (c->beta != 0)
    t->keptC = NAME(kept_vector)(NAME(rows_of)(c), c->C, c->ldc);
  return t;
}
static inline void NAME(gemv_back)(struct NAME(call) * t, REAL *alpha,
                                   REAL *beta) {
  INT m = t->m, n = t->n, rows = NAME(rows_of)(t),
      columns = NAME(columns_of)(t);
  *alpha = *beta = NAME(undefined)();
  if (!t->dC || m <= 0 || n <= 0)
    return;
  REAL *h = NAME(matrix)(columns, 1);
  NAME(times)(t, NAME(flip)(t->ta), 1, t->keptA, m, t->dC, t->ldc, 0, h, 1);
  *alpha = NAME(do_dot)(columns, h, 1, t->keptB, 1);
  if (t->dB)
    NAME(do_axpy)(columns, t->alpha, h, 1, t->dB, t->ldb);
  free(h);
  if (t->dA && t->ta == 'N')
    NAME(do_ger)(m, n, t->alpha, t->dC, t->ldc, t->keptB, 1, t->dA, t->lda);
  else if (t->dA && t->ta == 'T')
    NAME(do_ger)(m, n, t->alpha, t->keptB, 1, t->dC, t->ldc, t->dA, t->lda);
  else if (t->dA) {
    REAL *y = NAME(kept_vector)(n, t->dC, t->ldc);
    for (INT j = 0; j < n; ++j) {
      INT i = NAME(first)(t->uplo, 'U', j),
          count = NAME(rows)(t->uplo, 'U', n, j);
      REAL *column = t->dA + (size_t)j * (size_t)t->lda;
      column[j] += t->alpha * y[j] * t->keptB[j];
      NAME(do_axpy)(count, t->alpha * t->keptB[j], y + i, 1, column + i, 1);
      NAME(do_axpy)(count, t->alpha * y[j], t->keptB + i, 1, column + i, 1);
    }
    free(y);
  }
  if (t->beta != 0)
    *beta = NAME(do_dot)(rows, t->keptC, 1, t->dC, t->ldc);
  NAME(scale)(rows, t->beta, t->dC, t->ldc);
}
static inline void NAME(gemv_tangent)(const struct NAME(call) * c, REAL dalpha,
                                      REAL dbeta) {
  if (!NAME(begin_tangent)(c, dalpha, dbeta) || c->m <= 0 || c->n <= 0)
    return;
  NAME(scale)(NAME(rows_of)(c), c->beta, c->dC, c->ldc);
  if (dbeta != 0)
    NAME(do_axpy)(NAME(rows_of)(c), dbeta, c->C, c->ldc, c->dC, c->ldc);
  if (c->dA)
    NAME(times)(c, c->ta, c->alpha, c->dA, c->lda, c->B, c->ldb, 1, c->dC,
                c->ldc);
  if (c->dB)
    NAME(times)(c, c->ta, c->alpha, c->A, c->lda, c->dB, c->ldb, 1, c->dC,
                c->ldc);
  if (dalpha != 0)
    NAME(times)(c, c->ta, dalpha, c->A, c->lda, c->B, c->ldb, 1, c->dC, c->ldc);
}
static inline struct NAME(call)
    NAME(gemv_call)(int rows, char ta, INT m, INT n, REAL alpha, REAL *A,
                    REAL *dA, INT lda, REAL *x, REAL *dx, INT incx, REAL beta,
                    REAL *y, REAL *dy, INT incy) {
  struct NAME(call) c = {ta, 0,   0, 0,  0,    m, n,  0,    alpha, beta, A,
                         dA, lda, x, dx, incx, y, dy, incy, 0,     0,    0};
  if (rows)
    c.ta = NAME(flip)(ta), c.m = n, c.n = m;
  return c;
}
static inline struct NAME(call) * NAME(symv_keep)(const struct NAME(call) * c) {
  return NAME(gemv_keep)(c);
}
static inline void NAME(symv_back)(struct NAME(call) * t, REAL *alpha,
                                   REAL *beta) {
  NAME(gemv_back)(t, alpha, beta);
}
static inline void NAME(symv_tangent)(const struct NAME(call) * c, REAL dalpha,
                                      REAL dbeta) {
  NAME(gemv_tangent)(c, dalpha, dbeta);
}
static inline struct NAME(call)
    NAME(symv_call)(int rows, char uplo, INT n, REAL alpha, REAL *A, REAL *dA,
                    INT lda, REAL *x, REAL *dx, INT incx, REAL beta, REAL *y,
                    REAL *dy, INT incy) {
  struct NAME(call) c = {'S', 0,   0, uplo, 0,    n, n,  0,    alpha, beta, A,
                         dA,  lda, x, dx,   incx, y, dy, incy, 0,     0,    0};
  if (rows)
    c.uplo = NAME(other)(uplo);
  return c;
}

/*--- ger: A = alpha x y' + A. Here A is C, x is A and y is B ---*/

static inline struct NAME(call) * NAME(ger_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC), pardiff_blas_check(c->dB, c->dC);
  t->keptA = NAME(kept_vector)(c->m, c->A, c->lda);
  t->keptB = NAME(kept_vector)(c->n, c->B, c->ldb);
  return t;
}
static inline void NAME(ger_back)(struct NAME(call) * t, REAL *alpha) {
  INT m = t->m, n = t->n;
  *alpha = NAME(undefined)();
  if (!t->dC || m <= 0 || n <= 0)
    return;
  REAL *h = NAME(matrix)(m, 1);
  NAME(do_gemv)('N', m, n, 1, t->dC, t->ldc, t->keptB, 1, 0, h, 1);
  *alpha = NAME(do_dot)(m, h, 1, t->keptA, 1);
  if (t->dA)
    NAME(do_axpy)(m, t->alpha, h, 1, t->dA, t->lda);
  free(h);
  if (t->dB)
    NAME(do_gemv)('T', m, n, t->alpha, t->dC, t->ldc, t->keptA, 1, 1, t->dB,
                  t->ldb);
}
static inline void NAME(ger_tangent)(const struct NAME(call) * c, REAL dalpha) {
  if (!NAME(begin_tangent)(c, dalpha, 0))
    return;
  if (c->dA)
    NAME(do_ger)(c->m, c->n, c->alpha, c->dA, c->lda, c->B, c->ldb, c->dC,
                 c->ldc);
  if (c->dB)
    NAME(do_ger)(c->m, c->n, c->alpha, c->A, c->lda, c->dB, c->ldb, c->dC,
                 c->ldc);
  if (dalpha != 0)
    NAME(do_ger)(c->m, c->n, dalpha, c->A, c->lda, c->B, c->ldb, c->dC, c->ldc);
}
static inline struct NAME(call)
    NAME(ger_call)(int rows, INT m, INT n, REAL alpha, REAL *x, REAL *dx,
                   INT incx, REAL *y, REAL *dy, INT incy, REAL *A, REAL *dA,
                   INT lda) {
  struct NAME(call) c = {0,  0,    0, 0,  0,    m, n,  0,   alpha, 1, x,
                         dx, incx, y, dy, incy, A, dA, lda, 0,     0, 0};
  struct NAME(call) r = {0,  0,    0, 0,  0,    n, m,  0,   alpha, 1, y,
                         dy, incy, x, dx, incx, A, dA, lda, 0,     0, 0};
  return rows ? r : c;
}

/*--- syr: the triangle of A = alpha x x' + A, and syr2: alpha (x y' + y x') +
 * A. Here A is C, x is A and y is B; syr has no B ---*/

static inline struct NAME(call) * NAME(syr2_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC), pardiff_blas_check(c->dB, c->dC);
  t->keptA = NAME(kept_vector)(c->n, c->A, c->lda);
  if (c->B)
    t->keptB = NAME(kept_vector)(c->n, c->B, c->ldb);
  return t;
}
static inline void NAME(syr2_back)(struct NAME(call) * t, REAL *alpha) {
  INT n = t->n;
  *alpha = NAME(undefined)();
  if (!t->dC || n <= 0)
    return;
  REAL *S = NAME(both_halves)(t->uplo, n, t->dC, t->ldc),
       *h = NAME(matrix)(n, 1);
  NAME(do_symv)(t->uplo, n, 1, S, n, t->B ? t->keptB : t->keptA, 1, 0, h, 1);
  *alpha = NAME(do_dot)(n, h, 1, t->keptA, 1) / (t->B ? 1 : 2);
  if (t->dA)
    NAME(do_axpy)(n, t->alpha, h, 1, t->dA, t->lda);
  if (t->B && t->dB)
    NAME(do_symv)(t->uplo, n, t->alpha, S, n, t->keptA, 1, 1, t->dB, t->ldb);
  free(S), free(h);
}
static inline void NAME(syr2_tangent)(const struct NAME(call) * c,
                                      REAL dalpha) {
  if (!NAME(begin_tangent)(c, dalpha, 0))
    return;
  const REAL *y = c->B ? c->B : c->A;
  INT incy = c->B ? c->ldb : c->lda;
  if (c->dA)
    NAME(do_syr2)(c->uplo, c->n, c->alpha, c->dA, c->lda, y, incy, c->dC,
                  c->ldc);
  if (c->B && c->dB)
    NAME(do_syr2)(c->uplo, c->n, c->alpha, c->A, c->lda, c->dB, c->ldb, c->dC,
                  c->ldc);
  if (dalpha != 0 && c->B)
    NAME(do_syr2)(c->uplo, c->n, dalpha, c->A, c->lda, y, incy, c->dC, c->ldc);
  else if (dalpha != 0)
    NAME(do_syr)(c->uplo, c->n, dalpha, c->A, c->lda, c->dC, c->ldc);
}
static inline struct NAME(call)
    NAME(syr2_call)(int rows, char uplo, INT n, REAL alpha, REAL *x, REAL *dx,
                    INT incx, REAL *y, REAL *dy, INT incy, REAL *A, REAL *dA,
                    INT lda) {
  struct NAME(call) c = {0,  0,    0, uplo, 0,    0, n,  0,   alpha, 1, x,
                         dx, incx, y, dy,   incy, A, dA, lda, 0,     0, 0};
  if (rows)
    c.uplo = NAME(other)(uplo);
  return c;
}
static inline struct NAME(call) * NAME(syr_keep)(const struct NAME(call) * c) {
  return NAME(syr2_keep)(c);
}
static inline void NAME(syr_back)(struct NAME(call) * t, REAL *alpha) {
  NAME(syr2_back)(t, alpha);
}
static inline void NAME(syr_tangent)(const struct NAME(call) * c, REAL dalpha) {
  NAME(syr2_tangent)(c, dalpha);
}

/*--- Vectors: x is B, y is C ---*/

static inline struct NAME(call)
    NAME(vectors)(INT n, REAL alpha, REAL *x, REAL *dx, INT incx, REAL *y,
                  REAL *dy, INT incy) {
  struct NAME(call) c = {0, 0, 0, 0,  0,    0, n,  0,    alpha, 1, 0,
                         0, 0, x, dx, incx, y, dy, incy, 0,     0, 0};
  return c;
}
static inline struct NAME(call) * NAME(axpy_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dB, c->dC);
  t->keptB = NAME(kept_vector)(c->n, c->B, c->ldb);
  return t;
}
static inline void NAME(axpy_back)(struct NAME(call) * t, REAL *alpha) {
  *alpha = NAME(undefined)();
  if (!t->dC)
    return;
  *alpha = NAME(do_dot)(t->n, t->keptB, 1, t->dC, t->ldc);
  if (t->dB)
    NAME(do_axpy)(t->n, t->alpha, t->dC, t->ldc, t->dB, t->ldb);
}
static inline void NAME(axpy_tangent)(const struct NAME(call) * c,
                                      REAL dalpha) {
  if (!NAME(begin_tangent)(c, dalpha, 0))
    return;
  if (c->dB)
    NAME(do_axpy)(c->n, c->alpha, c->dB, c->ldb, c->dC, c->ldc);
  if (dalpha != 0)
    NAME(do_axpy)(c->n, dalpha, c->B, c->ldb, c->dC, c->ldc);
}
/* scal does nothing where the increment is not positive. */
static inline struct NAME(call) * NAME(scal_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  t->keptC = NAME(kept_vector)(c->ldc > 0 ? c->n : 0, c->C, c->ldc);
  return t;
}
static inline void NAME(scal_back)(struct NAME(call) * t, REAL *alpha) {
  *alpha = t->dC ? 0 : NAME(undefined)();
  if (!t->dC || t->ldc <= 0)
    return;
  *alpha = NAME(do_dot)(t->n, t->keptC, 1, t->dC, t->ldc);
  NAME(scale)(t->n, t->alpha, t->dC, t->ldc);
}
static inline void NAME(scal_tangent)(const struct NAME(call) * c,
                                      REAL dalpha) {
  if (!NAME(begin_tangent)(c, dalpha, 0) || c->ldc <= 0)
    return;
  NAME(scale)(c->n, c->alpha, c->dC, c->ldc);
  if (dalpha != 0)
    NAME(do_axpy)(c->n, dalpha, c->C, c->ldc, c->dC, c->ldc);
}
static inline struct NAME(call) * NAME(copy_keep)(const struct NAME(call) * c) {
  pardiff_blas_check(c->dB, c->dC);
  return NAME(tape)(c);
}
static inline void NAME(copy_back)(struct NAME(call) * t) {
  if (!t->dC)
    return;
  if (t->dB)
    NAME(do_axpy)(t->n, 1, t->dC, t->ldc, t->dB, t->ldb);
  NAME(scale)(t->n, 0, t->dC, t->ldc);
}
static inline void NAME(copy_tangent)(const struct NAME(call) * c) {
  pardiff_blas_check(c->dB, c->dC);
  if (c->dB)
    NAME(do_copy)(c->n, c->dB, c->ldb, c->dC, c->ldc);
  else if (c->dC)
    NAME(scale)(c->n, 0, c->dC, c->ldc);
}
static inline struct NAME(call) * NAME(swap_keep)(const struct NAME(call) * c) {
  pardiff_blas_check(c->dB, c->dC), pardiff_blas_check(c->dC, c->dB);
  return NAME(tape)(c);
}
static inline void NAME(swap_back)(struct NAME(call) * t) {
  if (t->dC)
    CALL(RAW(swap)(&t->n, t->dB, &t->ldb, t->dC, &t->ldc),
         RAW(swap)(t->n, t->dB, t->ldb, t->dC, t->ldc));
}
static inline void NAME(swap_tangent)(const struct NAME(call) * c) {
  struct NAME(call) t = *c;
  pardiff_blas_check(c->dB, c->dC), pardiff_blas_check(c->dC, c->dB);
  NAME(swap_back)(&t);
}
