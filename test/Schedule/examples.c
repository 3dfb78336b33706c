// The examples of docs/schedule.md, with what it says of them.
// RUN: %clang -O2 -g -fopenmp -c %s -o %t.o -Rpass=pardiff 2> %t.remarks
// RUN: %FileCheck %s --implicit-check-not='adjoint loop' < %t.remarks
// RUN: %python -c "import re,sys; said=set(re.findall(r'((?:forward|adjoint) loop at .*?: \w+)', open(sys.argv[1]).read())); page=re.findall(r'^    ((?:forward|adjoint) loop at .*)$', open(sys.argv[2]).read(), re.M); assert len(page) > 15; missing=[l for l in page if l not in said]; assert not missing, missing" %t.remarks %root/docs/schedule.md
#include <pardiff/pardiff.h>

// CHECK: loop nest of gather recovered
// CHECK: adjoint loop at depth 0 of S0_r0, S0_r1, S0_r2: gather
// CHECK: adjoint loop at depth 0 of S0_u0: parallel
static void gather(int n, const double *restrict x, double *restrict y) {
  for (int i = 1; i < n - 1; i++)
    y[i] = x[i - 1] * x[i] * x[i + 1];
}

// CHECK: loop nest of shifted recovered
// CHECK: adjoint loop at depth 0 of S1_r0, S1_u0, S0_r0, S0_u0: gather
static void shifted(int n, const double *restrict x, double *restrict y,
                    double *restrict z) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  for (int i = 0; i < n - 1; i++)
    z[i] = y[i + 1] * y[i + 1];
}

// CHECK: loop nest of chunked recovered
// CHECK: adjoint loop at depth 0 of S0_r0, S0_r1, S0_u0: chunked
// CHECK: adjoint loop at depth 1
// CHECK: adjoint loop at depth 2
static void chunked(int m, int n, const double *restrict a,
                    const double (*restrict x)[n], double (*restrict y)[n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      y[i][j] = a[j] * x[i][j];
}

// CHECK: loop nest of copies recovered
// CHECK: adjoint loop at depth 0 of S2_r0, {{.*}}, S0_u0: private
// CHECK-NEXT: adjoint loop at depth 1
// CHECK-NEXT: adjoint loop at depth 2
// CHECK-NEXT: adjoint loop at depth 3
// CHECK-NEXT: adjoint loop at depth 3
// CHECK-NEXT: adjoint loop at depth 0 of sum_partial_d_a: chunked
// CHECK-NEXT: adjoint loop at depth 1
// CHECK-NEXT: adjoint loop at depth 2
static void copies(int m, int n, const double *restrict a,
                   const double (*restrict x)[n], double (*restrict y)[n]) {
  for (int i = 0; i < m; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += x[i][j] * x[i][j];
    for (int j = 0; j < n; j++)
      y[i][j] = a[j] * x[i][j] * s;
  }
}

// CHECK: loop nest of atomics recovered
// CHECK: adjoint loop at depth 0 of S0_r0, S0_u0: atomic
static void atomics(int n, const int *restrict at, const double *restrict x,
                    double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[at[i]] * x[at[i]];
}

void use(int m, int n, const int *at, double *a, double *da, double *x,
         double *dx, double *y, double *dy, double *z, double *dz) {
  __pardiff_autodiff_void((void *)gather, n, x, dx, y, dy);
  __pardiff_autodiff_void((void *)shifted, n, x, dx, y, dy, z, dz);
  __pardiff_autodiff_void((void *)chunked, m, n, a, da, x, dx, y, dy);
  __pardiff_autodiff_void((void *)copies, m, n, a, da, x, dx, y, dy);
  __pardiff_autodiff_void((void *)atomics, n, pardiff_const, at, x, dx, y, dy);
}
