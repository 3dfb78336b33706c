// A load that hits the element stored just before in some iterations only splits the
// statement: there it takes the stored value, elsewhere it is a read.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void mirror(long n, double *x, double *y) {
  for (long i = 0; i < n; i++) {
    x[i] = y[i] * 2.0;
    y[i] = x[n - 1 - i];
  }
}

// CHECK: statement S0
// CHECK: domain [n] -> { S0[i0] : 2i0 = -1 + n and n > 0 }
// CHECK: read y
// CHECK-NEXT: write x
// CHECK: statement S1
// CHECK: domain
// CHECK: read y
// CHECK-NEXT: read x [n] -> { S1[i0] -> x[-1 + n - i0]
// CHECK-NEXT: write x
// CHECK-NOT: statement S2
