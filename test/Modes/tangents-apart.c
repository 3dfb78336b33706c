// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the function knows of its memory holds for the tangents: a sum stays in a register,
// also in a Hessian-vector product. Arguments may share a tangent all the same: then
// another version of the function runs.
//
// RUN: %clang -O0 %s -o %t0 && %t0
// RUN: %clang -O2 -Xclang -llvm-verify-each -fsanitize=address,undefined -fno-sanitize-recover %s -o %t1 && %t1
// RUN: %clang -O2 %s -o %t2 && %t2
// RUN: %clang -O1 -DHESSIAN -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes=pardiff -S | %FileCheck %s --implicit-check-not=shared.pardiff.tangent.of.anything
// CHECK-DAG: define {{.*}}@pardiff.tangent.of.product({{.*}}ptr noalias %d_A, ptr noalias %d_x, ptr noalias %d_y)
// CHECK-DAG: call void @pardiff.shared.pardiff.tangent.of.product(
// CHECK-DAG: define {{.*}}@pardiff.tangent.of.gradient(
// CHECK-DAG: call void @pardiff.shared.pardiff.tangent.of.gradient(
#include <pardiff/pardiff.h>
#include <stdio.h>

enum { N = 4 };
static void product(int n, const double *restrict A, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      y[i] += A[i * n + j] * x[j] * x[j];
}
static void anything(int n, const double *x, double *y) {
  for (int i = 0; i < n; ++i)
    y[i] *= 3 * x[i];
}
static double inner(const double *restrict A, const double *restrict x, double *restrict y, int n) {
  return n ? inner(A, x, y, n - 1) : (product(N, A, x, y), 0);
}
static void gradient(int n, const double *A, double *dA, const double *x, double *dx, double *y, double *dy) {
  __pardiff_autodiff_void((void *)product, n, A, dA, x, dx, y, dy);
}
void hessian(int n, const double *A, double *tA, double *dA, double *sA, const double *x, double *tx, double *dx, double *sx, double *y, double *ty, double *dy, double *sy) {
  __pardiff_fwddiff_void((void *)gradient, n, A, tA, dA, sA, x, tx, dx, sx, y, ty, dy, sy);
}

#if HESSIAN
void forward(int n, const double *A, double *tA, const double *x, double *tx, double *y, double *ty) {
  __pardiff_fwddiff_void((void *)product, n, A, tA, x, tx, y, ty);
  __pardiff_fwddiff_void((void *)anything, n, x, tx, y, ty);
}
#else
static int bad;
static void expect(const char *what, double got, double want) {
  if (!(got - want < 1e-12 && want - got < 1e-12))
    printf("%s: %g, not %g\n", what, got, want), bad = 1;
}
int main(void) {
  double A[N * N], zero[N * N] = {0}, x[N], tx[N], y[N] = {0}, ty[N] = {0}, u[N] = {0}, tu[N] = {0};
  for (int i = 0; i < N * N; ++i)
    A[i] = i + 1;
  for (int i = 0; i < N; ++i)
    x[i] = i, tx[i] = 1;
  __pardiff_fwddiff_void((void *)product, N, A, zero, x, tx, y, ty);
  expect("product", y[1], 5 * 0 + 6 + 7 * 4 + 8 * 9);
  expect("tangent", ty[1], 2 * (6 + 7 * 2 + 8 * 3));
  /* A and x share a tangent, in one lane of two too. */
  __pardiff_fwddiff_void((void *)product, pardiff_width, 2, N, A, zero, zero, x, zero, tx, u, tu, ty);
  expect("zero", tu[1], 0), expect("twice", ty[1], 4 * (6 + 7 * 2 + 8 * 3));
  /* What is written shares one: row after row reads what the rows before have left. */
  double t[N] = {1, 1, 1, 1}, r[N] = {1, 1, 1, 1};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      r[i] += 2 * A[i * N + j] * x[j] * r[j];
  __pardiff_fwddiff_void((void *)product, N, A, zero, x, t, u, t);
  for (int i = 0; i < N; ++i)
    expect("shared", t[i], r[i]), t[i] = 1;
  __pardiff_fwddiff((void *)inner, A, zero, x, t, u, t, 3);
  for (int i = 0; i < N; ++i)
    expect("shared", t[i], r[i]);
  /* In place. */
  double z[N] = {1, 2, 3, 4}, w[N] = {1, 1, 1, 1}, v[N] = {1, 1, 1, 1};
  __pardiff_fwddiff_void((void *)anything, N, z, v, w, v);
  expect("in place", v[2], 3 * (1 * 1 + 3 * 1));
  __pardiff_fwddiff_void((void *)anything, N, z, w, z, w);
  expect("same memory", z[2], 27);
  double sA[N * N] = {0}, dA[N * N] = {0}, dx[N] = {0}, sx[N] = {0}, dy[N] = {1, 1, 1, 1};
  hessian(N, A, zero, dA, sA, x, tx, dx, sx, y, ty, dy, zero);
  /* dx_j = 2 x_j sum_i A_ij, dA_ij = x_j^2 */
  expect("dx", dx[1], 2 * (2 + 6 + 10 + 14)), expect("dx'", sx[1], 2 * (2 + 6 + 10 + 14));
  expect("dA'", sA[2], 4);
  return bad;
}
#endif
