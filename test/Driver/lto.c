// The function lives in another file: the compile leaves the request, full link-time
// optimisation serves it. In one file there is nothing to wait for.
// RUN: %llvm-tools/split-file %s %t
// RUN: %clang -O0 -flto -c %t/request.c -o %t/request.o
// RUN: %clang -O0 -flto -c %t/function.c -o %t/function.o
// RUN: %plain-clang -O0 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/request.o %t/function.o -o %t/a.out
// RUN: %t/a.out
// RUN: %clang -O1 -flto -c %t/request.c -o %t/request.o
// RUN: %clang -O1 -flto -c %t/function.c -o %t/function.o
// RUN: %plain-clang -O1 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/request.o %t/function.o -o %t/a.out
// RUN: %t/a.out
// RUN: %clang -O3 -flto -c %t/request.c -o %t/request.o
// RUN: %clang -O3 -flto -c %t/function.c -o %t/function.o
// RUN: %plain-clang -O3 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/request.o %t/function.o -o %t/a.out
// RUN: %t/a.out
// RUN: %clang -O2 -flto -c %t/request.c -o %t/request.o
// RUN: %clang -O2 -flto -c %t/function.c -o %t/function.o
// RUN: %plain-clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/request.o %t/function.o -o %t/a.out
// RUN: %t/a.out
// Without link-time optimisation the same file is an error.
// RUN: %not %clang -O2 -c %t/request.c -o %t/request.o 2>&1 | %FileCheck %s --check-prefix=ERROR
// ERROR: the function to differentiate has no definition here: 'energy' is defined in another file or library
// Errors that the link cannot cure are errors of the compile.
// RUN: %not %clang -O2 -flto -c %t/wrong.c -o %t/wrong.o 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: the call passes too few arguments
// Errors that need the function are errors of the link, at their line.
// RUN: %clang -O2 -gline-tables-only -flto -c %t/late.c -o %t/late.o
// RUN: %clang -O2 -gline-tables-only -flto -c %t/function.c -o %t/function.o
// RUN: %not %plain-clang -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/late.o %t/function.o -o %t/a.out 2>&1 | %FileCheck %s --check-prefix=LATE --implicit-check-not=undefined
// LATE: error: {{.*}}late.c:5:3: {{.*}}pardiff: an argument with a shadow is not followed by it: argument 2 of 'energy'

//--- request.c
#include <pardiff/pardiff.h>
double energy(int n, const double *x);
int main(void) {
  double x[4] = {1, 2, 4, 8}, dx[4] = {0, 0, 0, 0};
  __pardiff_autodiff_void((void *)energy, pardiff_const, 4, pardiff_dup, x, dx);
  return dx[0] != -2 || dx[1] != -2 || dx[2] != -4 || dx[3] != 8;
}
//--- function.c
double energy(int n, const double *x) {
  double sum = 0;
  for (int i = 1; i < n; i++)
    sum += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
  return sum;
}
//--- wrong.c
#include <pardiff/pardiff.h>
static double f(double x, double y) { return x * y; }
double use(void) { return __pardiff_autodiff((void *)f, 1.0); }
//--- late.c
#include <pardiff/pardiff.h>
double energy(int n, const double *x);
int main(void) {
  double x[4] = {1, 2, 4, 8};
  __pardiff_autodiff_void((void *)energy, pardiff_const, 4, pardiff_dup, x);
  return 0;
}
