/*===- pardiff/blas/lapack.h - Rules of LAPACK ---------------------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Included by pardiff/lapack.h once for each floating-point type and set of
 * names, so without a guard.
 *
 * As in pardiff/blas/rules.h there are keep, back and tangent of each function,
 * but all of them come behind the call. They work on copies by columns, without
 * gaps. Of a symmetric matrix the copy has the lower triangle: an upper one by
 * columns is a lower one by rows.
 *
 *===------------------------------------------------------------------------===*/

#pragma GCC system_header

#include <pardiff/blas/names.h>

/* A call. turned: the matrix A lies by rows; rows: B does. */
struct NAME(solver) {
  int turned, rows, ta;
  INT m, n, nrhs, info;
  REAL *A, *dA;
  INT lda;
  REAL *B, *dB;
  INT ldb;
  INT *pivots;
  REAL *keptA, *keptB;
  INT *kept_pivots;
};

/*--- Copies: of an m times n matrix, or of its lower triangle ---*/

static inline REAL *NAME(taken)(int lower, int turned, INT m, INT n,
                                const REAL *A, INT lda) {
  REAL *copy = NAME(matrix)(m, n);
  for (INT j = 0; j < n && (!lower || j < m); ++j) {
    INT i = lower ? j : 0;
    size_t at = turned ? (size_t)i * (size_t)lda + (size_t)j
                       : (size_t)j * (size_t)lda + (size_t)i;
    NAME(do_copy)(m - i, A + at, turned ? lda : 1,
                  copy + (size_t)j * (size_t)m + i, 1);
  }
  return copy;
}
/* to = alpha to + from */
static inline void NAME(give)(int lower, int turned, INT m, INT n,
                              const REAL *from, REAL alpha, REAL *to, INT ldt) {
  for (INT j = 0; j < n && (!lower || j < m); ++j) {
    INT i = lower ? j : 0;
    REAL *column = to + (turned ? (size_t)i * (size_t)ldt + (size_t)j
                                : (size_t)j * (size_t)ldt + (size_t)i);
    if (alpha == 0)
      NAME(do_copy)(m - i, from + (size_t)j * (size_t)m + i, 1, column,
                    turned ? ldt : 1);
    else
      NAME(do_axpy)(m - i, 1, from + (size_t)j * (size_t)m + i, 1, column,
                    turned ? ldt : 1);
  }
}
/* One triangle of a matrix of r rows and c columns, zero elsewhere. Its
 * diagonal is that of the matrix, or ones (diag is U), or zeros (0). */
