// A nest of two statements with flat arrays is recovered as a whole: subscripts are
// taken apart into dimensions, a loop over nothing stays valid.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void matmul(long n, long m, long k, const double *A, const double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      C[i * m + j] = 0;
      for (long l = 0; l < k; l++)
        C[i * m + j] += A[i * k + l] * B[l * m + j];
    }
}

// CHECK: program primal of matmul
// CHECK: array C
// CHECK-NEXT: kind Memory
// CHECK-NEXT: type double
// CHECK-NEXT: base ptr %C
// CHECK-NEXT: shape ? | [m] -> { [(m)] }
// CHECK: statement S0
// CHECK: domain [n, m, k] -> { S0[i0, i1] : 0 <= i0 < n and 0 <= i1 < m }
// CHECK-NEXT: loops 0 1
// CHECK-NEXT: write C [n, m, k] -> { S0[i0, i1] -> C[i0, i1] :
// CHECK-NEXT: body
// CHECK-NEXT: define internal { double } @S0(i64 %i0, i64 %i1, i64 %n, i64 %m, i64 %k)
// CHECK: statement S1
// CHECK: loops 0 1 2
// CHECK-NEXT: read A [n, m, k] -> { S1[i0, i1, i2] -> A[i0, i2]
// CHECK-NEXT: read B [n, m, k] -> { S1[i0, i1, i2] -> B[i2, i1]
// CHECK-NEXT: read C [n, m, k] -> { S1[i0, i1, i2] -> C[i0, i1]
// CHECK-NEXT: write C [n, m, k] -> { S1[i0, i1, i2] -> C[i0, i1]
// CHECK: call double @llvm.fmuladd.f64(double %r0, double %r1, double %r2)
// CHECK: order {{.*}}S1[i0, i1, i2] -> [i0, i1, 1, i2]
// CHECK-SAME: S0[i0, i1] -> [i0, i1, 0, 0]
// CHECK: tree { domain:
// CHECK: valid [n, m, k] -> {  :  }
