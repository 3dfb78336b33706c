// A scalar whose value lies in memory as well when it is read is read there: a sum that is
// stored keeps one output, and its adjoint is no recurrence.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,print<pardiff-gradient>' -disable-output %t.bc \
// RUN:   | %FileCheck %s

// CHECK-LABEL: function rows
// CHECK: program adjoint
// CHECK-NOT: statement S2_u
// CHECK: program scheduled
void rows(int m, int n, double A[restrict m][n], double *restrict x, double *restrict y,
          double *restrict t) {
  for (int i = 0; i < m; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++)
      t[i] += A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] += A[i][j] * t[i];
  }
}

// Here the element is overwritten before the scalar is read.
// CHECK-LABEL: function changed
// CHECK: program adjoint
// CHECK: statement S2_u
// CHECK: program scheduled
void changed(int m, int n, double A[restrict m][n], double *restrict x, double *restrict y,
             double *restrict t) {
  for (int i = 0; i < m; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++)
      t[i] += A[i][j] * x[j];
    double s = t[i];
    t[i] = x[i];
    for (int j = 0; j < n; j++)
      y[j] += A[i][j] * s;
  }
}
