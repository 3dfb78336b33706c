/*===- pardiff/blas/matrices.h - Adjoints of level 3 ---------------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * For pardiff/blas/rules.h. keep, back and tangent of functions of matrices.
 *
 *===------------------------------------------------------------------------===*/

#pragma GCC system_header

/* A call in the one form. Vectors: x is B, y is C, their increments ldb and
 * ldc; a function that changes its only vector or matrix has it as C. */
struct NAME(call) {
  int ta, tb, side, uplo, diag; /* characters */
  INT m, n, k;
  REAL alpha, beta;
  REAL *A, *dA;
  INT lda;
  REAL *B, *dB;
  INT ldb;
  REAL *C, *dC;
  INT ldc;
  REAL *keptA, *keptB, *keptC; /* without gaps */
};

static inline INT NAME(max1)(INT n) { return n > 1 ? n : 1; }
static inline char NAME(flip)(char c) { return c == 'N' ? 'T' : 'N'; }
static inline char NAME(other)(char uplo) { return uplo == 'U' ? 'L' : 'U'; }
static inline char NAME(across)(char side) { return side == 'L' ? 'R' : 'L'; }

static inline REAL *NAME(matrix)(INT m, INT n) {
  size_t count = m > 0 && n > 0 ? (size_t)m * (size_t)n : 0;
  REAL *A = (REAL *)pardiff_blas_allocate(count * sizeof(REAL));
  memset(A, 0, count * sizeof(REAL));
  return A;
}
static inline REAL *NAME(kept)(INT m, INT n, const REAL *A, INT lda) {
  REAL *copy = NAME(matrix)(m, n);
  for (INT j = 0; j < n && m > 0; ++j)
    memcpy(copy + (size_t)j * (size_t)m, A + (size_t)j * (size_t)lda,
           (size_t)m * sizeof(REAL));
  return copy;
}
static inline REAL *NAME(kept_vector)(INT n, const REAL *x, INT inc) {
  REAL *copy = NAME(matrix)(n, 1);
  if (n > 0)
    NAME(do_copy)(n, x, inc, copy, 1);
  return copy;
}
/* to += alpha * from */
static inline void NAME(add)(INT m, INT n, REAL alpha, const REAL *from,
                             REAL *to, INT ldt) {
  for (INT j = 0; j < n && m > 0; ++j)
    NAME(do_axpy)(m, alpha, from + (size_t)j * (size_t)m, 1,
                  to + (size_t)j * (size_t)ldt, 1);
}
static inline REAL NAME(inner)(INT m, INT n, const REAL *X, const REAL *Y,
                               INT ldy) {
  REAL sum = 0;
  for (INT j = 0; j < n && m > 0; ++j)
    sum += NAME(do_dot)(m, X + (size_t)j * (size_t)m, 1,
                        Y + (size_t)j * (size_t)ldy, 1);
  return sum;
}
/* The rows of column j that a triangle has: from first, so many. */
static inline INT NAME(first)(char uplo, char diag, INT j) {
  return uplo == 'U' ? 0 : j + (diag == 'U');
}
static inline INT NAME(rows)(char uplo, char diag, INT n, INT j) {
  return (uplo == 'U' ? j + 1 : n - j) - (diag == 'U');
}
/* The same three for a triangle; from has n rows. */
static inline void NAME(add_triangle)(char uplo, char diag, INT n, REAL alpha,
                                      const REAL *from, REAL *to, INT ldt) {
  for (INT j = 0; j < n; ++j) {
    INT i = NAME(first)(uplo, diag, j);
    NAME(do_axpy)(NAME(rows)(uplo, diag, n, j), alpha,
                  from + (size_t)j * (size_t)n + i, 1,
                  to + (size_t)j * (size_t)ldt + i, 1);
  }
}
static inline REAL *NAME(kept_triangle)(char uplo, char diag, INT n,
                                        const REAL *A, INT lda) {
  REAL *copy = NAME(matrix)(n, n);
  for (INT j = 0; j < n; ++j) {
    INT i = NAME(first)(uplo, diag, j);
    NAME(do_copy)(NAME(rows)(uplo, diag, n, j), A + (size_t)j * (size_t)lda + i,
                  1, copy + (size_t)j * (size_t)n + i, 1);
  }
  return copy;
}
/* The triangle of G + G', where G is that triangle and zero elsewhere. */
static inline REAL *NAME(both_halves)(char uplo, INT n, const REAL *G,
                                      INT ldg) {
  REAL *S = NAME(kept_triangle)(uplo, 'N', n, G, ldg);
  for (INT j = 0; j < n; ++j)
    S[(size_t)j * (size_t)n + j] *= 2;
  return S;
}
static inline REAL NAME(inner_triangle)(char uplo, INT n, const REAL *X,
                                        const REAL *Y, INT ldy) {
  REAL sum = 0;
  for (INT j = 0; j < n; ++j) {
    INT i = NAME(first)(uplo, 'N', j);
    sum +=
        NAME(do_dot)(NAME(rows)(uplo, 'N', n, j), X + (size_t)j * (size_t)n + i,
                     1, Y + (size_t)j * (size_t)ldy + i, 1);
  }
  return sum;
}
/* A vector times beta; where beta is 0, whatever it held. BLAS's own does
 * nothing if the increment is negative. */
