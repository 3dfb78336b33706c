// An error in a function that is called stands at its line; notes tell what to do, the
// calls that lead there, innermost first, and the request. opt ends at the first error, so
// there the notes are part of it.
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=CHECK,LINE
// RUN: %not %clang -O2 -gline-tables-only -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=CHECK,LINE
// RUN: %not %clang -O0 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=CHECK,NAMES
// RUN: %not %clang -O3 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefixes=CHECK,NAMES
// RUN: %plain-clang -O0 -g -S -emit-llvm %s -o %t.ll
// RUN: %not %opt -passes=pardiff -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=OPT
#include <pardiff/pardiff.h>

double elsewhere(double);
static double h(double x) { return x * elsewhere(x); }
static double g(double x) { return h(x) + 1; }
static double f(double x) { return g(x) * 2; }
static double recursive(double x, int n) {
  return n == 0 ? g(x) : recursive(x * x, n - 1);
}
static double r(double x, int n) { return 2 * recursive(x, n); }
static double assembly(double x) {
  __asm__ volatile("nop");
  return x;
}
static double a(double x) { return assembly(x); }

double source(double x) { return __pardiff_autodiff((void *)a, x); }
// LINE: chains.c:[[#@LINE-6]]:3: error: pardiff: inline assembly is not supported{{$}}
// NAMES: error: pardiff: inline assembly is not supported; in 'assembly'; compile with
// CHECK: note: pardiff: in 'assembly', called from 'a'
// CHECK-NEXT: note: pardiff: required by the call of '__pardiff_autodiff' in 'source'
// OPT: error: {{.*}}chains.c:[[#@LINE-10]]:3: {{.*}}pardiff: inline assembly is not supported{{$}}
// OPT-NEXT: note: in 'assembly', called from 'a' at {{.*}}chains.c:[[#@LINE-8]]:36
// OPT-NEXT: note: required by the call of '__pardiff_autodiff' in 'source' at {{.*}}chains.c:[[#@LINE-7]]:34, to differentiate 'a'

double inlined(double x) { return __pardiff_autodiff((void *)f, x); }
// LINE: chains.c:[[#@LINE-23]]:40: error: pardiff: the function that is called here has no definition that can be differentiated: call of elsewhere{{$}}
// NAMES: chains.c:[[#@LINE-22]]:15: error: pardiff: the function that is called here has no definition that can be differentiated: call of elsewhere; in 'h'; compile with -gline-tables-only to see the line
// CHECK: note: pardiff: if it is defined in another file, use link-time optimisation (-flto); else register a rule for it ({{.*}}), or mark it inactive (__pardiff_inactivefn_...)
// LINE-NEXT: note: pardiff: in 'h', called from 'g' at {{.*}}chains.c:[[#@LINE-25]]:36
// LINE-NEXT: note: pardiff: in 'g', called from 'f' at {{.*}}chains.c:[[#@LINE-25]]:36
// LINE-NEXT: note: pardiff: required by the call of '__pardiff_autodiff' in 'inlined' at {{.*}}chains.c:[[#@LINE-6]]:35, to differentiate 'f'
// NAMES-NEXT: note: pardiff: in 'h', called from 'g'{{$}}
// NAMES-NEXT: note: pardiff: in 'g', called from 'f'{{$}}
// NAMES-NEXT: note: pardiff: required by the call of '__pardiff_autodiff' in 'inlined', to differentiate 'f'{{$}}

double paired(double x) { return __pardiff_autodiff((void *)r, x, 3); }
// CHECK: error: pardiff: the function that is called here has no definition
// CHECK: note: pardiff: if it is
// CHECK-NEXT: note: pardiff: in 'h', called from 'g'
// LINE-NEXT: note: pardiff: in 'g', called from 'recursive' at {{.*}}chains.c:[[#@LINE-33]]:19
// LINE-NEXT: note: pardiff: in 'recursive', called from 'r' at {{.*}}chains.c:[[#@LINE-32]]:47
// NAMES-NEXT: note: pardiff: in 'g', called from 'recursive'{{$}}
// NAMES-NEXT: note: pardiff: in 'recursive', called from 'r'{{$}}
// CHECK-NEXT: note: pardiff: required by the call of '__pardiff_autodiff' in 'paired'{{.*}}, to differentiate 'r'

double forward(double x) { return __pardiff_fwddiff((void *)r, x, 1.0, 3); }
// CHECK: error: pardiff: the function that is called here has no definition
// CHECK: note: pardiff: in 'h', called from 'g'
// CHECK-NEXT: note: pardiff: in 'g', called from 'recursive'
// CHECK-NEXT: note: pardiff: in 'recursive', called from 'r'
// CHECK-NEXT: note: pardiff: required by the call of '__pardiff_fwddiff' in 'forward'

// CHECK: 4 errors generated
