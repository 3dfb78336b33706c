// opt shows the line where the IR has locations; without, the message names everything.
// RUN: %plain-clang -O0 -gline-tables-only -S -emit-llvm %s -o %t.ll
// RUN: %not %opt -passes=pardiff -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=LINE
// RUN: %plain-clang -O0 -S -emit-llvm %s -o %t.ll
// RUN: %not %opt -passes=pardiff -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=NAMES
#include <pardiff/pardiff.h>

static double f(double x, int n) { return x * n; }
double use(double x) {
  // LINE: error: {{.*}}places-opt.c:[[#@LINE+2]]:10: in function use {{.*}}: pardiff: the call passes too few arguments to the function to differentiate: 'f' takes 2, the call passes 1{{$}}
  // NAMES: error: {{.*}}in function use {{.*}}: pardiff: the call passes too few arguments to the function to differentiate: 'f' takes 2, the call passes 1; in the call of '__pardiff_autodiff' in 'use'; compile with -gline-tables-only to see the line
  return __pardiff_autodiff((void *)f, x);
}
