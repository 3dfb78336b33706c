// Equal requests share one gradient; other activities get another. Requests in loops, in
// functions that are called often and in several functions are all served.
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=pardiff,verify -S %t.ll | %FileCheck %s
// RUN: %clang -O0 %s -o %t && %t
// RUN: %clang -O2 %s -o %t && %t
#include <pardiff/pardiff.h>

static double dot(int n, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

// CHECK-LABEL: define {{.*}} @both(
// CHECK: call void @[[BOTH:pardiff.gradient.dot[^(]*]](
static void both(const double *x, double *dx, const double *y, double *dy) {
  for (int k = 0; k < 2; k++)
    __pardiff_autodiff_void((void *)dot, 3, x, dx, y, dy);
}
// CHECK-LABEL: define {{.*}} @first(
// CHECK: call void @[[FIRST:pardiff.gradient.dot[^(]*]](
// CHECK: call void @[[BOTH]](
static void first(const double *x, double *dx, const double *y, double *dy) {
  __pardiff_autodiff_void((void *)dot, 3, x, dx, pardiff_const, y);
  __pardiff_autodiff_void((void *)dot, pardiff_const, 3, pardiff_dup, x, dx, y, dy);
}
// CHECK: define internal void @[[FIRST]](
// CHECK-NOT: define internal void @pardiff.gradient.dot
int main(void) {
  double x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, dx[3] = {0}, dy[3] = {0};
  both(x, dx, y, dy);
  both(x, dx, y, dy);
  first(x, dx, y, dy);
  for (int i = 0; i < 3; i++)
    if (dx[i] != 6 * y[i] || dy[i] != 5 * x[i])
      return 1;
  return 0;
}