static inline void NAME(scale)(INT n, REAL beta, REAL *x, INT inc) {
  if (inc < 0)
    inc = -inc;
  for (INT i = 0; i < n; ++i)
    x[(size_t)i * (size_t)inc] =
        beta == 0 ? 0 : beta * x[(size_t)i * (size_t)inc];
}
static inline void NAME(scale_matrix)(INT m, INT n, REAL beta, REAL *C,
                                      INT ldc) {
  for (INT j = 0; j < n && beta != 1; ++j)
    NAME(scale)(m, beta, C + (size_t)j * (size_t)ldc, 1);
}
static inline void NAME(scale_triangle)(char uplo, INT n, REAL beta, REAL *C,
                                        INT ldc) {
  for (INT j = 0; j < n && beta != 1; ++j)
    NAME(scale)(NAME(rows)(uplo, 'N', n, j), beta,
                C + (size_t)j * (size_t)ldc + NAME(first)(uplo, 'N', j), 1);
}

/* The tape is the call itself. */
static inline struct NAME(call) * NAME(tape)(const struct NAME(call) * c) {
  struct NAME(call) *t = (struct NAME(call) *)pardiff_blas_allocate(sizeof *t);
  /* One by one: what is copied as bytes has no second derivatives. */
  t->ta = c->ta, t->tb = c->tb, t->side = c->side, t->uplo = c->uplo,
  t->diag = c->diag;
  t->m = c->m, t->n = c->n, t->k = c->k, t->lda = c->lda, t->ldb = c->ldb,
  t->ldc = c->ldc;
  t->alpha = c->alpha, t->beta = c->beta;
  t->A = c->A, t->dA = c->dA, t->B = c->B, t->dB = c->dB, t->C = c->C,
  t->dC = c->dC;
  t->keptA = t->keptB = t->keptC = 0;
  return t;
}
static inline void NAME(release)(struct NAME(call) * t) {
  free(t->keptA), free(t->keptB), free(t->keptC), free(t);
}
/* What is lost, or not defined where beta is 0, shows. */
static inline REAL NAME(undefined)(void) { return (REAL)NAN; }

/*--- gemm: C = alpha op(A) op(B) + beta C ---*/