static inline REAL *NAME(triangle)(char uplo, char diag, INT r, INT c,
                                   const REAL *A, INT lda) {
  REAL *T = NAME(matrix)(r, c);
  for (INT j = 0; j < c; ++j)
    for (INT i = 0; i < r; ++i) {
      REAL value = A[(size_t)j * (size_t)lda + i];
      if (i == j && diag != 'N')
        value = diag == 'U';
      else if (uplo == 'U' ? i > j : i < j)
        value = 0;
      T[(size_t)j * (size_t)r + i] = value;
    }
  return T;
}
/* The rows of a matrix as the pivots moved them, or back. */
static inline void NAME(swap_rows)(INT k, const INT *pivots, int back, INT m,
                                   INT n, REAL *C) {
  for (INT step = 0; step < k; ++step) {
    INT i = back ? k - 1 - step : step, p = pivots[i] - 1;
    for (INT j = 0; j < n && p != i; ++j) {
      REAL *column = C + (size_t)j * (size_t)m, other = column[p];
      column[p] = column[i];
      column[i] = other;
    }
  }
}
/* NaN, unless all is zero: the factorization has failed. */
static inline void NAME(lose)(INT m, INT n, REAL *G) {
  REAL lost = 0;
  for (INT j = 0; j < n; ++j)
    for (INT i = 0; i < m; ++i)
      if (G[(size_t)j * (size_t)m + i] != 0)
        lost = (REAL)NAN;
  for (INT j = 0; j < n; ++j)
    for (INT i = 0; i < m; ++i)
      G[(size_t)j * (size_t)m + i] = lost;
}
static inline struct NAME(solver) *
    NAME(solver_tape)(const struct NAME(solver) * c) {
  struct NAME(solver) *t =
      (struct NAME(solver) *)pardiff_blas_allocate(sizeof *t);
  /* One by one, as in matrices.h. */
  t->turned = c->turned, t->rows = c->rows, t->ta = c->ta, t->m = c->m,
  t->n = c->n, t->nrhs = c->nrhs, t->info = c->info;
  t->A = c->A, t->dA = c->dA, t->lda = c->lda, t->B = c->B, t->dB = c->dB,
  t->ldb = c->ldb, t->pivots = c->pivots;
  t->keptA = t->keptB = 0, t->kept_pivots = 0;
  return t;
}
static inline void NAME(solver_release)(struct NAME(solver) * t) {
  free(t->keptA), free(t->keptB), free(t->kept_pivots), free(t);
}
static inline INT *NAME(taken_pivots)(INT k, const INT *pivots) {
  INT *copy =
      (INT *)pardiff_blas_allocate((k > 0 ? (size_t)k : 0) * sizeof(INT));
  for (INT i = 0; i < k; ++i)
    copy[i] = pivots[i];
  return copy;
}
static inline INT NAME(smaller)(const struct NAME(solver) * c) {
  return c->m < c->n ? c->m : c->n;
}

/*--- potrf: A = L L', of which the lower triangle is used ---*/

static inline struct NAME(solver) *
    NAME(potrf_keep)(const struct NAME(solver) * c) {
  struct NAME(solver) *t = NAME(solver_tape)(c);
  if (c->dA && c->info == 0)
    t->keptA = NAME(taken)(1, c->turned, c->n, c->n, c->A, c->lda);
  return t;
}
/* W becomes the lower triangle of it, half of the diagonal. */
static inline void NAME(half)(INT n, REAL *W) {
  for (INT j = 0; j < n; ++j) {
    for (INT i = 0; i < j; ++i)
      W[(size_t)j * (size_t)n + i] = 0;
    W[(size_t)j * (size_t)n + j] /= 2;
  }
}
static inline void NAME(potrf_back)(struct NAME(solver) * t) {
  INT n = t->n;
  if (!t->dA || n <= 0)
    return;
  REAL *G = NAME(taken)(1, t->turned, n, n, t->dA, t->lda);
  if (t->info > 0) {
    NAME(lose)(n, n, G);
  } else {
    /* S = L^-T half(L' G) L^-1, and the triangle of S + S' */
    REAL *S = NAME(matrix)(n, n);
    NAME(do_gemm)('T', 'N', n, n, n, 1, t->keptA, n, G, n, 0, S, n);
    NAME(half)(n, S);
    NAME(do_trsm)('L', 'L', 'T', 'N', n, n, 1, t->keptA, n, S, n);
    NAME(do_trsm)('R', 'L', 'N', 'N', n, n, 1, t->keptA, n, S, n);
    for (INT j = 0; j < n; ++j)
      for (INT i = j; i < n; ++i)
        G[(size_t)j * (size_t)n + i] =
            S[(size_t)j * (size_t)n + i] +
            (i == j ? 0 : S[(size_t)i * (size_t)n + j]);
    free(S);
  }
  NAME(give)(1, t->turned, n, n, G, 0, t->dA, t->lda);
  free(G);
}
/* L half(L^-1 A' L^-T) */
static inline void NAME(potrf_tangent)(const struct NAME(solver) * c) {
  INT n = c->n;
  if (!c->dA || n <= 0)
    return;
  REAL *W = NAME(taken)(1, c->turned, n, n, c->dA, c->lda);
  if (c->info > 0) {
    NAME(lose)(n, n, W);
  } else {
    REAL *L = NAME(taken)(1, c->turned, n, n, c->A, c->lda);
    for (INT j = 0; j < n; ++j)
      for (INT i = 0; i < j; ++i)
        W[(size_t)j * (size_t)n + i] = W[(size_t)i * (size_t)n + j];
    NAME(do_trsm)('L', 'L', 'N', 'N', n, n, 1, L, n, W, n);
    NAME(do_trsm)('R', 'L', 'T', 'N', n, n, 1, L, n, W, n);
    NAME(half)(n, W);
    NAME(do_trmm)('L', 'L', 'N', 'N', n, n, 1, L, n, W, n);
    free(L);
  }
  NAME(give)(1, c->turned, n, n, W, 0, c->dA, c->lda);
  free(W);
}

