// New memory of large arrays asks Linux for large pages, other systems for nothing.
// The size decides at run time.
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

// CHECK-LABEL: define {{.*}}@variable
// CHECK: call {{.*}}@pardiff.memory.take(i64
// CHECK-LABEL: define {{.*}}@pardiff.memory.take(
// CHECK: %[[NEW:.*]] = {{.*}}call ptr @malloc(i64 %[[BYTES:.*]])
// CHECK-NEXT: call void @pardiff.memory.advise(ptr %[[NEW]], i64 %[[BYTES]])
// CHECK-LABEL: define {{.*}}@pardiff.memory.advise(
// CHECK: icmp ult i64 %{{.*}}, 8388608
// CHECK: and i64 {{.*}}, 2097151
// CHECK: call {{.*}}@madvise(
// CHECK-SAME: i32 14)
// OTHER: call {{.*}}@pardiff.memory.take(i64
// OTHER-NOT: madvise
void variable(int t, int n, double *x, double *dx) {
  __pardiff_autodiff((void *)steps, pardiff_const, t, pardiff_const, n, pardiff_dup, x, dx);
}
