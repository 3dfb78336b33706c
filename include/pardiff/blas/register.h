/*===- pardiff/blas/register.h - Registrations ---------------------*- C -*-===*
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * For pardiff/blas/rules.h. The functions that are registered, and the
 * registrations.
 *
 *===------------------------------------------------------------------------===*/

#pragma GCC system_header

/*--- What is registered ---*/

#define GEMM_CALL                                                              \
  NAME(gemm_call)(BY_ROWS, FLAG(ta), FLAG(tb), VAL(m), VAL(n), VAL(k),         \
                  VAL(alpha), A, dA, VAL(lda), B, dB, VAL(ldb), VAL(beta), C,  \
                  dC, VAL(ldc))
#define SYMM_CALL                                                              \
  NAME(symm_call)(BY_ROWS, FLAG(side), FLAG(uplo), VAL(m), VAL(n), VAL(alpha), \
                  A, dA, VAL(lda), B, dB, VAL(ldb), VAL(beta), C, dC,          \
                  VAL(ldc))
#define SYRK_CALL                                                              \
  NAME(syrk_call)(BY_ROWS, FLAG(uplo), FLAG(ta), VAL(n), VAL(k), VAL(alpha),   \
                  A, dA, VAL(lda), VAL(beta), C, dC, VAL(ldc))
#define TRSM_CALL                                                              \
  NAME(trsm_call)(BY_ROWS, FLAG(side), FLAG(uplo), FLAG(ta), FLAG(diag),       \
                  VAL(m), VAL(n), VAL(alpha), A, dA, VAL(lda), C, dC,          \
                  VAL(ldc))
#define TRMM_CALL TRSM_CALL
#define TRMV_CALL TRSV_CALL
#define SYR2K_CALL                                                             \
  NAME(syr2k_call)(BY_ROWS, FLAG(uplo), FLAG(ta), VAL(n), VAL(k), VAL(alpha),  \
                   A, dA, VAL(lda), B, dB, VAL(ldb), VAL(beta), C, dC,         \
                   VAL(ldc))
#define SYR_CALL                                                               \
  NAME(syr2_call)(BY_ROWS, FLAG(uplo), VAL(n), VAL(alpha), x, dx, VAL(incx),   \
                  0, 0, 1, A, dA, VAL(lda))
#define SYR2_CALL                                                              \
  NAME(syr2_call)(BY_ROWS, FLAG(uplo), VAL(n), VAL(alpha), x, dx, VAL(incx),   \
                  y, dy, VAL(incy), A, dA, VAL(lda))
#define GEMV_CALL                                                              \
  NAME(gemv_call)(BY_ROWS, FLAG(ta), VAL(m), VAL(n), VAL(alpha), A, dA,        \
                  VAL(lda), x, dx, VAL(incx), VAL(beta), y, dy, VAL(incy))
#define SYMV_CALL                                                              \
  NAME(symv_call)(BY_ROWS, FLAG(uplo), VAL(n), VAL(alpha), A, dA, VAL(lda), x, \
                  dx, VAL(incx), VAL(beta), y, dy, VAL(incy))
#define GER_CALL                                                               \
  NAME(ger_call)(BY_ROWS, VAL(m), VAL(n), VAL(alpha), x, dx, VAL(incx), y, dy, \
                 VAL(incy), A, dA, VAL(lda))
#define TRSV_CALL                                                              \
  NAME(trsv_call)(BY_ROWS, FLAG(uplo), FLAG(ta), FLAG(diag), VAL(n), A, dA,    \
                  VAL(lda), x, dx, VAL(incx))
#define AXPY_CALL                                                              \
  NAME(vectors)(VAL(n), VAL(alpha), x, dx, VAL(incx), y, dy, VAL(incy))
#define SCAL_CALL NAME(vectors)(VAL(n), VAL(alpha), 0, 0, 1, x, dx, VAL(incx))
#define TWO_CALL NAME(vectors)(VAL(n), 1, x, dx, VAL(incx), y, dy, VAL(incy))