/*--- potrs: B = (L L')^-1 B ---*/

static inline struct NAME(solver) *
    NAME(potrs_keep)(const struct NAME(solver) * c) {
  struct NAME(solver) *t = NAME(solver_tape)(c);
  pardiff_blas_check(c->dA, c->dB);
  if (!c->dB)
    return t;
  t->keptA = NAME(taken)(1, c->turned, c->n, c->n, c->A, c->lda);
  t->keptB = NAME(taken)(0, c->rows, c->n, c->nrhs, c->B, c->ldb);
  return t;
}
static inline void NAME(potrs_solve)(INT n, INT k, const REAL *L, REAL *B) {
  NAME(do_trsm)('L', 'L', 'N', 'N', n, k, 1, L, n, B, n);
  NAME(do_trsm)('L', 'L', 'T', 'N', n, k, 1, L, n, B, n);
}
static inline void NAME(potrs_back)(struct NAME(solver) * t) {
  INT n = t->n, k = t->nrhs;
  if (!t->dB || n <= 0 || k <= 0)
    return;
  REAL *W = NAME(taken)(0, t->rows, n, k, t->dB, t->ldb);
  NAME(potrs_solve)(n, k, t->keptA, W);
  NAME(give)(0, t->rows, n, k, W, 0, t->dB, t->ldb);
  if (t->dA) {
    /* The adjoint of the matrix is M = -W X', that of L is (M + M') L. */
    REAL *M = NAME(matrix)(n, n), *R = NAME(matrix)(n, n);
    NAME(do_syr2k)('L', 'N', n, k, -1, W, n, t->keptB, n, 0, M, n);
    NAME(do_symm)('L', 'L', n, n, 1, M, n, t->keptA, n, 0, R, n);
    NAME(give)(1, t->turned, n, n, R, 1, t->dA, t->lda);
    free(M), free(R);
  }
  free(W);
}
static inline void NAME(potrs_tangent)(const struct NAME(solver) * c) {
  INT n = c->n, k = c->nrhs;
  pardiff_blas_check(c->dA, c->dB);
  if (!c->dB || n <= 0 || k <= 0)
    return;
  REAL *L = NAME(taken)(1, c->turned, n, n, c->A, c->lda),
       *R = NAME(taken)(0, c->rows, n, k, c->dB, c->ldb);
  if (c->dA) {
    /* R = B' - (L' L^T + L L'^T) X */
    REAL *D = NAME(taken)(1, c->turned, n, n, c->dA, c->lda),
         *X = NAME(taken)(0, c->rows, n, k, c->B, c->ldb),
         *H = NAME(matrix)(n, k);
    NAME(do_gemm)('T', 'N', n, k, n, 1, D, n, X, n, 0, H, n);
    NAME(do_trmm)('L', 'L', 'T', 'N', n, k, 1, L, n, X, n);
    NAME(do_gemm)('N', 'N', n, k, n, -1, D, n, X, n, 1, R, n);
    NAME(do_trmm)('L', 'L', 'N', 'N', n, k, -1, L, n, H, n);
    NAME(add)(n, k, 1, H, R, n);
    free(D), free(X), free(H);
  }
  NAME(potrs_solve)(n, k, L, R);
  NAME(give)(0, c->rows, n, k, R, 0, c->dB, c->ldb);
  free(L), free(R);
}

