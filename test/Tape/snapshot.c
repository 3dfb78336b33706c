// A value that the same statement overwrites is a snapshot: no iterator is needed, and all
// versions are from before the nest.
//
// RUN: %plain-clang -O1 -g0 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes \
// RUN:   -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s
// RUN: %opt -passes='pardiff-prepare,function(check<pardiff-tape>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=RIGHT
// RUN: %opt -passes='pardiff-prepare,function(print<pardiff-forward>)' -disable-output %t.bc \
// RUN:   | %FileCheck %s --check-prefix=FORWARD

// CHECK-LABEL: tape plan of square:
// CHECK-NEXT: read S0[0] a: tape {{.*}} { S0[i0] -> a_tape[i0] }
// CHECK-NEXT: tape a_tape of a: double [n]; 1 value; live in
// RIGHT: 5 kept values, 0 wrong
// The snapshot runs before everything else.
// FORWARD: statement fill
// FORWARD: order {{.*}}fill[i0] -> [-1,
void square(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * a[i];
}
