// The derivative of exp and tanh is a function of the result: where the array still holds
// that, the operand is not kept.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT

#include <math.h>
// CHECK-LABEL: tape plan of output:
// CHECK-NEXT: result S0[0] y: in place
// CHECK-NOT: read
// CHECK-NOT: tape
void output(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

// Which side of a limit was chosen can be seen in the result.
// CHECK-LABEL: tape plan of limits:
// CHECK-NEXT: result S0[0] y: in place
// CHECK-NEXT: result S1[0] z: in place
// CHECK-NOT: read
// CHECK-NOT: tape
// RIGHT-LABEL: check limits
// RIGHT-NOT: {{[1-9][0-9]*}} wrong
void limits(int n, double *restrict x, double *restrict y, double *restrict z) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
  for (int i = 0; i < n; i++)
    z[i] = 1 <= x[i] ? 1 : x[i];
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

// But not where the two sides are equal and the derivative is one.
// CHECK-LABEL: tape plan of included:
// CHECK-NEXT: read S0[0] x: tape
// CHECK-NEXT: read S1[0] x: tape
// CHECK-NOT: result
void included(int n, double *restrict x, double *restrict y, double *restrict z) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] >= 0 ? x[i] : 0;
  for (int i = 0; i < n; i++)
    z[i] = fmax(x[i], 0);
  for (int i = 0; i < n; i++)
    x[i] = 0;
}

// The result is overwritten, the operand is not.
// CHECK-LABEL: tape plan of operand:
// CHECK-NEXT: read S0[0] x: in place
// CHECK-NOT: result S0
// RIGHT-LABEL: check operand
// RIGHT-NOT: {{[1-9][0-9]*}} wrong
void operand(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    y[i] = 3 * y[i];
}
