// The function behind casts, aliases, constant tables, choices, pointers and wrappers.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>,verify' -disable-output | %FileCheck %s
// RUN: %plain-clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>,verify' -disable-output | %FileCheck %s

#include <pardiff/pardiff.h>
#include <stdint.h>

typedef double (*unary)(double);
static double f(double x) { return x * x; }
static double g(double x) { return x; }
double h(double x) { return -x; }
double alias(double x) __attribute__((alias("h")));
static const unary table[] = {f, g, h};

// CHECK: request in cast: f(
double cast(void) { return __pardiff_autodiff((void *)(uintptr_t)f, 1.0); }
// CHECK: request in aliased: h(
double aliased(void) { return __pardiff_autodiff((void *)alias, 1.0); }
// CHECK: request in element: g(
double element(void) { return __pardiff_autodiff((void *)table[1], 1.0); }
// CHECK: request in local: f(
double local(void) {
  unary p = f;
  return __pardiff_autodiff((void *)p, 1.0);
}
// A marker in a variable.
// CHECK: request in marker: f(const double
void marker(void) {
  int m = pardiff_const;
  __pardiff_autodiff((void *)f, m, 1.0);
}
// Each function that may be meant gets its gradient; the address decides at run time.
// CHECK: request in any: f(
// CHECK: request in any: g(
// CHECK: request in any: h(
double any(int k) { return __pardiff_autodiff((void *)table[k], 1.0); }
// CHECK: request in chosen: f(
// CHECK: request in chosen: g(
double chosen(int k) {
  unary p = k ? f : g;
  return __pardiff_autodiff((void *)p, 1.0);
}
// CHECK: request in no_prototype: f(
double no_prototype(void) {
  double __pardiff_autodiff_old();
  return __pardiff_autodiff_old(f, 1.0);
}
// CHECK: request in prototype: f(
double prototype(void) {
  double __pardiff_autodiff_fixed(unary, double);
  return __pardiff_autodiff_fixed(f, 1.0);
}
// CHECK: request in through_pointer: f(
double through_pointer(void) {
  double (*d)(void *, ...) = __pardiff_autodiff;
  return d((void *)f, 1.0);
}
// The wrapper itself is gone.
static double wrapper(unary p, int m, double x) {
  return __pardiff_autodiff((void *)p, m, x);
}
static double wrapper_of_wrapper(unary p, double x) {
  return wrapper(p, pardiff_out, x) + 1;
}
// CHECK-NOT: in wrapper
// CHECK: request in wrapped: f(out double
// CHECK: request in wrapped: g(out double
double wrapped(double x) {
  return wrapper(f, pardiff_out, x) + wrapper_of_wrapper(g, x);
}
// Another file may call this one with whatever it likes.
// CHECK: refused in external: the function to differentiate is not known
double external(unary p) { return __pardiff_autodiff((void *)p, 1.0); }
// CHECK: request in caller: f(
double caller(void) { return external(f); }
