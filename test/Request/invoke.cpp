// A call that could throw, with a handler around it, becomes a plain call; its result
// still reaches both ways out.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='pardiff-requests,verify' -S | %FileCheck %s
#include <pardiff/pardiff.h>

static double f(double x) { return x * x; }

// CHECK-LABEL: define {{.*}} @_Z6caughtd(
// CHECK-NOT: invoke
// CHECK: call { double } @pardiff.gradient.{{.*}}(double
// CHECK-NOT: invoke
// CHECK: ret double
double caught(double x) {
  double r = 1;
  try {
    r = __pardiff_autodiff(f, x);
  } catch (int) {
    r = 2;
  }
  return r;
}
