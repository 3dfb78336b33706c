// A load behind a store to the same element takes the stored value, and only the last
// store to an element is a write.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void forward(long n, double *x, double *y) {
  for (long i = 0; i < n; i++) {
    x[i] = y[i] * 2.0;
    y[i] = 1.0;
    y[i] = x[i] + 3.0;
  }
}

// CHECK: statement S0
// CHECK: loops 0
// CHECK-NEXT: read y
// CHECK-NEXT: write x
// CHECK-NEXT: write y
// CHECK-NEXT: body
// CHECK: [[X:%.*]] = fmul double %r0, 2.0
// CHECK: [[Y:%.*]] = fadd double [[X]], 3.0
// CHECK: insertvalue {{.*}} double [[X]], 0
// CHECK: insertvalue {{.*}} double [[Y]], 1
// CHECK-NOT: statement S1
