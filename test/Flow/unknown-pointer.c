// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer to a function that is not known here, or cannot be differentiated,
// stops the program where it is called, and only there.
//
// RUN: %clang -O0 -Xclang -llvm-verify-each %s -o %t0 && %t0
// RUN: %clang -O2 -Xclang -llvm-verify-each %s -o %t2 && %t2
// RUN: %not --crash %t0 1 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// RUN: %not --crash %t2 1 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// RUN: %not --crash %t2 2 2 2>&1 | %FileCheck %s --check-prefix=REFUSED
// UNKNOWN: pardiff: stopped: a function is called through a pointer, and its derivative is not known in this file
// REFUSED: pardiff: stopped: the function 'opaque' is called through a pointer, and it cannot be differentiated: inline assembly is not supported
#include <math.h>
#include <pardiff/pardiff.h>
#include <stdio.h>

typedef double Function(double);

static double square(double x) { return x * x; }
static double opaque(double x) {
  __asm__ volatile("nop");
  return x;
}
static double two(double x, int n) { return x * n; }

static Function *const choices[] = {square, (Function *)(void *)two, opaque};

static double apply(double x, Function *g) { return g(x) * x; }

double __pardiff_autodiff(void *, ...);

int main(int argc, char **argv) {
  double d = __pardiff_autodiff((void *)apply, 3.0, pardiff_const,
                                choices[argc - 1]);
  if (fabs(d - 27) > 1e-12) {
    printf("got %g\n", d);
    return 1;
  }
  return 0;
}