static inline struct NAME(call) * NAME(gemm_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC), pardiff_blas_check(c->dB, c->dC);
  if (!c->dC)
    return t;
  t->keptA = c->ta == 'N' ? NAME(kept)(c->m, c->k, c->A, c->lda)
                          : NAME(kept)(c->k, c->m, c->A, c->lda);
  t->keptB = c->tb == 'N' ? NAME(kept)(c->k, c->n, c->B, c->ldb)
                          : NAME(kept)(c->n, c->k, c->B, c->ldb);
  if (c->beta != 0)
    t->keptC = NAME(kept)(c->m, c->n, c->C, c->ldc);
  return t;
}
static inline void NAME(gemm_back)(struct NAME(call) * t, REAL *alpha,
                                   REAL *beta) {
  INT m = t->m, n = t->n, k = t->k;
  *alpha = *beta = NAME(undefined)();
  if (!t->dC)
    return;
  INT ra = t->ta == 'N' ? m : k, ca = t->ta == 'N' ? k : m,
      rb = t->tb == 'N' ? k : n, cb = t->tb == 'N' ? n : k;
  if (t->dA || !t->dB) {
    REAL *G = NAME(matrix)(ra, ca);
    if (t->ta == 'N')
      NAME(do_gemm)('N', NAME(flip)(t->tb), m, k, n, 1, t->dC, t->ldc, t->keptB,
                    NAME(max1)(rb), 0, G, NAME(max1)(ra));
    else
      NAME(do_gemm)(t->tb, 'T', k, m, n, 1, t->keptB, NAME(max1)(rb), t->dC,
                    t->ldc, 0, G, NAME(max1)(ra));
    *alpha = NAME(inner)(ra, ca, G, t->keptA, ra);
    if (t->dA)
      NAME(add)(ra, ca, t->alpha, G, t->dA, t->lda);
    free(G);
  }
  if (t->dB) {
    REAL *H = NAME(matrix)(rb, cb);
    if (t->tb == 'N')
      NAME(do_gemm)(NAME(flip)(t->ta), 'N', k, n, m, 1, t->keptA,
                    NAME(max1)(ra), t->dC, t->ldc, 0, H, NAME(max1)(rb));
    else
      NAME(do_gemm)('T', t->ta, n, k, m, 1, t->dC, t->ldc, t->keptA,
                    NAME(max1)(ra), 0, H, NAME(max1)(rb));
    *alpha = NAME(inner)(rb, cb, H, t->keptB, rb);
    NAME(add)(rb, cb, t->alpha, H, t->dB, t->ldb);
    free(H);
  }
  if (t->beta != 0)
    *beta = NAME(inner)(m, n, t->keptC, t->dC, t->ldc);
  NAME(scale_matrix)(m, n, t->beta, t->dC, t->ldc);
}
/* C' = beta C' + beta' C, for what alpha and beta are in front of */
static inline int NAME(begin_tangent)(const struct NAME(call) * c, REAL dalpha,
                                      REAL dbeta) {
  pardiff_blas_check(c->dA, c->dC), pardiff_blas_check(c->dB, c->dC);
  if (!c->dC && (dalpha != 0 || dbeta != 0))
    pardiff_blas_check(c, 0);
  return c->dC != 0;
}
/* dC := beta dC + dbeta C. */
static inline void NAME(scale_tangent)(const struct NAME(call) * c,
                                       REAL dbeta) {
  NAME(scale_matrix)(c->m, c->n, c->beta, c->dC, c->ldc);
  for (INT j = 0; j < c->n && dbeta != 0 && c->m > 0; ++j)
    NAME(do_axpy)(c->m, dbeta, c->C + (size_t)j * (size_t)c->ldc, 1,
                  c->dC + (size_t)j * (size_t)c->ldc, 1);
}
static inline void NAME(gemm_tangent)(const struct NAME(call) * c, REAL dalpha,
                                      REAL dbeta) {
  if (!NAME(begin_tangent)(c, dalpha, dbeta))
    return;
  NAME(scale_tangent)(c, dbeta);
  if (c->dA)
    NAME(do_gemm)(c->ta, c->tb, c->m, c->n, c->k, c->alpha, c->dA, c->lda, c->B,
                  c->ldb, 1, c->dC, c->ldc);
  if (c->dB)
    NAME(do_gemm)(c->ta, c->tb, c->m, c->n, c->k, c->alpha, c->A, c->lda, c->dB,
                  c->ldb, 1, c->dC, c->ldc);
  if (dalpha != 0)
    NAME(do_gemm)(c->ta, c->tb, c->m, c->n, c->k, dalpha, c->A, c->lda, c->B,
                  c->ldb, 1, c->dC, c->ldc);
}
static inline struct NAME(call)
    NAME(gemm_call)(int rows, char ta, char tb, INT m, INT n, INT k, REAL alpha,
                    REAL *A, REAL *dA, INT lda, REAL *B, REAL *dB, INT ldb,
                    REAL beta, REAL *C, REAL *dC, INT ldc) {
  struct NAME(call) c = {ta, tb,  0, 0,  0,   m, n,  k,   alpha, beta, A,
                         dA, lda, B, dB, ldb, C, dC, ldc, 0,     0,    0};
  struct NAME(call) r = {tb, ta,  0, 0,  0,   n, m,  k,   alpha, beta, B,
                         dB, ldb, A, dA, lda, C, dC, ldc, 0,     0,    0};
  return rows ? r : c;
}

