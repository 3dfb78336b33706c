// Pairs of arrays that may overlap are named if one of them is written; restrict and
// two arrays that are only read need no check.
// RUN: %plain-clang -O1 -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes="print<pardiff-nest>" -disable-output %t.ll | %FileCheck %s
void plain(long n, const double *a, const double *b, double *c) {
  for (long i = 0; i < n; i++)
    c[i] = a[i] * b[i];
}
void restricted(long n, const double *restrict a, const double *restrict b,
                double *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = a[i] * b[i];
}

// CHECK: program primal of plain
// CHECK: requirements 0
// CHECK-NEXT: mayalias a c
// CHECK-NEXT: mayalias b c
// CHECK-NEXT: program primal of restricted
// CHECK-NOT: mayalias