#define AUGMENTED(name, LIST, CALL_)                                           \
  static void *NAME(PB_PASTE(name, _augmented))(LIST(G)) {                     \
    struct NAME(call) c = CALL_;                                               \
    void *tape = NAME(PB_PASTE(name, _keep))(&c);                              \
    RAW(name)(LIST(A));                                                        \
    return tape;                                                               \
  }
/* ADJOINTS: declares what the reverse sweep computes by value; TANGENTS: what
 * of it is passed to the derivative; RETURN: gives it back. */
#define RULE(name, LIST, CALL_, RESULT, ADJOINTS, BACK, TANGENTS, RETURN)      \
  AUGMENTED(name, LIST, CALL_)                                                 \
  static RESULT NAME(PB_PASTE(name, _reverse))(LIST(G), void *tape) {          \
    struct NAME(call) *t = (struct NAME(call) *)tape;                          \
    ADJOINTS                                                                   \
    NAME(PB_PASTE(name, _back)) BACK;                                          \
    NAME(release)(t);                                                          \
    RETURN                                                                     \
  }                                                                            \
  static void NAME(PB_PASTE(name, _derivative))(LIST(D)) {                     \
    struct NAME(call) c = CALL_;                                               \
    NAME(PB_PASTE(name, _tangent)) TANGENTS;                                   \
    RAW(name)(LIST(A));                                                        \
  }                                                                            \
  REGISTER(name)