/*--- symm: C = alpha A B + beta C or alpha B A + beta C, A symmetric ---*/

static inline struct NAME(call) * NAME(symm_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC), pardiff_blas_check(c->dB, c->dC);
  if (!c->dC)
    return t;
  INT na = c->side == 'L' ? c->m : c->n;
  t->keptA = NAME(kept)(na, na, c->A, c->lda);
  t->keptB = NAME(kept)(c->m, c->n, c->B, c->ldb);
  if (c->beta != 0)
    t->keptC = NAME(kept)(c->m, c->n, c->C, c->ldc);
  return t;
}
static inline void NAME(symm_back)(struct NAME(call) * t, REAL *alpha,
                                   REAL *beta) {
  INT m = t->m, n = t->n, na = t->side == 'L' ? m : n;
  *alpha = *beta = NAME(undefined)();
  if (!t->dC)
    return;
  REAL *H = NAME(matrix)(m, n);
  NAME(do_symm)(t->side, t->uplo, m, n, 1, t->keptA, NAME(max1)(na), t->dC,
                t->ldc, 0, H, NAME(max1)(m));
  *alpha = NAME(inner)(m, n, H, t->keptB, m);
  if (t->dB)
    NAME(add)(m, n, t->alpha, H, t->dB, t->ldb);
  free(H);
  if (t->dA) {
    /* What is not on the diagonal stands for two elements. */
    REAL *S = NAME(matrix)(na, na);
    NAME(do_syr2k)(t->uplo, t->side == 'L' ? 'N' : 'T', na,
                   t->side == 'L' ? n : m, 1, t->dC, t->ldc, t->keptB,
                   NAME(max1)(m), 0, S, NAME(max1)(na));
    for (INT i = 0; i < na; ++i)
      S[(size_t)i * (size_t)na + i] /= 2;
    NAME(add_triangle)(t->uplo, 'N', na, t->alpha, S, t->dA, t->lda);
    free(S);
  }
  if (t->beta != 0)
    *beta = NAME(inner)(m, n, t->keptC, t->dC, t->ldc);
  NAME(scale_matrix)(m, n, t->beta, t->dC, t->ldc);
}
static inline void NAME(symm_tangent)(const struct NAME(call) * c, REAL dalpha,
                                      REAL dbeta) {
  if (!NAME(begin_tangent)(c, dalpha, dbeta))
    return;
  NAME(scale_tangent)(c, dbeta);
  if (c->dA)
    NAME(do_symm)(c->side, c->uplo, c->m, c->n, c->alpha, c->dA, c->lda, c->B,
                  c->ldb, 1, c->dC, c->ldc);
  if (c->dB)
    NAME(do_symm)(c->side, c->uplo, c->m, c->n, c->alpha, c->A, c->lda, c->dB,
                  c->ldb, 1, c->dC, c->ldc);
  if (dalpha != 0)
    NAME(do_symm)(c->side, c->uplo, c->m, c->n, dalpha, c->A, c->lda, c->B,
                  c->ldb, 1, c->dC, c->ldc);
}
static inline struct NAME(call)
    NAME(symm_call)(int rows, char side, char uplo, INT m, INT n, REAL alpha,
                    REAL *A, REAL *dA, INT lda, REAL *B, REAL *dB, INT ldb,
                    REAL beta, REAL *C, REAL *dC, INT ldc) {
  struct NAME(call) c = {0,  0,   side, uplo, 0,   m, n,  0,   alpha, beta, A,
                         dA, lda, B,    dB,   ldb, C, dC, ldc, 0,     0,    0};
  if (rows)
    c.side = NAME(across)(side), c.uplo = NAME(other)(uplo), c.m = n, c.n = m;
  return c;
}

