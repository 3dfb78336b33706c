// An error is one error: nothing follows from it, no undefined reference, no crash.
// RUN: %not %clang -O0 %s -o %t 2>&1 | %FileCheck %s --implicit-check-not=undefined --implicit-check-not=Stack
// RUN: %not %clang -O2 %s -o %t 2>&1 | %FileCheck %s --implicit-check-not=undefined --implicit-check-not=Stack
#include <pardiff/pardiff.h>

typedef struct {
  double a, b, c;
} three;
three __pardiff_autodiff_three(void *, ...);
static double f(double x) { return x; }

// CHECK: error: pardiff:
// CHECK: 1 error generated
int main(void) {
  three r = __pardiff_autodiff_three((void *)f, pardiff_dup, 1.0);
  return r.a != 0;
}
