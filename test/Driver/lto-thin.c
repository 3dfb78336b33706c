// Thin link-time optimisation cannot serve a request whose function it does not import:
// an error, not an undefined reference.
// RUN: %llvm-tools/split-file %s %t
// RUN: %clang -O2 -flto=thin -c %t/request.c -o %t/request.o
// RUN: %clang -O2 -flto=thin -c %t/function.c -o %t/function.o
// RUN: %not %plain-clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/request.o %t/function.o -o %t/a.out 2>&1 | %FileCheck %s --implicit-check-not=undefined
// At -O0 the link would not even look.
// RUN: %not %clang -O0 -flto=thin -c %t/request.c -o %t/request.o 2>&1 | %FileCheck %s --implicit-check-not=undefined
// CHECK: the function to differentiate has no definition here: 'energy' is defined in another file or library

//--- request.c
#include <pardiff/pardiff.h>
double energy(int n, const double *x);
int main(void) {
  double x[4] = {1, 2, 4, 8}, dx[4] = {0, 0, 0, 0};
  __pardiff_autodiff_void((void *)energy, pardiff_const, 4, pardiff_dup, x, dx);
  return 0;
}
//--- function.c
__attribute__((noinline)) double energy(int n, const double *x) {
  double sum = 0;
  for (int i = 1; i < n; i++)
    sum += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
  return sum;
}