/*--- getrf: A = P L U, m times n, L with k columns, k the smaller one ---*/

static inline struct NAME(solver) *
    NAME(getrf_keep)(const struct NAME(solver) * c) {
  struct NAME(solver) *t = NAME(solver_tape)(c);
  if (!c->dA || c->info != 0)
    return t;
  t->keptA = NAME(taken)(0, c->turned, c->m, c->n, c->A, c->lda);
  t->kept_pivots = NAME(taken_pivots)(NAME(smaller)(c), c->pivots);
  return t;
}
/* Of the first k rows and columns F = L^-1 C U^-1 is, below the diagonal, L^-1
 * L', and above it U' U^-1. Behind them, U' = L^-1 C - F U and L' = C U^-1 - L
 * F. */
static inline void NAME(getrf_back)(struct NAME(solver) * t) {
  INT m = t->m, n = t->n, k = NAME(smaller)(t);
  if (!t->dA || k <= 0)
    return;
  REAL *G = NAME(taken)(0, t->turned, m, n, t->dA, t->lda);
  if (t->info > 0) {
    NAME(lose)(m, n, G);
    NAME(give)(0, t->turned, m, n, G, 0, t->dA, t->lda);
    free(G);
    return;
  }
  REAL *L = NAME(triangle)('L', 'U', m, k, t->keptA, m),
       *U = NAME(triangle)('U', 'N', k, n, t->keptA, m),
       *dL = NAME(triangle)('L', '0', m, k, G, m),
       *dU = NAME(triangle)('U', 'N', k, n, G, m);
  size_t behind = (size_t)k * (size_t)k; /* columns of U */
  REAL *P = NAME(matrix)(k, k), *Q = NAME(matrix)(k, k);
  NAME(do_gemm)('T', 'N', k, k, k, 1, L, m, dL, m, 0, P, k);
  NAME(do_gemm)('N', 'T', k, k, k, 1, dU, k, U, k, 0, Q, k);
  if (n > k)
    NAME(do_gemm)('N', 'T', k, k, n - k, -1, dU + behind, k, U + behind, k, 1,
                  P, k);
  if (m > k)
    NAME(do_gemm)('T', 'N', k, k, m - k, -1, L + k, m, dL + k, m, 1, Q, k);
  for (INT j = 0; j < k; ++j)
    for (INT i = j + 1; i < k; ++i)
      Q[(size_t)j * (size_t)k + i] = P[(size_t)j * (size_t)k + i];
  NAME(do_trsm)('L', 'L', 'T', 'U', k, k, 1, L, m, Q, k);
  NAME(do_trsm)('R', 'U', 'T', 'N', k, k, 1, U, k, Q, k);
  if (n > k)
    NAME(do_trsm)('L', 'L', 'T', 'U', k, n - k, 1, L, m, dU + behind, k);
  if (m > k)
    NAME(do_trsm)('R', 'U', 'T', 'N', m - k, k, 1, U, k, dL + k, m);
  for (INT j = 0; j < n; ++j)
    for (INT i = 0; i < m; ++i)
      G[(size_t)j * (size_t)m + i] = i >= k   ? dL[(size_t)j * (size_t)m + i]
                                     : j >= k ? dU[(size_t)j * (size_t)k + i]
                                              : Q[(size_t)j * (size_t)k + i];
  NAME(swap_rows)(k, t->kept_pivots, 1, m, n, G);
  NAME(give)(0, t->turned, m, n, G, 0, t->dA, t->lda);
  free(L), free(U), free(dL), free(dU), free(P), free(Q), free(G);
}
static inline void NAME(getrf_tangent)(const struct NAME(solver) * c) {
  INT m = c->m, n = c->n, k = NAME(smaller)(c);
  if (!c->dA || k <= 0)
    return;
  REAL *C = NAME(taken)(0, c->turned, m, n, c->dA, c->lda);
  if (c->info > 0) {
    NAME(lose)(m, n, C);
    NAME(give)(0, c->turned, m, n, C, 0, c->dA, c->lda);
    free(C);
    return;
  }
  REAL *A = NAME(taken)(0, c->turned, m, n, c->A, c->lda),
       *F = NAME(matrix)(k, k);
  size_t behind = (size_t)k * (size_t)m; /* columns of A */
  NAME(swap_rows)(k, c->pivots, 0, m, n, C);
  for (INT j = 0; j < k; ++j)
    NAME(do_copy)(k, C + (size_t)j * (size_t)m, 1, F + (size_t)j * (size_t)k,
                  1);
  NAME(do_trsm)('L', 'L', 'N', 'U', k, k, 1, A, m, F, k);
  NAME(do_trsm)('R', 'U', 'N', 'N', k, k, 1, A, m, F, k);
  REAL *low = NAME(triangle)('L', '0', k, k, F, k),
       *up = NAME(triangle)('U', 'N', k, k, F, k);
  if (n > k) {
    NAME(do_trsm)('L', 'L', 'N', 'U', k, n - k, 1, A, m, C + behind, m);
    NAME(do_gemm)('N', 'N', k, n - k, k, -1, low, k, A + behind, m, 1,
                  C + behind, m);
  }
  if (m > k) {
    NAME(do_trsm)('R', 'U', 'N', 'N', m - k, k, 1, A, m, C + k, m);
    NAME(do_gemm)('N', 'N', m - k, k, k, -1, A + k, m, up, k, 1, C + k, m);
  }
  NAME(do_trmm)('L', 'L', 'N', 'U', k, k, 1, A, m, low, k);
  NAME(do_trmm)('R', 'U', 'N', 'N', k, k, 1, A, m, up, k);
  for (INT j = 0; j < k; ++j)
    for (INT i = 0; i < k; ++i)
      C[(size_t)j * (size_t)m + i] =
          (i > j ? low : up)[(size_t)j * (size_t)k + i];
  NAME(give)(0, c->turned, m, n, C, 0, c->dA, c->lda);
  free(A), free(F), free(low), free(up), free(C);
}

