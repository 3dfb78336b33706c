// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of unknown length that computes with numbers becomes a function, together with the
// branch around it; what is loaded in it from one place is loaded in front of it. Loops of
// a known length, loops that write to memory and those of no other loop stay.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="pardiff-prepare" -verify-each -S %t.ll | %FileCheck %s
#include <math.h>

// CHECK-LABEL: void @inner(
// CHECK: load double
// CHECK: [[C:%.*]] = load double
// CHECK: call { double } @pardiff.loop.{{.*}}(double {{.*}}[[C]]
// CHECK-NOT: fcmp
// CHECK: ret void
void inner(long n, const double *restrict c, double *restrict x) {
  for (long i = 0; i < n; i++) {
    double r = x[i];
    do
      r *= c[i];
    while (r > 0.1);
    x[i] = r;
  }
}

// The branch that skips the loop is in the function.
// CHECK-LABEL: void @guarded(
// CHECK: call { double } @pardiff.loop.{{.*}}(
// CHECK: ret void
void guarded(long n, double *restrict x) {
  for (long i = 0; i < n; i++) {
    double r = x[i];
    while (r > 0.1)
      r *= 0.5;
    x[i] = r;
  }
}

// CHECK-LABEL: void @known(
// CHECK-NOT: pardiff.loop
// CHECK: ret void
void known(long n, double *restrict x) {
  for (long i = 0; i < n; i++) {
    double r = x[i];
    for (long k = 0; k < i; k++)
      r *= 0.5;
    x[i] = r;
  }
}

// CHECK-LABEL: void @memory(
// CHECK-NOT: pardiff.loop
// CHECK: ret void
void memory(long n, const int *m, double *restrict x) {
  for (long i = 0; i < n; i++)
    for (int k = 0; k < m[i]; k++)
      x[k] *= 0.5;
}

// A sum in memory becomes a variable; what is accessed anyway needs no condition.
// CHECK-LABEL: void @variable(
// CHECK-NOT: pardiff.where
// CHECK: call { double } @pardiff.loop.{{.*}}(double
// CHECK: store double
// CHECK: ret void
void variable(long n, double *restrict x) {
  for (long i = 0; i < n; i++)
    while (x[i] > 0.1)
      x[i] *= 0.5;
}

// Where rows are empty the sum is not accessed. The arrays are parameters.
// CHECK-LABEL: void @rows(
// CHECK: [[OLD:%.*]] = call ptr @pardiff.where(
// CHECK: load double, ptr [[OLD]]
// CHECK: [[SUM:%.*]] = call { double } @pardiff.loop.{{.*}}ptr %a{{.*}}ptr %x
// CHECK: [[V:%.*]] = extractvalue { double } [[SUM]], 0
// CHECK: store double [[V]], ptr [[OLD]]
// CHECK: ret void
void rows(long n, const int *row, const int *at, const double *a,
          const double *x, double *y) {
  for (long i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += a[k] * x[at[k]];
}

// Two sums, and one that is read before it is complete.
// CHECK-LABEL: void @several(
// CHECK-NOT: pardiff.loop
// CHECK: ret void
void several(long n, const int *m, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    for (int k = 0; k < m[i]; k++) {
      y[i] += x[k];
      y[i + n] += x[k] * y[i];
    }
}

// The address of an array that is read is not known in front of the loops.
// CHECK-LABEL: void @pointers(
// CHECK-NOT: pardiff.loop
// CHECK: ret void
void pointers(long n, const int *m, double **x, double *y) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < m[i]; k++)
      s += x[i][k];
    y[i] = s;
  }
}

// CHECK-LABEL: double @outer(
// CHECK-NOT: pardiff.loop
// CHECK: ret double
double outer(double r) {
  while (r > 0.1)
    r *= 0.5;
  return r;
}

// CHECK: define internal { double } @pardiff.loop.
// CHECK: phi double
// CHECK: ret { double }
