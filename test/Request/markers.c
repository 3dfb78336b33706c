// Markers say how an argument takes part; without one its type decides. Enzyme's
// spelling is the same thing. At -O0 and above a marker is a load of its global.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s
// RUN: %plain-clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

#include <pardiff/pardiff.h>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out,
    enzyme_primal_return;
double __enzyme_autodiff(void *, ...);
struct two {
  double a, b;
};
struct two __pardiff_autodiff_two(void *, ...);
struct two my__enzyme_autodiff_two(void *, ...);

static double f(double *x, const double *y, int n, double a, double b) {
  return *x * *y * n * a * b;
}

// CHECK: request in unmarked: f(dup ptr {{.*}} with ptr {{.*}}, dup ptr {{.*}} with ptr {{.*}}, const i32 {{.*}}, out double {{.*}}, out double {{.*}}) -> double double
struct two unmarked(double *x, double *dx, int n, double a) {
  return __pardiff_autodiff_two((void *)f, x, dx, x, dx, n, a, a);
}

// CHECK: request in marked: f(dupnoneed ptr {{.*}} with ptr {{.*}}, const ptr {{.*}}, const i32 {{.*}}, const double {{.*}}, out double {{.*}}) -> double
double marked(double *x, double *dx, int n, double a) {
  return __pardiff_autodiff((void *)f, pardiff_dupnoneed, x, dx, pardiff_const, x,
                            pardiff_const, n, pardiff_const, a, pardiff_out, a);
}

// CHECK: request in enzyme: f(dupnoneed ptr {{.*}} with ptr {{.*}}, const ptr {{.*}}, const i32 {{.*}}, const double {{.*}}, out double {{.*}}) -> double
double enzyme(double *x, double *dx, int n, double a) {
  return __enzyme_autodiff((void *)f, enzyme_dupnoneed, x, dx, enzyme_const, x,
                           enzyme_const, n, enzyme_const, a, enzyme_out, a);
}

// The value comes first. A name that merely contains the entry point's is one.
// CHECK: request in primal_return: f({{.*}}, const double {{.*}}, out double {{.*}}) with primal -> double double
struct two primal_return(double *x, double *dx, int n, double a) {
  return my__enzyme_autodiff_two((void *)f, enzyme_primal_return, enzyme_dup, x, dx,
                                 pardiff_const, x, n, pardiff_const, a, enzyme_out, a);
}
