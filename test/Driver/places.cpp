// In C++ a request that came through wrappers, as that of the header, is shown where the
// user wrote the outermost call.
// RUN: %not %clangxx -O0 -gline-tables-only -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clangxx -O2 -gline-tables-only -c %s -o %t.o 2>&1 | %FileCheck %s
#include <pardiff/pardiff.h>

static double f(double x, int n) { return x * n; }
template <typename F, typename... A> double gradient(F f, A... a) {
  return __pardiff_autodiff(f, a...);
}

double use(double x) {
  // CHECK: places.cpp:[[#@LINE+1]]:14: error: pardiff: an integer cannot carry a derivative: argument 2 of 'f(double, int)'{{$}}
  double d = __pardiff_autodiff(f, x, pardiff_out, 3);
  // CHECK: places.cpp:[[#@LINE+1]]:10: error: pardiff: the call passes too many arguments to the function to differentiate: 'f(double, int)' takes 2{{$}}
  return gradient(f, x, 3, 4) + d;
}
// CHECK: 2 errors generated