/*--- getrs: B = op(A)^-1 B, A = P L U ---*/

static inline struct NAME(solver) *
    NAME(getrs_keep)(const struct NAME(solver) * c) {
  struct NAME(solver) *t = NAME(solver_tape)(c);
  pardiff_blas_check(c->dA, c->dB);
  if (!c->dB)
    return t;
  t->keptA = NAME(taken)(0, c->turned, c->n, c->n, c->A, c->lda);
  t->keptB = NAME(taken)(0, c->rows, c->n, c->nrhs, c->B, c->ldb);
  t->kept_pivots = NAME(taken_pivots)(c->n, c->pivots);
  return t;
}
static inline void NAME(getrs_solve)(char ta, INT n, INT k, const REAL *A,
                                     const INT *pivots, REAL *B) {
  if (ta == 'N') {
    NAME(swap_rows)(n, pivots, 0, n, k, B);
    NAME(do_trsm)('L', 'L', 'N', 'U', n, k, 1, A, n, B, n);
    NAME(do_trsm)('L', 'U', 'N', 'N', n, k, 1, A, n, B, n);
  } else {
    NAME(do_trsm)('L', 'U', 'T', 'N', n, k, 1, A, n, B, n);
    NAME(do_trsm)('L', 'L', 'T', 'U', n, k, 1, A, n, B, n);
    NAME(swap_rows)(n, pivots, 1, n, k, B);
  }
}
static inline void NAME(getrs_back)(struct NAME(solver) * t) {
  INT n = t->n, k = t->nrhs;
  if (!t->dB || n <= 0 || k <= 0)
    return;
  REAL *W = NAME(taken)(0, t->rows, n, k, t->dB, t->ldb);
  NAME(getrs_solve)(NAME(flip)(t->ta), n, k, t->keptA, t->kept_pivots, W);
  NAME(give)(0, t->rows, n, k, W, 0, t->dB, t->ldb);
  if (t->dA) {
    /* The adjoint of A is -Y Z', so that of L is -(P' Y) (U Z)' and that of U
     * -(L' P' Y) Z'. */
    REAL *X = t->keptB, *Y = t->ta == 'N' ? W : X, *Z = t->ta == 'N' ? X : W;
    REAL *R = NAME(matrix)(n, n), *Q = NAME(matrix)(n, n),
         *UZ = NAME(kept)(n, k, Z, n);
    NAME(do_trmm)('L', 'U', 'N', 'N', n, k, 1, t->keptA, n, UZ, n);
    NAME(swap_rows)(n, t->kept_pivots, 0, n, k, Y);
    NAME(do_gemm)('N', 'T', n, n, k, -1, Y, n, UZ, n, 0, R, n);
    NAME(do_trmm)('L', 'L', 'T', 'U', n, k, 1, t->keptA, n, Y, n);
    NAME(do_gemm)('N', 'T', n, n, k, -1, Y, n, Z, n, 0, Q, n);
    for (INT j = 0; j < n; ++j)
      for (INT i = 0; i <= j; ++i)
        R[(size_t)j * (size_t)n + i] = Q[(size_t)j * (size_t)n + i];
    NAME(give)(0, t->turned, n, n, R, 1, t->dA, t->lda);
    free(R), free(Q), free(UZ);
  }
  free(W);
}
static inline void NAME(getrs_tangent)(const struct NAME(solver) * c) {
  INT n = c->n, k = c->nrhs;
  pardiff_blas_check(c->dA, c->dB);
  if (!c->dB || n <= 0 || k <= 0)
    return;
  REAL *A = NAME(taken)(0, c->turned, n, n, c->A, c->lda),
       *R = NAME(taken)(0, c->rows, n, k, c->dB, c->ldb);
  if (c->dA) {
    /* R = B' - op(A') X, where A' = P (L' U + L U') */
    REAL *G = NAME(taken)(0, c->turned, n, n, c->dA, c->lda),
         *dL = NAME(triangle)('L', '0', n, n, G, n),
         *dU = NAME(triangle)('U', 'N', n, n, G, n),
         *X = NAME(taken)(0, c->rows, n, k, c->B, c->ldb),
         *H = NAME(matrix)(n, k);
    if (c->ta == 'N') {
      NAME(do_gemm)('N', 'N', n, k, n, 1, dU, n, X, n, 0, H, n);
      NAME(do_trmm)('L', 'L', 'N', 'U', n, k, 1, A, n, H, n);
      NAME(do_trmm)('L', 'U', 'N', 'N', n, k, 1, A, n, X, n);
      NAME(do_gemm)('N', 'N', n, k, n, 1, dL, n, X, n, 1, H, n);
      NAME(swap_rows)(n, c->pivots, 1, n, k, H);
    } else {
      NAME(swap_rows)(n, c->pivots, 0, n, k, X);
      NAME(do_gemm)('T', 'N', n, k, n, 1, dL, n, X, n, 0, H, n);
      NAME(do_trmm)('L', 'U', 'T', 'N', n, k, 1, A, n, H, n);
      NAME(do_trmm)('L', 'L', 'T', 'U', n, k, 1, A, n, X, n);
      NAME(do_gemm)('T', 'N', n, k, n, 1, dU, n, X, n, 1, H, n);
    }
    NAME(add)(n, k, -1, H, R, n);
    free(G), free(dL), free(dU), free(X), free(H);
  }
  NAME(getrs_solve)(c->ta, n, k, A, c->pivots, R);
  NAME(give)(0, c->rows, n, k, R, 0, c->dB, c->ldb);
  free(A), free(R);
}

