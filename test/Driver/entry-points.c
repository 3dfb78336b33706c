// What Enzyme has and ParDiff does not is an error here, not an undefined reference. So is
// an entry point that is used as a value.
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 -g -c %s -o %t.o 2>&1 | %FileCheck %s
#include <pardiff/pardiff.h>

double __enzyme_fwdsplit(void *, ...);
double __enzyme_virtualreverse(void *);
static double f(double x) { return x; }

double forward(double x) {
  // CHECK-DAG: entry-points.c:[[#@LINE+1]]:10: error: pardiff: this entry point is not supported: __enzyme_fwdsplit
  return __enzyme_fwdsplit((void *)f, x, 1.0);
}
double reverse(void) {
  // CHECK-DAG: entry-points.c:[[#@LINE+1]]:10: error: pardiff: this entry point is not supported: __enzyme_virtualreverse
  return __enzyme_virtualreverse((void *)f);
}
void *address(void) {
  // CHECK-DAG: error: pardiff: an entry point is used in another way than by calling it: '__pardiff_autodiff'
  return (void *)__pardiff_autodiff;
}
// CHECK: 3 errors generated
