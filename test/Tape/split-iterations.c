// Iterations that were split off a loop (here j = 0 and j = 1, where y[5] is read as well as
// written) are at constants of a time dimension in which the other iterations are counted.
// The value that one leaves for the next is found by the dataflow.
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-flow>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=CHECKED --implicit-check-not=wrong:
// CHECK: read S1[1] y
// CHECK-NEXT: from write 0 {{.*}} S0[i0, 0] -> S1[i0, 1]
// CHECK-NEXT: overwritten
// CHECKED: 0 wrong
void steps(int n, int m, double *restrict x, double *restrict y) {
  for (int i = m - 1; i >= 0; i--)
    for (int j = 0; j < n; j++) {
      y[5] += 0.2 * x[i + 5];
      x[i + 4] += y[j + 5] * y[j + 4];
    }
}
