// Integer data that a factor reads is kept like any other value, if it is overwritten;
// and data without a derivative too.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT

// CHECK-LABEL: tape plan of overwritten:
// CHECK: read S0[{{.}}] k: tape
// CHECK: tape k_tape of k: i32 [n]; 1 value; live in
// RIGHT-LABEL: check overwritten
// RIGHT: {{[1-9][0-9]*}} kept values, 0 wrong
void overwritten(int n, double *restrict a, int *restrict k) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * k[i];
  for (int i = 0; i < n; i++)
    k[i] = 0;
}

// CHECK-LABEL: tape plan of unchanged:
// CHECK: read S0[{{.}}] k: in place
// CHECK-NOT: tape k_tape
void unchanged(int n, double *restrict a, int *restrict k) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * k[i];
}
