// Factors that nothing overwrites stay in their arrays: a sum of products keeps nothing.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT

// CHECK-LABEL: tape plan of gemm:
// CHECK-NEXT: read S0[{{[0-9]}}] A: in place
// CHECK-NEXT: read S0[{{[0-9]}}] B: in place
// CHECK-NOT: tape
// RIGHT: 125 instances, 250 kept values, 0 wrong
void gemm(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
