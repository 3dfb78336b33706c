// An int for a long would leave the upper half to chance, and numbers of another kind are
// mistakes: no conversion.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

#include <pardiff/pardiff.h>

static double f(double x, long n, int *p) { return x * n; }

// CHECK: refused in narrow: an argument does not have the type of its parameter: argument 2 of 'f' is a 64-bit integer, the call passes a 32-bit integer
double narrow(double x, int n) {
  return __pardiff_autodiff((void *)f, x, n, pardiff_const, 0);
}
// CHECK: refused in integer: {{.*}} argument 1 of 'f' is double, the call passes a 32-bit integer
double integer(void) { return __pardiff_autodiff((void *)f, 1, 2L); }
// CHECK: refused in real: {{.*}} argument 2 of 'f' is a 64-bit integer, the call passes double
double real(void) { return __pardiff_autodiff((void *)f, 1.0, 2.0); }
// CHECK: refused in pointer: {{.*}} argument 3 of 'f' is a pointer, the call passes a 64-bit integer
double pointer(long n) {
  return __pardiff_autodiff((void *)f, 1.0, 2L, pardiff_const, n);
}
// CHECK: refused in address: {{.*}} argument 1 of 'f' is double, the call passes a pointer
double address(double *x) { return __pardiff_autodiff((void *)f, x, x, 2L); }
