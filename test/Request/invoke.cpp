// A call with a handler around it stays one: the gradient may throw what the primal
// throws. Its result reaches both ways out.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='pardiff-requests,verify' -S | %FileCheck %s
#include <pardiff/pardiff.h>

static double f(double x) { return x * x; }

// CHECK-LABEL: define {{.*}} @_Z6caughtd(
// CHECK: invoke { double } @pardiff.gradient.{{.*}}(double
// CHECK-NEXT: to label %[[RETURNED:.*]] unwind label
// CHECK: [[RETURNED]]:
// CHECK-NEXT: extractvalue
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
