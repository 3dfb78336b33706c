// At -O0 no other pass would look at the generated code, so it gets a pipeline of its own:
// no stack slot is left, and the loops are vectorised.
// RUN: %clang -O0 -S -emit-llvm %s -o - | %FileCheck %s
#include <pardiff/pardiff.h>

static double square(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}

// CHECK-LABEL: define {{.*}} @use(
// CHECK: alloca ptr
void use(int n, const double *x, double *dx) {
  __pardiff_autodiff_void((void *)square, n, x, dx);
}
// CHECK-LABEL: define {{.*}} @pardiff.gradient.square(
// CHECK-NOT: alloca
// CHECK: load <{{[0-9]}} x double>
// CHECK: fadd {{.*}}<{{[0-9]}} x double>
// CHECK: {{^}$}}