/*--- syrk: the triangle of C = alpha op(A) op(A)' + beta C ---*/

static inline struct NAME(call) * NAME(syrk_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  pardiff_blas_check(c->dA, c->dC);
  if (!c->dC)
    return t;
  t->keptA = c->ta == 'N' ? NAME(kept)(c->n, c->k, c->A, c->lda)
                          : NAME(kept)(c->k, c->n, c->A, c->lda);
  if (c->beta != 0)
    t->keptC = NAME(kept_triangle)(c->uplo, 'N', c->n, c->C, c->ldc);
  return t;
}
static inline void NAME(syrk_back)(struct NAME(call) * t, REAL *alpha,
                                   REAL *beta) {
  INT n = t->n, k = t->k, ra = t->ta == 'N' ? n : k, ca = t->ta == 'N' ? k : n;
  *alpha = *beta = NAME(undefined)();
  if (!t->dC)
    return;
  REAL *S = NAME(both_halves)(t->uplo, n, t->dC, t->ldc),
       *G = NAME(matrix)(ra, ca);
  NAME(do_symm)(t->ta == 'N' ? 'L' : 'R', t->uplo, ra, ca, 1, S, NAME(max1)(n),
                t->keptA, NAME(max1)(ra), 0, G, NAME(max1)(ra));
  *alpha = NAME(inner)(ra, ca, G, t->keptA, ra) / 2;
  if (t->dA)
    NAME(add)(ra, ca, t->alpha, G, t->dA, t->lda);
  free(S), free(G);
  if (t->beta != 0)
    *beta = NAME(inner_triangle)(t->uplo, n, t->keptC, t->dC, t->ldc);
  NAME(scale_triangle)(t->uplo, n, t->beta, t->dC, t->ldc);
}
static inline void NAME(scale_triangle_tangent)(const struct NAME(call) * c,
                                                REAL dbeta) {
  NAME(scale_triangle)(c->uplo, c->n, c->beta, c->dC, c->ldc);
  for (INT j = 0; j < c->n && dbeta != 0; ++j) {
    size_t at =
        (size_t)j * (size_t)c->ldc + (size_t)NAME(first)(c->uplo, 'N', j);
    NAME(do_axpy)(NAME(rows)(c->uplo, 'N', c->n, j), dbeta, c->C + at, 1,
                  c->dC + at, 1);
  }
}
static inline void NAME(syrk_tangent)(const struct NAME(call) * c, REAL dalpha,
                                      REAL dbeta) {
  if (!NAME(begin_tangent)(c, dalpha, dbeta))
    return;
  NAME(scale_triangle_tangent)(c, dbeta);
  if (c->dA)
    NAME(do_syr2k)(c->uplo, c->ta, c->n, c->k, c->alpha, c->dA, c->lda, c->A,
                   c->lda, 1, c->dC, c->ldc);
  if (dalpha != 0)
    NAME(do_syrk)(c->uplo, c->ta, c->n, c->k, dalpha, c->A, c->lda, 1, c->dC,
                  c->ldc);
}
static inline struct NAME(call)
    NAME(syrk_call)(int rows, char uplo, char ta, INT n, INT k, REAL alpha,
                    REAL *A, REAL *dA, INT lda, REAL beta, REAL *C, REAL *dC,
                    INT ldc) {
  struct NAME(call) c = {ta, 0,   0, uplo, 0, 0, n,  k,   alpha, beta, A,
                         dA, lda, 0, 0,    0, C, dC, ldc, 0,     0,    0};
  if (rows)
    c.uplo = NAME(other)(uplo), c.ta = NAME(flip)(ta);
  return c;
}

