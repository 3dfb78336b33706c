/* What cannot be prepared is refused with its reason.
 *
 * RUN: %plain-clang -O1 -w -Xclang -disable-llvm-passes -S -emit-llvm %s -o - \
 * RUN:   | %opt -passes=pardiff-prepare -pass-remarks-missed=pardiff -disable-output 2>&1 | %FileCheck %s
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* CHECK: assembly: inline assembly is not supported
 */
double assembly(double x) {
  __asm__("nop");
  return x;
}
/* CHECK: computed_jump: computed jumps are not supported
 */
double computed_jump(int i, double x) {
  void *t[] = {&&a, &&b};
  goto *t[i];
a:
  x = x * 2;
b:
  return x;
}
/* CHECK: variadic: functions with variable arguments are not supported
 */
double variadic(int n, ...) {
  va_list list;
  va_start(list, n);
  double x = va_arg(list, double);
  va_end(list);
  return x;
}
/* CHECK: volatile_access: volatile accesses are not supported
 */
double volatile_access(volatile double *x) { return *x; }
/* CHECK: atomic: this atomic operation is not supported
 */
double atomic(int *n, double x) { return __atomic_fetch_add(n, 1, 5) * x; }
jmp_buf buf;
/* CHECK: twice: functions that return twice
 */
double twice(double x) { return setjmp(buf) ? x : 2 * x; }
double declared(double);
/* CHECK: unknown: the function that is called here has no definition that can be differentiated: declared
 */
double unknown(double x) { return declared(x) * x; }
/* CHECK: indirect: the function that is called here is not known at compile time
 */
double indirect(double (*f)(double), double x) { return f(x); }
/* CHECK: recursive: recursive calls are not supported: recursive
 */
double recursive(int n, double x) { return n ? x * recursive(n - 1, x) : 1; }
/* CHECK: forever: the function never returns
 */
double forever(double *x) {
  for (;;)
    *x = *x * 2 + 1;
}
/* CHECK: bytes: this copy or fill of memory is not of floating-point elements
 */
void bytes(int n, double *x) { memset(x, 1, n * sizeof *x); x[0] *= 2; }
/* The reason may be in a callee.
 * CHECK: caller: inline assembly is not supported
 */
double caller(double x) { return assembly(x) * x; }
