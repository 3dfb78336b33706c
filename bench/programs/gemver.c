/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An update of rank 2, and products with the updated matrix and its transpose.
 */
#include "bench.h"

enum { n = 1600 };
static const double alpha = 1.5, beta = 1.2;

static void gemver(int n, double alpha, double beta, double (*restrict A)[n],
                   const double *restrict u1, const double *restrict v1,
                   const double *restrict u2, const double *restrict v2,
                   double *restrict w, double *restrict x,
                   const double *restrict y, const double *restrict z) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j] += beta * A[i][j] * y[i];
  for (int i = 0; i < n; i++)
    x[i] += z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] += alpha * A[i][j] * x[j];
}

static double *A, *u1, *v1, *u2, *v2, *w, *x, *y, *z;
static double *dA, *du1, *dv1, *du2, *dv2, *dw, *dx, *dy, *dz;
const char *const name = "gemver";
Field gradients[10];

void allocate(void) {
  A = numbers(n * n), dA = numbers(n * n);
  double **const of[] = {&u1,  &v1,  &u2,  &v2,  &w,  &x,  &y,  &z,
                         &du1, &dv1, &du2, &dv2, &dw, &dx, &dy, &dz};
  for (int i = 0; i < 16; i++)
    *of[i] = numbers(n);
  gradients[0] = (Field){dA, n * n};
  for (int i = 0; i < 8; i++)
    gradients[i + 1] = (Field){*of[i + 8], n};
}

void start(void) {
  fill(A, n * n, -1, 1, 1), fill(u1, n, -1, 1, 2), fill(v1, n, -1, 1, 3);
  fill(u2, n, -1, 1, 4), fill(v2, n, -1, 1, 5), fill(w, n, -1, 1, 6);
  fill(x, n, -1, 1, 7), fill(y, n, -1, 1, 8), fill(z, n, -1, 1, 9);
  fill(dA, n * n, 0, 0, 0), fill(dw, n, -1, 1, 10);
  double *const zero[] = {du1, dv1, du2, dv2, dx, dy, dz};
  for (int i = 0; i < 7; i++)
    fill(zero[i], n, 0, 0, 0);
}

void primal(void) {
  gemver(n, alpha, beta, (void *)A, u1, v1, u2, v2, w, x, y, z);
}

void ours(void) {
  __pardiff_autodiff_void(
      (void *)gemver, pardiff_const, n, pardiff_const, alpha, pardiff_const,
      beta, pardiff_dup, A, dA, pardiff_dup, u1, du1, pardiff_dup, v1, dv1,
      pardiff_dup, u2, du2, pardiff_dup, v2, dv2, pardiff_dup, w, dw,
      pardiff_dup, x, dx, pardiff_dup, y, dy, pardiff_dup, z, dz);
}

/* A is touched three times, dA once: rows in parallel, sums over rows as array
 * reductions. */
void hand(void) {
#pragma omp parallel
  {
#pragma omp for reduction(+ : x[:n])
    for (int i = 0; i < n; i++) {
      double *restrict a = A + i * n, p = u1[i], q = u2[i], r = beta * y[i];
      for (int j = 0; j < n; j++) {
        a[j] += p * v1[j] + q * v2[j];
        x[j] += a[j] * r;
      }
    }
#pragma omp for
    for (int i = 0; i < n; i++)
      x[i] += z[i];
#pragma omp for reduction(+ : dx[:n])
    for (int i = 0; i < n; i++) {
      const double *restrict a = A + i * n;
      double s = 0, g = alpha * dw[i];
      for (int j = 0; j < n; j++) {
        s += a[j] * x[j];
        dx[j] += a[j] * g;
      }
      w[i] += alpha * s;
    }
#pragma omp for nowait
    for (int i = 0; i < n; i++)
      dz[i] += dx[i];
#pragma omp for reduction(+ : dv1[:n], dv2[:n])
    for (int i = 0; i < n; i++) {
      const double *restrict a = A + i * n;
      double *restrict d = dA + i * n;
      double g = alpha * dw[i], h = beta * y[i], p = u1[i], q = u2[i];
      double s = 0, s1 = 0, s2 = 0;
      for (int j = 0; j < n; j++) {
        s += a[j] * dx[j];
        d[j] += g * x[j] + h * dx[j];
        s1 += v1[j] * d[j];
        s2 += v2[j] * d[j];
        dv1[j] += p * d[j];
        dv2[j] += q * d[j];
      }
      dy[i] += beta * s;
      du1[i] += s1;
      du2[i] += s2;
    }
  }
}