/*--- syr2k: the triangle of C = alpha (op(A) op(B)' + op(B) op(A)') + beta C
 * ---*/

static inline struct NAME(call) *
    NAME(syr2k_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  INT r = c->ta == 'N' ? c->n : c->k, w = c->ta == 'N' ? c->k : c->n;
  pardiff_blas_check(c->dA, c->dC), pardiff_blas_check(c->dB, c->dC);
  if (!c->dC)
    return t;
  t->keptA = NAME(kept)(r, w, c->A, c->lda);
  t->keptB = NAME(kept)(r, w, c->B, c->ldb);
  if (c->beta != 0)
    t->keptC = NAME(kept_triangle)(c->uplo, 'N', c->n, c->C, c->ldc);
  return t;
}
static inline void NAME(syr2k_back)(struct NAME(call) * t, REAL *alpha,
                                    REAL *beta) {
  INT n = t->n, r = t->ta == 'N' ? n : t->k, w = t->ta == 'N' ? t->k : n,
      ld = NAME(max1)(r);
  *alpha = *beta = NAME(undefined)();
  if (!t->dC)
    return;
  REAL *S = NAME(both_halves)(t->uplo, n, t->dC, t->ldc),
       *G = NAME(matrix)(r, w);
  char side = t->ta == 'N' ? 'L' : 'R';
  NAME(do_symm)(side, t->uplo, r, w, 1, S, NAME(max1)(n), t->keptB, ld, 0, G,
                ld);
  *alpha = NAME(inner)(r, w, G, t->keptA, r);
  if (t->dA)
    NAME(add)(r, w, t->alpha, G, t->dA, t->lda);
  if (t->dB) {
    NAME(do_symm)(side, t->uplo, r, w, 1, S, NAME(max1)(n), t->keptA, ld, 0, G,
                  ld);
    NAME(add)(r, w, t->alpha, G, t->dB, t->ldb);
  }
  free(S), free(G);
  if (t->beta != 0)
    *beta = NAME(inner_triangle)(t->uplo, n, t->keptC, t->dC, t->ldc);
  NAME(scale_triangle)(t->uplo, n, t->beta, t->dC, t->ldc);
}
static inline void NAME(syr2k_tangent)(const struct NAME(call) * c, REAL dalpha,
                                       REAL dbeta) {
  if (!NAME(begin_tangent)(c, dalpha, dbeta))
    return;
  NAME(scale_triangle_tangent)(c, dbeta);
  if (c->dA)
    NAME(do_syr2k)(c->uplo, c->ta, c->n, c->k, c->alpha, c->dA, c->lda, c->B,
                   c->ldb, 1, c->dC, c->ldc);
  if (c->dB)
    NAME(do_syr2k)(c->uplo, c->ta, c->n, c->k, c->alpha, c->A, c->lda, c->dB,
                   c->ldb, 1, c->dC, c->ldc);
  if (dalpha != 0)
    NAME(do_syr2k)(c->uplo, c->ta, c->n, c->k, dalpha, c->A, c->lda, c->B,
                   c->ldb, 1, c->dC, c->ldc);
}
static inline struct NAME(call)
    NAME(syr2k_call)(int rows, char uplo, char ta, INT n, INT k, REAL alpha,
                     REAL *A, REAL *dA, INT lda, REAL *B, REAL *dB, INT ldb,
                     REAL beta, REAL *C, REAL *dC, INT ldc) {
  struct NAME(call) c = {ta, 0,   0, uplo, 0,   0, n,  k,   alpha, beta, A,
                         dA, lda, B, dB,   ldb, C, dC, ldc, 0,     0,    0};
  if (rows)
    c.uplo = NAME(other)(uplo), c.ta = NAME(flip)(ta);
  return c;
}

/*--- trsm: C = alpha op(A)^-1 C or alpha C op(A)^-1; trsv is one column of it
 * ---*/

