// A function that asks for its own derivative cannot get it.
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s
#include <pardiff/pardiff.h>

// CHECK: error: pardiff: the function to differentiate needs its own derivative
static double f(double x) { return x + __pardiff_autodiff((void *)f, x); }
static double b(double x);
// CHECK: error: pardiff: the function to differentiate needs its own derivative
static double a(double x) { return __pardiff_autodiff((void *)b, x); }
static double b(double x) { return __pardiff_autodiff((void *)a, x); }
double use(double x) { return f(x) + a(x); }
// CHECK: 2 errors generated
