// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LAPACK by pardiff/lapack.h: forward mode against differences and reverse mode against
// forward mode (pardiff_check), by both names, for all flags and layouts, with gaps, wide
// and tall, where what is read is overwritten. What a failed factorization gives is NaN;
// second derivatives.
//
// RUN: %clang -O0 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover %s -o %t0 -llapacke -llapack -lblas -lm && %t0 | %FileCheck %s
// RUN: %clangxx -x c++ -O2 -Wall -Wextra -Werror %s -o %t2 -llapacke -llapack -lblas -lm && %t2 | %FileCheck %s
// CHECK: 61 checks, 0 lines
#include <pardiff/lapack.h>
#include <pardiff/check.h>
#if !__cplusplus
#include <lapacke.h>
#else
extern "C" {
int LAPACKE_dpotrf(int, char, int, double *, int);
int LAPACKE_dpotrs(int, char, int, int, const double *, int, double *, int);
int LAPACKE_dgetrf(int, int, int, double *, int, int *);
int LAPACKE_dgetrs(int, char, int, int, const double *, int, const int *, double *, int);
}
#endif
#ifdef __cplusplus
extern "C" {
#endif
#define dpotrf dpotrf_without_lengths
void dpotrf(const char *, const int *, double *, const int *, int *) __asm__("dpotrf_");
#define dpotrs dpotrs_without_lengths
void dpotrs(const char *, const int *, const int *, const double *, const int *, double *, const int *, int *) __asm__("dpotrs_");
#define dgetrf dgetrf_without_lengths
void dgetrf(const int *, const int *, double *, const int *, int *, int *) __asm__("dgetrf_");
#define dgetrs dgetrs_without_lengths
void dgetrs(const char *, const int *, const int *, const double *, const int *, const int *, double *, const int *, int *) __asm__("dgetrs_");
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#define REVERSE(...) __pardiff_autodiff<void>(__VA_ARGS__)
#define FORWARD(...) __pardiff_fwddiff<double>(__VA_ARGS__)
#define FORWARD_VOID(...) __pardiff_fwddiff<void>(__VA_ARGS__)
#else
#define REVERSE __pardiff_autodiff_void
#define FORWARD __pardiff_fwddiff
#define FORWARD_VOID __pardiff_fwddiff_void
#endif

enum { L = 6, SIZE = L * L, N = 4, K = 3 };
static const int l = L, n = N, k = K;

/* Both of what stands behind each other in programs: A is positive definite in either
 * triangle, the other is not touched. The factor is used, changed and used up. */
static double cholesky(int o, int lower, double *A, double *B) {
  char uplo = lower ? 'l' : 'U';
  int info;
  if (o) {
    info = LAPACKE_dpotrf(o, uplo, N, A, L);
    info += LAPACKE_dpotrs(o, uplo, N, K, A, L, B, L);
  } else {
    dpotrf(&uplo, &n, A, &l, &info);
    dpotrs(&uplo, &n, &k, A, &l, B, &l, &info);
  }
  double s = info;
  for (int i = 0; i < SIZE; ++i)
    s += sin(A[i]) * B[i], A[i] *= A[i], B[i] = 0.1 * B[i] * B[i];
  return s;
}
static double factors(int o, int rows, int columns, double *A) {
  int pivots[L], info;
  if (o)
    info = LAPACKE_dgetrf(o, rows, columns, A, L, pivots);
  else
    dgetrf(&rows, &columns, A, &l, pivots, &info);
  double s = info;
  for (int i = 0; i < SIZE; ++i)
    s += sin(A[i]), A[i] *= A[i];
  return s;
}
static double lu(int o, int t, double *A, double *B) {
  char ta = "NtC"[t];
  int pivots[N], info;
  if (o) {
    info = LAPACKE_dgetrf(o, N, N, A, L, pivots);
    info += LAPACKE_dgetrs(o, ta, N, K, A, L, pivots, B, L);
  } else {
    dgetrf(&n, &n, A, &l, pivots, &info);
    dgetrs(&ta, &n, &k, A, &l, pivots, B, &l, &info);
  }
  pivots[0] = pivots[1] = 1;
  double s = info;
  for (int i = 0; i < SIZE; ++i)
    s += sin(A[i]) * B[i], A[i] *= A[i], B[i] = 0.1 * B[i] * B[i];
  return s;
}
/* Only the right side is active. */
static void solve(const double *A, double *B) {
  double F[SIZE];
  int pivots[N];
  memcpy(F, A, sizeof F);
  LAPACKE_dgetrf(102, N, N, F, L, pivots);
  LAPACKE_dgetrs(102, 'N', N, K, F, L, pivots, B, L);
}
/* log det A by its factor, and its gradient A^-1 (2 for each pair). */
static double logdet(const double *A) {
  double F[4] = {A[0], A[1], A[2], A[3]}, s = 0;
  if (LAPACKE_dpotrf(102, 'L', 2, F, 2) != 0)
    return 3 * A[0];
  for (int i = 0; i < 2; ++i)
    s += 2 * log(F[3 * i]);
  return s;
}
static double careless(const double *A) {
  double F[4] = {A[0], A[1], A[2], A[3]};
  LAPACKE_dpotrf(102, 'L', 2, F, 2);
  return F[0] + F[3];
}
static double singular(const double *A) {
  double F[4] = {A[0], A[1], A[2], A[3]};
  int p[2];
  LAPACKE_dgetrf(102, 2, 2, F, 2, p);
  return F[0] + F[3];
}
static void gradient(const double *A, double *g) { REVERSE((void *)logdet, pardiff_dup, A, g); }

int main(void) {
  int checks = 0, lines = 0;
  const int orders[] = {101, 102, 0};
  double A[SIZE], S[SIZE], B[SIZE];
  for (int i = 0; i < SIZE; ++i)
    A[i] = sin(i * i + 1), S[i] = cos(i) + (i % (L + 1) == 0 ? 6 : 0), B[i] = cos(2 * i);
#define EACH(x, of) for (int x##_ = 0, x = 0; x##_ < (int)(sizeof of / sizeof *of) && (x = of[x##_], 1); ++x##_)
#define ARRAY(x) array(x, SIZE)
  EACH(o, orders) {
    for (int lower = 0; lower < 2; ++lower)
      ++checks, lines += pardiff_check(cholesky, constant(o), constant(lower), ARRAY(S), ARRAY(B));
    for (int t = 0; t < 3; ++t)
      ++checks, lines += pardiff_check(lu, constant(o), constant(t), ARRAY(A), ARRAY(B));
    for (int rows = 0; rows < 4; ++rows)
      for (int columns = 0; columns < 3 + (rows == 3); ++columns)
        ++checks, lines += pardiff_check(factors, constant(o), constant(rows * 5 / 3), constant(columns * 2), ARRAY(A));
  }
  ++checks, lines += pardiff_check_void(solve, constant(A), ARRAY(B));
  ++checks, lines += pardiff_check_void(solve, ARRAY(A), ARRAY(B));

  double M[4] = {3, 1, 99, 2}, g[4] = {0}, v[4] = {1, 0, 0, 0}, h[4] = {0};
  FORWARD_VOID((void *)gradient, M, v, g, h);
  /* det = 5: A^-1 = (2, -1; -1, 3) / 5 */
  ++checks, lines += fabs(g[0] - 0.4) > 1e-12 || fabs(g[1] + 0.4) > 1e-12 || g[2] != 0 || fabs(g[3] - 0.6) > 1e-12;
  ++checks, lines += fabs(h[0] + 0.16) > 1e-12 || fabs(h[1] - 0.16) > 1e-12 || fabs(h[3] + 0.04) > 1e-12;
  /* Not positive definite: who tests info has a derivative, who does not has none. */
  double W[4] = {1, 2, 0, 1}, Z[4] = {1, 2, 2, 4}, d[4] = {0}, e[4] = {0}, z[4] = {0}, one[4] = {1, 0, 0, 0};
  REVERSE((void *)logdet, W, d);
  ++checks, lines += d[0] != 3 || d[1] != 0 || d[3] != 0;
  REVERSE((void *)careless, W, e);
  REVERSE((void *)singular, Z, z);
  ++checks, lines += !isnan(e[0]) || !isnan(z[3]);
  ++checks, lines += !isnan(FORWARD((void *)careless, W, one)) || !isnan(FORWARD((void *)singular, Z, one));
  printf("%d checks, %d lines\n", checks, lines);
  return lines != 0;
}