static inline void NAME(solve)(const struct NAME(call) * c, char ta, REAL alpha,
                               const REAL *A, INT lda, REAL *C, INT ldc) {
  NAME(do_trsm)(c->side, c->uplo, ta, c->diag, c->m, c->n, alpha, A, lda, C,
                ldc);
}
/* S = what A's triangle gets for the adjoint W of the right side, and the
 * solution X. */
static inline void NAME(solve_triangle)(const struct NAME(call) * t,
                                        const REAL *W, INT ldw, const REAL *X,
                                        REAL *S) {
  INT m = t->m, n = t->n, ldx = NAME(max1)(m),
      lds = NAME(max1)(t->side == 'L' ? m : n);
  if (t->side == 'L' && t->ta == 'N')
    NAME(do_gemm)('N', 'T', m, m, n, -1, W, ldw, X, ldx, 0, S, lds);
  else if (t->side == 'L')
    NAME(do_gemm)('N', 'T', m, m, n, -1, X, ldx, W, ldw, 0, S, lds);
  else if (t->ta == 'N')
    NAME(do_gemm)('T', 'N', n, n, m, -1, X, ldx, W, ldw, 0, S, lds);
  else
    NAME(do_gemm)('T', 'N', n, n, m, -1, W, ldw, X, ldx, 0, S, lds);
}
static inline struct NAME(call) * NAME(trsm_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  INT na = c->side == 'L' ? c->m : c->n;
  pardiff_blas_check(c->dA, c->dC);
  if (!c->dC)
    return t;
  t->keptA = NAME(kept)(na, na, c->A, c->lda);
  t->keptC = NAME(kept)(c->m, c->n, c->C, c->ldc);
  NAME(solve)(c, c->ta, c->alpha, t->keptA, NAME(max1)(na), t->keptC,
              NAME(max1)(c->m));
  return t;
}
static inline void NAME(trsm_back)(struct NAME(call) * t, REAL *alpha) {
  INT na = t->side == 'L' ? t->m : t->n;
  *alpha = NAME(undefined)();
  if (!t->dC)
    return;
  if (t->alpha != 0)
    *alpha = NAME(inner)(t->m, t->n, t->keptC, t->dC, t->ldc) / t->alpha;
  NAME(solve)(t, NAME(flip)(t->ta), 1, t->keptA, NAME(max1)(na), t->dC, t->ldc);
  if (t->dA) {
    REAL *S = NAME(matrix)(na, na);
    NAME(solve_triangle)(t, t->dC, t->ldc, t->keptC, S);
    NAME(add_triangle)(t->uplo, t->diag, na, 1, S, t->dA, t->lda);
    free(S);
  }
  NAME(scale_matrix)(t->m, t->n, t->alpha, t->dC, t->ldc);
}
/* op(A) X' = alpha C' + alpha' C - op(A') X */
static inline void NAME(trsm_tangent)(const struct NAME(call) * c,
                                      REAL dalpha) {
  if (!NAME(begin_tangent)(c, dalpha, 0))
    return;
  INT m = c->m, n = c->n, na = c->side == 'L' ? m : n, ld = NAME(max1)(m);
  NAME(scale_matrix)(m, n, c->alpha, c->dC, c->ldc);
  for (INT j = 0; j < n && dalpha != 0 && m > 0; ++j)
    NAME(do_axpy)(m, dalpha, c->C + (size_t)j * (size_t)c->ldc, 1,
                  c->dC + (size_t)j * (size_t)c->ldc, 1);
  if (c->dA) {
    REAL *X = NAME(kept)(m, n, c->C, c->ldc),
         *S = NAME(kept_triangle)(c->uplo, c->diag, na, c->dA, c->lda);
    NAME(solve)(c, c->ta, c->alpha, c->A, c->lda, X, ld);
    if (c->side == 'L')
      NAME(do_gemm)(c->ta, 'N', m, n, m, -1, S, NAME(max1)(na), X, ld, 1, c->dC,
                    c->ldc);
    else
      NAME(do_gemm)('N', c->ta, m, n, n, -1, X, ld, S, NAME(max1)(na), 1, c->dC,
                    c->ldc);
    free(X), free(S);
  }
  NAME(solve)(c, c->ta, 1, c->A, c->lda, c->dC, c->ldc);
}
static inline struct NAME(call)
    NAME(trsm_call)(int rows, char side, char uplo, char ta, char diag, INT m,
                    INT n, REAL alpha, REAL *A, REAL *dA, INT lda, REAL *C,
                    REAL *dC, INT ldc) {
  struct NAME(call) c = {ta, 0,   side, uplo, diag, m, n,  0,   alpha, 0, A,
                         dA, lda, 0,    0,    0,    C, dC, ldc, 0,     0, 0};
  if (rows)
    c.side = NAME(across)(side), c.uplo = NAME(other)(uplo), c.m = n, c.n = m;
  return c;
}

