// A declaration that does not return what the derivative returns is an error, also where
// nothing is returned and the program uses it.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

#include <pardiff/pardiff.h>

typedef struct {
  double a, b;
} dd;
typedef struct {
  double a;
  float b;
} df;
typedef struct {
  float a, b;
} ff;
dd __pardiff_autodiff_dd(void *, ...);
df __pardiff_autodiff_df(void *, ...);
ff __pardiff_autodiff_ff(void *, ...);
int __pardiff_autodiff_int(void *, ...);

static double one(double x) { return x; }
static double two(double x, double y) { return x * y; }
static double three(double x, double y, double z) { return x * y * z; }
static double mixed(float x, double y) { return x * y; }
static void none(double *x) { *x *= *x; }

// CHECK: refused in few: the declaration of the entry point does not return what the derivative returns: the derivative of 'two' returns double, double; the declared type is double
double few(void) { return __pardiff_autodiff((void *)two, 1.0, 2.0); }
// CHECK: refused in many: {{.*}} 'one' returns double; the declared type is { double, double }
dd many(void) { return __pardiff_autodiff_dd((void *)one, 1.0); }
// CHECK: refused in memory: {{.*}} 'three' returns double, double, double; the declared type is { double, double }
dd memory(void) { return __pardiff_autodiff_dd((void *)three, 1.0, 2.0, 3.0); }
// CHECK: refused in narrow: {{.*}} 'one' returns double; the declared type is float
float narrow(void) { return __pardiff_autodiff_float((void *)one, 1.0); }
// CHECK: refused in narrow2: {{.*}} 'two' returns double, double; the declared type is <2 x float>
ff narrow2(void) { return __pardiff_autodiff_ff((void *)two, 1.0, 2.0); }
// CHECK: refused in order: {{.*}} 'mixed' returns float, double; the declared type is { double, float }
df order(void) { return __pardiff_autodiff_df((void *)mixed, 1.0f, 2.0); }
// CHECK: refused in integer: {{.*}} 'one' returns double; the declared type is i32
int integer(void) { return __pardiff_autodiff_int((void *)one, 1.0); }
// CHECK: refused in dropped: {{.*}} 'one' returns double; the entry point is declared void; mark arguments by value that are of no interest pardiff_const
void dropped(void) { __pardiff_autodiff_void((void *)one, 1.0); }
// CHECK: refused in used: {{.*}} 'none' returns nothing; the call uses a result of type double
double used(double *x, double *dx) { return __pardiff_autodiff((void *)none, x, dx); }
// CHECK: request in unused: none(
void unused(double *x, double *dx) { __pardiff_autodiff((void *)none, x, dx); }
// CHECK: refused in primal: the function to differentiate has a parameter or result that is not supported: 'none' returns nothing, but the call asks for its result with pardiff_primal_return
void primal(double *x, double *dx) {
  __pardiff_autodiff((void *)none, pardiff_primal_return, x, dx);
}
