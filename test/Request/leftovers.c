// A served request leaves nothing behind that would need a definition: no load of a
// marker, no declaration. What the user defined stays.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='pardiff-requests,verify' -S | %FileCheck %s --implicit-check-not=autodiff --implicit-check-not=pardiff_ --implicit-check-not='load {{.*}}@enzyme_out'

double __pardiff_autodiff(void *, ...);
extern int pardiff_const, pardiff_out;
extern signed char pardiff_dup;
extern volatile int pardiff_primal_return;
// CHECK: @enzyme_out = {{.*}}global i32 5
int enzyme_out = 5;

static double f(const double *x, int n, double a) { return x[n] * a; }
static double wrap(double (*p)(const double *, int, double), int m, const double *x,
                   double *dx, int n, double a) {
  return __pardiff_autodiff((void *)p, m, x, dx, pardiff_const, n, pardiff_out, a);
}

struct two {
  double a, b;
};
struct two __pardiff_autodiff_two(void *, ...);

double direct(const double *x, double *dx, int n, double a) {
  return __pardiff_autodiff((void *)f, pardiff_dup, x, dx, n, enzyme_out, a);
}
double volatile_marker(const double *x, double *dx, int n, double a) {
  return __pardiff_autodiff_two((void *)f, pardiff_primal_return, x, dx, n, a).b;
}
double wrapped(const double *x, double *dx, int n, double a) {
  return wrap(f, pardiff_dup, x, dx, n, a);
}