/*--- trmm: C = alpha op(A) C or alpha C op(A); trmv is one column of it. The
 * call is trsm's ---*/

static inline struct NAME(call) * NAME(trmm_keep)(const struct NAME(call) * c) {
  struct NAME(call) *t = NAME(tape)(c);
  INT na = c->side == 'L' ? c->m : c->n;
  pardiff_blas_check(c->dA, c->dC);
  if (!c->dC)
    return t;
  t->keptA = NAME(kept)(na, na, c->A, c->lda);
  t->keptC = NAME(kept)(c->m, c->n, c->C, c->ldc);
  return t;
}
static inline void NAME(trmm_back)(struct NAME(call) * t, REAL *alpha) {
  INT m = t->m, n = t->n, na = t->side == 'L' ? m : n, ld = NAME(max1)(m);
  *alpha = NAME(undefined)();
  if (!t->dC)
    return;
  if (t->dA) {
    /* minus what trsm would do */
    REAL *S = NAME(matrix)(na, na);
    NAME(solve_triangle)(t, t->dC, t->ldc, t->keptC, S);
    NAME(add_triangle)(t->uplo, t->diag, na, -t->alpha, S, t->dA, t->lda);
    free(S);
  }
  REAL *W = NAME(kept)(m, n, t->dC, t->ldc);
  NAME(do_trmm)(t->side, t->uplo, NAME(flip)(t->ta), t->diag, m, n, 1, t->keptA,
                NAME(max1)(na), W, ld);
  *alpha = NAME(inner)(m, n, W, t->keptC, m);
  NAME(scale_matrix)(m, n, 0, t->dC, t->ldc);
  NAME(add)(m, n, t->alpha, W, t->dC, t->ldc);
  free(W);
}
static inline void NAME(trmm_tangent)(const struct NAME(call) * c,
                                      REAL dalpha) {
  if (!NAME(begin_tangent)(c, dalpha, 0))
    return;
  INT m = c->m, n = c->n, na = c->side == 'L' ? m : n, ld = NAME(max1)(m);
  NAME(do_trmm)(c->side, c->uplo, c->ta, c->diag, m, n, c->alpha, c->A, c->lda,
                c->dC, c->ldc);
  if (c->dA) {
    REAL *S = NAME(kept_triangle)(c->uplo, c->diag, na, c->dA, c->lda);
    if (c->side == 'L')
      NAME(do_gemm)(c->ta, 'N', m, n, m, c->alpha, S, NAME(max1)(na), c->C,
                    c->ldc, 1, c->dC, c->ldc);
    else
      NAME(do_gemm)('N', c->ta, m, n, n, c->alpha, c->C, c->ldc, S,
                    NAME(max1)(na), 1, c->dC, c->ldc);
    free(S);
  }
  if (dalpha != 0) {
    REAL *X = NAME(kept)(m, n, c->C, c->ldc);
    NAME(do_trmm)(c->side, c->uplo, c->ta, c->diag, m, n, dalpha, c->A, c->lda,
                  X, ld);
    NAME(add)(m, n, 1, X, c->dC, c->ldc);
    free(X);
  }
}
