// One iterator tells the versions apart: the time loop. Three reads of two statements' arrays
// share a tape each, and a value that is on a tape for the sake of its neighbours is not recomputed.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT

// CHECK-LABEL: tape plan of burgers:
// CHECK-NOT: recompute
// CHECK: tape u_tape of u: double [T][n]; 3 values
// CHECK-NEXT: tape v_tape of v: double [T][n]; 3 values
// CHECK-NOT: tape
// RIGHT: {{[1-9][0-9]*}} kept values, 0 wrong
// RIGHT-NOT: {{[1-9][0-9]*}} wrong
void burgers(int T, int n, double u[restrict n], double v[restrict n]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] * (u[i + 1] - u[i - 1]);
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i] * (v[i + 1] - v[i - 1]);
  }
}
