// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that cannot be differentiated is called through a pointer: the
// program stops there, and the message names the user's functions and the place,
// also where the reason is in a recursive function that it calls, or in a loop
// that was to become a nest.
//
// RUN: %clang -O2 -g %s -o %t && %t 0
// RUN: %not --crash %t 1 2>&1 | %FileCheck %s --check-prefix=DIRECT
// RUN: %not --crash %t 2 2>&1 | %FileCheck %s --check-prefix=CALLED
// RUN: %not --crash %t 3 2>&1 | %FileCheck %s --check-prefix=LOOP --implicit-check-not=pardiff.
// RUN: %clang -O0 %s -o %t0 && %t0 0
// RUN: %not --crash %t0 2 2>&1 | %FileCheck %s --check-prefix=NAMES
// RUN: %not --crash %t0 3 2>&1 | %FileCheck %s --check-prefix=LOOP --implicit-check-not=pardiff.
#include <pardiff/pardiff.h>
#include <stdlib.h>

double __pardiff_autodiff(void *, ...);
typedef double Function(double *, int);

static double fine(double *x, int n) { return x[0] * x[n - 1]; }

// DIRECT: stopped: the function 'opaque' is called through a pointer, and it cannot be differentiated: inline assembly is not supported at {{.*}}refused-pointer.c:[[#@LINE+2]]:3
static double opaque(double *x, int n) {
  __asm__ volatile("nop");
  return x[0];
}

// CALLED: stopped: the function 'caller' is called through a pointer, and it cannot be differentiated: inline assembly is not supported at {{.*}}refused-pointer.c:[[#@LINE-4]]:3; in 'opaque', called from 'inner' at {{.*}}refused-pointer.c:[[#@LINE+3]]:10; in 'inner', called from 'caller' at {{.*}}refused-pointer.c:[[#@LINE+5]]:53
// NAMES: stopped: the function 'caller' is called through a pointer, and it cannot be differentiated: inline assembly is not supported; in 'opaque', called from 'inner'; in 'inner', called from 'caller'
static double inner(double *x, int n) {
  return opaque(x, n) + (n ? inner(x, n - 1) : 0);
}
static double caller(double *x, int n) { return 2 * inner(x, n); }

static double scratch[16];
// A loop that the nest engine takes and then gives back.
// LOOP: stopped: the function 'loop' is called through a pointer, and it cannot be differentiated: the bits of a floating-point value are used as an integer
static double loop(double *x, int n) {
  for (int i = 0; i < n; i++) {
    long bits;
    __builtin_memcpy(&bits, &x[i], sizeof bits);
    bits += 1L << 52;
    __builtin_memcpy(&scratch[i % 16], &bits, sizeof bits);
  }
  return scratch[0];
}

static Function *const functions[] = {fine, opaque, caller, loop};
static double apply(double *x, int n, Function *g) { return g(x, n) * x[0]; }

int main(int argc, char **argv) {
  double x[4] = {2, 3, 4, 5}, dx[4] = {0};
  __pardiff_autodiff((void *)apply, pardiff_dup, x, dx, pardiff_const, 4,
                     pardiff_const, functions[atoi(argv[1])]);
  return dx[0] != 20 || dx[3] != 4;
}