#if PARDIFF_BLAS_FORTRAN
#define GIVE(x, value)                                                         \
  if (d##x)                                                                    \
    *d##x += value;
#define RULE2(name, LIST, CALL_)                                               \
  RULE(name, LIST, CALL_, void, REAL a = 0; REAL b = 0;                        \
       , (t, &a, &b), (&c, TANGENT(alpha), TANGENT(beta)),                     \
       GIVE(alpha, a) GIVE(beta, b))
#define RULE1(name, LIST, CALL_)                                               \
  RULE(name, LIST, CALL_, void, REAL a = 0;                                    \
       , (t, &a), (&c, TANGENT(alpha)), GIVE(alpha, a))
#else
struct NAME(pair) {
  REAL alpha, beta;
};
#define RULE2(name, LIST, CALL_)                                               \
  RULE(name, LIST, CALL_, struct NAME(pair), struct NAME(pair) r;              \
       , (t, &r.alpha, &r.beta), (&c, TANGENT(alpha), TANGENT(beta)),          \
       return r;)
#define RULE1(name, LIST, CALL_)                                               \
  RULE(name, LIST, CALL_, REAL, REAL a = 0;                                    \
       , (t, &a), (&c, TANGENT(alpha)), return a;)
#endif
#define RULE0(name, LIST, CALL_) RULE(name, LIST, CALL_, void, , (t), (&c), )

RULE2(gemm, LIST_GEMM, GEMM_CALL)
RULE2(symm, LIST_SYMM, SYMM_CALL)
RULE2(syrk, LIST_SYRK, SYRK_CALL)
RULE1(trsm, LIST_TRSM, TRSM_CALL)
RULE2(syr2k, LIST_SYR2K, SYR2K_CALL)
RULE1(trmm, LIST_TRSM, TRMM_CALL)
RULE2(gemv, LIST_GEMV, GEMV_CALL)
RULE2(symv, LIST_SYMV, SYMV_CALL)
RULE1(ger, LIST_GER, GER_CALL)
RULE0(trsv, LIST_TRSV, TRSV_CALL)
RULE0(trmv, LIST_TRSV, TRMV_CALL)
RULE1(syr, LIST_SYR, SYR_CALL)
RULE1(syr2, LIST_SYR2, SYR2_CALL)
RULE1(axpy, LIST_AXPY, AXPY_CALL)
RULE1(scal, LIST_SCAL, SCAL_CALL)
RULE0(copy, LIST_TWO, TWO_CALL)
RULE0(swap, LIST_TWO, TWO_CALL)

/*--- Functions with a value: t->alpha is that value ---*/

struct NAME(taped) {
  void *tape;
  REAL value;
};
struct NAME(both) {
  REAL value, tangent;
};
static struct NAME(taped) NAME(dot_augmented)(LIST_TWO(G)) {
  struct NAME(call) c = TWO_CALL;
  struct NAME(call) *t = NAME(tape)(&c);
  if (dy)
    t->keptB = NAME(kept_vector)(t->n, x, t->ldb);
  if (dx)
    t->keptC = NAME(kept_vector)(t->n, y, t->ldc);
  struct NAME(taped) r = {t, RAW(dot)(LIST_TWO(A))};
  return r;
}
static void NAME(dot_reverse)(LIST_TWO(G), REAL seed, void *tape) {
  struct NAME(call) *t = (struct NAME(call) *)tape;
  if (t->dB)
    NAME(do_axpy)(t->n, seed, t->keptC, 1, t->dB, t->ldb);
  if (t->dC)
    NAME(do_axpy)(t->n, seed, t->keptB, 1, t->dC, t->ldc);
  NAME(release)(t);
}
static struct NAME(both) NAME(dot_derivative)(LIST_TWO(D)) {
  struct NAME(call) c = TWO_CALL;
  struct NAME(both) r = {RAW(dot)(LIST_TWO(A)), 0};
  if (dx)
    r.tangent += NAME(do_dot)(c.n, dx, c.ldb, y, c.ldc);
  if (dy)
    r.tangent += NAME(do_dot)(c.n, x, c.ldb, dy, c.ldc);
  return r;
}
REGISTER(dot)

/* x and its tangent or shadow at index i, by the increment's size: both
 * functions take the elements in any order. */
#define AT(v, i, inc) (v)[(size_t)(i) * (size_t)((inc) < 0 ? -(inc) : (inc))]
#define SUM_RULE(name, PARTIAL)                                                \
  static struct NAME(taped) NAME(PB_PASTE(name, _augmented))(LIST_ONE(G)) {    \
    struct NAME(call) c = NAME(vectors)(VAL(n), 0, 0, 0, 1, x, dx, VAL(incx)); \
    struct NAME(call) *t = NAME(tape)(&c);                                     \
    t->keptC = NAME(matrix)(c.n, 1);                                           \
    for (INT i = 0; i < c.n; ++i)                                              \
      t->keptC[i] = AT(x, i, c.ldc);                                           \
    t->alpha = RAW(name)(LIST_ONE(A));                                         \
    struct NAME(taped) r = {t, t->alpha};                                      \
    return r;                                                                  \
  }                                                                            \
  static void NAME(PB_PASTE(name, _reverse))(LIST_ONE(G), REAL seed,           \
                                             void *tape) {                     \
    struct NAME(call) *t = (struct NAME(call) *)tape;                          \
    REAL value = t->alpha;                                                     \
    for (INT i = 0; i < t->n && t->dC && value != 0; ++i) {                    \
      REAL z = t->keptC[i];                                                    \
      AT(t->dC, i, t->ldc) += seed * (PARTIAL);                                \
    }                                                                          \
    NAME(release)(t);                                                          \
  }                                                                            \
  static struct NAME(both) NAME(PB_PASTE(name, _derivative))(LIST_ONE(D)) {    \
    INT count = VAL(n), step = VAL(incx);                                      \
    REAL value = RAW(name)(LIST_ONE(A));                                       \
    struct NAME(both) r = {value, 0};                                          \
    for (INT i = 0; i < count && dx && value != 0; ++i) {                      \
      REAL z = AT(x, i, step);                                                 \
      r.tangent += AT(dx, i, step) * (PARTIAL);                                \
    }                                                                          \
    return r;                                                                  \
  }                                                                            \
  REGISTER(name)
SUM_RULE(nrm2, z / value)
SUM_RULE(asum, (REAL)((z > 0) - (z < 0) + 0 * value))
