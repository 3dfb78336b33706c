// Functions that cannot be differentiated, whatever is in them.
// RUN: %plain-clang -O0 -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s
// RUN: %plain-clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='print<pardiff-requests>' -disable-output | %FileCheck %s

#include <pardiff/pardiff.h>

typedef double (*unary)(double);
double elsewhere(double x);
static double variadic(double x, ...) { return x; }
__attribute__((weak)) double weak(double x) { return x; }
double alias(double x) __attribute__((weak, alias("aliasee")));
double aliasee(double x) { return x; }
typedef struct {
  double v[2];
} pair;
typedef struct {
  double v[9];
} large;
static pair returns_pair(double x) { return (pair){{x, x}}; }
static large returns_large(double x) { return (large){{x}}; }
static double *returns_pointer(double *x) { return x; }
static long double wide(double x) { return x; }
static double takes_wide(long double x) { return x; }
static double takes_large(large s) { return s.v[0]; }

// CHECK: refused in parameter: the function to differentiate is not known at compile time
double parameter(unary f) { return __pardiff_autodiff((void *)f, 1.0); }
// CHECK: refused in loaded: the function to differentiate is not known at compile time
double loaded(unary *f) { return __pardiff_autodiff((void *)f[3], 1.0); }
// CHECK: refused in null: the function to differentiate is not known at compile time
double null(void) { return __pardiff_autodiff(0, 1.0); }
// CHECK: refused in called: the function to differentiate has no definition here: 'elsewhere' is defined in another file or library
double called(void) { return __pardiff_autodiff((void *)elsewhere, 1.0); }
// CHECK: refused in dots: a function with variable arguments cannot be differentiated: 'variadic'
double dots(void) { return __pardiff_autodiff((void *)variadic, 1.0); }
// CHECK: refused in replaced: the definition of the function to differentiate may be replaced when the program is linked: 'weak' is weak
double replaced(void) { return __pardiff_autodiff((void *)weak, 1.0); }
// CHECK: refused in replaced_alias: {{.*}} may be replaced when the program is linked: 'alias' is a weak alias
double replaced_alias(void) { return __pardiff_autodiff((void *)alias, 1.0); }
// CHECK: refused in structure: the function to differentiate has a parameter or result that is not supported: 'returns_pair' returns '{ double, double }'
double structure(void) { return __pardiff_autodiff((void *)returns_pair, 1.0); }
// CHECK: refused in hidden: {{.*}} 'returns_large' returns a structure; return it through a pointer
double hidden(void) { return __pardiff_autodiff((void *)returns_large, 1.0); }
// CHECK: refused in pointer: {{.*}} 'returns_pointer' returns a pointer
double pointer(double *x, double *dx) {
  return __pardiff_autodiff((void *)returns_pointer, x, dx);
}
// CHECK: refused in extended: {{.*}} 'wide' returns 'x86_fp80'
double extended(void) { return __pardiff_autodiff((void *)wide, 1.0); }
// CHECK: refused in extended_argument: {{.*}} argument 1 of 'takes_wide' is of type 'x86_fp80'; only float and double by value can be active
double extended_argument(void) { return __pardiff_autodiff((void *)takes_wide, 1.0L); }
// CHECK: refused in by_value: {{.*}} argument 1 of 'takes_large' is a structure by value; pass a pointer to it, or mark it pardiff_const
double by_value(large *s) { return __pardiff_autodiff((void *)takes_large, *s); }
// CHECK: request in by_value_const: takes_large(const ptr {{.*}}) ->
void by_value_const(large *s) {
  __pardiff_autodiff((void *)takes_large, pardiff_const, *s);
}