/*--- What is registered. The functions of LAPACKE return info ---*/

static inline struct NAME(solver)
    NAME(solver_call)(int turned, int rows, char ta, INT m, INT n, INT nrhs,
                      REAL *A, REAL *dA, INT lda, INT *pivots, REAL *B,
                      REAL *dB, INT ldb) {
  struct NAME(solver) c = {turned, rows, ta, m,   n,      nrhs, 0, A, dA,
                           lda,    B,    dB, ldb, pivots, 0,    0, 0};
  return c;
}
#define POTRF_CALL                                                             \
  NAME(solver_call)(BY_ROWS != (LETTER(uplo) == 'U'), BY_ROWS, 'N', VAL(n),    \
                    VAL(n), 0, A, dA, VAL(lda), 0, 0, 0, 0)
#define POTRS_CALL                                                             \
  NAME(solver_call)(BY_ROWS != (LETTER(uplo) == 'U'), BY_ROWS, 'N', VAL(n),    \
                    VAL(n), VAL(nrhs), A, dA, VAL(lda), 0, B, dB, VAL(ldb))
#define GETRF_CALL                                                             \
  NAME(solver_call)(BY_ROWS, BY_ROWS, 'N', VAL(m), VAL(n), 0, A, dA, VAL(lda), \
                    ipiv, 0, 0, 0)
