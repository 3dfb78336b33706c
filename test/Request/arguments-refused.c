// What can be wrong with the arguments. Each message names the argument by its number.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s
// RUN: %plain-clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

#include <pardiff/pardiff.h>

extern int enzyme_runtime_activity, pardiff_duplicated;

static double f(const double *a, int n, double x) { return a[n] * x; }

// CHECK: refused in too_few: the call passes too few arguments to the function to differentiate: 'f' takes 3, the call passes 2
double too_few(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, n);
}
// CHECK: refused in too_many: the call passes too many arguments to the function to differentiate: 'f' takes 3
double too_many(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, n, 1.0, 2.0);
}
// CHECK: refused in missing_shadow: an argument with a shadow is not followed by it: argument 1 of 'f' is followed by a 32-bit integer
double missing_shadow(double *a, int n) {
  return __pardiff_autodiff((void *)f, pardiff_dup, a, n, 1.0);
}
// CHECK: refused in missing_shadow_marker: {{.*}} argument 1 of 'f' is followed by 'pardiff_const'
double missing_shadow_marker(double *a, int n) {
  return __pardiff_autodiff((void *)f, a, pardiff_const, n, 1.0);
}
// CHECK: refused in out_on_pointer: a pointer cannot be marked as an output, because only derivatives of values are returned: argument 1 of 'f'; use pardiff_dup and a shadow
double out_on_pointer(double *a, int n) {
  return __pardiff_autodiff((void *)f, pardiff_out, a, n, 1.0);
}
// CHECK: refused in dup_on_value: a floating-point value has no shadow, because its derivative is returned: argument 3 of 'f'; use pardiff_out
double dup_on_value(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, n, pardiff_dup, 1.0, 2.0);
}
// CHECK: refused in active_integer: an integer cannot carry a derivative: argument 2 of 'f'
double active_integer(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, pardiff_out, n, 1.0);
}
// CHECK: refused in dup_integer: an integer cannot carry a derivative: argument 2 of 'f'
double dup_integer(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, pardiff_dup, n, 1.0);
}
// CHECK: refused in at_end: a marker is not followed by an argument: the call ends with 'pardiff_out'
double at_end(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, n, 1.0, pardiff_out);
}
// CHECK: refused in instead: a marker is not followed by an argument: the call ends with 'pardiff_const'
double instead(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, n, pardiff_const);
}
// CHECK: refused in primal_at_end: a marker is not followed by an argument: the call ends with 'pardiff_primal_return'
double primal_at_end(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, a, da, n, 1.0, pardiff_primal_return);
}
// CHECK: refused in twice: a marker is not followed by an argument: another marker, 'pardiff_dup', stands in the place of argument 1 of 'f'
double twice(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, pardiff_const, pardiff_dup, a, da, n, 1.0);
}
// CHECK: refused in unknown: this marker is not supported: 'enzyme_runtime_activity'
double unknown(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, enzyme_runtime_activity, 2, a, da, n, 1.0);
}
// CHECK: refused in misspelt: this marker is not supported: 'pardiff_duplicated'
double misspelt(double *a, double *da, int n) {
  return __pardiff_autodiff((void *)f, pardiff_duplicated, a, da, n, 1.0);
}
