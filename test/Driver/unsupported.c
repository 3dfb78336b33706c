// Code outside of what is supported is one compile error for each request, which names the
// construct and the call, at every level; no crash and nothing else on the terminal.
// RUN: %not %clang -O0 -gline-tables-only -w -c %s -o %t.o > %t.0 2>&1
// RUN: %FileCheck %s < %t.0 --implicit-check-not=error: --implicit-check-not=Stack --implicit-check-not=isl
// RUN: %not %clang -O2 -gline-tables-only -w -c %s -o %t.o > %t.2 2>&1
// RUN: %FileCheck %s < %t.2 --implicit-check-not=error: --implicit-check-not=Stack --implicit-check-not=isl
#include <pardiff/pardiff.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

// CHECK-DAG: :[[@LINE+1]]:{{.*}} error: pardiff: inline assembly is not supported{{$}}
static void assembly(int n, double *x) { __asm__ volatile("nop"); x[0] *= x[0]; }

// CHECK-DAG: error: pardiff: computed jumps are not supported{{$}}
static void jump(int n, double *x) {
  static void *targets[] = {&&a, &&b};
  goto *targets[n];
a:
  x[0] *= 2;
b:
  x[0] *= x[0];
}

static jmp_buf buffer;
// CHECK-DAG: :[[@LINE+2]]:{{.*}} error: pardiff: functions that return twice (setjmp, fork) are not supported{{$}}
static void twice(int n, double *x) {
  if (setjmp(buffer))
    x[0] *= x[0];
}

// CHECK-DAG: error: pardiff: access to the floating-point environment (strict floating point) is not supported: strict{{$}}
static void strict(int n, double *x) {
#pragma STDC FENV_ACCESS ON
  x[0] *= x[0];
}

double elsewhere(double);
// CHECK-DAG: :[[@LINE+1]]:{{.*}} error: pardiff: the function that is called here has no definition that can be differentiated: call of elsewhere{{$}}
static void unknown(int n, double *x) { x[0] = elsewhere(x[0]); }

int compare(const void *, const void *);
// CHECK-DAG: :[[@LINE+1]]:{{.*}} error: pardiff: the function that is called here has no definition that can be differentiated: call of qsort{{$}}
static void sorted(int n, double *x) { qsort(x, n, sizeof *x, compare); }

// CHECK-DAG: :[[@LINE+1]]:{{.*}} error: pardiff: volatile accesses are not supported{{$}}
static void unsteady(int n, volatile double *x) { x[0] *= x[0]; }

// CHECK-DAG: :[[@LINE+1]]:{{.*}} error: pardiff: this atomic operation is not supported{{$}}
static void atomic(int n, _Atomic double *x) { *x *= *x; }

// CHECK-DAG: error: pardiff: the function never returns{{$}}
static void endless(int n, double *x) {
  for (;;)
    x[0] = x[0] * 2 + n;
}

static void tail(int n, double *x) { x[0] *= n; }
// CHECK-DAG: :[[@LINE+1]]:{{.*}} error: pardiff: calls that must be tail calls are not supported{{$}}
static void must_tail(int n, double *x) { __attribute__((musttail)) return tail(n, x); }

// CHECK-DAG: :[[@LINE+2]]:{{.*}} error: pardiff: pointers made from integers are not supported{{$}}
static void integer(int n, double *x) {
  double *p = (double *)((uintptr_t)x ^ 8);
  *p *= *p;
}

static double variadic(double x, ...) {
  va_list list;
  va_start(list, x);
  double y = va_arg(list, double);
  va_end(list);
  return x * y;
}
// CHECK-DAG: error: pardiff: functions with variable arguments are not supported{{$}}
static void arguments(int n, double *x) { x[0] = variadic(x[0], 2.0); }

#define DERIVATIVE(f)                                                          \
  void d_##f(int n, double *x, double *dx) {                                   \
    __pardiff_autodiff_void((void *)f, pardiff_const, n, pardiff_dup, x, dx);  \
  }
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_assembly'{{.*}}, to differentiate 'assembly'{{$}}
DERIVATIVE(assembly)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_jump'{{.*}}, to differentiate 'jump'{{$}}
DERIVATIVE(jump)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_twice'{{.*}}, to differentiate 'twice'{{$}}
DERIVATIVE(twice)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_strict'{{.*}}, to differentiate 'strict'{{$}}
DERIVATIVE(strict)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_unknown'{{.*}}, to differentiate 'unknown'{{$}}
DERIVATIVE(unknown)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_sorted'{{.*}}, to differentiate 'sorted'{{$}}
DERIVATIVE(sorted)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_unsteady'{{.*}}, to differentiate 'unsteady'{{$}}
DERIVATIVE(unsteady)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_atomic'{{.*}}, to differentiate 'atomic'{{$}}
DERIVATIVE(atomic)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_endless'{{.*}}, to differentiate 'endless'{{$}}
DERIVATIVE(endless)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_must_tail'{{.*}}, to differentiate 'must_tail'{{$}}
DERIVATIVE(must_tail)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_integer'{{.*}}, to differentiate 'integer'{{$}}
DERIVATIVE(integer)
// CHECK-DAG: note: pardiff: required by the call of '__pardiff_autodiff_void' in 'd_arguments'{{.*}}, to differentiate 'arguments'{{$}}
DERIVATIVE(arguments)
// CHECK: 12 errors generated
