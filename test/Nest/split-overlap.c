// A load that hits the element stored just before in some iterations only. Where these
// and the others are one polyhedron each, the statement is split: in one part the load
// takes the stored value, in the other it is a read. Else the body selects by comparing
// the addresses.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void edge(long n, double *x, double *y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++) {
      x[i] = y[i] * 2.0;
      y[i] += x[j];
    }
}

// CHECK: program primal of edge
// CHECK: statement S0
// CHECK: domain [n] -> { S0[i0, i0] : 0 <= i0 < n }
// CHECK: read y
// CHECK-NEXT: write x
// CHECK: statement S1
// CHECK: domain [n] -> { S1[i0, i1] : i0 < n and 0 <= i1 < i0 }
// CHECK: read y
// CHECK-NEXT: read x
// CHECK-NEXT: write x
// CHECK-NOT: statement S2

void mirror(long n, double *x, double *y) {
  for (long i = 0; i < n; i++) {
    x[i] = y[i] * 2.0;
    y[i] = x[n - 1 - i];
  }
}

// CHECK: program primal of mirror
// CHECK: statement S0
// CHECK: domain [n] -> { S0[i0] : 0 <= i0 < n }
// CHECK: read y
// CHECK-NEXT: read x [n] -> { S0[i0] -> x[-1 + n - i0]
// CHECK-NEXT: write x
// CHECK: icmp eq i64
// CHECK-NEXT: select i1
// CHECK-NOT: statement S1
