// Where the memory behind a gather or its subscripts are written, it is no nest; where it
// overlaps with what is written, the run-time condition finds that by a look at the
// subscripts. The numbers are right in each case.
// RUN: %clang -O0 -gline-tables-only -Rpass=pardiff -Rpass-missed=pardiff %s -lm -o %t0 2>&1 | %FileCheck %s
// RUN: %t0
// RUN: %clang -O1 %s -lm -o %t1 && %t1
// RUN: %clang -O2 %s -lm -o %t2 && %t2
// RUN: %clang -O3 -fopenmp %s -lm -o %t3 && env OMP_NUM_THREADS=2 %t3

#include "check.h"

#define N 10

// CHECK-DAG: remark: affine loop nest of twice recovered
// CHECK-DAG: remark: adjoint loop at depth 0 of S0_r0, S0_u0: atomic
static void twice(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[at[i]] * x[at[i]];
}

static void in_place(int n, const int *at, double *x) {
  for (int i = 0; i < n; i++)
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in in_place: a subscript is read from memory{{.*}} is also written
    x[i] = 0.5 * x[at[i]] * x[at[i]];
}

static void scatter(int n, const int *at, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in scatter: a subscript is read from memory
    y[at[i]] = x[i] * x[i];
}

static void moving(int n, int *at, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    // CHECK-DAG: :[[@LINE+1]]:{{.*}}no affine loop nest recovered in moving: a subscript is read from memory{{.*}} is written and used in subscripts
    y[i] = x[at[i]] * x[at[i]];
    at[n - 1 - i] = at[i];
  }
}

static const int Start[N] = {3, 1, 3, 0, 9, 8, 7, 2, 2, 5};
static int at[N];
static double b[40], db[40], v[40], d[40];

static void reset(void) {
  for (int i = 0; i < N; i++)
    at[i] = Start[i];
  for (int i = 0; i < 40; i++) {
    b[i] = v[i] = 1 + 0.01 * i;
    db[i] = d[i] = 1 + 0.02 * i;
  }
}

/// The reverse of v[to(i)] = factor * v[from(i)]^2.
static int to[N], from[N];
static void expect(const char *what, double factor) {
  double kept[N];
  for (int i = 0; i < N; i++) {
    kept[i] = v[from[i]];
    v[to[i]] = factor * v[from[i]] * v[from[i]];
  }
  for (int i = N - 1; i >= 0; i--) {
    double seed = d[to[i]];
    d[to[i]] = 0;
    d[from[i]] += 2 * factor * kept[i] * seed;
  }
  check_close(what, b, v, 40, 1e-12);
  check_close(what, db, d, 40, 1e-12);
}

int main(void) {
  for (int shift = 0; shift <= 12; shift += 4) { // apart from 10 on
    reset();
    __pardiff_autodiff((void *)twice, pardiff_const, N, pardiff_const, at,
                       pardiff_dup, b, db, pardiff_dup, b + shift, db + shift);
    for (int i = 0; i < N; i++) {
      from[i] = Start[i];
      to[i] = i + shift;
    }
    expect("overlap", 1);
  }

  // Shadows that overlap although the arrays do not.
  reset();
  for (int i = 30; i < 40; i++)
    b[i] = b[i - 30];
  __pardiff_autodiff((void *)twice, pardiff_const, N, pardiff_const, at,
                     pardiff_dup, b + 30, db, pardiff_dup, b + 5, db + 5);
  for (int i = 0; i < N; i++)
    to[i] = i + 5;
  double kept[N];
  for (int i = 0; i < N; i++)
    kept[i] = v[Start[i]];
  for (int i = N - 1; i >= 0; i--) {
    double seed = d[to[i]];
    d[to[i]] = 0;
    d[Start[i]] += 2 * kept[i] * seed;
  }
  check_close("overlap of shadows", db, d, 40, 1e-12);

  reset();
  __pardiff_autodiff((void *)in_place, pardiff_const, N, pardiff_const, at,
                     pardiff_dup, b, db);
  for (int i = 0; i < N; i++) {
    from[i] = Start[i];
    to[i] = i;
  }
  expect("in place", 0.5);

  reset();
  __pardiff_autodiff((void *)scatter, pardiff_const, N, pardiff_const, at,
                     pardiff_dup, b, db, pardiff_dup, b + 20, db + 20);
  for (int i = 0; i < N; i++) {
    from[i] = i;
    to[i] = Start[i] + 20;
  }
  expect("scatter", 1);

  reset();
  __pardiff_autodiff((void *)moving, pardiff_const, N, pardiff_const, at,
                     pardiff_dup, b, db, pardiff_dup, b + 20, db + 20);
  for (int i = 0; i < N; i++) {
    from[i] = i < N / 2 ? Start[i] : Start[N - 1 - i];
    to[i] = i + 20;
  }
  expect("moving", 1);
  return check_done();
}
