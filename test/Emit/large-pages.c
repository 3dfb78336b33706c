// Large arrays ask Linux for large pages, other systems for nothing; arrays of a small
// constant size are not asked about. The size decides at run time.
//
// RUN: %clang --target=x86_64-unknown-linux-gnu -O1 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %clang --target=x86_64-unknown-freebsd -O1 -S -emit-llvm %s -o - \
// RUN:   | %FileCheck %s --check-prefix=OTHER

void __pardiff_autodiff(void *, ...);
extern int pardiff_const, pardiff_dup;

static void steps(int t, int n, double *restrict x) {
  for (int k = 0; k < t; k++)
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
}

// CHECK-LABEL: @variable
// CHECK: call {{.*}}@malloc(i64 %[[BYTES:[0-9]+]])
// CHECK: icmp ugt i64 %[[BYTES]], 8388607
// CHECK: and i64 {{.*}}, 2097151
// CHECK: call {{.*}}@madvise(
// CHECK-SAME: i32 14)
// CHECK-LABEL: @constant
// CHECK-NOT: madvise(
// CHECK: ret void
// OTHER-LABEL: @variable
// OTHER-NOT: madvise
void variable(int t, int n, double *x, double *dx) {
  __pardiff_autodiff((void *)steps, pardiff_const, t, pardiff_const, n, pardiff_dup, x, dx);
}

static void few(double *restrict x) {
  for (int k = 0; k < 10; k++)
    for (int i = 0; i < 1000; i++)
      x[i] = x[i] * x[i];
}
void constant(double *x, double *dx) { __pardiff_autodiff((void *)few, pardiff_dup, x, dx); }
