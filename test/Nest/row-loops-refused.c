// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop over a row reads must not be written: neither the vector, nor the columns,
// nor the ends of rows. Where the source shows it, it is no nest; where arrays overlap at
// run time, shadows too, the condition finds it, and does not look at columns before it is
// known that the ends of rows are not written. What is read must be known in front of the
// nest: no list in which an element tells the next one. The numbers are right in each case.
// RUN: %clang -O0 -gline-tables-only -Rpass=pardiff -Rpass-missed=pardiff %s -lm -o %t0 2>&1 | %FileCheck %s
// RUN: %t0
// RUN: %clang -O1 %s -lm -o %t1 && %t1
// RUN: %clang -O2 %s -lm -o %t2 && %t2
// RUN: %clang -O3 -fopenmp %s -lm -o %t3 && env OMP_NUM_THREADS=2 %t3

#include "check.h"

#define N 10

// CHECK-DAG: remark: affine loop nest of rows recovered
// CHECK-DAG: remark: adjoint loop at depth 0 of S0_r0, S0_u0: atomic
static void rows(int n, const int *start, const int *at, const double *x,
                 double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += x[at[k]] * x[at[k]];
    y[i] = s;
  }
}

// The sum becomes a variable: right only if it is not among what is read.
// CHECK-DAG: remark: affine loop nest of sums recovered
static void sums(int n, const int *start, const int *at, const double *x,
                 double *y) {
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      y[i] += 0.1 * x[at[k]] * x[at[k]];
}

// CHECK-DAG: no affine loop nest recovered in in_place: a subscript is read from memory{{.*}} is also written
static void in_place(int n, const int *start, const int *at, double *x) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += x[at[k]] * x[at[k]];
    x[i] = 0.1 * s;
  }
}

// CHECK-DAG: no affine loop nest recovered in moving: a subscript is read from memory{{.*}} is {{.*}}written
static void moving(int n, int *start, const int *at, const double *x,
                   double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += x[at[k]] * x[at[k]];
    y[i] = s;
    start[i + 2] = start[i + 1] + 1;
  }
}

// CHECK-DAG: no affine loop nest recovered in list: the number of iterations of a loop depends on data: what it reads of {{.*}} is not known in front of it
static void list(int n, const int *first, const int *next, const double *x,
                 double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = first[i]; k >= 0; k = next[k])
      s += x[k] * x[k];
    y[i] = s;
  }
}

static const int Start[N + 3] = {0, 2, 2, 3, 7, 6, 8, 9, 9, 10, 10, 10, 10};
static const int At[N] = {3, 1, 3, 0, 9, 8, 7, 2, 2, 5};
static int start[N + 3], at[N];
static double b[40], db[40], v[40], d[40];

static void reset(void) {
  memcpy(start, Start, sizeof start);
  memcpy(at, At, sizeof at);
  for (int i = 0; i < 40; i++) {
    b[i] = v[i] = 0.3 + 0.01 * i;
    db[i] = d[i] = 1 + 0.02 * i;
  }
}

/// The reverse of v[to + i] = factor * sum over the row i of v[at[k]]^2.
static void expect(const char *what, int to, double factor, int dto) {
  double kept[N][N];
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int k = Start[i]; k < Start[i + 1]; k++) {
      kept[i][k] = v[At[k]];
      s += kept[i][k] * kept[i][k];
    }
    v[to + i] = factor * s;
  }
  for (int i = N - 1; i >= 0; i--) {
    double seed = d[dto + i];
    d[dto + i] = 0;
    for (int k = Start[i]; k < Start[i + 1]; k++)
      d[At[k]] += 2 * factor * kept[i][k] * seed;
  }
  check_close(what, b, v, 40, 1e-12);
  check_close(what, db, d, 40, 1e-12);
}

int main(void) {
  for (int shift = 0; shift <= 12; shift += 4) { // apart from 10 on
    reset();
    __pardiff_autodiff((void *)rows, pardiff_const, N, pardiff_const, start,
                       pardiff_const, at, pardiff_dup, b, db, pardiff_dup,
                       b + shift, db + shift);
    expect("overlap", shift, 1, shift);
  }
  // Shadows that overlap although the arrays do not; one shadow for two arrays.
  for (int shift = 0; shift <= 12; shift += 4) {
    reset();
    __pardiff_autodiff((void *)rows, pardiff_const, N, pardiff_const, start,
                       pardiff_const, at, pardiff_dup, b, db, pardiff_dup,
                       b + 20, db + shift);
    expect("overlap of shadows", 20, 1, shift);
  }

  for (int shift = 0; shift <= 12; shift += 4) {
    reset();
    __pardiff_autodiff((void *)sums, pardiff_const, N, pardiff_const, start,
                       pardiff_const, at, pardiff_dup, b, db, pardiff_dup,
                       b + shift, db + shift);
    double kept[N][N];
    for (int i = 0; i < N; i++)
      for (int k = Start[i]; k < Start[i + 1]; k++) {
        kept[i][k] = v[At[k]];
        v[shift + i] += 0.1 * kept[i][k] * kept[i][k];
      }
    for (int i = N - 1; i >= 0; i--)
      for (int k = Start[i + 1] - 1; k >= Start[i]; k--)
        d[At[k]] += 0.2 * kept[i][k] * d[shift + i];
    check_close("overlap with sums", b, v, 40, 1e-12);
    check_close("overlap with sums", db, d, 40, 1e-12);
  }

  reset();
  __pardiff_autodiff((void *)in_place, pardiff_const, N, pardiff_const, start,
                     pardiff_const, at, pardiff_dup, b, db);
  expect("in place", 0, 0.1, 0);

  reset();
  __pardiff_autodiff((void *)moving, pardiff_const, 8, pardiff_const, start,
                     pardiff_const, at, pardiff_dup, b, db, pardiff_dup, b + 20,
                     db + 20);
  for (int i = 0; i < 8; i++) {
    v[20 + i] = 0;
    for (int k = i ? i + 1 : 0; k < i + 2; k++) {
      v[20 + i] += v[At[k]] * v[At[k]];
      d[At[k]] += 2 * v[At[k]] * d[20 + i];
    }
    d[20 + i] = 0;
  }
  check_close("moving", b, v, 40, 1e-12);
  check_close("moving", db, d, 40, 1e-12);

  reset();
  int first[N], next[N];
  for (int i = 0; i < N; i++) {
    first[i] = i % 4 == 3 ? -1 : i;
    next[i] = i + 3 < N ? i + 3 : -1;
  }
  __pardiff_autodiff((void *)list, pardiff_const, N, pardiff_const, first,
                     pardiff_const, next, pardiff_dup, b, db, pardiff_dup,
                     b + 20, db + 20);
  for (int i = 0; i < N; i++) {
    v[20 + i] = 0;
    for (int k = first[i]; k >= 0; k = next[k]) {
      v[20 + i] += v[k] * v[k];
      d[k] += 2 * v[k] * d[20 + i];
    }
    d[20 + i] = 0;
  }
  check_close("list", b, v, 40, 1e-12);
  check_close("list", db, d, 40, 1e-12);
  return check_done();
}
