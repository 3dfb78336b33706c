// An error stands at its exact line with -g, -gline-tables-only or any -Rpass=. Without,
// clang knows the function that contains the call, and the message names the call.
// RUN: %not %clang -O0 -g -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LINE
// RUN: %not %clang -O2 -gline-tables-only -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LINE
// RUN: %not %clang -O1 -Rpass=none -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LINE
// RUN: %not %clang -O0 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FUNCTION
// RUN: %not %clang -O3 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FUNCTION
#include <pardiff/pardiff.h>

double elsewhere(double x);
static double f(double x, int n) { return x * n; }

// FUNCTION: places.c:[[#@LINE+1]]:8: error: pardiff: the call passes too few arguments to the function to differentiate: 'f' takes 2, the call passes 1; in the call of '__pardiff_autodiff' in 'use'; compile with -gline-tables-only to see the line
double use(double x) {
  // LINE: places.c:[[#@LINE+1]]:14: error: pardiff: the call passes too few arguments to the function to differentiate: 'f' takes 2, the call passes 1{{$}}
  double d = __pardiff_autodiff((void *)f, x);
  // LINE: places.c:[[#@LINE+2]]:10: error: pardiff: the function to differentiate has no definition here: 'elsewhere' is defined in another file or library{{$}}
  // FUNCTION: places.c:[[#@LINE-4]]:8: error: pardiff: the function to differentiate has no definition here: 'elsewhere' is defined in another file or library; in the call of '__pardiff_autodiff' in 'use'; compile
  return __pardiff_autodiff((void *)elsewhere, x) + d;
}
// LINE: 2 errors generated
// FUNCTION: 2 errors generated
