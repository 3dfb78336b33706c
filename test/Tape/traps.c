// Traps A, B and C of alias answers taken across iterations: what is equal in address is
// not equal in version.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT

// A: the next iteration overwrites what this one reads.
// CHECK-LABEL: tape plan of ahead:
// CHECK: read S0[{{.}}] a: tape
// CHECK: tape a_tape of a: double [{{.*}}]; 1 value; live in
// RIGHT-LABEL: check ahead
// RIGHT: {{[1-9][0-9]*}} kept values, 0 wrong
void ahead(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    a[i] += a[i + 1] * a[i + 1];
}

// Backward, the element read is final.
// CHECK-LABEL: tape plan of behind:
// CHECK: read S0[{{.}}] a: in place
// CHECK-NOT: tape a_tape
void behind(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    a[i + 1] += a[i] * a[i];
}

// B: an outer loop repeats the store, though its counter is in no subscript.
// CHECK-LABEL: tape plan of repeated:
// CHECK: read S0[{{.}}] a: tape {{.*}}a_tape[i0,
// CHECK: tape a_tape of a: double [T][n]; 1 value
// CHECK-NOT: live in
// RIGHT-LABEL: check repeated
// RIGHT: 0 wrong
// RIGHT: 0 wrong
// RIGHT: 0 wrong
// RIGHT: {{[1-9][0-9]*}} kept values, 0 wrong
void repeated(int T, int n, double *restrict a) {
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      a[i + 1] += a[i] * a[i];
}

// C: two loops read through equal addresses, but memory changes in between.
// CHECK-LABEL: tape plan of between:
// CHECK-NEXT: read S0[{{.}}] a: tape
// CHECK-NEXT: read S2[{{.}}] a: in place
// CHECK: live in
// RIGHT-LABEL: check between
// RIGHT: 0 wrong
// RIGHT: 0 wrong
// RIGHT: 0 wrong
// RIGHT: {{[1-9][0-9]*}} kept values, 0 wrong
void between(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    b[i] += a[i] * a[i];
  for (int i = 0; i < n; i++)
    a[i] = 2 * c[i];
  for (int i = 0; i < n; i++)
    b[i] += a[i] * a[i];
}