#define GETRS_CALL                                                             \
  NAME(solver_call)(BY_ROWS, BY_ROWS, LETTER(ta), VAL(n), VAL(n), VAL(nrhs),   \
                    A, dA, VAL(lda), ipiv, B, dB, VAL(ldb))

#if PARDIFF_BLAS_FORTRAN
#define STATUS void
#define TAPED void *
#define RUN(name, LIST)                                                        \
  RAW(name)(LIST(A));                                                          \
  c.info = *info;
#define RETURN_TAPED(t) return t;
#define RETURN_STATUS
#else
struct NAME(finished) {
  void *tape;
  INT info;
};
#define STATUS INT
#define TAPED struct NAME(finished)
#define RUN(name, LIST) c.info = RAW(name)(LIST(A));
#define RETURN_TAPED(t)                                                        \
  struct NAME(finished) r = {t, c.info};                                       \
  return r;
#define RETURN_STATUS return c.info;
#endif

/* With a negative info, nothing was done. */
#define LAPACK_RULE(name, LIST, CALL_)                                         \
  DECLARE_LAPACK(STATUS, name, LIST)                                           \
  static TAPED NAME(PB_PASTE(name, _augmented))(LIST(G)) {                     \
    struct NAME(solver) c = CALL_;                                             \
    RUN(name, LIST)                                                            \
    void *t =                                                                  \
        c.info < 0 ? NAME(solver_tape)(&c) : NAME(PB_PASTE(name, _keep))(&c);  \
    RETURN_TAPED(t)                                                            \
  }                                                                            \
  static void NAME(PB_PASTE(name, _reverse))(LIST(G), void *tape) {            \
    struct NAME(solver) *t = (struct NAME(solver) *)tape;                      \
    if (t->info >= 0)                                                          \
      NAME(PB_PASTE(name, _back))(t);                                          \
    NAME(solver_release)(t);                                                   \
  }                                                                            \
  static STATUS NAME(PB_PASTE(name, _derivative))(LIST(D)) {                   \
    struct NAME(solver) c = CALL_;                                             \
    RUN(name, LIST)                                                            \
    if (c.info >= 0)                                                           \
      NAME(PB_PASTE(name, _tangent))(&c);                                      \
    RETURN_STATUS                                                              \
  }                                                                            \
  REGISTER(name)

LAPACK_RULE(potrf, LIST_POTRF, POTRF_CALL)
LAPACK_RULE(potrs, LIST_POTRS, POTRS_CALL)
LAPACK_RULE(getrf, LIST_GETRF, GETRF_CALL)
LAPACK_RULE(getrs, LIST_GETRS, GETRS_CALL)

#undef POTRF_CALL
#undef POTRS_CALL
#undef GETRF_CALL
#undef GETRS_CALL
#undef STATUS
#undef TAPED
#undef RUN
#undef RETURN_TAPED
#undef RETURN_STATUS
#undef LAPACK_RULE

#include <pardiff/blas/undefine.h>
