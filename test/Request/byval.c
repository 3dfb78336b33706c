// A constant structure by value is memory that the gradient may write to, so it gets a
// copy unless it takes one itself.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='pardiff-requests,verify' -S | %FileCheck %s
#include <pardiff/pardiff.h>

typedef struct {
  double v[9];
} large;
static double f(large s, double x) { return s.v[0] * x; }

// CHECK-LABEL: define {{.*}} @use(
// CHECK: call { double } @pardiff.gradient.f(ptr byval(%struct.large) align 8 {{.*}}, double 2.0
double use(large *s) { return __pardiff_autodiff((void *)f, pardiff_const, *s, 2.0); }
