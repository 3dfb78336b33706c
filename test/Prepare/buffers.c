/* Local buffers become arrays of the whole function: allocated in the entry block and
 * freed behind the body; calloc, memset and memcpy become loops over their elements.
 * The numbers are those of the function as it was.
 *
 * RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
 * RUN: %opt -passes=pardiff-prepare,verify -S %t.ll -o %t.p.ll
 * RUN: %FileCheck %s --input-file=%t.p.ll
 * RUN: %plain-clang -DMAIN -O1 %s %t.p.ll -o %t && %t | %FileCheck %s --check-prefix=NUMBERS
 * RUN: %plain-clang -DMAIN -O1 %s %t.ll -o %t && %t | %FileCheck %s --check-prefix=NUMBERS
 */
#ifdef MAIN
#include <stdio.h>
double in_loop(int, int, const double *);
double zeroed(int, const double *);
double vla(int, const double *);
_Bool pardiff_require(_Bool) __asm__("pardiff.require");
_Bool pardiff_require(_Bool c) { return c; }
int main(void) {
  double x[64];
  for (int i = 0; i < 64; i++)
    x[i] = 1.0 / (i + 1);
  /* NUMBERS: 0.903409090909 5.437500000000 2.090909090909
   */
  printf("%.12f %.12f %.12f\n", in_loop(4, 5, x), zeroed(6, x), vla(10, x));
}
#else
#include <stdlib.h>
#include <string.h>

/* CHECK-LABEL: @in_loop(
 * CHECK: call {{.*}}ptr @malloc
 * CHECK: br i1 true
 * CHECK-NOT: call {{.*}}@malloc
 * CHECK-NOT: call {{.*}}@free
 * CHECK: load double, ptr %result
 * CHECK: call {{.*}}@free
 * CHECK: ret double
 */
double in_loop(int n, int m, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double *t = malloc(m * sizeof *t);
    for (int j = 0; j < m; j++)
      t[j] = x[i * m + j] * 2;
    s += t[0] * t[m - 1];
    free(t);
  }
  return s;
}

/* CHECK-LABEL: @zeroed(
 * CHECK-NOT: @calloc
 * CHECK-NOT: @llvm.mem
 * CHECK: store double 0.000000e+00
 * CHECK-NOT: @llvm.mem
 * CHECK: ret double
 */
double zeroed(int n, const double *x) {
  double *t = calloc(n, sizeof *t), *u = malloc(n * sizeof *u);
  memcpy(u, x, n * sizeof *u);
  t[1] += u[1];
  memset(u, 0, n * sizeof *u);
  double s = u[2] + 5;
  for (int i = 0; i < n; i++)
    s += t[i] * (0.75 + u[i]);
  s += 0.0625;
  free(t);
  free(u);
  return s;
}

/* CHECK-LABEL: @vla(
 * CHECK: alloca double, i64
 * CHECK: br i1 true
 * CHECK-NOT: stackrestore
 * CHECK: ret double
 */
double vla(int n, const double *x) {
  double s = 0;
  if (n > 2) {
    double t[n];
    for (int i = 0; i < n; i++)
      t[i] = x[i];
    s = t[0] + t[1] + t[2] + t[n - 1] * 0 + x[10] + x[5];
  }
  return s;
}
#endif
